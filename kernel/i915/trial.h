/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trial.h - does the unit write where the page table says that its buffer is?
 */
#ifndef _GPUOA_I915_TRIAL_H
#define _GPUOA_I915_TRIAL_H

struct gpu;

int trial_run(struct gpu *gpu, const char **why);

#endif /* _GPUOA_I915_TRIAL_H */
