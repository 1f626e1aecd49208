/* SPDX-License-Identifier: MIT */
/*
 * view.h - parts of the GPU's global address space, each seen in one piece.
 */
#ifndef VGPU_VIEW_H
#define VGPU_VIEW_H

#include "vgpu/model/env.h"

#define VGPU_N_VIEWS 4

struct vgpu;

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
 * struct vgpu_views - the views that there are
 * @last: the last ones that were made
 * @next: index of the next one to be replaced
 */
struct vgpu_views {
	struct vgpu_view last[VGPU_N_VIEWS];
	unsigned int next;
};

u8 *vgpu_view_at(struct vgpu *vgpu, u64 address, u64 size);

#endif /* VGPU_VIEW_H */
