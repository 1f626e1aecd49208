/* SPDX-License-Identifier: MIT */
/*
 * draw.h - draws: the state of the 3D pipeline that tells which pixels are copied.
 */
#ifndef VGPU_DRAW_H
#define VGPU_DRAW_H

#include "vgpu/model/env.h"

struct sim_cs;
struct vgpu_engine;

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
void vgpu_draw_take_state(struct sim_cs *cs);
/*
 * 3DPRIMITIVE: copies the pixels of a rectangle of so many vertices, from @first on; @topology is
 * that of the command, which only Haswell has. Returns how many; 0: it is not known which are
 * drawn
 */
u32 vgpu_draw(struct vgpu_engine *engine, u32 topology, u32 vertices, u32 first);

#endif /* VGPU_DRAW_H */
