// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_cs.c - the simulator's command streamer: every command and every fault.
 */
#include <kunit/test.h>

#include "vgpu/model/cs.h"
#include "uapi/gpuoa_sim.h"

/* Memory is mapped in two places: one for the batch, one for data. */
#define BATCH 0x10000
#define BATCH_DWORDS 512
#define DATA 0x7fff0000
#define DATA_DWORDS 256

#define TIMESTAMP 0x5123456789abcdefULL
#define REPORT_SIZE 256

/**
 * struct world - memory, registers and work visible to a batch
 * @cs: command streamer under test
 * @batch: memory at BATCH
 * @data: memory at DATA
 * @gpr: general purpose registers of the context
 * @n: number of dwords written to @batch
 * @endless: @batch repeats indefinitely from BATCH on
 * @reg: offset of the last register read or written
 * @value: written value, or value to read
 * @workload: workload of the last work command
 * @clocks: sum of clocks of all work commands
 * @work_error: return value of work
 * @commands: number of commands that may start before the batch is stopped
 */
struct world {
	struct sim_cs cs;
	u32 batch[BATCH_DWORDS];
	u32 data[DATA_DWORDS];
	u32 gpr[2 * SIM_CS_N_GPRS];
	unsigned int n;
	bool endless;
	u32 reg;
	u32 value;
	unsigned int workload;
	u64 clocks;
	int work_error;
	unsigned int commands;
};

static struct world *world_of(struct sim_cs *cs)
{
	return container_of(cs, struct world, cs);
}

static u32 *world_memory(struct world *world, u64 address)
{
	u64 batch = (address - BATCH) / sizeof(u32), data = (address - DATA) / sizeof(u32);

	if (address >= BATCH && (world->endless || batch < BATCH_DWORDS))
		return &world->batch[batch % BATCH_DWORDS];
	return address >= DATA && data < DATA_DWORDS ? &world->data[data] : NULL;
}

static int world_stopped(struct sim_cs *cs)
{
	return world_of(cs)->commands-- ? 0 : -ECANCELED;
}

static int world_read(struct sim_cs *cs, u64 address, u32 *value)
{
	u32 *at = world_memory(world_of(cs), address);

	if (!at)
		return -EFAULT;
	*value = *at;
	return 0;
}

static int world_write(struct sim_cs *cs, u64 address, u32 value)
{
	u32 *at = world_memory(world_of(cs), address);

	if (!at)
		return -EFAULT;
	*at = value;
	return 0;
}

static u32 world_register_read(struct sim_cs *cs, u32 reg)
{
	world_of(cs)->reg = reg;
	return world_of(cs)->value;
}

static void world_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	world_of(cs)->reg = reg;
	world_of(cs)->value = value;
}

static u64 world_timestamp(struct sim_cs *cs)
{
	return TIMESTAMP;
}

static u32 world_report(struct sim_cs *cs, u32 id, u32 *report)
{
	unsigned int i;

	report[0] = id;
	for (i = 1; i < REPORT_SIZE / sizeof(u32); i++)
		report[i] = i;
	return REPORT_SIZE;
}

static int world_work(struct sim_cs *cs, unsigned int workload, u64 clocks)
{
	world_of(cs)->workload = workload;
	world_of(cs)->clocks += clocks;
	return world_of(cs)->work_error;
}

static const struct sim_cs_ops world_ops = {
	.stopped = world_stopped,
	.read = world_read,
	.write = world_write,
	.register_read = world_register_read,
	.register_write = world_register_write,
	.timestamp = world_timestamp,
	.report = world_report,
	.work = world_work,
};

static struct world *world_make(struct kunit *test, const struct sim_cs_model *model)
{
	struct world *world = kunit_kzalloc(test, sizeof(*world), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, world);
	world->cs.model = model;
	world->cs.ops = &world_ops;
	world->cs.gpr = world->gpr;
	world->cs.batch = BATCH;
	world->commands = UINT_MAX;
	return world;
}

static void emit(struct world *world, unsigned int n, const u32 *dwords)
{
	memcpy(world->batch + world->n, dwords, n * sizeof(*dwords));
	world->n += n;
}

#define EMIT(world_, ...) do { \
	const u32 dwords[] = { __VA_ARGS__ }; \
	emit(world_, ARRAY_SIZE(dwords), dwords); \
} while (0)

#define NOOP 0x00000000
#define END 0x05000000

/* Append END; the batch must reach it. */
static void run_well(struct kunit *test, struct world *world)
{
	EMIT(world, END);
	KUNIT_EXPECT_EQ(test, sim_cs_run(&world->cs), 0);
	KUNIT_EXPECT_EQ(test, world->cs.fault.reason, (u32)GPUOA_SIM_FAULT_NONE);
	KUNIT_EXPECT_EQ(test, world->cs.n_fetched, world->n);
}

/* The batch must be stopped at this dword. */
static void run_badly(struct kunit *test, struct world *world, int err, u32 reason,
		      unsigned int dword, u64 value)
{
	int result = sim_cs_run(&world->cs);
	u32 header = world->cs.command[0];

	KUNIT_EXPECT_EQ_MSG(test, result, err, "%#x", header);
	KUNIT_EXPECT_EQ_MSG(test, world->cs.fault.reason, reason, "%#x", header);
	KUNIT_EXPECT_EQ_MSG(test, world->cs.fault.offset, dword * 4, "%#x", header);
	KUNIT_EXPECT_EQ_MSG(test, world->cs.fault.value, value, "%#x", header);
}

static void noop_has_no_effect(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, NOOP, NOOP, 0x00412345);
	run_well(test, world);
}

static void immediate_is_stored(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, 0x10000002, DATA + 4, 0, 0xcafe);
	EMIT(world, 0x10200003, DATA + 8, 0, 0x1111, 0x2222);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->data[0], 0u);
	KUNIT_EXPECT_EQ(test, world->data[1], 0xcafeu);
	KUNIT_EXPECT_EQ(test, world->data[2], 0x1111u);
	KUNIT_EXPECT_EQ(test, world->data[3], 0x2222u);
	KUNIT_EXPECT_EQ(test, world->data[4], 0u);
}

static void immediate_is_stored_on_haswell(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen7);

	EMIT(world, 0x10000002, 0, DATA + 4, 0xcafe);
	EMIT(world, 0x10000003, 0, DATA + 8, 0x1111, 0x2222);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->data[1], 0xcafeu);
	KUNIT_EXPECT_EQ(test, world->data[2], 0x1111u);
	KUNIT_EXPECT_EQ(test, world->data[3], 0x2222u);
}

static void register_is_loaded(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, 0x11000005, CS_GPR(0), 1, CS_GPR(15) + 4, 2, 0x2754, 0x80200000);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->gpr[0], 1u);
	KUNIT_EXPECT_EQ(test, world->gpr[31], 2u);
	KUNIT_EXPECT_EQ(test, world->reg, 0x2754u);
	KUNIT_EXPECT_EQ(test, world->value, 0x80200000u);
}

static void longest_register_load_fits(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);
	unsigned int i;

	EMIT(world, 0x110000ff);
	for (i = 0; i < 128; i++)
		EMIT(world, CS_GPR(1), i);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->gpr[2], 127u);
}

static void register_is_stored(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_xe2);

	world->value = 0x1234;
	world->gpr[3] = 77;
	EMIT(world, 0x12000002, 0xdb04, DATA, 0);
	EMIT(world, 0x12000002, CS_GPR(1) + 4, DATA + 4, 0);
	EMIT(world, 0x12000002, 0x2358, DATA + 8, 0);
	EMIT(world, 0x12000002, 0x235c, DATA + 12, 0);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->reg, 0xdb04u);
	KUNIT_EXPECT_EQ(test, world->data[0], 0x1234u);
	KUNIT_EXPECT_EQ(test, world->data[1], 77u);
	KUNIT_EXPECT_EQ(test, world->data[2], 0x89abcdefu);
	KUNIT_EXPECT_EQ(test, world->data[3], 0x7u);
}

static void register_is_stored_on_haswell(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen7);

	world->value = 0x4321;
	EMIT(world, 0x12000001, 0x2364, DATA);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->reg, 0x2364u);
	KUNIT_EXPECT_EQ(test, world->data[0], 0x4321u);
}

static void register_is_loaded_from_memory(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen12);

	world->data[5] = 99;
	EMIT(world, 0x14800002, 0xda18, DATA + 20, 0);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->reg, 0xda18u);
	KUNIT_EXPECT_EQ(test, world->value, 99u);

	world = world_make(test, &sim_cs_gen7);
	world->data[5] = 98;
	EMIT(world, 0x14800001, CS_GPR(2), DATA + 20);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->gpr[4], 98u);
}

static void register_is_copied(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	world->gpr[0] = 5;
	EMIT(world, 0x15000001, CS_GPR(0), CS_GPR(7));
	EMIT(world, 0x15000001, 0x2358, CS_GPR(7) + 4);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->gpr[14], 5u);
	KUNIT_EXPECT_EQ(test, world->gpr[15], 0x89abcdefu);
}

static void expect_report(struct kunit *test, const u32 *report, u32 id)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, report[0], id);
	for (i = 1; i < REPORT_SIZE / sizeof(u32); i++)
		KUNIT_EXPECT_EQ(test, report[i], i);
	KUNIT_EXPECT_EQ(test, report[i], 0u);
}

static void report_is_written(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, 0x14000002, DATA + 64, 0, 0xabcd);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->data[15], 0u);
	expect_report(test, world->data + 16, 0xabcd);

	world = world_make(test, &sim_cs_gen7);
	EMIT(world, 0x14000001, DATA + 64, 0xabcd);
	run_well(test, world);
	expect_report(test, world->data + 16, 0xabcd);
}

static void flush_writes_after_preceding_commands(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, 0x7a000004, 0x00101021, 0, 0, 0, 0);
	EMIT(world, 0x7a000004, 0x0010c000, DATA, 0, 0x1111, 0x2222);
	EMIT(world, 0x7a000004, 0x00104000, DATA + 8, 0, 0x1111, 0x2222);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->data[0], 0x89abcdefu);
	KUNIT_EXPECT_EQ(test, world->data[1], 0x7u);
	KUNIT_EXPECT_EQ(test, world->data[2], 0x1111u);
	KUNIT_EXPECT_EQ(test, world->data[3], 0x2222u);

	world = world_make(test, &sim_cs_gen7);
	EMIT(world, 0x7a000003, 0x00104000, DATA + 8, 0x1111, 0x2222);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->data[2], 0x1111u);
	KUNIT_EXPECT_EQ(test, world->data[3], 0x2222u);
}

static void work_command_takes_its_clocks(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, GPUOA_SIM_WORK, GPUOA_SIM_WORKLOAD_COMPUTE, 1000, 0);
	EMIT(world, GPUOA_SIM_WORK, GPUOA_SIM_WORKLOAD_STEADY, (u32)-1001, 0);
	EMIT(world, GPUOA_SIM_WORK, GPUOA_SIM_WORKLOAD_IDLE, 0, 0);
	run_well(test, world);
	KUNIT_EXPECT_EQ(test, world->workload, (unsigned int)GPUOA_SIM_WORKLOAD_STEADY);
	KUNIT_EXPECT_EQ(test, world->clocks, GPUOA_SIM_MAX_CLOCKS);
}

static void work_error_ends_batch(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	world->work_error = -ENODEV;
	EMIT(world, GPUOA_SIM_WORK, GPUOA_SIM_WORKLOAD_COMPUTE, 1, 0);
	EMIT(world, 0x10000002, DATA, 0, 1, END);
	run_badly(test, world, -ENODEV, GPUOA_SIM_FAULT_NONE, 0, 0);
	KUNIT_EXPECT_EQ(test, world->data[0], 0u);
}

static void batch_stops_between_commands(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	world->commands = 1;
	EMIT(world, 0x10000002, DATA, 0, 1);
	EMIT(world, 0x10000002, DATA, 0, 2, END);
	run_badly(test, world, -ECANCELED, GPUOA_SIM_FAULT_NONE, 0, 0);
	KUNIT_EXPECT_EQ(test, world->data[0], 1u);
}

static void invalid_batch_address_faults(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	world->cs.batch = BATCH + 2;
	run_badly(test, world, -EINVAL, GPUOA_SIM_FAULT_MISALIGNED, 0, BATCH + 2);
	world = world_make(test, &sim_cs_gen8);
	world->cs.batch = 0;
	run_badly(test, world, -EFAULT, GPUOA_SIM_FAULT_UNMAPPED, 0, 0);
}

static void runaway_batch_faults(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	/* The batch runs to the end of memory. */
	run_badly(test, world, -ELOOP, GPUOA_SIM_FAULT_RUNAWAY, BATCH_DWORDS,
		  BATCH + 4 * BATCH_DWORDS);
	/* Memory has no end. */
	world = world_make(test, &sim_cs_gen8);
	world->endless = true;
	run_badly(test, world, -ELOOP, GPUOA_SIM_FAULT_RUNAWAY, GPUOA_SIM_MAX_DWORDS,
		  BATCH + 4 * GPUOA_SIM_MAX_DWORDS);
}

static void truncated_command_faults(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	world->n = BATCH_DWORDS - 2;
	EMIT(world, 0x10000002, DATA);
	run_badly(test, world, -EFAULT, GPUOA_SIM_FAULT_TRUNCATED, BATCH_DWORDS,
		  BATCH + 4 * BATCH_DWORDS);
	KUNIT_EXPECT_EQ(test, world->data[0], 0u);
}

/**
 * struct bad_command - invalid command, preceded by a NOOP
 * @model: generation
 * @err: expected return value
 * @reason: expected fault reason
 * @dword: index of the invalid dword in the command
 * @value: expected value of the fault
 * @command: dwords of the command
 */
struct bad_command {
	const struct sim_cs_model *model;
	int err;
	u32 reason;
	unsigned int dword;
	u64 value;
	u32 command[6];
};

#define BAD(model_, err_, reason_, dword_, value_, ...) \
	{ &sim_cs_##model_, -(err_), GPUOA_SIM_FAULT_##reason_, dword_, value_, { __VA_ARGS__ } }

static const struct bad_command bad_commands[] = {
	/* Unknown commands: MI_SET_CONTEXT, MI_BATCH_BUFFER_START, a blit, 3D state */
	BAD(gen8, EOPNOTSUPP, OPCODE, 0, 0x0c000000, 0x0c000000),
	BAD(gen8, EOPNOTSUPP, OPCODE, 0, 0x18800001, 0x18800001),
	BAD(gen8, EOPNOTSUPP, OPCODE, 0, 0x54000004, 0x54000004),
	BAD(gen8, EOPNOTSUPP, OPCODE, 0, 0x78000004, 0x78000004),
	BAD(gen8, EOPNOTSUPP, OPCODE, 0, 0xffffffff, 0xffffffff),

	/* Invalid lengths, including those that are valid on other generations */
	BAD(gen8, EINVAL, LENGTH, 0, 0x10000001, 0x10000001, DATA, 0),
	BAD(gen8, EINVAL, LENGTH, 0, 0x10000003, 0x10000003, DATA, 0, 1, 2),
	BAD(gen8, EINVAL, LENGTH, 0, 0x10200002, 0x10200002, DATA, 0, 1),
	BAD(gen8, EINVAL, LENGTH, 0, 0x10000004, 0x10000004, DATA, 0, 1, 2, 3),
	BAD(gen8, EINVAL, LENGTH, 0, 0x11000000, 0x11000000, CS_GPR(0)),
	BAD(gen8, EINVAL, LENGTH, 0, 0x11000002, 0x11000002, CS_GPR(0), 1, CS_GPR(1)),
	BAD(gen8, EINVAL, LENGTH, 0, 0x12000001, 0x12000001, CS_GPR(0), DATA),
	BAD(gen7, EINVAL, LENGTH, 0, 0x12000002, 0x12000002, CS_GPR(0), DATA, 0),
	BAD(gen8, EINVAL, LENGTH, 0, 0x14000001, 0x14000001, DATA, 1),
	BAD(gen7, EINVAL, LENGTH, 0, 0x14000002, 0x14000002, DATA, 0, 1),
	BAD(gen8, EINVAL, LENGTH, 0, 0x14800001, 0x14800001, CS_GPR(0), DATA),
	BAD(gen8, EINVAL, LENGTH, 0, 0x15000002, 0x15000002, CS_GPR(0), CS_GPR(1), 0),
	BAD(gen8, EINVAL, LENGTH, 0, 0x7a000003, 0x7a000003, 0, 0, 0, 0),
	BAD(gen7, EINVAL, LENGTH, 0, 0x7a000004, 0x7a000004, 0, 0, 0, 0, 0),
	BAD(gen8, EINVAL, LENGTH, 0, 0xe0000001, 0xe0000001, 0, 1),

	/* Reserved bits and features that are not simulated */
	BAD(gen8, EINVAL, RESERVED, 0, 0x05000001, 0x05000001),
	BAD(gen8, EINVAL, RESERVED, 0, 0x11080001, 0x11080001, CS_GPR(0), 1),
	BAD(gen8, EINVAL, RESERVED, 0, 0x15040001, 0x15040001, CS_GPR(0), CS_GPR(1)),
	BAD(gen7, EINVAL, RESERVED, 0, 0x10200003, 0x10200003, 0, DATA, 1, 2),
	BAD(gen7, EINVAL, RESERVED, 1, 1, 0x10000002, 1, DATA, 1),
	BAD(gen8, EINVAL, RESERVED, 1, 0x00008000, 0x7a000004, 0x00008000, DATA, 0, 0, 0),
	BAD(gen8, EINVAL, RESERVED, 1, 0x00800000, 0x7a000004, 0x00800000, DATA, 0, 0, 0),

	/* Addresses in the global GTT */
	BAD(gen8, EPERM, PRIVILEGED, 0, 0x10400002, 0x10400002, DATA, 0, 1),
	BAD(gen8, EPERM, PRIVILEGED, 0, 0x12400002, 0x12400002, CS_GPR(0), DATA, 0),
	BAD(gen8, EPERM, PRIVILEGED, 0, 0x14c00002, 0x14c00002, CS_GPR(0), DATA, 0),
	BAD(gen8, EPERM, PRIVILEGED, 1, DATA + 1, 0x14000002, DATA + 1, 0, 1),
	BAD(gen8, EPERM, PRIVILEGED, 1, 0x01004000, 0x7a000004, 0x01004000, DATA, 0, 0, 0),

	/* Misaligned addresses */
	BAD(gen8, EINVAL, MISALIGNED, 1, DATA + 2, 0x10000002, DATA + 2, 0, 1),
	BAD(gen8, EINVAL, MISALIGNED, 1, DATA + 4, 0x10200003, DATA + 4, 0, 1, 2),
	BAD(gen7, EINVAL, MISALIGNED, 2, DATA + 2, 0x10000002, 0, DATA + 2, 1),
	BAD(gen8, EINVAL, MISALIGNED, 1, CS_GPR(0) + 2, 0x11000001, CS_GPR(0) + 2, 1),
	BAD(gen8, EINVAL, MISALIGNED, 2, DATA + 1, 0x12000002, CS_GPR(0), DATA + 1, 0),
	BAD(gen8, EINVAL, MISALIGNED, 2, DATA + 1, 0x14800002, CS_GPR(0), DATA + 1, 0),
	BAD(gen8, EINVAL, MISALIGNED, 1, DATA + 32, 0x14000002, DATA + 32, 0, 1),
	BAD(gen8, EINVAL, MISALIGNED, 2, DATA + 4, 0x7a000004, 0xc000, DATA + 4, 0, 0, 0),

	/*
	 * Addresses of unmapped memory, some of which differ from mapped ones in the upper half
	 * only
	 */
	BAD(gen8, EFAULT, UNMAPPED, 1, 0x100000000 + DATA, 0x10000002, DATA, 1, 1),
	BAD(gen7, EFAULT, UNMAPPED, 2, 0x1000, 0x10000002, 0, 0x1000, 1),
	BAD(gen8, EFAULT, UNMAPPED, 2, 0x1000, 0x12000002, CS_GPR(0), 0x1000, 0),
	BAD(gen8, EFAULT, UNMAPPED, 2, 0x1000, 0x14800002, CS_GPR(0), 0x1000, 0),
	BAD(gen8, EFAULT, UNMAPPED, 2, 0x1000, 0x7a000004, 0xc000, 0x1000, 0, 0, 0),
	/* A report of which only the first 64 bytes are mapped */
	BAD(gen8, EFAULT, UNMAPPED, 1, DATA + 4 * DATA_DWORDS, 0x14000002,
	    DATA + 4 * DATA_DWORDS - 64, 0, 1),

	/* Registers: OACONTROL, the timestamp, one of another generation, one after the last GPR */
	BAD(gen8, EACCES, REGISTER, 1, 0x2b00, 0x11000001, 0x2b00, 1),
	BAD(gen8, EACCES, REGISTER, 3, 0x2358, 0x11000003, CS_GPR(0), 1, 0x2358, 1),
	BAD(gen7, EACCES, REGISTER, 1, 0x2754, 0x11000001, 0x2754, 1),
	BAD(gen8, EACCES, REGISTER, 1, 0xdb1c, 0x11000001, 0xdb1c, 1),
	BAD(gen12, EACCES, REGISTER, 1, 0xdb1c, 0x11000001, 0xdb1c, 1),
	BAD(xe2, EACCES, REGISTER, 1, 0xda18, 0x11000001, 0xda18, 1),
	BAD(gen8, EACCES, REGISTER, 1, 0x2b10, 0x14800002, 0x2b10, DATA, 0),
	BAD(gen8, EACCES, REGISTER, 1, 0x2680, 0x12000002, 0x2680, DATA, 0),
	BAD(gen8, EACCES, REGISTER, 1, 0x2b00, 0x15000001, 0x2b00, CS_GPR(0)),
	BAD(gen8, EACCES, REGISTER, 2, 0x2b14, 0x15000001, CS_GPR(0), 0x2b14),

	/* Work commands: unknown workload; more clocks than allowed */
	BAD(gen8, EINVAL, WORKLOAD, 1, 4, GPUOA_SIM_WORK, 4, 1, 0),
	BAD(gen8, ETIME, CLOCKS, 2, 0x100000001, GPUOA_SIM_WORK, 0, 1, 1),
};

static void invalid_command_faults(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_commands); i++) {
		const struct bad_command *bad = &bad_commands[i];
		struct world *world = world_make(test, bad->model);

		emit(world, 1, (u32[]) { NOOP });
		emit(world, ARRAY_SIZE(bad->command), bad->command);
		run_badly(test, world, bad->err, bad->reason, 1 + bad->dword, bad->value);
		KUNIT_EXPECT_EQ(test, world->data[0], 0u);
		KUNIT_EXPECT_EQ(test, world->reg, 0u);
		KUNIT_EXPECT_EQ(test, world->clocks, 0ULL);
		kunit_kfree(test, world);
	}
}

/* Commands before the invalid one take effect, later ones do not. */
static void fault_reports_offset_of_command(struct kunit *test)
{
	struct world *world = world_make(test, &sim_cs_gen8);

	EMIT(world, 0x10000002, DATA, 0, 1);
	EMIT(world, 0x11000003, CS_GPR(0), 7, 0x2b00, 7);
	EMIT(world, 0x10000002, DATA + 4, 0, 1, END);
	run_badly(test, world, -EACCES, GPUOA_SIM_FAULT_REGISTER, 7, 0x2b00);
	KUNIT_EXPECT_EQ(test, world->data[0], 1u);
	KUNIT_EXPECT_EQ(test, world->gpr[0], 7u);
	KUNIT_EXPECT_EQ(test, world->data[1], 0u);
}

static struct kunit_case sim_cs_cases[] = {
	KUNIT_CASE(noop_has_no_effect),
	KUNIT_CASE(immediate_is_stored),
	KUNIT_CASE(immediate_is_stored_on_haswell),
	KUNIT_CASE(register_is_loaded),
	KUNIT_CASE(longest_register_load_fits),
	KUNIT_CASE(register_is_stored),
	KUNIT_CASE(register_is_stored_on_haswell),
	KUNIT_CASE(register_is_loaded_from_memory),
	KUNIT_CASE(register_is_copied),
	KUNIT_CASE(report_is_written),
	KUNIT_CASE(flush_writes_after_preceding_commands),
	KUNIT_CASE(work_command_takes_its_clocks),
	KUNIT_CASE(work_error_ends_batch),
	KUNIT_CASE(batch_stops_between_commands),
	KUNIT_CASE(invalid_batch_address_faults),
	KUNIT_CASE(runaway_batch_faults),
	KUNIT_CASE(truncated_command_faults),
	KUNIT_CASE(invalid_command_faults),
	KUNIT_CASE(fault_reports_offset_of_command),
	{}
};

static struct kunit_suite sim_cs_suite = {
	.name = "gpuoa_sim_cs",
	.test_cases = sim_cs_cases,
};

kunit_test_suite(sim_cs_suite);
