/* SPDX-License-Identifier: GPL-2.0-only */
/* trial.h - probe write: verify the buffer address from the page table. */
#ifndef _GPUOA_I915_TRIAL_H
#define _GPUOA_I915_TRIAL_H

struct gpu;

int trial_run(struct gpu *gpu, const char **why);

#endif /* _GPUOA_I915_TRIAL_H */
