/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_provider.h - exclusive streams of i915-perf, and contexts. */
#ifndef _GPUOA_I915_PROVIDER_H
#define _GPUOA_I915_PROVIDER_H

#include <linux/types.h>

struct cred;
struct file;
struct gpu;
struct gpuoa_provider_config;
struct gpuoa_provider_ops;
struct lease_unit;

/**
 * struct i915_stream_request - request for an exclusive stream
 * @config: configuration of the unit
 * @cred: credentials that i915 checks; NULL for those of the kernel
 * @file: DRM file of the context to measure; NULL for all contexts
 * @handle: handle of the context
 * @reports: size of the reports that the unit must write while the stream is opened, bytes; 0 for
 *	no minimum
 */
struct i915_stream_request {
	const struct gpuoa_provider_config *config;
	const struct cred *cred;
	struct file *file;
	u32 handle;
	u32 reports;
};

int i915_stream_open(struct gpu *gpu, const struct i915_stream_request *request);
int i915_unit_open(struct lease_unit *unit, struct gpuoa_provider_config *config,
		   const struct cred *cred);
int i915_unit_permits(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		      const struct cred *cred);

extern const struct gpuoa_provider_ops i915_provider_ops;
extern const struct gpuoa_provider_ops i915_guc_provider_ops;

#endif /* _GPUOA_I915_PROVIDER_H */
