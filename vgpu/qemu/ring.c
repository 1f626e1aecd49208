// SPDX-License-Identifier: MIT
/*
 * ring.c - submission to a ring: Haswell's engines take commands as long as head and tail differ.
 */
#include "engine.h"
#include "registers.h"
#include "vgpu.h"

static bool ring_write(struct vgpu_engine *engine, u32 offset, u32 value)
{
	/* A ring that is switched off has no place. */
	if (offset == RING_CTL && !(value & RING_CTL_VALID))
		engine->depth = 0;

	return false;
}

static bool ring_next(struct vgpu_engine *engine)
{
	if (!(*vgpu_engine_reg(engine, RING_CTL) & RING_CTL_VALID))
		return false;

	return !vgpu_engine_is_idle(engine);
}

static void ring_reset(struct vgpu_engine *engine)
{
}

const struct vgpu_submission vgpu_ring = {
	.write = ring_write,
	.next = ring_next,
	.reset = ring_reset,
};
