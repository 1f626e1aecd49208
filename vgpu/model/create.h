/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * create.h - a virtual GPU is made and freed.
 */
#ifndef _SIM_CREATE_H
#define _SIM_CREATE_H

struct sim_carrier;
struct sim_gpu;
struct sim_platform;

int sim_gpu_create(struct sim_gpu *gpu, const struct sim_platform *platform,
		   const struct sim_carrier *carrier, unsigned int scene);
void sim_gpu_destroy(struct sim_gpu *gpu);

#endif /* _SIM_CREATE_H */
