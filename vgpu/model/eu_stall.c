// SPDX-License-Identifier: GPL-2.0-only
/*
 * eu_stall.c - EU stall sampling: each Xe core writes records of where its threads are, and what
 * they wait for.
 *
 * No instruction is executed. The samples follow from the kernel's code in memory: an instruction's
 * opcode and dependencies determine the reasons of its stalls, and instructions in loops are
 * sampled more often. The distribution is exact and repeatable: after n samples, each count is n
 * times its share, up to rounding.
 */
#include "eu_stall.h"

#define EUSTALL_BASE 0xe520
#define EUSTALL_BASE_BUF_ADDR GENMASK(31, 6)
#define EUSTALL_BASE_XECORE_BUF_SZ GENMASK(5, 3)
#define EUSTALL_BASE_XECORE_BUF_UNIT SZ_256K
#define EUSTALL_BASE_ENABLE_SAMPLING BIT(1)
#define EUSTALL_BASE_UPPER 0xe524
#define EUSTALL_REPORT 0xe528
#define EUSTALL_REPORT_WRITE_PTR_MASK GENMASK(15, 2)
#define EUSTALL_REPORT_OVERFLOW_DROP BIT(1)
#define EUSTALL_REPORT1 0xe52c
#define EUSTALL_REPORT1_READ_PTR_MASK GENMASK(15, 2)
#define EUSTALL_CTRL 0xe53c
#define EUSTALL_SAMPLE_RATE GENMASK(2, 0)

#define PERIOD_CLOCKS 251

#define RECORD_SIZE 64
#define RECORD_IP_BITS 29
#define RECORD_COUNT_BITS 8
#define RECORD_COUNT_MAX 255ULL
#define RECORD_END_FLAG 112

/*
 * Periods after which the samples of each instruction are written, unless the kernel ends earlier.
 * The number on hardware is not known.
 */
#define PERIODS_PER_RECORD 512

/* ---- instructions ------------------------------------------------------------------------- */

#define INSTRUCTION_OPCODE GENMASK(6, 0)
#define INSTRUCTION_COMPACTED BIT(29)
#define INSTRUCTION_COMPACTED_SIZE 8
#define INSTRUCTION_SIZE 16
#define INSTRUCTION_END_OF_THREAD BIT(2) /* of the second dword, of sends */

/* Software scoreboard: a token, or a distance in instructions */
#define INSTRUCTION_SWSB GENMASK(15, 8)
#define SWSB_TOKEN BIT(7)
#define SWSB_TOKEN_SOURCE BIT(5) /* waits until the sources were read, else for the result */
#define SWSB_DISTANCE GENMASK(2, 0)

enum {
	OPCODE_ILLEGAL = 0x00,
	OPCODE_SYNC = 0x01,
	OPCODE_JMPI = 0x20, /* the first branch */
	OPCODE_JOIN = 0x2f, /* the last one */
	OPCODE_SEND = 0x31,
	OPCODE_SENDC = 0x32,
	OPCODE_MATH = 0x38,
	OPCODE_MUL = 0x41,
	OPCODE_DPAS = 0x59,
	OPCODE_MAD = 0x5b,
};

/* Weights of an instruction outside loops. Each level of loops multiplies them. */
#define WEIGHT_ACTIVE 8
#define WEIGHT_OTHER 1
#define WEIGHT_FETCH_FIRST 24
#define WEIGHT_SEND 30
#define WEIGHT_TDR_END 4
#define WEIGHT_SYNC 40
#define WEIGHT_BRANCH 16
#define WEIGHT_PIPE 20
#define WEIGHT_RESULT 80
#define WEIGHT_SOURCE 16
#define WEIGHT_DISTANCE 12
#define WEIGHT_LOOP 8
#define WEIGHT_MAX 40000U

static bool is_send(u32 opcode)
{
	return opcode == OPCODE_SEND || opcode == OPCODE_SENDC;
}

static bool is_branch(u32 opcode)
{
	return opcode >= OPCODE_JMPI && opcode <= OPCODE_JOIN;
}

static bool uses_shared_pipe(u32 opcode)
{
	return opcode == OPCODE_MATH || opcode == OPCODE_MUL || opcode == OPCODE_DPAS ||
	       opcode == OPCODE_MAD;
}

static void weigh_dependency(u32 low, u32 *weight)
{
	u32 swsb = FIELD_GET(INSTRUCTION_SWSB, low);

	if (swsb & SWSB_TOKEN)
		weight[SIM_STALL_SBID] = swsb & SWSB_TOKEN_SOURCE ? WEIGHT_SOURCE : WEIGHT_RESULT;
	else if (swsb & SWSB_DISTANCE)
		weight[SIM_STALL_DIST_ACC] = WEIGHT_DISTANCE;
}

static void weigh(struct sim_stall_instruction *instruction, u32 low, u32 high, bool first)
{
	u32 opcode = FIELD_GET(INSTRUCTION_OPCODE, low), *weight = instruction->weight;

	memset(weight, 0, sizeof(instruction->weight));
	weight[SIM_STALL_ACTIVE] = WEIGHT_ACTIVE;
	weight[SIM_STALL_OTHER] = WEIGHT_OTHER;
	if (first)
		weight[SIM_STALL_INST_FETCH] = WEIGHT_FETCH_FIRST;
	if (opcode == OPCODE_SYNC)
		weight[SIM_STALL_SYNC] = WEIGHT_SYNC;
	if (is_branch(opcode))
		weight[SIM_STALL_CONTROL] = WEIGHT_BRANCH;
	if (uses_shared_pipe(opcode))
		weight[SIM_STALL_PIPE] = WEIGHT_PIPE;
	if (is_send(opcode)) {
		weight[SIM_STALL_SEND] = WEIGHT_SEND;
		if (high & INSTRUCTION_END_OF_THREAD)
			weight[SIM_STALL_TDR] = WEIGHT_TDR_END;
	} else {
		/* The token of a send is the one that it sets. */
		weigh_dependency(low, weight);
	}
}

/* A branch backwards ends a loop: raise the weights from its target up to the branch. */
static void weigh_loop(struct sim_eu_stall *unit, s32 jump)
{
	unsigned int i = unit->n_instructions, r;
	u32 target = unit->kernel[i - 1].ip + (jump >> 3);

	while (i-- && unit->kernel[i].ip >= target)
		for (r = 0; r < SIM_N_STALLS; r++)
			unit->kernel[i].weight[r] =
				min(unit->kernel[i].weight[r] * WEIGHT_LOOP, WEIGHT_MAX);
}

/* Read the current kernel, up to its end of thread. */
static void read_kernel(struct sim_eu_stall *unit, u64 start)
{
	u64 at = start;

	unit->n_instructions = 0;
	while (unit->n_instructions < SIM_STALL_MAX_INSTRUCTIONS) {
		struct sim_stall_instruction *instruction = &unit->kernel[unit->n_instructions];
		const u32 *low = unit->ops->code(unit, at), *high = unit->ops->code(unit, at + 4);
		const u32 *jump;
		u32 opcode;

		if (!low || !high)
			return;
		opcode = FIELD_GET(INSTRUCTION_OPCODE, *low);
		if (opcode == OPCODE_ILLEGAL)
			return;
		instruction->ip = at >> 3 & (BIT(RECORD_IP_BITS) - 1);
		weigh(instruction, *low, *high, !unit->n_instructions);
		unit->n_instructions++;
		if (is_branch(opcode) && !(*low & INSTRUCTION_COMPACTED)) {
			jump = unit->ops->code(unit, at + 12);
			if (jump && (s32)*jump < 0)
				weigh_loop(unit, *jump);
		}
		if (is_send(opcode) && *high & INSTRUCTION_END_OF_THREAD)
			return;
		at += *low & INSTRUCTION_COMPACTED ? INSTRUCTION_COMPACTED_SIZE : INSTRUCTION_SIZE;
	}
}

/* ---- records ------------------------------------------------------------------------------ */

static void put_bits(u64 *record, unsigned int bit, unsigned int bits, u64 value)
{
	record[bit / 64] |= value << bit % 64;
	if (bit % 64 + bits > 64)
		record[bit / 64 + 1] |= value >> (64 - bit % 64);
}

static struct sim_stall_sum *sum_of(struct sim_eu_stall *unit, u32 ip)
{
	unsigned int i, slot = ip * 2654435761U % SIM_STALL_TABLE;

	for (i = 0; i < SIM_STALL_TABLE; i++) {
		struct sim_stall_sum *sum = &unit->sums[(slot + i) % SIM_STALL_TABLE];

		if (sum->used && sum->ip != ip)
			continue;
		sum->used = true;
		sum->ip = ip;
		return sum;
	}

	return NULL;
}

/* The pointers have one bit more than an index, so that a full buffer is not an empty one. */
static bool write_record(struct sim_eu_stall *unit, unsigned int index, const u64 *record)
{
	struct sim_stall_core *core = &unit->cores[index];
	u32 size = FIELD_GET(EUSTALL_BASE_XECORE_BUF_SZ, core->base) * EUSTALL_BASE_XECORE_BUF_UNIT;
	u32 write = FIELD_GET(EUSTALL_REPORT_WRITE_PTR_MASK, core->report);
	u32 read = FIELD_GET(EUSTALL_REPORT1_READ_PTR_MASK, core->report1);
	u32 records = size / RECORD_SIZE, *to = NULL;

	if (records && ((write - read) & (2 * records - 1)) < records && !unit->lose)
		to = unit->ops->memory(unit, (core->base & EUSTALL_BASE_BUF_ADDR) + index * size +
					     (write & (records - 1)) * RECORD_SIZE);
	if (!to) {
		unit->lose -= !!unit->lose;
		core->report |= EUSTALL_REPORT_OVERFLOW_DROP;
		core->dropped++;
		return false;
	}
	memcpy(to, record, RECORD_SIZE);
	/* A driver that sees the pointer also sees the record. */
	smp_wmb();
	write = (write + 1) & (2 * records - 1);
	core->report = (core->report & ~EUSTALL_REPORT_WRITE_PTR_MASK) |
		       FIELD_PREP(EUSTALL_REPORT_WRITE_PTR_MASK, write);
	core->written++;

	return true;
}

static void emit(struct sim_eu_stall *unit, unsigned int core, u32 ip, const u64 *counts)
{
	struct sim_stall_sum *sum = sum_of(unit, ip);
	u64 record[RECORD_SIZE / sizeof(u64)] = { ip };
	unsigned int r;
	bool written;

	for (r = 0; r < SIM_N_STALLS; r++)
		put_bits(record, RECORD_IP_BITS + r * RECORD_COUNT_BITS, RECORD_COUNT_BITS,
			 counts[r]);
	put_bits(record, RECORD_END_FLAG, 1, 1);
	written = write_record(unit, core, record);
	for (r = 0; r < SIM_N_STALLS; r++) {
		if (!sum)
			unit->overflow += counts[r];
		else if (written)
			sum->written[r] += counts[r];
		else
			sum->dropped[r] += counts[r];
	}
}

/* A number below &sim_eu_stall.total that differs between cores, instructions and reasons. */
static u64 phase(const struct sim_eu_stall *unit, unsigned int core, unsigned int instruction,
		 unsigned int reason)
{
	u64 number = ((u64)core * SIM_STALL_MAX_INSTRUCTIONS + instruction) * SIM_N_STALLS + reason;

	return (number * 0x9e3779b97f4a7c15ULL >> 32) % unit->total;
}

/* Write the samples of an instruction on a core between two numbers of samples of that core. */
static void sample_instruction(struct sim_eu_stall *unit, unsigned int core, unsigned int i,
			       u64 from, u64 to)
{
	const struct sim_stall_instruction *instruction = &unit->kernel[i];
	u64 left[SIM_N_STALLS], counts[SIM_N_STALLS];
	unsigned int r;
	u64 rest = 0;

	for (r = 0; r < SIM_N_STALLS; r++) {
		u64 weight = instruction->weight[r], shift = weight ? phase(unit, core, i, r) : 0;

		left[r] = weight ? (to * weight + shift) / unit->total -
				   (from * weight + shift) / unit->total : 0;
		rest |= left[r];
	}
	while (rest) {
		rest = 0;
		for (r = 0; r < SIM_N_STALLS; r++) {
			counts[r] = min(left[r], RECORD_COUNT_MAX);
			left[r] -= counts[r];
			rest |= left[r];
		}
		emit(unit, core, instruction->ip, counts);
	}
}

static void sample(struct sim_eu_stall *unit, u64 samples)
{
	u64 to = unit->samples + samples;
	unsigned int core, i;

	for (core = 0; core < unit->busy_cores; core++)
		if (unit->cores[core].base & EUSTALL_BASE_ENABLE_SAMPLING)
			for (i = 0; i < unit->n_instructions; i++)
				sample_instruction(unit, core, i, unit->samples, to);
	unit->samples = to;
}

/* ---- time --------------------------------------------------------------------------------- */

static u32 period_of(const struct sim_eu_stall *unit)
{
	u32 rate = FIELD_GET(EUSTALL_SAMPLE_RATE, unit->cores[0].control);

	return PERIOD_CLOCKS * max(rate, 1U);
}

static void advance(struct sim_eu_stall *unit, u64 clocks, bool all)
{
	u32 period = period_of(unit);
	u64 periods;

	clocks = min(clocks, unit->clocks);
	if (!unit->running || clocks <= unit->done)
		return;
	periods = clocks / period - unit->done / period;
	if (periods < PERIODS_PER_RECORD && !all && clocks < unit->clocks)
		return;
	unit->done = clocks;
	if (periods && !unit->paused && unit->total)
		sample(unit, periods * unit->eus);
}

/**
 * sim_eu_stall_begin() - Start a kernel on the Xe cores. It ends the previous one.
 * @unit: the units
 * @start: offset of its first instruction from the instruction base
 * @groups: number of thread groups; each runs on one Xe core
 * @clocks: duration in GPU clocks
 */
void sim_eu_stall_begin(struct sim_eu_stall *unit, u64 start, u64 groups, u64 clocks)
{
	unsigned int i, r;

	if (!unit->n_cores)
		return;
	if (unit->running)
		sim_eu_stall_end(unit, unit->clocks);
	read_kernel(unit, start);
	unit->total = 0;
	for (i = 0; i < unit->n_instructions; i++)
		for (r = 0; r < SIM_N_STALLS; r++)
			unit->total += unit->kernel[i].weight[r];
	unit->busy_cores = groups < unit->n_cores ? groups : unit->n_cores;
	unit->clocks = clocks;
	unit->done = 0;
	unit->samples = 0;
	unit->running = true;
	unit->kernels++;
}

/**
 * sim_eu_stall_advance() - Sample up to the present.
 * @unit: the units
 * @clocks: clocks since the current kernel started
 */
void sim_eu_stall_advance(struct sim_eu_stall *unit, u64 clocks)
{
	advance(unit, clocks, false);
}

/**
 * sim_eu_stall_flush() - Sample up to the present, and write all samples to records.
 * @unit: the units
 * @clocks: clocks since the current kernel started
 */
void sim_eu_stall_flush(struct sim_eu_stall *unit, u64 clocks)
{
	advance(unit, clocks, true);
}

/**
 * sim_eu_stall_end() - End the current kernel, and write its last records.
 * @unit: the units
 * @clocks: clocks since it started
 */
void sim_eu_stall_end(struct sim_eu_stall *unit, u64 clocks)
{
	advance(unit, clocks, true);
	unit->running = false;
}

/* ---- registers ---------------------------------------------------------------------------- */

/**
 * sim_eu_stall_read() - Read a register of an Xe core.
 * @unit: the units
 * @reg: MMIO offset
 * @core: the Xe core
 *
 * Return: its value; 0 if there is no such core or register
 */
u32 sim_eu_stall_read(const struct sim_eu_stall *unit, u32 reg, unsigned int core)
{
	const struct sim_stall_core *registers = &unit->cores[core];

	if (core >= unit->n_cores)
		return 0;
	switch (reg) {
	case EUSTALL_BASE:
		return registers->base;
	case EUSTALL_BASE_UPPER:
		return registers->base_upper;
	case EUSTALL_REPORT:
		return registers->report;
	case EUSTALL_REPORT1:
		return registers->report1;
	case EUSTALL_CTRL:
		return registers->control;
	default:
		return 0;
	}
}

/* Bits 31:16 of the value enable bits 15:0. */
static void write_masked(u32 *stored, u32 value)
{
	u32 mask = value >> 16;

	*stored = (*stored & ~mask & 0xffff) | (value & mask);
}

static void core_write(struct sim_stall_core *core, u32 reg, u32 value)
{
	switch (reg) {
	case EUSTALL_BASE:
		core->base = value;
		break;
	case EUSTALL_BASE_UPPER:
		core->base_upper = value;
		break;
	case EUSTALL_REPORT:
		/* The bit can only be cleared: on Xe2 by writing 0. */
		if (value >> 16 & ~value & EUSTALL_REPORT_OVERFLOW_DROP)
			core->report &= ~EUSTALL_REPORT_OVERFLOW_DROP;
		break;
	case EUSTALL_REPORT1:
		write_masked(&core->report1, value);
		break;
	case EUSTALL_CTRL:
		write_masked(&core->control, value);
		break;
	}
}

/**
 * sim_eu_stall_write() - Write a register of an Xe core, or of all.
 * @unit: the units
 * @reg: MMIO offset
 * @core: the Xe core, or %SIM_STALL_ALL_CORES
 * @value: the value
 *
 * Call sim_eu_stall_flush() first: samples that are not in records yet would be treated according
 * to the new values.
 */
void sim_eu_stall_write(struct sim_eu_stall *unit, u32 reg, unsigned int core, u32 value)
{
	unsigned int i;

	for (i = 0; i < unit->n_cores; i++)
		if (core == SIM_STALL_ALL_CORES || core == i)
			core_write(&unit->cores[i], reg, value);
}

/**
 * sim_eu_stall_reset() - Reset all registers. The current kernel ends without further records.
 * @unit: the units
 */
void sim_eu_stall_reset(struct sim_eu_stall *unit)
{
	unsigned int i;

	for (i = 0; i < unit->n_cores; i++) {
		struct sim_stall_core *core = &unit->cores[i];

		core->base = 0;
		core->base_upper = 0;
		core->report = 0;
		core->report1 = 0;
		core->control = 0;
	}
	unit->running = false;
}

/**
 * sim_eu_stall_init() - Create the units of a GPU.
 * @unit: the units, zero-initialized
 * @ops: the GPU
 * @n_cores: number of Xe cores
 * @eus: number of EUs of each
 */
void sim_eu_stall_init(struct sim_eu_stall *unit, const struct sim_eu_stall_ops *ops,
		       unsigned int n_cores, unsigned int eus)
{
	unit->ops = ops;
	unit->n_cores = n_cores < SIM_STALL_MAX_CORES ? n_cores : SIM_STALL_MAX_CORES;
	unit->eus = eus;
}

/* ---- reference ---------------------------------------------------------------------------- */

static void print_counts(struct seq_file *m, const u64 *counts)
{
	unsigned int r;

	for (r = 0; r < SIM_N_STALLS; r++)
		seq_printf(m, " %llu", counts[r]);
}

/**
 * sim_eu_stall_print() - Print all samples since the start, or since sim_eu_stall_clear().
 * @unit: the units
 * @m: output: "core INDEX written N dropped N" for each Xe core, "ip ADDRESS written COUNT...
 *   dropped COUNT..." for each address, with the reasons in the order of enum sim_stall
 */
void sim_eu_stall_print(const struct sim_eu_stall *unit, struct seq_file *m)
{
	unsigned int i;

	seq_printf(m, "kernels %llu\noverflow %llu\n", unit->kernels, unit->overflow);
	for (i = 0; i < unit->n_cores; i++)
		seq_printf(m, "core %u written %llu dropped %llu\n", i, unit->cores[i].written,
			   unit->cores[i].dropped);
	for (i = 0; i < SIM_STALL_TABLE; i++) {
		if (!unit->sums[i].used)
			continue;
		seq_printf(m, "ip %#x written", unit->sums[i].ip);
		print_counts(m, unit->sums[i].written);
		seq_printf(m, " %s", "dropped");
		print_counts(m, unit->sums[i].dropped);
		seq_putc(m, '\n');
	}
}

/**
 * sim_eu_stall_clear() - Forget the samples that sim_eu_stall_print() prints.
 * @unit: the units
 */
void sim_eu_stall_clear(struct sim_eu_stall *unit)
{
	unsigned int i;

	memset(unit->sums, 0, sizeof(unit->sums));
	for (i = 0; i < unit->n_cores; i++) {
		unit->cores[i].written = 0;
		unit->cores[i].dropped = 0;
	}
	unit->kernels = 0;
	unit->overflow = 0;
}
