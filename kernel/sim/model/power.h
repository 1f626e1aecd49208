/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * power.h - a virtual GPU awake and asleep.
 */
#ifndef _SIM_POWER_H
#define _SIM_POWER_H

struct sim_gpu;

void sim_gpu_get(struct sim_gpu *gpu);
void sim_gpu_put(struct sim_gpu *gpu);

#endif /* _SIM_POWER_H */
