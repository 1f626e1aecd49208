/* SPDX-License-Identifier: GPL-2.0-only */
/* buffer.h - lookup of the pages of i915's OABUFFER. */
#ifndef _GPUOA_I915_BUFFER_H
#define _GPUOA_I915_BUFFER_H

#include <linux/types.h>

struct gpu;
struct page;

int buffer_find(const struct gpu *gpu, struct page **pages, unsigned int n_pages);

#endif /* _GPUOA_I915_BUFFER_H */
