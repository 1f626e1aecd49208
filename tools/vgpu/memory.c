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

/* The file, and the place in it, of a page that we see at @page */
static const struct vgpu_region *memory_region(const struct vgpu *vgpu, const u8 *page)
{
	const struct vgpu_region *region = vgpu->memory.regions;
	unsigned int i;

	for (i = 0; i < vgpu->memory.n_regions; i++, region++)
		if (page >= region->memory && page < region->memory + region->size)
			return region;

	return NULL;
}

/* Map @size bytes at @page once more, at @where. */
static bool view_map(const struct vgpu *vgpu, u8 *where, const u8 *page, u64 size)
{
	const struct vgpu_region *region = memory_region(vgpu, page);

	return region && mmap(where, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			      region->fd, region->offset + (page - region->memory)) != MAP_FAILED;
}

/* Bytes from @address on, not more than @size, that follow each other in our memory, too */
static u64 view_run(struct vgpu *vgpu, u64 address, u64 size)
{
	const u8 *first = (u8 *)vgpu_ggtt(vgpu, address);
	u64 run = SZ_4K;

	while (run < size && (u8 *)vgpu_ggtt(vgpu, address + run) == first + run)
		run += SZ_4K;

	return run;
}

/**
 * vgpu_memory_view - see a part of the GPU's global address space in one piece
 * @vgpu: the GPU
 * @address: its start, a multiple of the page size
 * @size: bytes
 *
 * A view stays until VGPU_N_VIEWS newer ones have been made.
 *
 * Return: where it is seen; NULL: a page of it is not there
 */
u8 *vgpu_memory_view(struct vgpu *vgpu, u64 address, u64 size)
{
	struct vgpu_memory *memory = &vgpu->memory;
	struct vgpu_view *view = &memory->views[memory->next_view];
	u64 done, run;

	memory->next_view = (memory->next_view + 1) % VGPU_N_VIEWS;
	if (view->memory)
		munmap(view->memory, view->size);
	view->size = size;
	view->memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (view->memory == MAP_FAILED)
		goto fail;
	for (done = 0; done < size; done += run) {
		const u8 *page = (u8 *)vgpu_ggtt(vgpu, address + done);

		if (!page)
			goto unmap;
		run = view_run(vgpu, address + done, size - done);
		if (!view_map(vgpu, view->memory + done, page, run))
			goto unmap;
	}

	return view->memory;
unmap:
	munmap(view->memory, size);
fail:
	view->memory = NULL;
	return NULL;
}
