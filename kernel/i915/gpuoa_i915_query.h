/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_query.h - queries to i915: topology, clocks, submission, contexts. */
#ifndef _GPUOA_I915_QUERY_H
#define _GPUOA_I915_QUERY_H

#include <linux/types.h>

struct file;
struct gpu;
struct gpuoa_unit_desc;

int query_clock(struct gpu *gpu, u32 *low);
int query_context(const struct file *file, u32 handle);

int describe_gpu(struct gpu *gpu, struct gpuoa_unit_desc *desc, const char **why);

#endif /* _GPUOA_I915_QUERY_H */
