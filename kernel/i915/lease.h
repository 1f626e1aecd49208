/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lease.h - the OA unit is ours for a while: an i915-perf stream.
 */
#ifndef _GPUOA_I915_LEASE_H
#define _GPUOA_I915_LEASE_H

#include <linux/types.h>

struct cred;
struct file;
struct gpu;
struct gpuoa_host_config;

/**
 * struct lease_request - what the unit is wanted for
 * @config: what it is to be programmed for
 * @cred: credentials that i915 checks; NULL: the kernel's
 * @file: DRM file of the context that it is for; NULL: for all
 * @handle: of that context
 * @reports: bytes of reports that the unit writes before it is ours; 0: as it happens
 */
struct lease_request {
	const struct gpuoa_host_config *config;
	const struct cred *cred;
	struct file *file;
	u32 handle;
	u32 reports;
};

int lease_open(struct gpu *gpu, const struct lease_request *request);
int lease_check(struct gpu *gpu, const struct lease_request *request);
void lease_close(struct gpu *gpu);

#endif /* _GPUOA_I915_LEASE_H */
