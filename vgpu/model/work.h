/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * work.h - a virtual GPU in the hands of one context.
 */
#ifndef _SIM_WORK_H
#define _SIM_WORK_H

#include "env.h"

struct sim_gpu;

u64 sim_batch_begin(struct sim_gpu *gpu, unsigned int slot);
void sim_batch_report(struct sim_gpu *gpu, bool begin);
void sim_batch_end(struct sim_gpu *gpu, bool report);
int sim_work(struct sim_gpu *gpu, unsigned int slot, unsigned int profile, u64 clocks,
	     u64 *end_tick);
void sim_draw(struct sim_gpu *gpu, unsigned int slot, u32 samples, u64 *end_tick);
void sim_work_cut(struct sim_gpu *gpu);

#endif /* _SIM_WORK_H */
