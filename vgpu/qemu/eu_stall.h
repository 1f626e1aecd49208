/* SPDX-License-Identifier: MIT */
/*
 * eu_stall.h - EU stall sampling: registers, and kernels in the memory of contexts.
 */
#ifndef _VGPU_EU_STALL_H
#define _VGPU_EU_STALL_H

#include "vgpu/model/eu_stall.h"

struct vgpu;
struct vgpu_engine;

/**
 * struct vgpu_eu_stall - EU stall sampling
 * @unit: the model
 * @cores_per_group: number of Xe cores that a group of the steering register selects from
 * @engine: engine that runs the kernel; NULL if none does
 * @base: instruction base of the kernel
 * @begin: tick at which the kernel started
 * @end: tick at which it ends
 */
struct vgpu_eu_stall {
	struct sim_eu_stall unit;
	unsigned int cores_per_group;
	struct vgpu_engine *engine;
	u64 base;
	u64 begin;
	u64 end;
};

int vgpu_eu_stall_init(struct vgpu *vgpu);
void vgpu_eu_stall_reset(struct vgpu *vgpu);
void vgpu_eu_stall_begin(struct vgpu_engine *engine, u64 start, u64 groups, u64 clocks);
void vgpu_eu_stall_end(struct vgpu_engine *engine);
void vgpu_eu_stall_advance(struct vgpu *vgpu);
int vgpu_eu_stall_request(struct vgpu *vgpu, const char *words, struct seq_file *m);

#endif /* _VGPU_EU_STALL_H */
