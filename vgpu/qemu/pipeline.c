// SPDX-License-Identifier: MIT
/*
 * pipeline.c - 3D and compute commands: the engine is busy for a plausible time, its units count,
 * and its statistics registers move. Which pixels are drawn is draw.c's.
 */
#include "commands.h"
#include "draw.h"
#include "engine.h"
#include "vgpu/model/scene.h"
#include "registers.h"
#include "running.h"
#include "vgpu.h"

#define COMMAND GENMASK(31, 16)
#define PRIMITIVE 0x7b00
#define GPGPU_WALKER 0x7105
#define COMPUTE_WALKER 0x7208
#define INDIRECT BIT(10)
#define PREDICATED BIT(8)

/* Registers with parameters, of the engine */
#define PRIMITIVE_FIRST_VERTEX 0x430
#define PRIMITIVE_VERTICES 0x434
#define PRIMITIVE_INSTANCES 0x438
#define DISPATCH_X 0x500
#define DISPATCH_Y 0x504
#define DISPATCH_Z 0x508

/* Clocks that work takes: to begin with, for a vertex, for a group of threads; and at most */
#define CLOCKS_BEGIN 2000
#define CLOCKS_VERTEX 16
#define CLOCKS_GROUP 500
#define CLOCKS_MOST 20000000ULL

#define IA_VERTICES 0x2310
#define IA_PRIMITIVES 0x2318
#define VS_INVOCATIONS 0x2320
#define CL_INVOCATIONS 0x2338
#define CL_PRIMITIVES 0x2340
#define PS_INVOCATIONS 0x2348
#define PS_DEPTH 0x2350
#define CS_INVOCATIONS 0x2290

static void count(struct vgpu *vgpu, u32 reg, u64 n)
{
	u32 *low = vgpu_reg(vgpu, reg), *high = vgpu_reg(vgpu, reg + 4);
	u64 value = (*low | (u64)*high << 32) + n;

	*low = lower_32_bits(value);
	*high = upper_32_bits(value);
}

static u64 clocks(u64 n, u64 each)
{
	return min(CLOCKS_BEGIN + n * each, CLOCKS_MOST);
}

/*
 * Of gen8 and later, the counter of samples written (A26) moves on by one for each pixel of a copy,
 * as tests that pass on hardware expect, although equations take it for a count of four samples.
 */
static unsigned int samples_of_pixel(const struct vgpu *vgpu)
{
	return vgpu->platform->gen < 8 ? 1 : 4;
}

/* A draw's or a walker's parameters stand in its command, or in registers. */
static u32 parameter(struct vgpu_engine *engine, const u32 *command, unsigned int i, u32 offset)
{
	return command[0] & INDIRECT ? *vgpu_engine_reg(engine, offset) : command[i];
}

static void draw(struct vgpu_engine *engine, const u32 *command)
{
	u32 vertices_each = parameter(engine, command, 2, PRIMITIVE_VERTICES);
	u32 first = parameter(engine, command, 3, PRIMITIVE_FIRST_VERTEX);
	u64 vertices = (u64)vertices_each * parameter(engine, command, 4, PRIMITIVE_INSTANCES);
	u64 primitives = vertices / 3;
	struct vgpu *vgpu = engine->vgpu;
	u32 pixels = vgpu_draw(engine, command[1], vertices_each, first);

	count(vgpu, IA_VERTICES, vertices);
	count(vgpu, VS_INVOCATIONS, vertices);
	count(vgpu, IA_PRIMITIVES, primitives);
	count(vgpu, CL_INVOCATIONS, primitives);
	count(vgpu, CL_PRIMITIVES, primitives);
	if (pixels) {
		count(vgpu, PS_INVOCATIONS, pixels);
		count(vgpu, PS_DEPTH, pixels);
		vgpu_engine_draws(engine, pixels * samples_of_pixel(vgpu));
	} else {
		vgpu_engine_works(engine, SIM_SCENE_STEADY, clocks(vertices, CLOCKS_VERTEX));
	}
}

/* The numbers of groups stand in three dwords of the command. */
static void dispatch(struct vgpu_engine *engine, const u32 *command, unsigned int x, unsigned int y,
		     unsigned int z)
{
	u64 groups = (u64)parameter(engine, command, x, DISPATCH_X) *
		     parameter(engine, command, y, DISPATCH_Y) *
		     parameter(engine, command, z, DISPATCH_Z);

	count(engine->vgpu, CS_INVOCATIONS, groups);
	vgpu_engine_works(engine, SIM_SCENE_COMPUTE, clocks(groups, CLOCKS_GROUP));
}

static bool is_left_out(struct vgpu_engine *engine, const u32 *command)
{
	return command[0] & PREDICATED &&
	       !(*vgpu_engine_reg(engine, RING_PREDICATE_RESULT) & BIT(0));
}

/**
 * vgpu_pipeline - do a command of the 3D or compute pipeline
 * @cs: the command
 *
 * State that tells nothing of a copy is taken and forgotten.
 *
 * Return: 0
 */
int vgpu_pipeline(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	const u32 *command = cs->command;

	switch (FIELD_GET(COMMAND, command[0])) {
	case PRIMITIVE:
		if (!is_left_out(engine, command))
			draw(engine, command);
		break;
	case GPGPU_WALKER:
		if (is_left_out(engine, command))
			break;
		if (cs->model->address_bits > 32)
			dispatch(engine, command, 7, 10, 12);
		else
			dispatch(engine, command, 4, 6, 8);
		break;
	case COMPUTE_WALKER:
		if (!is_left_out(engine, command))
			dispatch(engine, command, 7, 8, 9);
		break;
	default:
		vgpu_draw_take_state(cs);
	}

	return 0;
}
