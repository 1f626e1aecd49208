// SPDX-License-Identifier: GPL-2.0-only
/*
 * cs.c - the command streamer: parses and executes batches.
 */
#include "env.h"

#include <gen12_regs.h>
#include <gen7_regs.h>
#include <gen8_regs.h>

#include "mmio.h"
#include "cs.h"
#include "workload.h"
#include "uapi/gpuoa_sim.h"

/*
 * A batch may read the OA registers that queries need (buffer address, head, tail, and counters
 * that are not in reports), and write those that put markers into the stream (the report triggers,
 * and the counter that holds the marker's value). Configuration registers are reserved for the
 * driver.
 */
#define OAREPORTTRIG1 0x2740
#define OAREPORTTRIG8 0x275c
#define OA_PERF_A20 0x28a0
#define OAG_OAREPORTTRIG1 0xd920
#define OAG_OAREPORTTRIG8 0xd93c
#define OAG_PERF_A19 0xda18

static const struct sim_cs_register gen7_registers[] = {
	{ OASTATUS1, OASTATUS2, SIM_CS_READ },
	{ OABUFFER, OABUFFER, SIM_CS_READ },
	{ SIM_PERFCNT_FIRST, SIM_PERFCNT_LAST, SIM_CS_READ },
};

static const struct sim_cs_register gen8_registers[] = {
	{ OAREPORTTRIG1, OAREPORTTRIG8, SIM_CS_READ | SIM_CS_WRITE },
	{ OA_PERF_A20, OA_PERF_A20, SIM_CS_READ | SIM_CS_WRITE },
	{ GEN8_OASTATUS, GEN8_OABUFFER, SIM_CS_READ },
	{ SIM_PERFCNT_FIRST, SIM_PERFCNT_LAST, SIM_CS_READ },
	{ SIM_RPSTAT, SIM_RPSTAT, SIM_CS_READ },
};

static const struct sim_cs_register gen12_registers[] = {
	{ OAG_OAREPORTTRIG1, OAG_OAREPORTTRIG8, SIM_CS_READ | SIM_CS_WRITE },
	{ OAG_PERF_A19, OAG_PERF_A19, SIM_CS_READ | SIM_CS_WRITE },
	{ OAG_OASTATUS, OAG_OABUFFER, SIM_CS_READ },
	{ SIM_RPSTAT, SIM_RPSTAT, SIM_CS_READ },
};

static const struct sim_cs_register xe2_registers[] = {
	{ OAG_OASTATUS, OAG_OABUFFER, SIM_CS_READ },
	{ OAG_MMIOTRIGGER, OAG_MMIOTRIGGER, SIM_CS_READ | SIM_CS_WRITE },
};

/* Reports of batches do not include A36 and A37. */
static const struct sim_cs_register gen12_7_registers[] = {
	{ OAG_OASTATUS, OAG_OABUFFER, SIM_CS_READ },
	{ OAG_MMIOTRIGGER, OAG_MMIOTRIGGER, SIM_CS_READ | SIM_CS_WRITE },
	{ SIM_OAG_A36, SIM_OAG_A37, SIM_CS_READ },
};

const struct sim_cs_model sim_cs_gen7 = {
	.address_bits = 32,
	.registers = gen7_registers,
	.n_registers = ARRAY_SIZE(gen7_registers),
};

const struct sim_cs_model sim_cs_gen8 = {
	.address_bits = 48,
	.registers = gen8_registers,
	.n_registers = ARRAY_SIZE(gen8_registers),
};

const struct sim_cs_model sim_cs_gen12 = {
	.address_bits = 48,
	.registers = gen12_registers,
	.n_registers = ARRAY_SIZE(gen12_registers),
};

const struct sim_cs_model sim_cs_gen12_7 = {
	.address_bits = 48,
	.registers = gen12_7_registers,
	.n_registers = ARRAY_SIZE(gen12_7_registers),
};

const struct sim_cs_model sim_cs_xe2 = {
	.address_bits = 48,
	.registers = xe2_registers,
	.n_registers = ARRAY_SIZE(xe2_registers),
};

static bool is_gpr(u32 reg)
{
	return reg >= CS_GPR(0) && reg < CS_GPR(SIM_CS_N_GPRS);
}

/**
 * sim_cs_register_allowed() - Check whether a batch may access a register.
 * @model: the command streamer
 * @reg: MMIO offset, a multiple of 4
 * @access: SIM_CS_READ or SIM_CS_WRITE
 *
 * Return: true if it may
 */
static bool sim_cs_register_allowed(const struct sim_cs_model *model, u32 reg, u32 access)
{
	unsigned int i;

	if (is_gpr(reg))
		return true;
	if (reg == RCS_TIMESTAMP || reg == RCS_TIMESTAMP_UDW)
		return access == SIM_CS_READ;
	for (i = 0; i < model->n_registers; i++) {
		const struct sim_cs_register *range = &model->registers[i];

		if (reg >= range->first && reg <= range->last)
			return range->access & access;
	}
	return false;
}

/**
 * sim_cs_register_read() - Read a register for a batch.
 * @cs: the batch
 * @reg: MMIO offset; the access is allowed
 *
 * Return: its value
 */
static u32 sim_cs_register_read(struct sim_cs *cs, u32 reg)
{
	if (cs->model->trusted)
		return cs->ops->register_read(cs, reg);
	if (is_gpr(reg))
		return cs->gpr[(reg - CS_GPR(0)) / sizeof(u32)];
	if (reg == RCS_TIMESTAMP)
		return lower_32_bits(cs->ops->timestamp(cs));
	if (reg == RCS_TIMESTAMP_UDW)
		return upper_32_bits(cs->ops->timestamp(cs) & SIM_CS_TIMESTAMP);
	return cs->ops->register_read(cs, reg);
}

/**
 * sim_cs_register_write() - Write a register for a batch.
 * @cs: the batch
 * @reg: MMIO offset; the access is allowed
 * @value: new value of the register
 */
static void sim_cs_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	if (is_gpr(reg) && !cs->model->trusted)
		cs->gpr[(reg - CS_GPR(0)) / sizeof(u32)] = value;
	else
		cs->ops->register_write(cs, reg, value);
}

/**
 * DOC: Commands
 *
 * Encodings are those of the PRMs and of drivers/gpu/drm/i915/gt/intel_gpu_commands.h. Bits 7:0 of
 * a command's first dword are the number of dwords after the second one. An address takes one dword
 * on Haswell and two on later generations.
 *
 * Commands are executed one at a time and completely, so a PIPE_CONTROL has nothing to flush or
 * wait for.
 *
 * Real command streamers ignore commands that they do not allow, and hang on unknown ones. Here,
 * either stops the batch, and its creator gets the position and the reason. A trusted model, used
 * by a kernel driver, allows all commands and only stops at unknown ones.
 */
#define MI_COMMAND(opcode) ((u32)(opcode) << 23)
#define MI_COMMAND_MASK GENMASK(31, 23)
#define MI_NOOP MI_COMMAND(0x00)
#define MI_BATCH_BUFFER_END MI_COMMAND(0x0a)
#define MI_STORE_DATA_IMM MI_COMMAND(0x20)
#define MI_LOAD_REGISTER_IMM MI_COMMAND(0x22)
#define MI_STORE_REGISTER_MEM MI_COMMAND(0x24)
#define MI_REPORT_PERF_COUNT MI_COMMAND(0x28)
#define MI_LOAD_REGISTER_MEM MI_COMMAND(0x29)
#define MI_LOAD_REGISTER_REG MI_COMMAND(0x2a)

/* Bits of the first dword */
#define MI_GLOBAL_GTT BIT(22)
#define MI_CS_MMIO BIT(19) /* registers are given by their offset in the engine; gen11 and later */
#define MI_SOURCE_CS_MMIO BIT(18) /* MI_LOAD_REGISTER_REG */
#define MI_STORE_QWORD BIT(21) /* MI_STORE_DATA_IMM, gen8 and later */
#define COMMAND_LENGTH GENMASK(7, 0)

/* Bits of MI_REPORT_PERF_COUNT's address */
#define REPORT_PERF_COUNT_GLOBAL_GTT BIT(0)
#define REPORT_PERF_COUNT_ALIGN 64

#define PIPE_CONTROL 0x7a000000
#define PIPE_CONTROL_MASK GENMASK(31, 16)
/* Bits of its second dword */
#define PIPE_CONTROL_GLOBAL_GTT BIT(24)
#define PIPE_CONTROL_MMIO_WRITE BIT(23)
#define PIPE_CONTROL_POST_SYNC GENMASK(15, 14)
#define POST_SYNC_NONE 0
#define POST_SYNC_IMMEDIATE BIT(14)
#define POST_SYNC_TIMESTAMP GENMASK(15, 14)

#define WORK_MASK GENMASK(31, 8)

static const int cs_errnos[] = {
	[GPUOA_SIM_FAULT_UNMAPPED] = -EFAULT,	[GPUOA_SIM_FAULT_MISALIGNED] = -EINVAL,
	[GPUOA_SIM_FAULT_TRUNCATED] = -EFAULT,	[GPUOA_SIM_FAULT_RUNAWAY] = -ELOOP,
	[GPUOA_SIM_FAULT_OPCODE] = -EOPNOTSUPP, [GPUOA_SIM_FAULT_LENGTH] = -EINVAL,
	[GPUOA_SIM_FAULT_RESERVED] = -EINVAL,	[GPUOA_SIM_FAULT_PRIVILEGED] = -EPERM,
	[GPUOA_SIM_FAULT_REGISTER] = -EACCES,	[GPUOA_SIM_FAULT_WORKLOAD] = -EINVAL,
	[GPUOA_SIM_FAULT_CLOCKS] = -ETIME,
};

/* Record a fault in dword @i of the current command. */
static int cs_fault(struct sim_cs *cs, enum gpuoa_sim_fault reason, unsigned int i, u64 value)
{
	cs->fault.reason = reason;
	cs->fault.offset = cs->at - cs->batch + i * sizeof(u32);
	cs->fault.value = value;
	return cs_errnos[reason];
}

/**
 * sim_cs_address() - Get an address operand of the current command.
 * @cs: the batch
 * @i: index of the operand's first dword
 *
 * Return: the address, of one or two dwords
 */
u64 sim_cs_address(const struct sim_cs *cs, unsigned int i)
{
	u64 address = cs->command[i];

	if (sim_cs_is_wide(cs))
		address |= (u64)cs->command[i + 1] << 32;
	return address;
}

/* Get the number of dwords of an address operand. */
static unsigned int cs_address_dwords(const struct sim_cs *cs)
{
	return sim_cs_is_wide(cs) ? 2 : 1;
}

/* Check bit @bit of dword @i, which selects the global address space. */
static int cs_check_ggtt(struct sim_cs *cs, unsigned int i, u32 bit)
{
	bool global = cs->command[i] & bit;

	if (global && !cs->model->trusted)
		return cs_fault(cs, GPUOA_SIM_FAULT_PRIVILEGED, i, cs->command[i]);
	cs->global = global;
	return 0;
}

/* Decode the register operand in dword @i; bit @relative of the header marks it as an offset. */
static u32 cs_register(const struct sim_cs *cs, unsigned int i, u32 relative)
{
	u32 reg = cs->command[i];

	if (cs->command[0] & relative)
		return cs->mmio + (reg & (SZ_4K - 1));
	return reg;
}

/**
 * sim_cs_write() - Write a dword to memory.
 * @cs: the batch
 * @i: index of the address in the command, reported with a fault
 * @address: GPU address
 * @value: the dword
 *
 * Return: 0 or -EFAULT
 */
int sim_cs_write(struct sim_cs *cs, unsigned int i, u64 address, u32 value)
{
	if (cs->ops->write(cs, address, value))
		return cs_fault(cs, GPUOA_SIM_FAULT_UNMAPPED, i, address);
	return 0;
}

/**
 * sim_cs_write_qword() - Write a qword to memory.
 * @cs: the batch
 * @i: index of the address in the command, reported with a fault
 * @address: GPU address
 * @value: the qword
 *
 * Return: 0 or -EFAULT
 */
static int sim_cs_write_qword(struct sim_cs *cs, unsigned int i, u64 address, u64 value)
{
	int ret = sim_cs_write(cs, i, address, lower_32_bits(value));

	return ret ?: sim_cs_write(cs, i, address + sizeof(u32), upper_32_bits(value));
}

/* Check that the address in dword @i is a multiple of @align. */
static int cs_check_address(struct sim_cs *cs, unsigned int i, unsigned int align)
{
	u64 address = sim_cs_address(cs, i);

	if (!IS_ALIGNED(address, align))
		return cs_fault(cs, GPUOA_SIM_FAULT_MISALIGNED, i, address);
	return 0;
}

/* Check access to the register in dword @i. */
static int cs_check_register(struct sim_cs *cs, unsigned int i, u32 access)
{
	u32 reg = cs->command[i];

	if (cs->model->trusted)
		return 0;
	if (!IS_ALIGNED(reg, sizeof(u32)))
		return cs_fault(cs, GPUOA_SIM_FAULT_MISALIGNED, i, reg);
	if (!sim_cs_register_allowed(cs->model, reg, access))
		return cs_fault(cs, GPUOA_SIM_FAULT_REGISTER, i, reg);
	return 0;
}

static int mi_noop(struct sim_cs *cs)
{
	return 0;
}

static int mi_batch_buffer_end(struct sim_cs *cs)
{
	return SIM_CS_DONE;
}

/*
 * Whether the command stores a dword or a qword depends on its length. On gen8 and later, a bit
 * must be set for a qword as well. The length is the same on all generations: on Haswell, a
 * reserved dword precedes the address, and on later generations the address has two dwords.
 */
static int mi_store_data_imm(struct sim_cs *cs)
{
	bool wide = sim_cs_is_wide(cs), qword = cs->n == 5;
	unsigned int address = wide ? 1 : 2;
	u32 expected = wide && qword ? MI_STORE_QWORD : 0;
	const u32 *data = cs->command + 3;
	int ret;

	ret = cs_check_ggtt(cs, 0, MI_GLOBAL_GTT);
	if (ret)
		return ret;
	if ((cs->command[0] & MI_STORE_QWORD) != expected)
		return cs_fault(cs, wide ? GPUOA_SIM_FAULT_LENGTH : GPUOA_SIM_FAULT_RESERVED, 0,
				cs->command[0]);
	if (!wide && cs->command[1])
		return cs_fault(cs, GPUOA_SIM_FAULT_RESERVED, 1, cs->command[1]);
	ret = cs_check_address(cs, address, qword ? sizeof(u64) : sizeof(u32));
	if (ret)
		return ret;
	if (qword)
		return sim_cs_write_qword(cs, address, sim_cs_address(cs, address),
					  data[0] | (u64)data[1] << 32);
	return sim_cs_write(cs, address, sim_cs_address(cs, address), data[0]);
}

static int mi_load_register_imm(struct sim_cs *cs)
{
	unsigned int i;
	int ret;

	/* Pairs of a register and a value follow the header of the command. */
	if (cs->n % 2 == 0)
		return cs_fault(cs, GPUOA_SIM_FAULT_LENGTH, 0, cs->command[0]);
	for (i = 1; i < cs->n; i += 2) {
		ret = cs_check_register(cs, i, SIM_CS_WRITE);
		if (ret)
			return ret;
		sim_cs_register_write(cs, cs_register(cs, i, MI_CS_MMIO), cs->command[i + 1]);
	}
	return 0;
}

/* Check the operands of MI_STORE_REGISTER_MEM or MI_LOAD_REGISTER_MEM. */
static int cs_check_register_mem(struct sim_cs *cs, u32 access)
{
	int ret = cs_check_ggtt(cs, 0, MI_GLOBAL_GTT);

	ret = ret ?: cs_check_register(cs, 1, access);
	return ret ?: cs_check_address(cs, 2, sizeof(u32));
}

static u32 cs_register_value(struct sim_cs *cs)
{
	return sim_cs_register_read(cs, cs_register(cs, 1, MI_CS_MMIO));
}

static int mi_store_register_mem(struct sim_cs *cs)
{
	int ret = cs_check_register_mem(cs, SIM_CS_READ);

	if (ret)
		return ret;
	return sim_cs_write(cs, 2, sim_cs_address(cs, 2), cs_register_value(cs));
}

static int mi_load_register_mem(struct sim_cs *cs)
{
	int ret = cs_check_register_mem(cs, SIM_CS_WRITE);
	u32 value;

	if (ret)
		return ret;
	if (cs->ops->read(cs, sim_cs_address(cs, 2), &value))
		return cs_fault(cs, GPUOA_SIM_FAULT_UNMAPPED, 2, sim_cs_address(cs, 2));
	sim_cs_register_write(cs, cs_register(cs, 1, MI_CS_MMIO), value);
	return 0;
}

static int mi_load_register_reg(struct sim_cs *cs)
{
	int ret = cs_check_register(cs, 1, SIM_CS_READ);
	u32 value;

	ret = ret ?: cs_check_register(cs, 2, SIM_CS_WRITE);
	if (ret)
		return ret;
	value = sim_cs_register_read(cs, cs_register(cs, 1, MI_SOURCE_CS_MMIO));
	sim_cs_register_write(cs, cs_register(cs, 2, MI_CS_MMIO), value);
	return 0;
}

static int mi_report_perf_count(struct sim_cs *cs)
{
	u32 i, size, id = cs->command[1 + cs_address_dwords(cs)];
	u64 address = sim_cs_address(cs, 1);
	int ret;

	ret = cs_check_ggtt(cs, 1, REPORT_PERF_COUNT_GLOBAL_GTT);
	if (ret)
		return ret;
	if (cs->global)
		address &= ~(u64)REPORT_PERF_COUNT_GLOBAL_GTT;
	else
		ret = cs_check_address(cs, 1, REPORT_PERF_COUNT_ALIGN);
	if (ret)
		return ret;

	size = cs->ops->report(cs, id, cs->report);
	for (i = 0; i < size / sizeof(u32) && !ret; i++)
		ret = sim_cs_write(cs, 1, address + i * sizeof(u32), cs->report[i]);
	return ret;
}

static int pipe_control(struct sim_cs *cs)
{
	const u32 *data = cs->command + 2 + cs_address_dwords(cs);
	u32 flags = cs->command[1], op = flags & PIPE_CONTROL_POST_SYNC;
	u64 value;
	int ret;

	if (op == POST_SYNC_NONE && !(flags & PIPE_CONTROL_MMIO_WRITE))
		return 0;
	if (flags & PIPE_CONTROL_GLOBAL_GTT)
		return cs_fault(cs, GPUOA_SIM_FAULT_PRIVILEGED, 1, flags);
	if (flags & PIPE_CONTROL_MMIO_WRITE ||
	    (op != POST_SYNC_IMMEDIATE && op != POST_SYNC_TIMESTAMP))
		return cs_fault(cs, GPUOA_SIM_FAULT_RESERVED, 1, flags);
	ret = cs_check_address(cs, 2, sizeof(u64));
	if (ret)
		return ret;

	value = data[0] | (u64)data[1] << 32;
	if (op == POST_SYNC_TIMESTAMP)
		value = cs->ops->timestamp(cs) & SIM_CS_TIMESTAMP;
	return sim_cs_write_qword(cs, 2, sim_cs_address(cs, 2), value);
}

static int sim_work_command(struct sim_cs *cs)
{
	u64 clocks = cs->command[2] | (u64)cs->command[3] << 32;
	u32 workload = cs->command[1];

	if (workload >= SIM_N_WORKLOADS)
		return cs_fault(cs, GPUOA_SIM_FAULT_WORKLOAD, 1, workload);
	if (clocks > GPUOA_SIM_MAX_CLOCKS - cs->clocks)
		return cs_fault(cs, GPUOA_SIM_FAULT_CLOCKS, 2, clocks);
	cs->clocks += clocks;
	return clocks ? cs->ops->work(cs, workload, clocks) : 0;
}

/* Commands of one dword have no length field. */
static const struct sim_cs_command cs_commands[] = {
	{ MI_NOOP, MI_COMMAND_MASK, GENMASK(22, 0), { 1, 1 }, { 1, 1 }, mi_noop },
	{ MI_BATCH_BUFFER_END, MI_COMMAND_MASK, 0, { 1, 1 }, { 1, 1 }, mi_batch_buffer_end },
	{ MI_STORE_DATA_IMM,
	  MI_COMMAND_MASK,
	  MI_GLOBAL_GTT | MI_STORE_QWORD,
	  { 4, 4 },
	  { 5, 5 },
	  mi_store_data_imm },
	{ MI_LOAD_REGISTER_IMM,
	  MI_COMMAND_MASK,
	  0,
	  { 3, 3 },
	  { SIM_CS_MAX_COMMAND, SIM_CS_MAX_COMMAND },
	  mi_load_register_imm },
	{ MI_STORE_REGISTER_MEM,
	  MI_COMMAND_MASK,
	  MI_GLOBAL_GTT,
	  { 3, 4 },
	  { 3, 4 },
	  mi_store_register_mem },
	{ MI_REPORT_PERF_COUNT, MI_COMMAND_MASK, 0, { 3, 4 }, { 3, 4 }, mi_report_perf_count },
	{ MI_LOAD_REGISTER_MEM,
	  MI_COMMAND_MASK,
	  MI_GLOBAL_GTT,
	  { 3, 4 },
	  { 3, 4 },
	  mi_load_register_mem },
	{ MI_LOAD_REGISTER_REG, MI_COMMAND_MASK, 0, { 3, 3 }, { 3, 3 }, mi_load_register_reg },
	{ PIPE_CONTROL, PIPE_CONTROL_MASK, 0, { 5, 6 }, { 5, 6 }, pipe_control },
	{ GPUOA_SIM_WORK & WORK_MASK, WORK_MASK, 0, { 4, 4 }, { 4, 4 }, sim_work_command },
};

static const struct sim_cs_command *cs_command_find(const struct sim_cs *cs)
{
	const struct sim_cs_command *own = cs->model->commands;
	u32 header = cs->command[0];
	unsigned int i;

	for (; own && own->run; own++)
		if ((header & own->mask) == own->header)
			return own;
	for (i = 0; i < ARRAY_SIZE(cs_commands); i++)
		if ((header & cs_commands[i].mask) == cs_commands[i].header)
			return &cs_commands[i];
	return NULL;
}

/* Fetch dword @i of the current command, exactly once: the program may modify it meanwhile. */
static int cs_fetch(struct sim_cs *cs, unsigned int i)
{
	u64 address = cs->at + i * sizeof(u32);

	if (cs->n_fetched == GPUOA_SIM_MAX_DWORDS && !cs->model->trusted)
		return cs_fault(cs, GPUOA_SIM_FAULT_RUNAWAY, i, address);
	cs->n_fetched++;
	if (cs->ops->fetch ? !cs->ops->fetch(cs, address, &cs->command[i]) :
			     !cs->ops->read(cs, address, &cs->command[i]))
		return 0;
	if (i)
		return cs_fault(cs, GPUOA_SIM_FAULT_TRUNCATED, i, address);
	if (cs->at != cs->batch)
		return cs_fault(cs, GPUOA_SIM_FAULT_RUNAWAY, 0, address);
	return cs_fault(cs, GPUOA_SIM_FAULT_UNMAPPED, 0, address);
}

/* Fetch the other dwords of the current command, at most SIM_CS_MAX_COMMAND in all. */
static int cs_fetch_all(struct sim_cs *cs)
{
	unsigned int i;
	int ret;

	for (i = 1; i < cs->n && i < SIM_CS_MAX_COMMAND; i++) {
		ret = cs_fetch(cs, i);
		if (ret)
			return ret;
	}
	return 0;
}

/* Check the header of the current command, and fetch the other dwords. */
static int cs_fetch_rest(struct sim_cs *cs, const struct sim_cs_command *command)
{
	u32 header = cs->command[0], known = command->mask | command->allowed;
	u32 length = command->length ?: COMMAND_LENGTH;
	unsigned int wide = sim_cs_is_wide(cs);

	cs->n = 1;
	if (command->most[wide] > 1) {
		known |= length;
		cs->n = (header & length) + 2;
	}
	if (header & ~known && !cs->model->trusted)
		return cs_fault(cs, GPUOA_SIM_FAULT_RESERVED, 0, header);
	if (cs->n < command->least[wide] || cs->n > command->most[wide])
		return cs_fault(cs, GPUOA_SIM_FAULT_LENGTH, 0, header);
	return cs_fetch_all(cs);
}

/* Execute a command that is in no table. */
static int cs_other(struct sim_cs *cs)
{
	int ret;

	cs->n = cs->ops->length ? cs->ops->length(cs, cs->command[0]) : 0;
	if (!cs->n)
		return cs_fault(cs, GPUOA_SIM_FAULT_OPCODE, 0, cs->command[0]);
	ret = cs_fetch_all(cs);
	cs->next = cs->at + cs->n * sizeof(u32);
	return ret ?: cs->ops->other(cs);
}

static int cs_known(struct sim_cs *cs, const struct sim_cs_command *command)
{
	int ret = cs_fetch_rest(cs, command);

	cs->next = cs->at + cs->n * sizeof(u32);
	return ret ?: command->run(cs);
}

/**
 * sim_cs_step() - Execute the command at &sim_cs.at and advance to the next one.
 * @cs: the batch
 *
 * Return: 0; SIM_CS_DONE after the last command; SIM_CS_WAITS if the command must be repeated; or a
 * negative errno as in sim_cs_run()
 */
int sim_cs_step(struct sim_cs *cs)
{
	const struct sim_cs_command *command;
	int ret;

	ret = cs->ops->stopped(cs);
	ret = ret ?: cs_fetch(cs, 0);
	if (ret)
		return ret;
	if (cs->ops->skips && cs->ops->skips(cs)) {
		cs->at += cs->ops->length(cs, cs->command[0]) * sizeof(u32);
		return 0;
	}
	command = cs_command_find(cs);
	ret = command ? cs_known(cs, command) : cs_other(cs);
	if (ret != SIM_CS_WAITS)
		cs->at = cs->next;
	return ret;
}

/**
 * sim_cs_run() - Execute a batch.
 * @cs: the batch
 *
 * Return: 0 if it completed, else a negative errno; &sim_cs.fault has the details, unless the error
 * is one of &sim_cs_ops
 */
int sim_cs_run(struct sim_cs *cs)
{
	int result;

	cs->at = cs->batch;
	if (!IS_ALIGNED(cs->batch, sizeof(u32)))
		return cs_fault(cs, GPUOA_SIM_FAULT_MISALIGNED, 0, cs->batch);
	do {
		result = sim_cs_step(cs);
	} while (!result);
	return result == SIM_CS_DONE ? 0 : result;
}
