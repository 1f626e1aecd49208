/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_provider.h - provider callbacks for gpuoa.ko, by an exclusive i915-perf stream. */
#ifndef _GPUOA_I915_PROVIDER_H
#define _GPUOA_I915_PROVIDER_H

#include <linux/types.h>

struct cred;
struct file;
struct gpu;
struct gpuoa_provider_config;
struct gpuoa_provider_ops;

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
void i915_stream_close(struct gpu *gpu);

extern const struct gpuoa_provider_ops i915_provider_ops;

#endif /* _GPUOA_I915_PROVIDER_H */
