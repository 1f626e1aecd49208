/* SPDX-License-Identifier: GPL-2.0-only */
/* describe.h - description of a GPU by i915. */
#ifndef _GPUOA_I915_DESCRIBE_H
#define _GPUOA_I915_DESCRIBE_H

struct gpu;
struct gpuoa_unit_desc;

int describe_gpu(struct gpu *gpu, struct gpuoa_unit_desc *desc, const char **why);

#endif /* _GPUOA_I915_DESCRIBE_H */
