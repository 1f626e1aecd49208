/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the guest's memory, and how addresses of the GPU lead there.
 */
#ifndef VGPU_MEMORY_H
#define VGPU_MEMORY_H

#include "kernel/sim/model/env.h"

#define VGPU_MAX_REGIONS 8
#define VGPU_N_VIEWS 4

struct vgpu;
struct vgpu_engine;

/**
 * struct vgpu_region - a piece of the guest's memory
 * @address: where the guest sees it
 * @size: bytes
 * @memory: where we see it
 * @fd: file that holds it
 * @offset: where in the file
 */
struct vgpu_region {
	u64 address;
	u64 size;
	u8 *memory;
	int fd;
	s64 offset;
};

/**
 * struct vgpu_view - pages that follow each other in the GPU's global address space, seen in one
 *	piece
 * @memory: where; NULL: there is no view
 * @size: bytes
 */
struct vgpu_view {
	u8 *memory;
	u64 size;
};

/**
 * struct vgpu_memory - the guest's memory
 * @regions: its pieces
 * @n_regions: how many
 * @views: the last ones that were made, the next one to be replaced at @next_view
 * @next_view: see @views
 */
struct vgpu_memory {
	struct vgpu_region regions[VGPU_MAX_REGIONS];
	unsigned int n_regions;
	struct vgpu_view views[VGPU_N_VIEWS];
	unsigned int next_view;
};

void vgpu_memory_add(struct vgpu *vgpu, const struct vgpu_region *region);
void vgpu_memory_clear(struct vgpu *vgpu);
void *vgpu_memory_at(struct vgpu *vgpu, u64 address, u64 size);
u8 *vgpu_memory_view(struct vgpu *vgpu, u64 address, u64 size);

u32 *vgpu_ggtt(struct vgpu *vgpu, u64 address);
u32 *vgpu_ppgtt(struct vgpu_engine *engine, u64 address);

#endif /* VGPU_MEMORY_H */
