// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_gen8.c - the simulated OA unit of gen8, gen9 and gen11 as a driver sees it.
 */
#include <linux/bitfield.h>

#include <kunit/test.h>

#include <gen7_regs.h>
#include <gen8_regs.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "../core/oa/platform.h"
#include "sim_bench.h"
#include "vgpu/model/gen8.h"

#define CODE_A32U40 5
#define REPORT_SIZE 256
#define TIMER (BENCH_EXPONENT << 2 | BIT(1) | BIT(0))

/* Dwords of a report */
#define ID 0
#define TIMESTAMP 1
#define CONTEXT 2
#define CLOCK 3
#define A(n) (4 + (n))
#define B(n) (48 + (n))
#define C(n) (56 + (n))

/**
 * struct generation - differences between platforms
 * @platform: GPU platform
 * @debug: OA_DEBUG exists
 * @context_valid: "context valid" bit of the report id
 * @noa: offset of the register that enables NOA
 * @noa_enable: enable bit in @noa
 * @metrics: name of the platform in the metric definitions
 */
struct generation {
	const char *platform;
	bool debug;
	u32 context_valid;
	u32 noa;
	u32 noa_enable;
	const char *metrics;
};

static const struct generation generations[] = {
	{ "bdw_gt2", false, BIT(25), 0x9840, 0x80, "bdw" },
	{ "skl_gt2", true, BIT(16), 0x9840, 0x80, "sklgt2" },
	{ "icl_gt2", true, BIT(16), 0x0d04, 0x200, "icl" },
};

static void generation_name(const struct generation *generation, char *name)
{
	strscpy(name, generation->platform, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(generation, generations, generation_name);

static const struct generation *generation_of(struct kunit *test)
{
	return test->param_value;
}

static int gen8_init(struct kunit *test)
{
	return bench_init(test, generation_of(test)->platform);
}

static void set_up_buffer(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, GEN8_OASTATUS, 0);
	sim_mmio_write(gpu, GEN8_OAHEADPTR, SIM_TEST_BUFFER);
	sim_mmio_write(gpu, GEN8_OABUFFER, SIM_TEST_BUFFER | GEN8_OABUFFER_GGTT);
	sim_mmio_write(gpu, GEN8_OATAILPTR, SIM_TEST_BUFFER);
}

static void start(struct sim_gpu *gpu, u32 code)
{
	sim_mmio_write(gpu, GEN8_OACTXCONTROL, TIMER);
	set_up_buffer(gpu);
	sim_mmio_write(gpu, GEN8_OACONTROL, code << 2 | BIT(0));
}

static void stop(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, GEN8_OACONTROL, 0);
}

static unsigned int n_bytes(struct sim_gpu *gpu)
{
	return sim_mmio_read(gpu, GEN8_OATAILPTR) - SIM_TEST_BUFFER;
}

static unsigned int n_reports(struct sim_gpu *gpu)
{
	return n_bytes(gpu) / REPORT_SIZE;
}

static const u32 *report(unsigned int n)
{
	return (u32 *)(sim_test_memory + n * REPORT_SIZE);
}

static u32 reason(const u32 *r)
{
	return r[ID] >> 19 & 0x3f;
}

static u64 a40(const u32 *r, unsigned int n)
{
	return r[A(n)] | (u64)((const u8 *)r)[160 + n] << 32;
}

static u32 status(struct sim_gpu *gpu)
{
	return sim_mmio_read(gpu, GEN8_OASTATUS);
}

/* ---- registers ---------------------------------------------------------------------------- */

static void registers_have_documented_access(struct kunit *test)
{
	const struct generation *generation = generation_of(test);
	struct sim_gpu *gpu = bench_gpu(test);

	/* If OA_DEBUG exists, its upper half enables writes to the lower half. */
	sim_mmio_write(gpu, GEN9_OA_DEBUG, 0x00660026);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN9_OA_DEBUG), generation->debug ? 0x26U : 0U);
	sim_mmio_write(gpu, GEN9_OA_DEBUG, 0x00200000);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN9_OA_DEBUG), generation->debug ? 0x06U : 0U);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, generation->debug ? 0ULL : 4ULL);
	gpu->statistics.unknown_accesses = 0;

	/* The timestamp and all counters but A20 are read-only. */
	sim_mmio_write(gpu, RCS_TIMESTAMP, 0);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, RCS_TIMESTAMP), (u32)BENCH_START);
	sim_test_now += 1000;
	sim_mmio_write(gpu, 0x2910, 7);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, 0x2910), 80 * 1000U);
	sim_mmio_write(gpu, 0x28a0, 7);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, 0x28a0), 7U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, 0x28a4), 0U);

	/* The timer register has eight bits. Other registers have all 32. */
	sim_mmio_write(gpu, GEN8_OACTXCONTROL, ~0);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OACTXCONTROL), 0xffU);
	sim_mmio_write(gpu, GEN8_OABUFFER_UDW, 5);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OABUFFER_UDW), 5U);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 0ULL);

	/* There are no registers in the gaps between the boolean registers. */
	sim_mmio_write(gpu, 0x2730, 1);
	sim_mmio_write(gpu, 0x2760, 1);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 2ULL);
}

static void status_is_sticky_until_written(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu, CODE_A32U40);
	gpu->oa->faults.lose_reports = 3;
	sim_test_now += 10 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 7U);
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)GEN8_OASTATUS_REPORT_LOST);
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)GEN8_OASTATUS_REPORT_LOST);
	/*
	 * Write the status register as a driver does while the unit runs. The wrap bits read as 0
	 * afterwards.
	 */
	sim_mmio_write(gpu, GEN8_OASTATUS, BIT(16) | BIT(17));
	KUNIT_EXPECT_EQ(test, status(gpu), 0U);

	sim_test_now += 1000 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), SIM_TEST_BUFFER_SIZE / REPORT_SIZE - 1U);
	KUNIT_EXPECT_TRUE(test, status(gpu) & GEN8_OASTATUS_BUFFER_OVERFLOW);
	stop(gpu);
	start(gpu, CODE_A32U40);
	sim_test_now += 10 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_EQ(test, status(gpu), 0U);
}

static void wrong_setup_order_causes_overflow(struct kunit *test)
{
	static const u32 orders[][3] = {
		{ GEN8_OABUFFER, GEN8_OAHEADPTR, GEN8_OATAILPTR },
		{ GEN8_OAHEADPTR, GEN8_OATAILPTR, GEN8_OABUFFER },
		{ GEN8_OATAILPTR, GEN8_OAHEADPTR, GEN8_OABUFFER },
		{ GEN8_OABUFFER, GEN8_OATAILPTR, GEN8_OAHEADPTR },
	};
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i, r;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		set_up_buffer(gpu);
		KUNIT_EXPECT_EQ(test, status(gpu), 0U);
		for (r = 0; r < ARRAY_SIZE(orders[i]); r++)
			sim_mmio_write(gpu, orders[i][r], SIM_TEST_BUFFER | BIT(0));
		KUNIT_EXPECT_EQ_MSG(test, status(gpu), (u32)GEN8_OASTATUS_BUFFER_OVERFLOW,
				    "order %u", i);
	}
}

static void sleep_clears_registers(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu, CODE_A32U40);
	sim_mmio_write(gpu, EU_PERF_CNTL0, 5);
	sim_mmio_sleep(gpu);
	sim_oa_sleep(gpu->oa);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OACONTROL), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OACTXCONTROL), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OATAILPTR), 0U);
	/* These registers belong to contexts. */
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, EU_PERF_CNTL0), 5U);
	sim_test_now += 10 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OATAILPTR), 0U);
}

/* ---- formats ------------------------------------------------------------------------------ */

#define HEADER { "clock", 0, 1, 32, 12 }

static const struct bench_format formats[] = {
	{ "A12", 0, 64, { HEADER, { "A", 7, 12, 32, 16 } } },
	{ "A12_B8_C8", 2, 128,
	  { HEADER, { "A", 7, 12, 32, 16 }, { "B", 0, 8, 32, 64 }, { "C", 0, 8, 32, 96 } } },
	{ "A32u40_A4u32_B8_C8", 5, 256,
	  { HEADER, { "A", 0, 32, 40, 16, 160 }, { "A", 32, 4, 32, 144 }, { "B", 0, 8, 32, 192 },
	    { "C", 0, 8, 32, 224 } } },
	{ "C4_B8", 7, 64, { HEADER, { "C", 0, 4, 32, 16 }, { "B", 0, 8, 32, 32 } } },
};

static void formats_have_documented_layout(struct kunit *test)
{
	const struct generation *generation = generation_of(test);
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i;

	bench_write_set(gpu, gpuoa_platform_find(generation->metrics)->test_set);
	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		const struct bench_format *format = &formats[i];

		bench_expect_layout(test, gpu->oa->ops, format, &gen8_formats[format->control]);
		start(gpu, format->control);
		sim_test_now += 1000 * BENCH_PERIOD / 3;
		KUNIT_EXPECT_EQ(test, n_bytes(gpu) % format->size, 0U);
		KUNIT_ASSERT_GE(test, n_bytes(gpu), 333 * format->size);
		bench_expect_values(test, gpu->oa, format, sim_test_memory);
		bench_expect_values(test, gpu->oa, format, sim_test_memory + 332 * format->size);
		stop(gpu);
	}
}

static void undefined_format_codes_write_no_reports(struct kunit *test)
{
	static const u32 codes[] = { 1, 3, 4, 6 };
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		start(gpu, codes[i]);
		sim_test_now += 10 * BENCH_PERIOD;
		KUNIT_EXPECT_EQ(test, n_bytes(gpu), 0U);
	}
}

/* ---- report reasons and contexts ---------------------------------------------------------- */

/* Record two frames, at a long period so that they fit in the buffer. */
static unsigned int record_frames(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	bench_play(test, BENCH_FRAMES);
	sim_mmio_write(gpu, GEN8_OACTXCONTROL, 10 << 2 | BIT(1) | BIT(0));
	set_up_buffer(gpu);
	sim_mmio_write(gpu, GEN8_OACONTROL, CODE_A32U40 << 2 | BIT(0));
	sim_test_now += 2 * 200000;
	return n_reports(gpu);
}

static u32 expected_reason(u64 tick, u32 events)
{
	return (bench_frames_events(tick) & events) |
	       (tick % 2048 == 1024 ? SIM_REASON_TIMER : 0);
}

/* Expect a report at each tick that has a reason, and no others. */
static void expect_reasons(struct kunit *test, unsigned int n, u32 events)
{
	unsigned int i = 0;
	u64 tick;

	for (tick = BENCH_START + 1; tick <= sim_test_now; tick++) {
		/* The state before the first tick is unknown, so the first tick is not an event. */
		u32 expected = expected_reason(tick, tick > BENCH_START + 1 ? events : 0);

		if (!expected)
			continue;
		KUNIT_ASSERT_LT(test, i, n);
		KUNIT_EXPECT_EQ(test, report(i)[TIMESTAMP], (u32)tick);
		KUNIT_EXPECT_EQ_MSG(test, reason(report(i)), expected, "at %llu", tick);
		i++;
	}
	KUNIT_EXPECT_EQ(test, i, n);
}

static void reports_have_reason(struct kunit *test)
{
	u32 events = SIM_REASON_SWITCH | SIM_REASON_GO;
	unsigned int n = record_frames(test);

	if (generation_of(test)->debug)
		events |= SIM_REASON_RATIO;
	expect_reasons(test, n, events);
}

static void reports_can_be_suppressed(struct kunit *test)
{
	static const struct {
		u32 bit;
		u32 reason;
	} bits[] = {
		{ BIT(1), SIM_REASON_SWITCH },
		{ BIT(2), SIM_REASON_GO },
		{ BIT(5), SIM_REASON_RATIO },
	};
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int mask, i;

	if (!generation_of(test)->debug)
		kunit_skip(test, "there is no OA_DEBUG");
	for (mask = 0; mask < BIT(ARRAY_SIZE(bits)); mask++) {
		u32 debug = 0, events = 0;

		for (i = 0; i < ARRAY_SIZE(bits); i++) {
			debug |= mask & BIT(i) ? bits[i].bit : 0;
			events |= mask & BIT(i) ? 0 : bits[i].reason;
		}
		sim_test_now = BENCH_START;
		sim_mmio_write(gpu, GEN9_OA_DEBUG, 0xffff0000 | debug);
		expect_reasons(test, record_frames(test), events);
		stop(gpu);
	}
}

static void reports_have_context_id(struct kunit *test)
{
	const u32 valid = generation_of(test)->context_valid;
	unsigned int n = record_frames(test), i;

	KUNIT_ASSERT_GT(test, n, 150U);
	for (i = 0; i < n; i++) {
		const u32 *r = report(i);
		unsigned int slot = bench_frames_slot(r[TIMESTAMP]);

		KUNIT_EXPECT_EQ(test, !!(r[ID] & valid), slot != SIM_NOBODY);
		if (slot != SIM_NOBODY)
			KUNIT_EXPECT_EQ(test, r[CONTEXT], (slot + 1) << 7);
		/* All other bits are 0. */
		KUNIT_EXPECT_EQ(test, r[ID] & ~(valid | GENMASK(24, 19)), 0U);
	}
}

static void clock_ratio_reports_are_written(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int n, i;

	if (!generation_of(test)->debug)
		kunit_skip(test, "there is no OA_DEBUG");
	sim_mmio_write(gpu, GEN9_OA_DEBUG, 0x00400040);
	n = record_frames(test);
	for (i = 0; i < n; i++) {
		u32 id = report(i)[ID];
		u32 ratio = bench_frames_mhz(report(i)[TIMESTAMP]) * 6 / 100;

		KUNIT_EXPECT_EQ(test, id & 0x1ff, ratio);
		KUNIT_EXPECT_EQ(test, (id >> 9 & 3) << 7 | id >> 25, ratio);
	}
}

static void trigger_reports_on_rising_edge(struct kunit *test)
{
	static const u32 triggers[][2] = { { 0x2744, BIT(1) }, { 0x2754, BIT(2) } };
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		start(gpu, CODE_A32U40);
		sim_test_now += 3;
		sim_mmio_write(gpu, triggers[i][0], 0x80200000);
		KUNIT_EXPECT_EQ(test, n_reports(gpu), 0U);
		sim_mmio_write(gpu, triggers[i][0], 0x80600000);
		KUNIT_EXPECT_EQ(test, n_reports(gpu), 1U);
		sim_mmio_write(gpu, triggers[i][0], 0x80600000);
		KUNIT_EXPECT_EQ(test, n_reports(gpu), 1U);
		KUNIT_EXPECT_EQ(test, reason(report(0)), triggers[i][1]);
		KUNIT_EXPECT_EQ(test, report(0)[TIMESTAMP], (u32)sim_test_now);
		/* Trigger not enabled */
		sim_mmio_write(gpu, triggers[i][0], 0x00200000);
		sim_mmio_write(gpu, triggers[i][0], 0x00600000);
		KUNIT_EXPECT_EQ(test, n_reports(gpu), 1U);
		stop(gpu);
		/* A disabled unit writes no report either. */
		sim_mmio_write(gpu, triggers[i][0], 0x80200000);
		sim_mmio_write(gpu, triggers[i][0], 0x80600000);
		KUNIT_EXPECT_EQ(test, n_reports(gpu), 1U);
	}
}

/* A marker: a value written to A20 appears in the report that is triggered at once. */
static void a20_carries_a_marker(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu, CODE_A32U40);
	sim_test_now += 3;
	sim_mmio_write(gpu, 0x28a0, 0x1234567);
	sim_mmio_write(gpu, 0x2754, 0x80200000);
	sim_mmio_write(gpu, 0x2754, 0x80600000);
	sim_test_now += BENCH_PERIOD;
	KUNIT_ASSERT_EQ(test, n_reports(gpu), 2U);
	KUNIT_EXPECT_EQ(test, reason(report(0)), (u32)SIM_REASON_TRIGGER2);
	KUNIT_EXPECT_EQ(test, a40(report(0), 20), 0x1234567ULL);
	KUNIT_EXPECT_EQ(test, reason(report(1)), (u32)SIM_REASON_TIMER);
	KUNIT_EXPECT_GT(test, a40(report(1), 20), 0x1234567ULL);
}

/* ---- counting ----------------------------------------------------------------------------- */

static void test_oa_counts_exactly(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int n, i;

	bench_write_set(gpu, gpuoa_platform_find(generation_of(test)->metrics)->test_set);
	start(gpu, CODE_A32U40);
	sim_test_now += 150 * BENCH_PERIOD;
	n = n_reports(gpu);
	KUNIT_ASSERT_EQ(test, n, 150U);
	for (i = 0; i < n; i++)
		bench_expect_test_oa(test, &report(i)[B(0)], report(i)[CLOCK]);
	KUNIT_EXPECT_EQ(test, report(n - 1)[CLOCK] - report(0)[CLOCK],
			(u32)(149 * BENCH_PERIOD * 80));
}

static void counters_wrap_at_32_bits(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	const u32 step = BENCH_PERIOD * 80;
	unsigned int i;

	bench_write_set(gpu, gpuoa_platform_find(generation_of(test)->metrics)->test_set);
	start(gpu, CODE_A32U40);
	gpu->oa->wrap = step / 2;
	sim_test_now += 2 * BENCH_PERIOD;
	KUNIT_ASSERT_EQ(test, n_reports(gpu), 2U);
	for (i = 0; i < 32; i++)
		KUNIT_EXPECT_EQ(test, a40(report(0), i), BIT_ULL(40) - step / 2);
	for (i = 32; i < 36; i++)
		KUNIT_EXPECT_EQ(test, report(0)[A(i)], -(step / 2));
	KUNIT_EXPECT_EQ(test, report(0)[CLOCK], -(step / 2));
	KUNIT_EXPECT_EQ(test, report(1)[CLOCK], step / 2);
	KUNIT_EXPECT_EQ(test, report(1)[B(1)], step / 2);
	/* The carry reaches all 40 bits of A0, which counts 950 of 1024 clocks. */
	KUNIT_EXPECT_LT(test, a40(report(1), 0), (u64)step / 2);
	/*
	 * The counter overflow bit compares the last reports of two consecutive simulation steps,
	 * so a step must end here.
	 */
	sim_test_now += BENCH_PERIOD;
	n_reports(gpu);
	gpu->oa->wrap = step / 2;
	sim_test_now += BENCH_PERIOD;
	n_reports(gpu);
	sim_test_now += BENCH_PERIOD;
	n_reports(gpu);
	KUNIT_EXPECT_TRUE(test, status(gpu) & GEN8_OASTATUS_COUNTER_OVERFLOW);
}

/* Get a hash of the signals that the counters count. */
static u64 selected(struct sim_gpu *gpu, unsigned int first, unsigned int n)
{
	const struct sim_selection *selection = sim_oa_selection(gpu->oa);
	u64 hash = SIM_HASH_START;
	unsigned int i;

	for (i = first; i < first + n; i++)
		hash = sim_hash(hash, selection->sources[i].signal, selection->sources[i].share);
	return hash;
}

static u64 selected_bc(struct sim_gpu *gpu)
{
	return selected(gpu, GEN8_B, SIM_N_B + SIM_N_C);
}

static void write_mux(struct kunit *test, u32 first, u32 second)
{
	const struct generation *generation = generation_of(test);
	struct sim_gpu *gpu = bench_gpu(test);

	sim_mmio_write(gpu, generation->noa, 0);
	sim_mmio_write(gpu, generation->noa, generation->noa_enable);
	sim_mmio_write(gpu, NOA_WRITE, first);
	sim_mmio_write(gpu, NOA_WRITE, second);
}

static void mux_configuration_selects_signals(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	u64 nothing = selected_bc(gpu), one, other;

	KUNIT_EXPECT_NULL(test, sim_oa_selection(gpu->oa)->name);
	write_mux(test, 1, 2);
	one = selected_bc(gpu);
	write_mux(test, 2, 1);
	other = selected_bc(gpu);
	KUNIT_EXPECT_NE(test, one, nothing);
	KUNIT_EXPECT_NE(test, one, other);
	/* After NOA was disabled and enabled, the same writes select the same signals. */
	write_mux(test, 1, 2);
	KUNIT_EXPECT_EQ(test, selected_bc(gpu), one);
	/* Comparators also change the selection. */
	sim_mmio_write(gpu, CEC0_0, 3);
	KUNIT_EXPECT_NE(test, selected_bc(gpu), one);
	sim_mmio_write(gpu, CEC0_0, 0);
	sim_mmio_write(gpu, generation_of(test)->noa, 0);
	KUNIT_EXPECT_EQ(test, selected_bc(gpu), nothing);
}

static void flexible_counter_counts_selected_event(struct kunit *test)
{
	static const u32 regs[] = { 0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c };
	struct sim_gpu *gpu = bench_gpu(test);
	const struct sim_source *a = &gpu->oa->selection.sources[GEN8_A];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		/* Select two events: EU active for vertex shaders, and EU stalled. */
		sim_mmio_write(gpu, regs[i], 0x005 << 12 | 0x014);
		sim_oa_selection(gpu->oa);
		KUNIT_EXPECT_EQ(test, (int)a[7 + 2 * i].signal, (int)SIM_STAGE_ACTIVE(SIM_VS));
		KUNIT_EXPECT_EQ(test, (int)a[8 + 2 * i].signal, (int)SIM_EU_STALL);
		sim_mmio_write(gpu, regs[i], 0);
		sim_oa_selection(gpu->oa);
		KUNIT_EXPECT_EQ(test, (int)a[7 + 2 * i].signal, (int)SIM_EU_ACTIVE);
		KUNIT_EXPECT_EQ(test, (int)a[8 + 2 * i].signal, (int)SIM_EU_ACTIVE);
	}
}

/* ---- work of batches ---------------------------------------------------------------------- */

static void work_is_attributed_to_its_context(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	u64 from = BENCH_START + 40 * BENCH_PERIOD, to = from + 50 * BENCH_PERIOD;
	unsigned int n, i;

	start(gpu, CODE_A32U40);
	bench_work(test, 5, from, to);
	sim_test_now += 150 * BENCH_PERIOD;
	n = n_reports(gpu);
	/*
	 * There are 150 timer reports, and two reports of the context switches to the work and
	 * back.
	 */
	KUNIT_ASSERT_EQ(test, n, 152U);
	for (i = 0; i < n; i++) {
		u64 tick = report(i)[TIMESTAMP];
		bool edge = tick == from || tick == to;

		KUNIT_EXPECT_EQ(test, reason(report(i)),
				(u32)(edge ? SIM_REASON_SWITCH : SIM_REASON_TIMER));
		KUNIT_EXPECT_EQ(test, report(i)[CONTEXT],
				(u32)(tick >= from && tick < to ? 5 + 1 : 0 + 1) << 7);
	}
}

/* The unit counts the whole GPU: a batch reads counts of all contexts, along with its own id. */
static void batch_reports_count_all_contexts(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	u32 r[SIM_MAX_REPORT / sizeof(u32)];

	start(gpu, CODE_A32U40);
	sim_test_now += 5 * BENCH_PERIOD + 7;
	KUNIT_EXPECT_EQ(test, sim_oa_report_for(gpu->oa, 6, 0xcafe, r), (u32)REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, r[ID], 0xcafeU);
	KUNIT_EXPECT_EQ(test, r[TIMESTAMP], (u32)sim_test_now);
	KUNIT_EXPECT_EQ(test, r[CONTEXT], 7U << 7);
	KUNIT_EXPECT_EQ(test, r[CLOCK], (u32)(sim_test_now - BENCH_START) * 80);
	/* The batch's report does not affect the buffer. */
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 5U);
	sim_test_now += 5 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_EQ(test, report(9)[CLOCK] - report(0)[CLOCK], (u32)(9 * BENCH_PERIOD * 80));
	KUNIT_EXPECT_EQ(test, status(gpu), 0U);
}

/* A context is created or destroyed while its slot runs. */
static void reused_slot_is_a_context_switch(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu, CODE_A32U40);
	sim_test_now += 5;
	bench_advance(gpu);
	sim_oa_slot_changed(gpu->oa, 3);
	sim_test_now += 5;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 0U);
	sim_oa_slot_changed(gpu->oa, 0);
	sim_test_now += 5;
	KUNIT_ASSERT_EQ(test, n_reports(gpu), 1U);
	KUNIT_EXPECT_EQ(test, reason(report(0)), (u32)SIM_REASON_SWITCH);
	KUNIT_EXPECT_EQ(test, report(0)[TIMESTAMP], (u32)BENCH_START + 11);
}

static struct kunit_case gen8_cases[] = {
	KUNIT_CASE_PARAM(registers_have_documented_access, generation_gen_params),
	KUNIT_CASE_PARAM(status_is_sticky_until_written, generation_gen_params),
	KUNIT_CASE_PARAM(wrong_setup_order_causes_overflow, generation_gen_params),
	KUNIT_CASE_PARAM(sleep_clears_registers, generation_gen_params),
	KUNIT_CASE_PARAM(formats_have_documented_layout, generation_gen_params),
	KUNIT_CASE_PARAM(undefined_format_codes_write_no_reports, generation_gen_params),
	KUNIT_CASE_PARAM(reports_have_reason, generation_gen_params),
	KUNIT_CASE_PARAM(reports_can_be_suppressed, generation_gen_params),
	KUNIT_CASE_PARAM(reports_have_context_id, generation_gen_params),
	KUNIT_CASE_PARAM(clock_ratio_reports_are_written, generation_gen_params),
	KUNIT_CASE_PARAM(trigger_reports_on_rising_edge, generation_gen_params),
	KUNIT_CASE_PARAM(a20_carries_a_marker, generation_gen_params),
	KUNIT_CASE_PARAM(test_oa_counts_exactly, generation_gen_params),
	KUNIT_CASE_PARAM(counters_wrap_at_32_bits, generation_gen_params),
	KUNIT_CASE_PARAM(mux_configuration_selects_signals, generation_gen_params),
	KUNIT_CASE_PARAM(flexible_counter_counts_selected_event, generation_gen_params),
	KUNIT_CASE_PARAM(work_is_attributed_to_its_context, generation_gen_params),
	KUNIT_CASE_PARAM(batch_reports_count_all_contexts, generation_gen_params),
	KUNIT_CASE_PARAM(reused_slot_is_a_context_switch, generation_gen_params),
	{}
};

static struct kunit_suite gen8_suite = {
	.name = "gpuoa_sim_gen8",
	.init = gen8_init,
	.exit = bench_exit,
	.test_cases = gen8_cases,
};

kunit_test_suite(gen8_suite);
