/* SPDX-License-Identifier: GPL-2.0-only */
/* ask.h - i915 queries that do not need the OA unit. */
#ifndef _GPUOA_I915_ASK_H
#define _GPUOA_I915_ASK_H

#include <linux/types.h>

struct file;
struct gpu;

int ask_clock(struct gpu *gpu, u32 *low);
int ask_context(const struct file *file, u32 handle);

#endif /* _GPUOA_I915_ASK_H */
