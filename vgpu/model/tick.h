/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tick.h - the time of a virtual GPU.
 */
#ifndef _SIM_TICK_H
#define _SIM_TICK_H

#include "env.h"

struct sim_gpu;

u64 sim_now(const struct sim_gpu *gpu);
u64 sim_us_to_ticks(const struct sim_gpu *gpu, u32 us);
u64 sim_gpu_wait(struct sim_gpu *gpu, u64 tick);

#endif /* _SIM_TICK_H */
