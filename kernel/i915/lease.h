/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lease.h - the OA unit is ours for a while: an i915-perf stream.
 */
#ifndef _GPUOA_I915_LEASE_H
#define _GPUOA_I915_LEASE_H

#include <linux/types.h>

struct file;
struct gpu;
struct gpuoa_host_config;

int lease_open(struct gpu *gpu, const struct gpuoa_host_config *config, struct file *file,
	       u32 handle);
void lease_close(struct gpu *gpu);
int lease_clock(struct gpu *gpu, u32 *low);
int lease_find_context(struct file *file, u32 handle);

#endif /* _GPUOA_I915_LEASE_H */
