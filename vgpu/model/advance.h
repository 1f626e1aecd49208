/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * advance.h - all units of a virtual GPU, brought up to the present, and what changes for them.
 */
#ifndef _SIM_ADVANCE_H
#define _SIM_ADVANCE_H

#include "env.h"

struct sim_gpu;
struct sim_segment;

void sim_gpu_advance(struct sim_gpu *gpu);
struct sim_segment sim_gpu_change_begin(struct sim_gpu *gpu);
void sim_gpu_change(struct sim_gpu *gpu, const struct sim_segment *segment);
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown);
void sim_gpu_set_scene(struct sim_gpu *gpu, unsigned int scene);
const char *sim_gpu_scene(const struct sim_gpu *gpu);
void sim_gpu_set_offset(struct sim_gpu *gpu, u64 offset);
void sim_gpu_wrap_timestamp(struct sim_gpu *gpu, u64 ms);
u32 sim_gpu_snapshot(struct sim_gpu *gpu, unsigned int slot, u32 id, u32 *report);
u64 sim_gpu_timestamp(struct sim_gpu *gpu);
u64 sim_gpu_read_timestamp(struct sim_gpu *gpu);

#endif /* _SIM_ADVANCE_H */
