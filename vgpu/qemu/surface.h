/* SPDX-License-Identifier: MIT */
/*
 * surface.h - surfaces: which pixel is where, also in tiles.
 */
#ifndef VGPU_SURFACE_H
#define VGPU_SURFACE_H

#include "vgpu/model/env.h"

struct vgpu_engine;

/**
 * struct vgpu_surface - a surface of two dimensions
 * @address: in the address space of the context
 * @width: pixels
 * @height: lines
 * @pitch: bytes from line to line
 * @bytes: of a pixel
 * @tiles: enum vgpu_tiles
 * @page: last page that a pixel was in
 * @memory: where that is; NULL: no pixel has been looked for
 */
struct vgpu_surface {
	u64 address;
	u32 width;
	u32 height;
	u32 pitch;
	u32 bytes;
	u32 tiles;
	u64 page;
	u8 *memory;
};

/* As surface states of gen8 and later number them */
enum vgpu_tiles {
	VGPU_LINEAR,
	VGPU_TILES_W,
	VGPU_TILES_X,
	VGPU_TILES_Y,
};

int vgpu_surface_read(struct vgpu_engine *engine, u64 state, struct vgpu_surface *surface);
u8 *vgpu_surface_pixel(struct vgpu_engine *engine, struct vgpu_surface *surface, u32 x, u32 y);

#endif /* VGPU_SURFACE_H */
