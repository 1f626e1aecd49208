// SPDX-License-Identifier: MIT
/*
 * memory.c - the guest's memory: files that QEMU has passed to us, mapped.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"
#include "vgpu.h"

/**
 * vgpu_memory_clear - forget the guest's memory
 * @vgpu: the GPU
 */
void vgpu_memory_clear(struct vgpu *vgpu)
{
	struct vgpu_memory *memory = &vgpu->memory;

	while (memory->n_regions) {
		struct vgpu_region *region = &memory->regions[--memory->n_regions];

		munmap(region->memory, region->size);
		close(region->fd);
	}
}

/**
 * vgpu_memory_add - a piece of the guest's memory
 * @vgpu: the GPU
 * @region: where it is; its file is taken over
 *
 * What can't be mapped is left out: read-only memory, which no GPU needs.
 */
void vgpu_memory_add(struct vgpu *vgpu, const struct vgpu_region *region)
{
	struct vgpu_memory *memory = &vgpu->memory;
	void *mapped = MAP_FAILED;

	if (memory->n_regions < VGPU_MAX_REGIONS)
		mapped = mmap(NULL, region->size, PROT_READ | PROT_WRITE, MAP_SHARED, region->fd,
			      region->offset);
	if (mapped == MAP_FAILED) {
		close(region->fd);
		return;
	}
	memory->regions[memory->n_regions] = *region;
	memory->regions[memory->n_regions++].memory = mapped;
}

/**
 * vgpu_memory_at - where we see memory of the guest
 * @vgpu: the GPU
 * @address: in the guest
 * @size: bytes
 *
 * Return: where, or NULL: there is no such memory
 */
void *vgpu_memory_at(struct vgpu *vgpu, u64 address, u64 size)
{
	const struct vgpu_region *region = vgpu->memory.regions;
	unsigned int i;

	for (i = 0; i < vgpu->memory.n_regions; i++, region++)
		if (address >= region->address && address + size <= region->address + region->size)
			return region->memory + (address - region->address);

	return NULL;
}
