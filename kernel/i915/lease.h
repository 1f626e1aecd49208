/* SPDX-License-Identifier: GPL-2.0-only */
/* lease.h - exclusive use of the OA unit by an i915-perf stream. */
#ifndef _GPUOA_I915_LEASE_H
#define _GPUOA_I915_LEASE_H

#include <linux/types.h>

struct cred;
struct file;
struct gpu;
struct gpuoa_provider_config;

/**
 * struct lease_request - request for an exclusive stream
 * @config: configuration of the unit
 * @cred: credentials that i915 checks; NULL for those of the kernel
 * @file: DRM file of the context to measure; NULL for all contexts
 * @handle: handle of the context
 * @reports: size of the reports that the unit must write while the stream is opened, bytes; 0 for
 *	no minimum
 */
struct lease_request {
	const struct gpuoa_provider_config *config;
	const struct cred *cred;
	struct file *file;
	u32 handle;
	u32 reports;
};

int lease_open(struct gpu *gpu, const struct lease_request *request);
int lease_check(struct gpu *gpu, const struct lease_request *request);
void lease_close(struct gpu *gpu);

#endif /* _GPUOA_I915_LEASE_H */
