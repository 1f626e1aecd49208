// SPDX-License-Identifier: MIT
/*
 * engine.c - engines: registers, ring buffers and execution of commands.
 */
#include "device_host.h"
#include "commands.h"
#include "engine.h"
#include "memory.h"
#include "registers.h"
#include "execlists.h"
#include "guc.h"
#include "vgpu.h"
#include "vgpu/model/gpu.h"

/**
 * vgpu_engine_reg() - Get the stored value of an engine's register.
 * @engine: the engine
 * @offset: offset from the engine's base
 *
 * Return: pointer to the value
 */
u32 *vgpu_engine_reg(struct vgpu_engine *engine, u32 offset)
{
	return vgpu_reg(engine->vgpu, engine->base + offset);
}

/**
 * vgpu_engine_memory() - Translate an address in a command of an engine.
 * @engine: the engine
 * @address: address of a dword
 * @global: the address is in the global address space
 *
 * Return: the dword, or NULL if it is not mapped, which is logged or starts a page fault
 */
u32 *vgpu_engine_memory(struct vgpu_engine *engine, u64 address, bool global)
{
	struct vgpu *vgpu = engine->vgpu;
	u32 *memory;

	if (vgpu->platform->gen < 8 && !(*vgpu_engine_reg(engine, RING_MODE) & RING_MODE_PPGTT))
		global = true;
	memory = global ? vgpu_ggtt(vgpu, address) : vgpu_ppgtt(engine, address);
	if (!memory && !global && vgpu_guc_schedules(engine)) {
		if (!engine->fault.pending)
			engine->fault = (struct vgpu_page_fault){ true, address };
	} else if (!memory) {
		vgpu->statistics.faults++;
		vgpu_log(vgpu, "%s: no memory at %s address %#llx\n", engine->class->name,
			 global ? "global" : "context's", (unsigned long long)address);
	}

	return memory;
}

/**
 * vgpu_engine_status_page() - Get the address of an engine's status page.
 * @engine: the engine
 *
 * With execlists, commands store to the first page of the context's image instead.
 *
 * Return: global address
 */
u32 vgpu_engine_status_page(struct vgpu_engine *engine)
{
	if (engine->vgpu->platform->gen < 8)
		return *vgpu_reg(engine->vgpu, engine->class->hws) & GENMASK(31, 12);

	return engine->execlists.port[0] & GENMASK(31, 12);
}

/**
 * vgpu_engine_hang() - Hang an engine at a command that it cannot execute.
 * @engine: the engine
 * @why: kind of the error
 * @value: the unsupported value
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
 * vgpu_engine_is_stopped() - Check whether the driver has stopped an engine.
 * @engine: the engine
 *
 * Return: true if it has
 */
static bool vgpu_engine_is_stopped(struct vgpu_engine *engine)
{
	return *vgpu_engine_reg(engine, RING_MI_MODE) & MODE_STOP;
}

/**
 * vgpu_engine_is_idle() - Check whether an engine has no work.
 * @engine: the engine
 *
 * Return: true if it has none
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
 * vgpu_engine_call() - Execute commands in the global address space, for example in a restore.
 * @engine: the engine
 * @address: address of the first one
 * @dwords: number of dwords; 0 to end with MI_BATCH_BUFFER_END
 *
 * Return: 0, or a negative errno if a command failed
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

static struct vgpu_engine *engine_of_rule(const struct vgpu_rule *rule)
{
	return container_of(rule, struct vgpu_engine, rule);
}

static u64 engine_head(struct vgpu_engine *engine)
{
	if (engine->depth)
		return engine->cs.at;

	return *vgpu_engine_reg(engine, RING_START) +
	       (*vgpu_engine_reg(engine, RING_HEAD) & RING_HEAD_OFFSET);
}

static u32 engine_register_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	struct vgpu_engine *engine = engine_of_rule(rule);
	u32 stored = *vgpu_reg(vgpu, reg);

	switch (reg - engine->base) {
	case RING_TIMESTAMP:
		return lower_32_bits(sim_gpu_read_timestamp(&vgpu->gpu));
	case RING_TIMESTAMP_UDW:
		return upper_32_bits(sim_gpu_read_timestamp(&vgpu->gpu));
	case RING_CTX_TIMESTAMP:
		return vgpu_clock_read(engine);
	case RING_ACTHD:
		return lower_32_bits(engine_head(engine));
	case RING_ACTHD_UDW:
		return upper_32_bits(engine_head(engine));
	case RING_INSTDONE:
		return ~0U;
	case RING_MI_MODE:
		return vgpu_engine_is_stopped(engine) || vgpu_engine_is_idle(engine) ?
			       stored | MODE_IDLE :
			       stored & ~MODE_IDLE;
	default:
		return stored;
	}
}

/* Handle a reset request, which is acknowledged at once. */
static void engine_write_reset_ctl(struct vgpu_engine *engine, u32 value)
{
	u32 *stored = vgpu_engine_reg(engine, RING_RESET_CTL), mask = value >> 16;

	*stored = (*stored & ~mask) | (value & mask);
	if (*stored & RESET_CTL_REQUEST)
		*stored |= RESET_CTL_READY;
	else
		*stored &= ~RESET_CTL_READY;
	if (value & mask & RESET_CTL_CAT_ERROR)
		*stored &= ~RESET_CTL_CAT_ERROR;
}

/* Registers with write enables in their upper half */
static bool is_masked(u32 offset)
{
	static const u16 masked[] = {
		0x50 /* PSMI_CTL */,  0x88 /* ECOSKPD */,    0x8c /* CS_DEBUG_MODE1 */,
		RING_MI_MODE,	      RING_INSTPM,	     RING_CS_DEBUG_MODE2,
		0xe0 /* FF_THREAD */, 0xe4 /* CS_CHICKEN */, 0xec /* CS_DEBUG_MODE1 */,
		0x1d0 /* ECOSKPD */,  RING_CONTEXT_CONTROL,  RING_MODE,
		RING_CS_CHICKEN1,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(masked); i++)
		if (masked[i] == offset)
			return true;

	return false;
}

static void engine_register_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg,
				  u32 value)
{
	struct vgpu_engine *engine = engine_of_rule(rule);
	u32 offset = reg - engine->base;

	if (vgpu->platform->submission->write(engine, offset, value))
		return;
	if (is_masked(offset)) {
		vgpu_masked.write(vgpu, rule, reg, value);
		/* Handle a request for a flush, which completes at once. */
		if (offset == RING_INSTPM)
			*vgpu_reg(vgpu, reg) &= ~INSTPM_SYNC_FLUSH;
		return;
	}
	switch (offset) {
	case RING_RESET_CTL:
		engine_write_reset_ctl(engine, value);
		break;
	case RING_EIR:
		vgpu_write_1_clears.write(vgpu, rule, reg, value);
		break;
	case RING_CTX_TIMESTAMP:
		vgpu_clock_set(engine, value);
		break;
	default:
		*vgpu_reg(vgpu, reg) = value;
	}
}

const struct vgpu_behaviour vgpu_engine_registers = {
	engine_register_read,
	engine_register_write,
};

static bool ring_write(struct vgpu_engine *engine, u32 offset, u32 value)
{
	/* A disabled ring has no position in a batch. */
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

/*
 * An engine runs in bursts: it executes commands until there are none left, one of them waits, or
 * BURST_COMMANDS have run; then the guest's accesses are served. During a burst GPU time stops,
 * except for a constant time per command, so that timestamps do not depend on the speed of this
 * process.
 */
#define BURST_COMMANDS 1000

/**
 * vgpu_engine_reset() - Reset an engine.
 * @engine: the engine
 */
void vgpu_engine_reset(struct vgpu_engine *engine)
{
	vgpu_engine_stops(engine);
	/* The sampling units belong to the EUs, which these engines use. */
	if (engine->class->class == VGPU_RENDER || engine->class->class == VGPU_COMPUTE)
		vgpu_eu_stall_reset(engine->vgpu);
	*vgpu_engine_reg(engine, RING_HEAD) = 0;
	*vgpu_engine_reg(engine, RING_TAIL) = 0;
	*vgpu_engine_reg(engine, RING_START) = 0;
	*vgpu_engine_reg(engine, RING_CTL) = 0;
	*vgpu_engine_reg(engine, RING_RESET_CTL) = 0;
	engine->depth = 0;
	engine->active = false;
	engine->hung = false;
	engine->failed = false;
	engine->fault.pending = false;
	engine->waits = false;
	engine->no_switch = false;
	engine->work = false;
	engine->vgpu->platform->submission->reset(engine);
	engine->vgpu->statistics.resets++;
}

/*
 * Convert between RING_HEAD and the address of the next command, while commands come from the ring.
 */
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

/* Execute a command. Return false if no other command can be executed now. */
static bool engine_step(struct vgpu_engine *engine)
{
	struct vgpu *vgpu = engine->vgpu;
	unsigned int depth;
	u64 at;
	int ret;

	if (engine->hung || engine->failed || engine->fault.pending)
		return false;
	if (engine->work) {
		if (sim_now(&vgpu->gpu) < engine->work_end)
			return false;
		vgpu_eu_stall_end(engine);
		engine->work = false;
	}
	if (vgpu_engine_is_stopped(engine) || !vgpu->platform->submission->next(engine))
		return false;

	engine_place(engine);
	at = engine->cs.at;
	depth = engine->depth;
	engine->past[engine->n_past % VGPU_N_PAST].at = at;
	ret = sim_cs_step(&engine->cs);
	engine->past[engine->n_past++ % VGPU_N_PAST].header = engine->cs.command[0];
	if (engine->fault.pending) {
		/*
		 * Report the page fault, and repeat the command when the driver has mapped the
		 * page.
		 */
		engine->cs.at = at;
		engine->depth = depth;
		engine_placed(engine);
		vgpu_guc_page_fault(engine);
		return false;
	}
	engine_placed(engine);
	vgpu->statistics.commands++;
	engine->waits = ret == SIM_CS_WAITS;
	if (ret < 0)
		vgpu_engine_hang(engine, "command", engine->cs.command[0]);

	return !ret && !engine->work;
}

/**
 * vgpu_engines_run() - Run a burst on each engine.
 * @vgpu: the GPU
 *
 * Return: true if an engine has more commands to execute
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
	vgpu_eu_stall_advance(vgpu);

	return vgpu_guc_run(vgpu) || more;
}

/**
 * vgpu_engines_init() - Create the engines of the platform.
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
		*vgpu_engine_reg(engine, RING_PWRCTX_MAXCNT) = PWRCTX_MAXCNT_40_US;
		*vgpu_engine_reg(engine, RING_ENGINE_ID) = class->class | class->instance << 4;
		vgpu->platform->submission->reset(engine);
	}

	return ret;
}
