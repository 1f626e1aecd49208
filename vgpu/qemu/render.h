/* SPDX-License-Identifier: MIT */
/*
 * render.h - the parts of the 3D pipeline and of the blitter that tests of drivers need.
 */
#ifndef _VGPU_RENDER_H
#define _VGPU_RENDER_H

#include "vgpu/model/env.h"

struct sim_cs;
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

#define VGPU_VERTEX_BUFFERS 4
#define VGPU_VERTEX_ELEMENTS 3

/**
 * struct vgpu_draw_state - what a rectangle that is copied depends on
 * @surfaces: address that those of surface states count from
 * @bindings: offset of the pixel shader's table of surface states
 * @pool: such tables lie elsewhere
 * @topology: what vertices are put together to
 * @buffer: vertex buffers
 * @element: first dwords of vertex elements
 * @n_elements: how many there are
 */
struct vgpu_draw_state {
	u64 surfaces;
	u32 bindings;
	bool pool;
	u32 topology;
	struct {
		u64 address;
		u32 pitch;
	} buffer[VGPU_VERTEX_BUFFERS];
	u32 element[VGPU_VERTEX_ELEMENTS];
	unsigned int n_elements;
};

/* A command of the 3D pipeline sets state. */
/*
 * 3DPRIMITIVE: copies the pixels of a rectangle of so many vertices, from @first on; @topology is
 * that of the command, which only Haswell has. Returns how many; 0: it is not known which are
 * drawn
 */

#endif /* _VGPU_RENDER_H */
