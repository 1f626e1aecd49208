/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * power.h - a virtual GPU awake, asleep, reset and dead.
 */
#ifndef _SIM_POWER_H
#define _SIM_POWER_H

struct sim_gpu;

void sim_gpu_get(struct sim_gpu *gpu);
void sim_gpu_put(struct sim_gpu *gpu);
void sim_gpu_reset(struct sim_gpu *gpu);
void sim_gpu_set_dead(struct sim_gpu *gpu, bool dead);

#endif /* _SIM_POWER_H */
