// SPDX-License-Identifier: MIT
/*
 * engine.c - an engine: its state, and where its addresses lead.
 */
#include "engine.h"
#include "gtt.h"
#include "registers.h"
#include "vgpu.h"

/**
 * vgpu_engine_reg - a register of an engine, as it is stored
 * @engine: the engine
 * @offset: from its first one
 *
 * Return: its value
 */
u32 *vgpu_engine_reg(struct vgpu_engine *engine, u32 offset)
{
	return vgpu_reg(engine->vgpu, engine->base + offset);
}

/**
 * vgpu_engine_memory - where an address leads that a command of an engine names
 * @engine: the engine
 * @address: of a dword
 * @global: it is one of the global address space
 *
 * Return: the dword; NULL: nothing is there, which has been logged
 */
u32 *vgpu_engine_memory(struct vgpu_engine *engine, u64 address, bool global)
{
	struct vgpu *vgpu = engine->vgpu;
	u32 *memory;

	if (vgpu->platform->gen < 8 && !(*vgpu_engine_reg(engine, RING_MODE) & RING_MODE_PPGTT))
		global = true;
	memory = global ? vgpu_ggtt(vgpu, address) : vgpu_ppgtt(engine, address);
	if (!memory) {
		vgpu->statistics.faults++;
		vgpu_log(vgpu, "%s: no memory at %s address %#llx\n", engine->class->name,
			 global ? "global" : "context's", (unsigned long long)address);
	}

	return memory;
}

/**
 * vgpu_engine_status_page - global address of the page where an engine's status goes
 * @engine: the engine
 *
 * With contexts, what commands store there goes to the first page of the context's image.
 *
 * Return: the address
 */
u32 vgpu_engine_status_page(struct vgpu_engine *engine)
{
	if (engine->vgpu->platform->gen < 8)
		return *vgpu_reg(engine->vgpu, engine->class->hws) & GENMASK(31, 12);

	return engine->execlists.port[0] & GENMASK(31, 12);
}

/**
 * vgpu_engine_hang - an engine has met what it can't do
 * @engine: the engine
 * @why: what that is
 * @value: of it
 */
void vgpu_engine_hang(struct vgpu_engine *engine, const char *why, u32 value)
{
	unsigned int i;

	vgpu_log(engine->vgpu, "%s hangs: %s %#x, at %#llx, depth %u\n", engine->class->name, why,
		 value, (unsigned long long)engine->cs.at, engine->depth);
	for (i = engine->n_past < VGPU_N_PAST ? 0 : engine->n_past - VGPU_N_PAST;
	     i < engine->n_past; i++)
		vgpu_log(engine->vgpu, "%s: after %#llx: %08x\n", engine->class->name,
			 (unsigned long long)engine->past[i % VGPU_N_PAST].at,
			 engine->past[i % VGPU_N_PAST].header);
	*vgpu_engine_reg(engine, RING_IPEHR) = engine->cs.command[0];
	engine->hung = true;
}

/**
 * vgpu_engine_is_stopped - does an engine do nothing because the driver has stopped it?
 * @engine: the engine
 *
 * Return: true if so
 */
bool vgpu_engine_is_stopped(struct vgpu_engine *engine)
{
	return *vgpu_engine_reg(engine, RING_MI_MODE) & MODE_STOP;
}

/**
 * vgpu_engine_is_idle - has an engine nothing to do?
 * @engine: the engine
 *
 * Return: true if it has not
 */
bool vgpu_engine_is_idle(const struct vgpu_engine *engine)
{
	struct vgpu *vgpu = engine->vgpu;
	const u32 *head = vgpu_reg(vgpu, engine->base + RING_HEAD);
	const u32 *tail = vgpu_reg(vgpu, engine->base + RING_TAIL);

	if (vgpu->platform->gen >= 8)
		return !engine->active && !engine->execlists.pending;

	return !engine->depth && (*head & RING_HEAD_OFFSET) == (*tail & RING_HEAD_OFFSET);
}

/**
 * vgpu_engine_call - do some commands in the global address space, as when contexts are restored
 * @engine: the engine
 * @address: of the first one
 * @dwords: how many dwords; 0: until a MI_BATCH_BUFFER_END
 *
 * Return: 0, or a negative errno: one of them can't be done
 */
int vgpu_engine_call(struct vgpu_engine *engine, u64 address, unsigned int dwords)
{
	struct vgpu_place before[VGPU_MAX_DEPTH + 1];
	u64 at = engine->cs.at, end = address + dwords * sizeof(u32);
	unsigned int depth = engine->depth;
	int ret = 0;

	memcpy(before, engine->place, sizeof(before));
	engine->depth = 1;
	engine->place[1].ppgtt = false;
	engine->cs.at = address;
	while (!ret && engine->depth && (!dwords || engine->cs.at < end))
		ret = sim_cs_step(&engine->cs);
	memcpy(engine->place, before, sizeof(before));
	engine->cs.at = at;
	engine->depth = depth;

	return ret < 0 ? ret : 0;
}
