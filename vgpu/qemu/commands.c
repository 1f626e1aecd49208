// SPDX-License-Identifier: MIT
/*
 * commands.c - commands of engines: which there are, how long they are, and what they reach. What
 * batches of all carriers have is the model's.
 */
#include "commands.h"
#include "engine.h"
#include "vgpu/model/gpu.h"
#include "registers.h"
#include "running.h"
#include "vgpu.h"

#define MI(opcode) ((u32)(opcode) << 23)
#define MI_MASK GENMASK(31, 23)
#define MI_OPCODE GENMASK(28, 23)

/* ---- the world of an engine --------------------------------------------------------------- */

static u32 *world_memory(struct sim_cs *cs, u64 address)
{
	return vgpu_engine_memory(vgpu_engine_of(cs), address & ~3ULL, cs->global);
}

static int engine_stopped(struct sim_cs *cs)
{
	return 0;
}

static int engine_read(struct sim_cs *cs, u64 address, u32 *value)
{
	const u32 *dword = world_memory(cs, address);

	if (!dword)
		return -EFAULT;
	*value = __atomic_load_n(dword, __ATOMIC_ACQUIRE);

	return 0;
}

/* A write to where nothing is gets lost, as the hardware's faults do. */
static int engine_write(struct sim_cs *cs, u64 address, u32 value)
{
	u32 *dword = world_memory(cs, address);

	if (dword)
		__atomic_store_n(dword, value, __ATOMIC_RELEASE);

	return 0;
}

static u32 engine_register_read(struct sim_cs *cs, u32 reg)
{
	return vgpu_mmio_read(vgpu_engine_of(cs)->vgpu, reg & GENMASK(22, 2));
}

static void engine_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	vgpu_mmio_write(vgpu_engine_of(cs)->vgpu, reg & GENMASK(22, 2), value);
}

static u64 engine_timestamp(struct sim_cs *cs)
{
	return sim_gpu_read_timestamp(&vgpu_engine_of(cs)->vgpu->gpu);
}

static u32 engine_report(struct sim_cs *cs, u32 id, u32 *report)
{
	return vgpu_engine_report(vgpu_engine_of(cs), id, report);
}

static int engine_work(struct sim_cs *cs, unsigned int scene, u64 clocks)
{
	vgpu_engine_works(vgpu_engine_of(cs), scene, clocks);

	return 0;
}

/* Of the ring, addresses are offsets. */
static int engine_fetch(struct sim_cs *cs, u64 address, u32 *value)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	bool global = !engine->depth || !engine->place[engine->depth].ppgtt;
	const u32 *dword;
	u32 size;

	if (!engine->depth) {
		size = (*vgpu_engine_reg(engine, RING_CTL) & RING_CTL_SIZE) + SZ_4K;
		address = *vgpu_engine_reg(engine, RING_START) + (address & (size - 1));
	}
	dword = vgpu_engine_memory(engine, address, global);
	if (!dword)
		return -EFAULT;
	*value = *dword;

	return 0;
}

/* ---- tables ------------------------------------------------------------------------------- */

static int nothing(struct sim_cs *cs)
{
	return 0;
}

#define LONGEST                                        \
	{                                              \
		SIM_CS_MAX_COMMAND, SIM_CS_MAX_COMMAND \
	}

static const struct sim_cs_command commands[] = {
	{ MI(0x02), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_user_interrupt },
	{ MI(0x05), MI_MASK, 0, { 1, 1 }, { 1, 1 }, nothing }, /* ARB_CHECK */
	{ MI(0x08), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_arbitration },
	{ MI(0x0a), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_batch_end },
	{ MI(0x0c), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_predicate },
	{ MI(0x18), MI_MASK, 0, { 2, 2 }, { 2, 2 }, vgpu_set_context },
	{ MI(0x1a), MI_MASK, 0, { 2, 2 }, LONGEST, vgpu_math },
	{ MI(0x1c), MI_MASK, 0, { 4, 4 }, { 5, 5 }, vgpu_semaphore_wait },
	{ MI(0x21), MI_MASK, 0, { 3, 3 }, { 4, 4 }, vgpu_store_index },
	{ MI(0x2e), MI_MASK, 0, { 5, 5 }, { 5, 5 }, vgpu_copy_mem_mem },
	{ MI(0x2f), MI_MASK, 0, { 3, 3 }, { 11, 11 }, vgpu_atomic },
	{ MI(0x31), MI_MASK, 0, { 2, 3 }, { 3, 3 }, vgpu_batch_start },
	{ MI(0x36), MI_MASK, 0, { 2, 2 }, { 4, 4 }, vgpu_conditional_batch_end },
	{ 0x7a000000, GENMASK(31, 16), 0, { 4, 4 }, { 6, 6 }, vgpu_pipe_control },
	{},
};

const struct sim_cs_model vgpu_cs_gen7 = {
	.address_bits = 32,
	.trusted = true,
	.commands = commands,
};

const struct sim_cs_model vgpu_cs_gen8 = {
	.address_bits = 48,
	.trusted = true,
	.commands = commands,
};

#define CLIENT GENMASK(31, 29)
#define CLIENT_MI 0
#define CLIENT_BLITTER 2
#define CLIENT_RENDER 3
#define SUBTYPE GENMASK(28, 27)
#define MI_FIRST_LONG 0x10
#define MI_UPDATE_GTT 0x23
#define MI_FLUSH_DW 0x26

/* MI commands below MI_FIRST_LONG, and those of one subtype of 3D commands, have one dword. */
static unsigned int mi_length(u32 header)
{
	u32 opcode = FIELD_GET(MI_OPCODE, header);

	if (opcode < MI_FIRST_LONG)
		return 1;
	if (opcode == MI_FLUSH_DW)
		return (header & GENMASK(5, 0)) + 2;
	if (opcode == MI_UPDATE_GTT)
		return (header & GENMASK(9, 0)) + 2;

	return (header & GENMASK(7, 0)) + 2;
}

static unsigned int render_length(u32 header)
{
	switch (FIELD_GET(SUBTYPE, header)) {
	case 1:
		return 1;
	case 2:
		return (header & GENMASK(15, 0)) + 2;
	default:
		return (header & GENMASK(7, 0)) + 2;
	}
}

static unsigned int engine_length(struct sim_cs *cs, u32 header)
{
	switch (FIELD_GET(CLIENT, header)) {
	case CLIENT_MI:
		return mi_length(header);
	case CLIENT_BLITTER:
		return (header & GENMASK(7, 0)) + 2;
	case CLIENT_RENDER:
		return render_length(header);
	default:
		return 0;
	}
}

static int mi_other(struct sim_cs *cs)
{
	u32 opcode = FIELD_GET(MI_OPCODE, cs->command[0]);

	switch (opcode) {
	case MI_FLUSH_DW:
		return vgpu_flush_dw(cs);
	case MI_UPDATE_GTT:
		return vgpu_update_gtt(cs);
	default:
		vgpu_log(vgpu_engine_of(cs)->vgpu, "MI command %#x does nothing\n", opcode);
		return 0;
	}
}

static int engine_other(struct sim_cs *cs)
{
	switch (FIELD_GET(CLIENT, cs->command[0])) {
	case CLIENT_MI:
		return mi_other(cs);
	case CLIENT_BLITTER:
		return vgpu_blit(cs);
	default:
		return vgpu_pipeline(cs);
	}
}

const struct sim_cs_ops vgpu_cs_ops = {
	.stopped = engine_stopped,
	.read = engine_read,
	.write = engine_write,
	.register_read = engine_register_read,
	.register_write = engine_register_write,
	.timestamp = engine_timestamp,
	.report = engine_report,
	.work = engine_work,
	.fetch = engine_fetch,
	.length = engine_length,
	.other = engine_other,
};
