/* SPDX-License-Identifier: MIT */
/*
 * render.h - the subset of the 3D pipeline and the blitter that driver tests need.
 */
#ifndef _VGPU_RENDER_H
#define _VGPU_RENDER_H

#include "vgpu/model/env.h"

struct sim_cs;
struct vgpu_engine;

/**
 * struct vgpu_surface - a 2D surface
 * @address: address in the context's address space
 * @width: width in pixels
 * @height: height in lines
 * @pitch: bytes per line
 * @bytes: bytes per pixel
 * @tiles: enum vgpu_tiles
 * @page: page of the last pixel accessed
 * @memory: address of that page in this process; NULL if there is none yet
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

/* Tilings, numbered as in surface states of gen8 and later */
enum vgpu_tiles {
	VGPU_LINEAR,
	VGPU_TILES_W,
	VGPU_TILES_X,
	VGPU_TILES_Y,
};

#define VGPU_VERTEX_BUFFERS 4
#define VGPU_VERTEX_ELEMENTS 3

/**
 * struct vgpu_draw_state - pipeline state needed to copy a rectangle, or to sample kernels
 * @surfaces: base address of surface states
 * @bindings: offset of the pixel shader's binding table
 * @pool: binding tables are in a separate pool
 * @topology: primitive topology
 * @buffer: vertex buffers
 * @element: first dwords of vertex elements
 * @n_elements: number of vertex elements
 * @instructions: base address of kernels
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
	u64 instructions;
};

#endif /* _VGPU_RENDER_H */
