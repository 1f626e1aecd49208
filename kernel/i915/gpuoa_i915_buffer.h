/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_buffer.h - pages of i915's OABUFFER. */
#ifndef _GPUOA_I915_BUFFER_H
#define _GPUOA_I915_BUFFER_H

#include <linux/types.h>

struct gpu;
struct page;

int buffer_find(const struct gpu *gpu, struct page **pages, unsigned int n_pages);

int probe_write(struct gpu *gpu, const char **why);

#endif /* _GPUOA_I915_BUFFER_H */
