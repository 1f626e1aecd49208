// SPDX-License-Identifier: MIT
/*
 * view.c - parts of the GPU's global address space, each seen in one piece: pages of the guest's
 * memory that need not follow each other there.
 */
#include <sys/mman.h>

#include "gtt.h"
#include "vgpu.h"
#include "view.h"

/* The file, and the place in it, of a page that we see at @page */
static const struct vgpu_region *view_region(const struct vgpu *vgpu, const u8 *page)
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
	const struct vgpu_region *region = view_region(vgpu, page);

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
 * vgpu_view_at - see a part of the GPU's global address space in one piece
 * @vgpu: the GPU
 * @address: its start, a multiple of the page size
 * @size: bytes
 *
 * A view stays until VGPU_N_VIEWS newer ones have been made.
 *
 * Return: where it is seen; NULL: a page of it is not there
 */
u8 *vgpu_view_at(struct vgpu *vgpu, u64 address, u64 size)
{
	struct vgpu_views *views = &vgpu->views;
	struct vgpu_view *view = &views->last[views->next];
	u64 done, run;

	views->next = (views->next + 1) % VGPU_N_VIEWS;
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
