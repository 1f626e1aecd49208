/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_provider.h - exclusive streams of i915-perf, and contexts. */
#ifndef _GPUOA_I915_PROVIDER_H
#define _GPUOA_I915_PROVIDER_H

#include <linux/types.h>

#include "../lease/lease.h"

struct cred;
struct file;
struct gpuoa_provider_config;
struct gpuoa_provider_ops;
struct ioctl_args;

/**
 * struct i915_stream_request - request for an exclusive stream
 * @lease: part that all drivers have
 * @file: DRM file of the context to measure; NULL for all contexts
 * @handle: handle of the context
 * @reports: size of the reports that the unit must write while the stream is opened, bytes; 0 for
 *	no minimum
 */
struct i915_stream_request {
	struct lease_request lease;
	struct file *file;
	u32 handle;
	u32 reports;
};

int i915_stream_open(const struct i915_stream_request *request);

int i915_unit_open(struct lease_unit *unit, struct gpuoa_provider_config *config,
		   const struct cred *cred);
int i915_unit_permits(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		      const struct cred *cred);
long i915_add_config(struct ioctl_args *args, struct file *node, const char *uuid,
		     const struct gpuoa_provider_config *config);
void i915_remove_config(struct ioctl_args *args, struct file *node, u64 id);
long i915_open_stream(struct ioctl_args *args, struct file *node, const struct lease_request *lease,
		      u64 id);
long i915_try_stream(struct ioctl_args *args, struct file *node,
		     const struct lease_request *request, u64 id);
int i915_run_once(struct ioctl_args *args, struct file *stream, const struct lease_request *lease);

extern const struct gpuoa_provider_ops i915_provider_ops;
extern const struct gpuoa_provider_ops i915_guc_provider_ops;

#endif /* _GPUOA_I915_PROVIDER_H */
