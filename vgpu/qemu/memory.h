/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the guest's memory.
 */
#ifndef VGPU_MEMORY_H
#define VGPU_MEMORY_H

#include "vgpu/model/env.h"

#define VGPU_MAX_REGIONS 8

struct vgpu;

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
 * struct vgpu_memory - the guest's memory
 * @regions: its pieces
 * @n_regions: how many
 */
struct vgpu_memory {
	struct vgpu_region regions[VGPU_MAX_REGIONS];
	unsigned int n_regions;
};

void vgpu_memory_add(struct vgpu *vgpu, const struct vgpu_region *region);
void vgpu_memory_clear(struct vgpu *vgpu);
void *vgpu_memory_at(struct vgpu *vgpu, u64 address, u64 size);

#endif /* VGPU_MEMORY_H */
