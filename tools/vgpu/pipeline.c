// SPDX-License-Identifier: MIT
/*
 * pipeline.c - 3D and compute commands: the engine is busy for a plausible time, its units count,
 * and its statistics registers move. Which pixels are drawn is draw.c's.
 */
#include "commands.h"
#include "draw.h"
#include "engine.h"
#include "kernel/sim/model/scene.h"
#include "registers.h"
#include "running.h"
#include "vgpu.h"

#define COMMAND GENMASK(31, 16)
#define PRIMITIVE 0x7b00
#define GPGPU_WALKER 0x7105
#define COMPUTE_WALKER 0x7208

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

static void draw(struct vgpu_engine *engine, const u32 *command)
{
	u64 vertices = (u64)command[2] * command[4], primitives = vertices / 3;
	struct vgpu *vgpu = engine->vgpu;
	u32 pixels = vgpu_draw(engine, command);

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

static void dispatch(struct vgpu_engine *engine, u64 groups)
{
	count(engine->vgpu, CS_INVOCATIONS, groups);
	vgpu_engine_works(engine, SIM_SCENE_COMPUTE, clocks(groups, CLOCKS_GROUP));
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
		draw(engine, command);
		break;
	case GPGPU_WALKER:
		if (cs->model->address_bits > 32)
			dispatch(engine, (u64)command[7] * command[10] * command[12]);
		else
			dispatch(engine, (u64)command[4] * command[6] * command[8]);
		break;
	case COMPUTE_WALKER:
		dispatch(engine, (u64)command[7] * command[8] * command[9]);
		break;
	default:
		vgpu_draw_take_state(cs);
	}

	return 0;
}
