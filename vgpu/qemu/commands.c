// SPDX-License-Identifier: MIT
/*
 * commands.c - commands of batches and rings: control flow, memory writes, arithmetic, flushes.
 */
#include "commands.h"
#include "context.h"
#include "engine.h"
#include "execlists.h"
#include "guc.h"
#include "irq.h"
#include "registers.h"
#include "vgpu.h"
#include "vgpu/model/gen12.h"
#include "vgpu/model/gpu.h"

#define OPCODE GENMASK(31, 20)
#define OPERAND1 GENMASK(19, 10)
#define OPERAND2 GENMASK(9, 0)

enum {
	OP_NOOP = 0x000,
	OP_LOAD = 0x080,
	OP_LOAD0 = 0x081,
	OP_ADD = 0x100,
	OP_SUB = 0x101,
	OP_AND = 0x102,
	OP_OR = 0x103,
	OP_XOR = 0x104,
	OP_STORE = 0x180,
	OP_LOADINV = 0x480,
	OP_LOAD1 = 0x481,
	OP_STOREINV = 0x580,
};

#define OPERAND_SRCA 0x20
#define OPERAND_SRCB 0x21
#define OPERAND_ACCU 0x31
#define OPERAND_ZF 0x32
#define OPERAND_CF 0x33

struct alu {
	struct vgpu_engine *engine;
	u64 a;
	u64 b;
	u64 accumulator;
	bool carry;
};

static u64 alu_operand(const struct alu *alu, u32 operand)
{
	const u32 *gpr = vgpu_engine_reg(alu->engine, RING_GPR + 8 * operand);

	switch (operand) {
	case 0 ... RING_N_GPRS - 1:
		return gpr[0] | (u64)gpr[1] << 32;
	case OPERAND_ACCU:
		return alu->accumulator;
	case OPERAND_ZF:
		return alu->accumulator ? 0 : U64_MAX;
	case OPERAND_CF:
		return alu->carry ? U64_MAX : 0;
	default:
		return 0;
	}
}

static void alu_load(struct alu *alu, u32 operand, u64 value)
{
	if (operand == OPERAND_SRCA)
		alu->a = value;
	else if (operand == OPERAND_SRCB)
		alu->b = value;
}

static void alu_store(const struct alu *alu, u32 operand, u64 value)
{
	u32 *gpr = vgpu_engine_reg(alu->engine, RING_GPR + 8 * operand);

	if (operand >= RING_N_GPRS)
		return;
	gpr[0] = lower_32_bits(value);
	gpr[1] = upper_32_bits(value);
}

static bool alu_do(struct alu *alu, u32 instruction)
{
	u32 first = FIELD_GET(OPERAND1, instruction), second = FIELD_GET(OPERAND2, instruction);

	switch (FIELD_GET(OPCODE, instruction)) {
	case OP_NOOP:
		break;
	case OP_LOAD:
		alu_load(alu, first, alu_operand(alu, second));
		break;
	case OP_LOADINV:
		alu_load(alu, first, ~alu_operand(alu, second));
		break;
	case OP_LOAD0:
		alu_load(alu, first, 0);
		break;
	case OP_LOAD1:
		alu_load(alu, first, U64_MAX);
		break;
	case OP_ADD:
		alu->accumulator = alu->a + alu->b;
		alu->carry = alu->accumulator < alu->a;
		break;
	case OP_SUB:
		alu->accumulator = alu->a - alu->b;
		alu->carry = alu->a < alu->b;
		break;
	case OP_AND:
		alu->accumulator = alu->a & alu->b;
		break;
	case OP_OR:
		alu->accumulator = alu->a | alu->b;
		break;
	case OP_XOR:
		alu->accumulator = alu->a ^ alu->b;
		break;
	case OP_STORE:
		alu_store(alu, first, alu_operand(alu, second));
		break;
	case OP_STOREINV:
		alu_store(alu, first, ~alu_operand(alu, second));
		break;
	default:
		return false;
	}

	return true;
}

/**
 * vgpu_math() - Execute MI_MATH.
 * @cs: the command
 *
 * Return: 0, or -EOPNOTSUPP if an instruction is unknown
 */
static int vgpu_math(struct sim_cs *cs)
{
	struct alu alu = { .engine = vgpu_engine_of(cs) };
	unsigned int i;

	for (i = 1; i < cs->n; i++)
		if (!alu_do(&alu, cs->command[i]))
			return -EOPNOTSUPP;

	return 0;
}

#define MI_GLOBAL BIT(22)

/* Get a dword of a command. Fetch it if the command is so long that it was not fetched before. */
static int command_dword(struct sim_cs *cs, unsigned int i, u32 *value)
{
	if (i >= SIM_CS_MAX_COMMAND)
		return cs->ops->fetch(cs, cs->at + i * sizeof(u32), value);
	*value = cs->command[i];

	return 0;
}

/* Store any number of dwords at consecutive addresses. */
static int vgpu_store_data(struct sim_cs *cs)
{
	u64 address = sim_cs_address(cs, sim_cs_is_wide(cs) ? 1 : 2);
	unsigned int i;
	u32 value;

	cs->global = cs->command[0] & MI_GLOBAL;
	for (i = 3; i < cs->n; i++, address += sizeof(u32)) {
		if (command_dword(cs, i, &value))
			return -EFAULT;
		cs->ops->write(cs, address, value);
	}

	return 0;
}

static int vgpu_store_index(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	u64 page = vgpu_engine_status_page(engine);

	cs->global = true;

	return sim_cs_write(cs, 1, page + (cs->command[1] & GENMASK(11, 2)), cs->command[2]);
}

#define COPY_FROM_GLOBAL BIT(22)
#define COPY_TO_GLOBAL BIT(21)

static int vgpu_copy_mem_mem(struct sim_cs *cs)
{
	u32 value;

	cs->global = cs->command[0] & COPY_FROM_GLOBAL;
	if (cs->ops->read(cs, sim_cs_address(cs, 3), &value))
		return -EFAULT;
	cs->global = cs->command[0] & COPY_TO_GLOBAL;

	return cs->ops->write(cs, sim_cs_address(cs, 1), value);
}

#define ATOMIC_QWORD BIT(19)
#define ATOMIC_INLINE BIT(18)
#define ATOMIC_RETURNS BIT(16)
#define ATOMIC_OPERATION GENMASK(12, 8)

static u64 atomic_result(u32 operation, u64 before, u64 first, u64 second, bool qword)
{
	s64 is = qword ? (s64)before : (s32)before, to = qword ? (s64)first : (s32)first;

	switch (operation) {
	case 0x1:
		return before & first;
	case 0x2:
		return before | first;
	case 0x3:
		return before ^ first;
	case 0x4:
		return first;
	case 0x5:
		return before + 1;
	case 0x6:
		return before - 1;
	case 0x7:
		return before + first;
	case 0x8:
		return before - first;
	case 0x9:
		return first - before;
	case 0xa:
		return is > to ? before : first;
	case 0xb:
		return is < to ? before : first;
	case 0xc:
		return max(before, first);
	case 0xd:
		return min(before, first);
	case 0xe:
		return before == first ? second : before;
	default:
		return before;
	}
}

/*
 * Execute MI_ATOMIC. The operands are in the command, or in the first two general purpose
 * registers.
 */
static int vgpu_atomic(struct sim_cs *cs)
{
	const u32 *gpr = vgpu_engine_reg(vgpu_engine_of(cs), RING_GPR), *in = cs->command + 3;
	bool qword = cs->command[0] & ATOMIC_QWORD, inlined = cs->command[0] & ATOMIC_INLINE;
	u64 address = sim_cs_address(cs, 1), before, after;
	u64 first = inlined ? in[0] | (u64)in[2] << 32 : gpr[0] | (u64)gpr[1] << 32;
	u64 second = inlined ? in[1] | (u64)in[3] << 32 : gpr[2] | (u64)gpr[3] << 32;
	u32 low, high = 0;

	cs->global = cs->command[0] & MI_GLOBAL;
	if (cs->ops->read(cs, address, &low) || (qword && cs->ops->read(cs, address + 4, &high)))
		return -EFAULT;
	before = low | (u64)high << 32;
	if (!qword) {
		first = (u32)first;
		second = (u32)second;
	}
	if (cs->command[0] & ATOMIC_RETURNS)
		vgpu_log(vgpu_engine_of(cs)->vgpu, "MI_ATOMIC returns nothing\n");
	after = atomic_result(FIELD_GET(ATOMIC_OPERATION, cs->command[0]), before, first, second,
			      qword);
	cs->ops->write(cs, address, lower_32_bits(after));
	if (qword)
		cs->ops->write(cs, address + 4, upper_32_bits(after));

	return 0;
}

/* Write entries of the global page table. */
static int vgpu_update_gtt(struct sim_cs *cs)
{
	struct vgpu *vgpu = vgpu_engine_of(cs)->vgpu;
	u64 at = (u64)(cs->command[1] >> 12) * (sim_cs_is_wide(cs) ? sizeof(u64) : sizeof(u32));
	unsigned int i;
	u32 value;

	for (i = 2; i < cs->n && at + sizeof(u32) <= vgpu->gtt_size; i++, at += sizeof(u32)) {
		if (command_dword(cs, i, &value))
			return -EFAULT;
		memcpy(vgpu->gtt + at, &value, sizeof(u32));
	}

	return 0;
}

#define POST_SYNC GENMASK(15, 14)
#define POST_SYNC_NONE 0
#define POST_SYNC_IMMEDIATE 1
#define POST_SYNC_DEPTH 2
#define POST_SYNC_TIMESTAMP 3
#define FLUSH_NOTIFIES BIT(8)
#define FLUSH_INDEX BIT(21)
#define PIPE_CONTROL_GLOBAL BIT(24)
#define PS_DEPTH_COUNT 0x2350

/**
 * struct post_sync - a write after all preceding commands
 * @operation: POST_SYNC_*
 * @address: GPU address
 * @data: index of the immediate data in the command
 */
struct post_sync {
	u32 operation;
	u64 address;
	unsigned int data;
};

static void post_sync(struct sim_cs *cs, const struct post_sync *sync)
{
	u32 high = cs->n > sync->data + 1 ? cs->command[sync->data + 1] : 0;
	u64 value = cs->command[sync->data] | (u64)high << 32;
	bool qword = cs->n > sync->data + 1 || sync->operation != POST_SYNC_IMMEDIATE;
	struct vgpu *vgpu = vgpu_engine_of(cs)->vgpu;

	if (sync->operation == POST_SYNC_TIMESTAMP)
		value = cs->ops->timestamp(cs) & SIM_CS_TIMESTAMP;
	else if (sync->operation == POST_SYNC_DEPTH)
		value = *vgpu_reg(vgpu, PS_DEPTH_COUNT) | (u64)*vgpu_reg(vgpu, PS_DEPTH_COUNT + 4)
								  << 32;
	cs->ops->write(cs, sync->address, lower_32_bits(value));
	if (qword)
		cs->ops->write(cs, sync->address + 4, upper_32_bits(value));
}

static int vgpu_user_interrupt(struct sim_cs *cs)
{
	vgpu_irq_engine(vgpu_engine_of(cs), VGPU_IRQ_USER);

	return 0;
}

/* Perform the post-sync write and the notification of a flush. */
static void complete(struct sim_cs *cs, u32 flags, const struct post_sync *sync)
{
	if (sync->operation != POST_SYNC_NONE)
		post_sync(cs, sync);
	if (flags & FLUSH_NOTIFIES)
		vgpu_user_interrupt(cs);
}

static int vgpu_pipe_control(struct sim_cs *cs)
{
	u32 flags = cs->command[1];
	struct post_sync sync = {
		.operation = FIELD_GET(POST_SYNC, flags),
		.address = sim_cs_address(cs, 2) & ~7ULL,
		.data = sim_cs_is_wide(cs) ? 4 : 3,
	};

	cs->global = flags & PIPE_CONTROL_GLOBAL;
	if (flags & FLUSH_INDEX) {
		sync.address += vgpu_engine_status_page(vgpu_engine_of(cs));
		cs->global = true;
	}
	complete(cs, flags, &sync);

	return 0;
}

#define FLUSH_DW_GLOBAL BIT(2)

static int vgpu_flush_dw(struct sim_cs *cs)
{
	u32 flags = cs->command[0];
	struct post_sync sync = {
		.operation = FIELD_GET(POST_SYNC, flags),
		.address = sim_cs_address(cs, 1) & ~7ULL,
		.data = sim_cs_is_wide(cs) ? 3 : 2,
	};

	cs->global = cs->command[1] & FLUSH_DW_GLOBAL;
	if (flags & FLUSH_INDEX) {
		sync.address = (cs->command[1] & GENMASK(11, 3)) +
			       vgpu_engine_status_page(vgpu_engine_of(cs));
		cs->global = true;
	}
	complete(cs, flags, &sync);

	return 0;
}

#define MI_GLOBAL BIT(22)

static int vgpu_arbitration(struct sim_cs *cs)
{
	vgpu_engine_of(cs)->no_switch = !(cs->command[0] & BIT(0));

	return 0;
}

/* Arguments of MI_SET_PREDICATE, which makes the engine skip commands (Xe_HP and later) */
enum {
	SKIP_UNLESS_RESULT_2 = 1,
	SKIP_IF_RESULT_2 = 2,
	SKIP_UNLESS_RESULT = 3,
	SKIP_IF_RESULT = 4,
	SKIP_ALL = 15,
};

static bool predicate_is_set(struct vgpu_engine *engine, u32 result)
{
	return *vgpu_engine_reg(engine, result) & BIT(0);
}

static bool predicate_skips(struct vgpu_engine *engine)
{
	switch (engine->predicate) {
	case SKIP_UNLESS_RESULT_2:
		return !predicate_is_set(engine, RING_PREDICATE_RESULT_2);
	case SKIP_IF_RESULT_2:
		return predicate_is_set(engine, RING_PREDICATE_RESULT_2);
	case SKIP_UNLESS_RESULT:
		return !predicate_is_set(engine, RING_PREDICATE_RESULT);
	case SKIP_IF_RESULT:
		return predicate_is_set(engine, RING_PREDICATE_RESULT);
	default:
		return engine->predicate == SKIP_ALL;
	}
}

static int vgpu_set_predicate(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);

	if (engine->vgpu->platform->version >= 1250)
		engine->predicate = cs->command[0] & GENMASK(3, 0);
	else
		vgpu_log(engine->vgpu, "MI_SET_PREDICATE does nothing\n");

	return 0;
}

/* Check whether a predicated batch is to be called. */
static bool batch_is_called(struct vgpu_engine *engine)
{
	if (engine->vgpu->platform->version >= 1250)
		return !predicate_skips(engine);

	return predicate_is_set(engine, RING_PREDICATE_RESULT_1);
}

#define BATCH_NESTED BIT(22)
#define BATCH_PREDICATED BIT(15)
#define BATCH_PPGTT BIT(8)

/*
 * Call a batch from the ring; within a batch, call or chain to another one. A batch in the
 * context's address space cannot switch to the global one: i915's command parser relies on this
 * when it jumps to an unverified batch without setting the address space bit.
 */
static int vgpu_batch_start(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	u32 header = cs->command[0];
	bool ppgtt = header & BATCH_PPGTT || (engine->depth && engine->place[engine->depth].ppgtt);

	if (header & BATCH_PREDICATED && !batch_is_called(engine))
		return 0;
	if (!engine->depth || header & BATCH_NESTED) {
		if (engine->depth == VGPU_MAX_DEPTH)
			return -ELOOP;
		engine->place[engine->depth].at = cs->next;
		if (!engine->depth) {
			u32 *head = vgpu_engine_reg(engine, RING_HEAD);
			u32 size = (*vgpu_engine_reg(engine, RING_CTL) & RING_CTL_SIZE) + SZ_4K;

			*head = (*head & ~RING_HEAD_OFFSET) | (cs->next & (size - 1));
		}
		engine->depth++;
	}
	engine->place[engine->depth].ppgtt = ppgtt;
	cs->next = sim_cs_address(cs, 1) & GENMASK_ULL(47, 2);

	return 0;
}

static int vgpu_batch_end(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);

	if (engine->depth && --engine->depth)
		cs->next = engine->place[engine->depth].at;
	else
		cs->next = *vgpu_engine_reg(engine, RING_HEAD) & RING_HEAD_OFFSET;

	return 0;
}

/*
 * Field with the comparison of MI_SEMAPHORE_WAIT and, from gen11 on, of
 * MI_CONDITIONAL_BATCH_BUFFER_END
 */
#define COMPARE GENMASK(14, 12)

static bool compare(u32 value, u32 operand, u32 how)
{
	switch (how) {
	case 0:
		return value > operand;
	case 1:
		return value >= operand;
	case 2:
		return value < operand;
	case 3:
		return value <= operand;
	case 4:
		return value == operand;
	default:
		return value != operand;
	}
}

#define CONDITION_COMPARES BIT(21)

/*
 * Execute MI_CONDITIONAL_BATCH_BUFFER_END: end the batch if the comparison of the value in memory
 * is false.
 */
static int vgpu_conditional_batch_end(struct sim_cs *cs)
{
	u32 value;

	if (!(cs->command[0] & CONDITION_COMPARES))
		return vgpu_batch_end(cs);
	cs->global = cs->command[0] & MI_GLOBAL;

	if (!cs->ops->read(cs, sim_cs_address(cs, 2), &value) &&
	    compare(value, cs->command[1], FIELD_GET(COMPARE, cs->command[0])))
		return 0;

	return vgpu_batch_end(cs);
}

#define SEMAPHORE_REGISTER BIT(16)

static int vgpu_semaphore_wait(struct sim_cs *cs)
{
	u32 header = cs->command[0], wanted = cs->command[1], value;
	bool met;

	cs->global = header & MI_GLOBAL;
	if (header & SEMAPHORE_REGISTER)
		value = cs->ops->register_read(cs, cs->command[2]);
	else if (cs->ops->read(cs, sim_cs_address(cs, 2), &value))
		return -EFAULT;
	met = compare(value, wanted, FIELD_GET(COMPARE, header));
	if (!met && cs->global && vgpu_guc_releases(vgpu_engine_of(cs), sim_cs_address(cs, 2)))
		return cs->ops->write(cs, sim_cs_address(cs, 2), 0);

	return met ? 0 : SIM_CS_WAITS;
}

static int vgpu_set_context(struct sim_cs *cs)
{
	vgpu_context_switch(vgpu_engine_of(cs), cs->command[1], cs->command[1] & BIT(0));

	return 0;
}

/* ---- predicates --------------------------------------------------------------------------- */

#define PREDICATE_LOAD GENMASK(7, 6)
#define PREDICATE_COMBINE GENMASK(4, 3)
#define PREDICATE_COMPARE GENMASK(1, 0)

static u64 predicate_register(struct vgpu_engine *engine, u32 offset)
{
	return *vgpu_engine_reg(engine, offset) | (u64)*vgpu_engine_reg(engine, offset + 4) << 32;
}

static bool predicate_compare(struct vgpu_engine *engine, u32 how)
{
	u64 first = predicate_register(engine, RING_PREDICATE_SRC0);
	u64 second = predicate_register(engine, RING_PREDICATE_SRC1);

	switch (how) {
	case 0:
		return true;
	case 1:
		return false;
	case 2:
		return first == second;
	default:
		return first - second == predicate_register(engine, RING_PREDICATE_DATA);
	}
}

static int vgpu_predicate(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	u32 header = cs->command[0], *result = vgpu_engine_reg(engine, RING_PREDICATE_RESULT);
	bool before = *result & BIT(0);
	bool now = predicate_compare(engine, FIELD_GET(PREDICATE_COMPARE, header));

	switch (FIELD_GET(PREDICATE_COMBINE, header)) {
	case 1:
		now &= before;
		break;
	case 2:
		now |= before;
		break;
	case 3:
		now ^= before;
		break;
	}
	/*
	 * The load field is 2 to load the result, 3 to load the inverted result, and otherwise
	 * keeps the old value.
	 */
	switch (FIELD_GET(PREDICATE_LOAD, header)) {
	case 2:
		*result = now;
		break;
	case 3:
		*result = !now;
		break;
	}

	return 0;
}

#define MI(opcode) ((u32)(opcode) << 23)
#define MI_MASK GENMASK(31, 23)
#define MI_OPCODE GENMASK(28, 23)

/* ---- memory and registers of an engine ---------------------------------------------------- */

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

/* Write a dword of memory. A write to an unmapped address is lost, as on hardware. */
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

/*
 * Check whether the engine's driver lets batches of users write a register: one of the engine's
 * slots names the register. Only the register that triggers reports is checked.
 */
static bool may_write(struct vgpu_engine *engine, u32 reg)
{
	unsigned int i;

	if (reg != OAG_MMIOTRIGGER || !engine->depth || !engine->place[engine->depth].ppgtt)
		return true;
	for (i = 0; i < NONPRIV_SLOTS; i++) {
		u32 slot = *vgpu_engine_reg(engine, RING_FORCE_TO_NONPRIV + i * sizeof(u32));

		if ((slot & NONPRIV_ADDRESS) == reg && !(slot & (NONPRIV_DENY | NONPRIV_READ)))
			return true;
	}

	return false;
}

static void engine_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	if (!may_write(vgpu_engine_of(cs), reg & GENMASK(22, 2)))
		return;
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

static int engine_work(struct sim_cs *cs, unsigned int workload, u64 clocks)
{
	vgpu_engine_works(vgpu_engine_of(cs), workload, clocks);

	return 0;
}

/* Fetch a dword of a command. In the ring, @address is an offset in it. */
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

#define STORE_DATA_DWORDS GENMASK(9, 0)

static const struct sim_cs_command commands[] = {
	{ MI(0x01), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_set_predicate },
	{ MI(0x02), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_user_interrupt },
	{ MI(0x05), MI_MASK, 0, { 1, 1 }, { 1, 1 }, nothing }, /* ARB_CHECK */
	{ MI(0x08), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_arbitration },
	{ MI(0x0a), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_batch_end },
	{ MI(0x0c), MI_MASK, 0, { 1, 1 }, { 1, 1 }, vgpu_predicate },
	{ MI(0x18), MI_MASK, 0, { 2, 2 }, { 2, 2 }, vgpu_set_context },
	{ MI(0x1a), MI_MASK, 0, { 2, 2 }, LONGEST, vgpu_math },
	{ MI(0x1c), MI_MASK, 0, { 4, 4 }, { 5, 5 }, vgpu_semaphore_wait },
	{ MI(0x20),
	  MI_MASK,
	  0,
	  { 4, 4 },
	  { STORE_DATA_DWORDS + 2, STORE_DATA_DWORDS + 2 },
	  vgpu_store_data,
	  STORE_DATA_DWORDS },
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
#define MI_SET_PREDICATE 0x01
#define MI_BATCH_BUFFER_END 0x0a
#define MI_FIRST_LONG 0x10
#define MI_STORE_DATA_IMM 0x20
#define MI_UPDATE_GTT 0x23
#define MI_FLUSH_DW 0x26
#define MI_BATCH_BUFFER_START 0x31

/* MI commands below MI_FIRST_LONG and 3D commands of subtype 1 have one dword. */
static unsigned int mi_length(u32 header)
{
	u32 opcode = FIELD_GET(MI_OPCODE, header);

	if (opcode < MI_FIRST_LONG)
		return 1;
	if (opcode == MI_FLUSH_DW)
		return (header & GENMASK(5, 0)) + 2;
	if (opcode == MI_UPDATE_GTT || opcode == MI_STORE_DATA_IMM)
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

/* The starts and ends of batches, and MI_SET_PREDICATE, are never skipped. */
static bool engine_skips(struct sim_cs *cs)
{
	if (FIELD_GET(CLIENT, cs->command[0]) == CLIENT_MI)
		switch (FIELD_GET(MI_OPCODE, cs->command[0])) {
		case MI_SET_PREDICATE:
		case MI_BATCH_BUFFER_END:
		case MI_BATCH_BUFFER_START:
			return false;
		}

	return predicate_skips(vgpu_engine_of(cs));
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
	.skips = engine_skips,
};
