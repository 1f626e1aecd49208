// SPDX-License-Identifier: MIT
/*
 * engines.c - engines at work: the loop that takes command after command, and resets.
 */
#include "carrier.h"
#include "commands.h"
#include "engine.h"
#include "engine_registers.h"
#include "engines.h"
#include "vgpu/model/gpu.h"
#include "registers.h"
#include "running.h"
#include "vgpu.h"

/*
 * An engine runs in bursts: it takes commands until none is left, one waits, or it has taken
 * BURST_COMMANDS; then the guest's accesses are answered before it goes on. In a burst the GPU's
 * time stands still, but for a little that each command takes: how fast this process happens to be
 * shows in no timestamp.
 */
#define BURST_COMMANDS 1000

/**
 * vgpu_engine_reset - an engine is reset
 * @engine: the engine
 */
void vgpu_engine_reset(struct vgpu_engine *engine)
{
	vgpu_engine_stops(engine);
	*vgpu_engine_reg(engine, RING_HEAD) = 0;
	*vgpu_engine_reg(engine, RING_TAIL) = 0;
	*vgpu_engine_reg(engine, RING_START) = 0;
	*vgpu_engine_reg(engine, RING_CTL) = 0;
	*vgpu_engine_reg(engine, RING_RESET_CTL) = 0;
	engine->depth = 0;
	engine->active = false;
	engine->hung = false;
	engine->waits = false;
	engine->no_switch = false;
	engine->work = false;
	engine->vgpu->platform->submission->reset(engine);
	engine->vgpu->statistics.resets++;
}

/* What the engine remembers of where it is when its commands are those of the ring */
static void engine_place(struct vgpu_engine *engine)
{
	if (!engine->depth)
		engine->cs.at = *vgpu_engine_reg(engine, RING_HEAD) & RING_HEAD_OFFSET;
}

static void engine_placed(struct vgpu_engine *engine)
{
	u32 *head = vgpu_engine_reg(engine, RING_HEAD);
	u32 size = (*vgpu_engine_reg(engine, RING_CTL) & RING_CTL_SIZE) + SZ_4K;

	if (!engine->depth)
		*head = (*head & ~RING_HEAD_OFFSET) | (engine->cs.at & (size - 1));
}

/* Do a command. False: no other one can be done now. */
static bool engine_step(struct vgpu_engine *engine)
{
	struct vgpu *vgpu = engine->vgpu;
	int ret;

	if (engine->hung)
		return false;
	if (engine->work) {
		if (sim_now(&vgpu->gpu) < engine->work_end)
			return false;
		engine->work = false;
	}
	if (vgpu_engine_is_stopped(engine) || !vgpu->platform->submission->next(engine))
		return false;

	engine_place(engine);
	engine->past[engine->n_past % VGPU_N_PAST].at = engine->cs.at;
	ret = sim_cs_step(&engine->cs);
	engine->past[engine->n_past++ % VGPU_N_PAST].header = engine->cs.command[0];
	engine_placed(engine);
	vgpu->statistics.commands++;
	engine->waits = ret == SIM_CS_WAITS;
	if (ret < 0)
		vgpu_engine_hang(engine, "command", engine->cs.command[0]);

	return !ret && !engine->work;
}

/**
 * vgpu_engines_run - let the engines work
 * @vgpu: the GPU
 *
 * Return: true if one of them has still something to do that nothing keeps it from
 */
bool vgpu_engines_run(struct vgpu *vgpu)
{
	bool more = false;
	unsigned int i, n;

	for (i = 0; i < vgpu->n_engines; i++) {
		vgpu_time_burst(vgpu, true);
		for (n = 0; n < BURST_COMMANDS && engine_step(&vgpu->engines[i]); n++)
			vgpu_time_pass(vgpu, VGPU_COMMAND_NS);
		vgpu_time_burst(vgpu, false);
		more |= n == BURST_COMMANDS;
	}

	return more;
}

/**
 * vgpu_engines_init - make the engines of the platform
 * @vgpu: the GPU
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_engines_init(struct vgpu *vgpu)
{
	const struct vgpu_engine_class *class = vgpu->platform->engines;
	int ret = 0;

	for (; class->name && !ret; class ++) {
		struct vgpu_engine *engine = &vgpu->engines[vgpu->n_engines++];

		engine->vgpu = vgpu;
		engine->class = class;
		engine->base = class->base;
		engine->slot = -1;
		engine->rule = (struct vgpu_rule){
			.first = class->base,
			.last = class->base + RING_SIZE - sizeof(u32),
			.is = &vgpu_engine_registers,
		};
		engine->cs.model = vgpu->platform->cs;
		engine->cs.ops = &vgpu_cs_ops;
		engine->cs.mmio = class->base;
		ret = vgpu_mmio_add(vgpu, &engine->rule);
		*vgpu_engine_reg(engine, RING_IMR) = ~0U;
		vgpu->platform->submission->reset(engine);
	}

	return ret;
}
