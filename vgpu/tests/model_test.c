// SPDX-License-Identifier: GPL-2.0-only
/*
 * model_test.c - the simulator's device model in user space: registers, reports and reference
 * values.
 */
#include "vgpu/model/env.h"

#include <gen7_regs.h>
#include <gen8_regs.h>
#include <gen12_regs.h>

#include "vgpu/model/gpu.h"
#include "vgpu/model/cs.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/platforms.h"
#include "vgpu/model/timeline.h"
#include "vgpu/model/reference.h"
#include "tap.h"
#include "uapi/gpuoa_sim.h"

#define BUFFER 0x1000000
#define BUFFER_SIZE SZ_128K
#define REPORT_SIZE 256
#define STEADY 1

/* 2^(5 + 1) ticks of 80 ns */
#define EXPONENT 5
#define PERIOD 64
#define PERIOD_NS (PERIOD * 80)

static u64 time_ns;
static u8 *memory;
static u64 buffer_at;
static unsigned int interrupts;
static u32 unknown_register;

static u64 device_host_clock(const struct sim_gpu *gpu)
{
	return time_ns;
}

static u8 *device_host_memory(const struct sim_gpu *gpu, u64 address, u64 size)
{
	return address == buffer_at && size <= BUFFER_SIZE ? memory : NULL;
}

static void device_host_half_full(struct sim_oa *oa)
{
	interrupts++;
}

static void device_host_unknown(struct sim_gpu *gpu, u32 reg)
{
	unknown_register = reg;
}

static const struct sim_device_host device_host = {
	.clock = device_host_clock,
	.memory = device_host_memory,
	.half_full = device_host_half_full,
	.unknown = device_host_unknown,
};

/* Create a GPU with a wake reference, at a nonzero time. */
static struct sim_gpu *gpu_create(const char *platform)
{
	const struct sim_platform *what = sim_platform_find(platform);
	struct sim_gpu *gpu = kvcalloc(1, sizeof(*gpu), GFP_KERNEL);

	time_ns = NSEC_PER_SEC;
	buffer_at = BUFFER;
	interrupts = 0;
	memory = kvcalloc(1, BUFFER_SIZE, GFP_KERNEL);
	if (!what || !gpu || !memory || sim_gpu_create(gpu, what, &device_host, STEADY))
		abort();
	sim_gpu_get(gpu);

	return gpu;
}

static void gpu_free(struct sim_gpu *gpu)
{
	sim_gpu_put(gpu);
	sim_gpu_destroy(gpu);
	kvfree(gpu);
	kvfree(memory);
}

static void start(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, OASTATUS2, BUFFER | OASTATUS2_GGTT);
	sim_mmio_write(gpu, OABUFFER, BUFFER);
	sim_mmio_write(gpu, OASTATUS1, BUFFER);
	sim_mmio_write(gpu, OACONTROL, EXPONENT << 6 | BIT(5) | 5 << 2 | BIT(0));
}

static unsigned int n_reports(struct sim_gpu *gpu)
{
	return ((sim_mmio_read(gpu, OASTATUS1) & OASTATUS1_TAIL) - BUFFER) / REPORT_SIZE;
}

static const u32 *report(unsigned int n)
{
	return (const u32 *)(memory + n * REPORT_SIZE);
}

static void every_platform_can_be_created(void)
{
	unsigned int i, n = 0;

	for (i = 0; sim_platform_name(i); i++) {
		struct sim_gpu *gpu = gpu_create(sim_platform_name(i));

		time_ns += NSEC_PER_SEC;
		CHECK(sim_gpu_timestamp(gpu) == 2 * gpu->platform->desc.timestamp_frequency);
		CHECK(gpu->n_oa >= 1);
		gpu_free(gpu);
		n++;
	}
	CHECK(n >= 11);
	CHECK(!sim_platform_find("hsw"));
}

static void registers_have_their_access_rules(void)
{
	struct sim_gpu *gpu = gpu_create("hsw_gt2");

	sim_mmio_write(gpu, HALF_SLICE_CHICKEN2, MASKED_SET(ST_PO_DISABLE));
	CHECK(sim_mmio_read(gpu, HALF_SLICE_CHICKEN2) == ST_PO_DISABLE);
	sim_mmio_write(gpu, HALF_SLICE_CHICKEN2, MASKED_SET(BIT(0)));
	CHECK(sim_mmio_read(gpu, HALF_SLICE_CHICKEN2) == (ST_PO_DISABLE | BIT(0)));
	CHECK(sim_mmio_read(gpu, 0x12340) == 0);
	CHECK(unknown_register == 0x12340);
	CHECK(gpu->statistics.unknown_accesses == 1);
	sim_gpu_set_dead(gpu, true);
	CHECK(sim_mmio_read(gpu, HALF_SLICE_CHICKEN2) == U32_MAX);
	gpu_free(gpu);
}

static void gt_reset_resets_its_registers_and_units(void)
{
	static const u32 control[] = { OAG_OACONTROL, XE2_OAM_SCMI0_BASE + OAM_CONTROL };
	struct sim_gpu *gpu = gpu_create("lnl");
	unsigned int gt, i;

	for (gt = 0; gt < 2; gt++) {
		for (i = 0; i < 2; i++)
			sim_mmio_write(gpu, control[i], 2);
		gpu->oa[0].mux = 1;
		gpu->oa[1].mux = 1;
		sim_gpu_reset_gt(gpu, gt);
		for (i = 0; i < 2; i++) {
			CHECK(sim_mmio_read(gpu, control[i]) == (i == gt ? 0 : 2));
			CHECK(gpu->oa[i].mux == (i == gt ? SIM_HASH_START : 1));
		}
	}
	gpu_free(gpu);
}

static void reports_are_written_to_memory(void)
{
	struct sim_gpu *gpu = gpu_create("hsw_gt2");
	unsigned int i;

	start(gpu);
	CHECK(n_reports(gpu) == 0);
	time_ns += 300 * PERIOD_NS;
	CHECK(n_reports(gpu) == 300);
	CHECK(interrupts == 1);
	for (i = 0; i < 300; i++) {
		CHECK(report(i)[0] != 0);
		CHECK(report(i)[1] - report(0)[1] == i * PERIOD);
	}
	CHECK(report(300)[0] == 0);
	gpu_free(gpu);
}

/* xe places the buffer at addresses that are not multiples of its size. */
#define ODD_BUFFER (BUFFER + 0x4a040)

static void tail_wraps_to_an_unaligned_base(void)
{
	struct sim_gpu *gpu = gpu_create("tgl_gt2");
	unsigned int i, capacity = BUFFER_SIZE / REPORT_SIZE;
	u32 tail = ODD_BUFFER;

	buffer_at = ODD_BUFFER;
	sim_mmio_write(gpu, OAG_OAHEADPTR, ODD_BUFFER);
	sim_mmio_write(gpu, OAG_OABUFFER, ODD_BUFFER | GEN12_OABUFFER_GGTT);
	sim_mmio_write(gpu, OAG_OATAILPTR, ODD_BUFFER);
	sim_mmio_write(gpu, OAG_OAGLBCTXCTRL,
		       GEN12_CTXCTRL_TIMER_ENABLE |
		       FIELD_PREP(GEN12_CTXCTRL_TIMER_PERIOD, (u32)EXPONENT));
	sim_mmio_write(gpu, OAG_OACONTROL,
		       5 << OAG_OACONTROL_FORMAT_SHIFT | GEN12_OACONTROL_ENABLE);
	CHECK(sim_mmio_read(gpu, OAG_OATAILPTR) == ODD_BUFFER);
	for (i = 0; i < 3 * capacity / 100; i++) {
		time_ns += 100 * PERIOD * NSEC_PER_SEC / gpu->platform->desc.timestamp_frequency;
		tail = sim_mmio_read(gpu, OAG_OATAILPTR);
		CHECK(tail >= ODD_BUFFER && tail < ODD_BUFFER + BUFFER_SIZE);
		sim_mmio_write(gpu, OAG_OAHEADPTR, tail);
	}
	/* The report that precedes the tail is complete. */
	CHECK(tail != ODD_BUFFER);
	CHECK(*(u32 *)(memory + (tail - ODD_BUFFER) - REPORT_SIZE));
	gpu_free(gpu);
}

/* Get the number that follows @name in @text. */
static u64 told(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoull(line + strlen(name), NULL, 10) : U64_MAX;
}

static void counters_equal_the_reference(void)
{
	struct sim_gpu *gpu = gpu_create("hsw_gt2");
	struct sim_query query = { .oa = &gpu->oa[0] };
	struct sim_reference *reference;
	struct seq_file m;
	char question[64], name[16], *text;
	unsigned int i;
	size_t size;

	start(gpu);
	time_ns += 100 * PERIOD_NS;
	REQUIRE(n_reports(gpu) == 100);
	snprintf(question, sizeof(question), "%u %u", report(0)[1], report(99)[1]);
	REQUIRE(!sim_reference_parse(&query, question));
	reference = sim_reference_compute(&query);
	REQUIRE(reference);
	m.file = open_memstream(&text, &size);
	sim_reference_print(&m, reference);
	fclose(m.file);
	for (i = 0; i < 45; i++) {
		snprintf(name, sizeof(name), "counter A%u ", i);
		CHECK(told(text, name) == report(99)[3 + i] - report(0)[3 + i]);
	}
	CHECK(told(text, "ticks ") == 99 * PERIOD);
	CHECK(told(text, "counter A0 ") > 0);
	free(text);
	sim_reference_free(reference);
	gpu_free(gpu);
}

/* Select Xe2 events in the first PEC counters, and return the count of each in 16 ms. */
static void count_events(struct sim_gpu *gpu, const u32 *events, unsigned int n, u64 *counts)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		sim_mmio_write(gpu, 0x13000 + i * sizeof(u64), events[i]);
	time_ns += 1000;
	for (i = 0; i < n; i++)
		counts[i] = sim_oa_counter(&gpu->oa[0], i);
	time_ns += 16 * NSEC_PER_MSEC;
	for (i = 0; i < n; i++)
		counts[i] = sim_oa_counter(&gpu->oa[0], i) - counts[i];
}

static void xe2_events_equal_the_reference(void)
{
	static const u32 events[] = {
		0x5a00, 0x0605, 0x0606, 0x0604, 0x060f, 0x061c, 0x5e0a, 0x5e02, 0x13e00, 0x7e01,
	};
	enum { BUSY, ACTIVE, STALL, LOADED, ALU0, SBID, BYTE_PAIRS, REQUESTS, CLOCKS, UNKNOWN, N };
	struct sim_gpu *gpu = gpu_create("lnl");
	const u64 eus = 64, threads = 8;
	u64 counts[N], clocks;

	count_events(gpu, events, N, counts);
	clocks = counts[CLOCKS]; /* of one Xe core */
	CHECK(clocks > 16000000);
	CHECK(counts[BUSY] > clocks / 4 && counts[BUSY] <= clocks);
	CHECK(counts[ACTIVE] > eus * clocks / 10);
	CHECK(counts[ACTIVE] + counts[STALL] <= eus * counts[BUSY]);
	CHECK(counts[LOADED] * 8 > counts[ACTIVE] && counts[LOADED] * 8 <= eus * threads * clocks);
	CHECK(counts[ALU0] > counts[ACTIVE] / 2 && counts[ALU0] < counts[ACTIVE]);
	CHECK(counts[SBID] > counts[STALL] / 2 && counts[SBID] < counts[STALL]);
	CHECK(counts[REQUESTS] && counts[BYTE_PAIRS] / counts[REQUESTS] == 32);
	CHECK(counts[UNKNOWN] && counts[UNKNOWN] <= clocks);
	gpu_free(gpu);
}

/* A batch and its memory */
struct batch {
	struct sim_cs cs;
	u32 dwords[16];
	u32 gpr[2 * SIM_CS_N_GPRS];
};

static int batch_stopped(struct sim_cs *cs)
{
	return 0;
}

static int batch_read(struct sim_cs *cs, u64 address, u32 *value)
{
	struct batch *batch = container_of(cs, struct batch, cs);

	if (address >= sizeof(batch->dwords))
		return -EFAULT;
	*value = batch->dwords[address / sizeof(u32)];

	return 0;
}

static int batch_write(struct sim_cs *cs, u64 address, u32 value)
{
	struct batch *batch = container_of(cs, struct batch, cs);

	if (address >= sizeof(batch->dwords))
		return -EFAULT;
	batch->dwords[address / sizeof(u32)] = value;

	return 0;
}

static const struct sim_cs_ops batch_ops = {
	.stopped = batch_stopped,
	.read = batch_read,
	.write = batch_write,
};

static void batches_are_executed(void)
{
	struct batch batch = {
		.cs = { .model = &sim_cs_gen8, .ops = &batch_ops, .gpr = batch.gpr },
		/* MI_STORE_DATA_IMM, MI_BATCH_BUFFER_END */
		.dwords = { 0x10000002, 0x3c, 0, 0xcafe, 0x05000000 },
	};

	CHECK(sim_cs_run(&batch.cs) == 0);
	CHECK(batch.dwords[15] == 0xcafe);

	/* Outside of memory */
	batch.dwords[1] = 0x40;
	CHECK(sim_cs_run(&batch.cs) == -EFAULT);
	CHECK(batch.cs.fault.reason == GPUOA_SIM_FAULT_UNMAPPED);
	CHECK(batch.cs.fault.offset == 4);
}

/* Get the number of GPU clocks in the next second. */
static u64 clocks_in_a_second(struct sim_gpu *gpu)
{
	__uint128_t before[SIM_N_SIGNALS], after[SIM_N_SIGNALS];

	/* The change takes effect with the next tick. */
	time_ns += 1000;
	sim_timeline_at(&gpu->timeline, SIM_GLOBAL, sim_now(gpu), before);
	time_ns += NSEC_PER_SEC;
	sim_timeline_at(&gpu->timeline, SIM_GLOBAL, sim_now(gpu), after);

	return (after[SIM_CLOCK] - before[SIM_CLOCK]) >> SIM_FRACTION_BITS;
}

static int pin(struct sim_gpu *gpu, u32 *mhz)
{
	int ret = sim_gpu_pin_prepare(gpu, *mhz);

	return ret ? ret : sim_gpu_pin(gpu, mhz);
}

static void clock_can_be_pinned(void)
{
	struct sim_gpu *gpu = gpu_create("hsw_gt2");
	u64 free = clocks_in_a_second(gpu);
	u32 mhz = 620;

	CHECK(pin(gpu, &mhz) == 0 && mhz == 600);
	CHECK(clocks_in_a_second(gpu) == 600000000);
	CHECK(!strcmp(sim_gpu_workload(gpu), "steady"));
	/* The pinned clock also applies to another workload. */
	sim_gpu_set_workload(gpu, SIM_WORKLOAD_IDLE);
	CHECK(clocks_in_a_second(gpu) == 600000000);
	sim_gpu_set_workload(gpu, STEADY);
	mhz = 1100;
	CHECK(pin(gpu, &mhz) == 0 && mhz == 1100);
	CHECK(clocks_in_a_second(gpu) == 1100000000);
	mhz = 0;
	CHECK(pin(gpu, &mhz) == 0 && mhz == 0);
	CHECK(clocks_in_a_second(gpu) == free);

	mhz = 349;
	CHECK(pin(gpu, &mhz) == -ERANGE);
	mhz = 1201;
	CHECK(pin(gpu, &mhz) == -ERANGE);
	CHECK(clocks_in_a_second(gpu) == free);
	gpu_free(gpu);
}

/*
 * An engine for the test, with one register, and an engine-specific command that waits for a value
 * of it
 */
static u32 engine_register;

static u32 engine_register_read(struct sim_cs *cs, u32 reg)
{
	return reg == 0x22600 ? engine_register : 0;
}

static void engine_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	if (reg == 0x22600)
		engine_register = value;
}

static unsigned int engine_length(struct sim_cs *cs, u32 header)
{
	return header >> 29 == 3 ? (header & 0xff) + 2 : 0;
}

static int engine_other(struct sim_cs *cs)
{
	engine_register += cs->n;

	return 0;
}

static const struct sim_cs_ops engine_ops = {
	.stopped = batch_stopped,
	.read = batch_read,
	.write = batch_write,
	.register_read = engine_register_read,
	.register_write = engine_register_write,
	.length = engine_length,
	.other = engine_other,
};

static int engine_waits(struct sim_cs *cs)
{
	return engine_register ? 0 : SIM_CS_WAITS;
}

static const struct sim_cs_command engine_commands[] = {
	{ 0x0e000000, GENMASK(31, 23), 0, { 2, 2 }, { 4, 4 }, engine_waits },
	{},
};

static const struct sim_cs_model engine_model = {
	.address_bits = 48,
	.trusted = true,
	.commands = engine_commands,
};

/*
 * A trusted model accepts engine-relative registers, global addresses and engine-specific commands.
 */
static void blitter_and_video_engines_run_batches(void)
{
	struct batch batch = {
		.cs = { .model = &engine_model, .ops = &engine_ops, .mmio = 0x22000 },
		.dwords = {
			0x0e000002, 0, 0, 0,			/* waits */
			0x11080001, 0x600, 7,			/* loads a register of the engine */
			0x10400002, 0x3c, 0, 0xcafe,		/* stores to a global address */
			0x78000001, 0, 0,			/* in no table: three dwords */
			0xc0000000,				/* there is no such command */
		},
	};

	engine_register = 0;
	CHECK(sim_cs_step(&batch.cs) == SIM_CS_WAITS);
	CHECK(batch.cs.at == 0);
	engine_register = 1;
	CHECK(sim_cs_step(&batch.cs) == 0);
	CHECK(batch.cs.at == 4 * sizeof(u32));
	CHECK(sim_cs_step(&batch.cs) == 0);
	CHECK(engine_register == 7);
	CHECK(sim_cs_step(&batch.cs) == 0);
	CHECK(batch.cs.global);
	CHECK(batch.dwords[15] == 0xcafe);
	CHECK(sim_cs_step(&batch.cs) == 0);
	CHECK(engine_register == 7 + 3);
	CHECK(sim_cs_step(&batch.cs) == -EOPNOTSUPP);
}

int main(void)
{
	RUN(every_platform_can_be_created);
	RUN(registers_have_their_access_rules);
	RUN(gt_reset_resets_its_registers_and_units);
	RUN(reports_are_written_to_memory);
	RUN(tail_wraps_to_an_unaligned_base);
	RUN(counters_equal_the_reference);
	RUN(xe2_events_equal_the_reference);
	RUN(batches_are_executed);
	RUN(clock_can_be_pinned);
	RUN(blitter_and_video_engines_run_batches);
	return tap_end();
}
