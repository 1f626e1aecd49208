/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pin.h - a virtual GPU whose clock is pinned.
 */
#ifndef _SIM_PIN_H
#define _SIM_PIN_H

#include "env.h"

struct sim_gpu;

/* The clock has steps, as hardware's has. */
#define SIM_PIN_STEP_MHZ 50
#define SIM_N_PINS 64

int sim_gpu_pin_init(struct sim_gpu *gpu);
void sim_gpu_pin_fini(struct sim_gpu *gpu);
int sim_gpu_pin_prepare(struct sim_gpu *gpu, u32 mhz);
int sim_gpu_pin(struct sim_gpu *gpu, u32 *mhz);

#endif /* _SIM_PIN_H */
