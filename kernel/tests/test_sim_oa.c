// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_oa.c - the simulated OA unit of Haswell as a driver sees it.
 */
#include <kunit/test.h>

#include <gen7_regs.h>

#include "sim_bench.h"

#define START BENCH_START
#define EXPONENT BENCH_EXPONENT
#define PERIOD BENCH_PERIOD
#define A45_B8_C8 (5 << 2)
#define CONTROL (EXPONENT << 6 | BIT(5) | A45_B8_C8 | BIT(0))
#define REPORT_SIZE 256
#define ROOM (SIM_TEST_BUFFER_SIZE / REPORT_SIZE - 1)

/* Dwords of an A45_B8_C8 report */
#define TIMESTAMP 1
#define A(n) (3 + (n))
#define B(n) (48 + (n))
#define C(n) (56 + (n))

static int gen7_init(struct kunit *test)
{
	return bench_init(test, "hsw_gt2");
}

/* Disable clock gating, as the driver does before it programs a metric set. */
static void ungate(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, MISCCPCTL, 0);
	sim_mmio_write(gpu, UCGCTL1, CS_UNIT_CLOCK_GATE_DISABLE);
}

/* Program the part of TestOa that makes C2 and B1 count clocks. */
static void program(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, GDT_CHICKEN_BITS, GT_NOA_ENABLE);
	sim_mmio_write(gpu, OASTARTTRIG2, 0xf0800000);
	sim_mmio_write(gpu, OASTARTTRIG6, 0xf0800000);
	sim_mmio_write(gpu, CEC0_0 + 8, 0x3);
}

static void set_up_buffer(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, OASTATUS2, SIM_TEST_BUFFER | OASTATUS2_GGTT);
	sim_mmio_write(gpu, OABUFFER, SIM_TEST_BUFFER);
	sim_mmio_write(gpu, OASTATUS1, SIM_TEST_BUFFER);
}

static void start(struct sim_gpu *gpu)
{
	ungate(gpu);
	program(gpu);
	set_up_buffer(gpu);
	sim_mmio_write(gpu, OACONTROL, CONTROL);
}

static u32 status(struct sim_gpu *gpu)
{
	return sim_mmio_read(gpu, OASTATUS1) & OASTATUS1_STATUS;
}

static unsigned int n_reports(struct sim_gpu *gpu)
{
	return ((sim_mmio_read(gpu, OASTATUS1) & OASTATUS1_TAIL) - SIM_TEST_BUFFER) / REPORT_SIZE;
}

static const u32 *report(unsigned int n)
{
	return (u32 *)(sim_test_memory + n * REPORT_SIZE);
}

static void reports_are_on_time_if_host_is_late(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int n, i;

	start(gpu);
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 0U);
	sim_test_now += 100 * PERIOD;
	n = n_reports(gpu);
	KUNIT_EXPECT_EQ(test, n, 100U);
	KUNIT_EXPECT_GT(test, report(0)[TIMESTAMP], (u32)START);
	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_NE(test, report(i)[0], 0U);
		KUNIT_EXPECT_EQ(test, report(i)[TIMESTAMP] % PERIOD, 1ULL << EXPONENT);
		KUNIT_EXPECT_EQ(test, report(i)[TIMESTAMP] - report(0)[TIMESTAMP], i * PERIOD);
	}
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.generated, 100ULL);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.written, 100ULL);
	KUNIT_EXPECT_EQ(test, status(gpu), 0U);
}

static void counters_show_load(struct kunit *test)
{
	struct bench *bench = test->priv;
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i, n;

	start(gpu);
	sim_test_now += 1234567;
	sim_mmio_write(gpu, OASTATUS2, SIM_TEST_BUFFER | OASTATUS2_GGTT);
	n = n_reports(gpu);
	for (i = 0; i < n; i += 100) {
		const u32 *r = report(i);

		sim_timeline_at(&gpu->timeline, SIM_GLOBAL, r[TIMESTAMP], bench->sums);
		KUNIT_EXPECT_EQ(test, r[C(2)],
				(u32)(bench->sums[SIM_CLOCK] >> SIM_FRACTION_BITS));
		KUNIT_EXPECT_EQ(test, r[C(2)], (u32)((r[TIMESTAMP] - START) * 80));
		KUNIT_EXPECT_EQ(test, r[B(1)], r[C(2)]);
		KUNIT_EXPECT_EQ(test, r[A(0)],
				(u32)(bench->sums[SIM_EU_ACTIVE] >> SIM_FRACTION_BITS));
		KUNIT_EXPECT_EQ(test, r[A(41)],
				(u32)(bench->sums[SIM_GPU_BUSY] >> SIM_FRACTION_BITS));
	}
}

static void full_buffer_stops_unit_until_setup(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu);
	sim_test_now += 1000 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), (unsigned int)ROOM);
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)OASTATUS1_BUFFER_OVERFLOW);
	/* Free space alone does not restart the unit. */
	sim_mmio_write(gpu, OASTATUS2, (SIM_TEST_BUFFER + SZ_64K) | OASTATUS2_GGTT);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), (unsigned int)ROOM);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.generated, 1010ULL);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.dropped, 1010ULL - ROOM);

	sim_mmio_write(gpu, OACONTROL, 0);
	set_up_buffer(gpu);
	sim_mmio_write(gpu, OACONTROL, CONTROL);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_EQ(test, status(gpu), 0U);
}

static void wrong_setup_order_causes_overflow(struct kunit *test)
{
	static const u32 orders[][3] = {
		{ OABUFFER, OASTATUS2, OASTATUS1 },
		{ OASTATUS2, OASTATUS1, OABUFFER },
		{ OASTATUS1, OASTATUS2, OABUFFER },
		{ OABUFFER, OASTATUS1, OASTATUS2 },
	};
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i, r;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		set_up_buffer(gpu);
		KUNIT_EXPECT_EQ(test, status(gpu), 0U);
		for (r = 0; r < ARRAY_SIZE(orders[i]); r++)
			sim_mmio_write(gpu, orders[i][r], SIM_TEST_BUFFER);
		KUNIT_EXPECT_EQ_MSG(test, status(gpu), (u32)OASTATUS1_BUFFER_OVERFLOW,
				    "order %u", i);
	}
}

static void expect_standing_still(struct kunit *test, const char *why)
{
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int n;

	set_up_buffer(gpu);
	sim_mmio_write(gpu, OACONTROL, CONTROL);
	sim_test_now += 10 * PERIOD;
	n = n_reports(gpu);
	KUNIT_EXPECT_EQ_MSG(test, n, 10U, "%s", why);
	KUNIT_EXPECT_EQ_MSG(test, report(9)[B(1)], report(0)[B(1)], "%s", why);
	KUNIT_EXPECT_EQ_MSG(test, report(9)[C(2)], report(0)[C(2)], "%s", why);
	KUNIT_EXPECT_NE_MSG(test, report(9)[A(0)], report(0)[A(0)], "%s", why);
	sim_mmio_write(gpu, OACONTROL, 0);
}

static void counters_stop_while_disabled(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	expect_standing_still(test, "nothing programmed");

	ungate(gpu);
	program(gpu);
	sim_mmio_write(gpu, MISCCPCTL, DOP_CLOCK_GATE_ENABLE);
	expect_standing_still(test, "DOP clock gating");

	ungate(gpu);
	sim_mmio_write(gpu, UCGCTL1, 0);
	expect_standing_still(test, "CS unit clock gating");

	ungate(gpu);
	sim_mmio_write(gpu, GDT_CHICKEN_BITS, 0);
	expect_standing_still(test, "NOA off");

	program(gpu);
	sim_mmio_write(gpu, OASTARTTRIG2, 0);
	sim_mmio_write(gpu, 0x25100, 1);
	expect_standing_still(test, "unknown multiplexer configuration");
}

/*
 * The previous set did not use NOA, so its driver does not switch NOA off, and no write marks the
 * end of the set.
 */
static void set_is_detected_after_set_without_noa(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	sim_mmio_write(gpu, 0x25100, 1);
	start(gpu);
	sim_test_now += 10 * PERIOD;
	KUNIT_ASSERT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_NE(test, report(9)[C(2)], report(0)[C(2)]);
}

static void sleep_clears_registers(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu);
	sim_test_now += 10 * PERIOD;
	gpu->awake = 0;
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OACONTROL), 0U);
	sim_mmio_write(gpu, OABUFFER, 0);
	KUNIT_EXPECT_EQ(test, gpu->statistics.asleep_accesses, 2ULL);
	gpu->awake = 1;
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OABUFFER), (u32)SIM_TEST_BUFFER);
	KUNIT_EXPECT_EQ(test, gpu->statistics.asleep_accesses, 2ULL);

	sim_mmio_sleep(gpu);
	sim_oa_sleep(gpu->oa);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OACONTROL), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OASTATUS1), 0U);
	/* Clock gating registers do not belong to the OA unit. */
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, UCGCTL1), (u32)CS_UNIT_CLOCK_GATE_DISABLE);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OASTATUS1), 0U);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.generated, 10ULL);
}

static void registers_have_documented_access(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	/* The upper half of the written value enables writes to the lower half. */
	sim_mmio_write(gpu, 0x20cc, 0x00050007);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, 0x20cc), 0x5U);
	sim_mmio_write(gpu, 0x20cc, 0x00010000);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, 0x20cc), 0x4U);
	/* The timestamp and reserved bits are read-only. */
	sim_mmio_write(gpu, RCS_TIMESTAMP, 0);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, RCS_TIMESTAMP), (u32)START);
	sim_mmio_write(gpu, OASTATUS2, ~0);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OASTATUS2), 0xffffffc1U);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 0ULL);
	/* Access unknown registers, and an address inside of a register. */
	sim_mmio_write(gpu, 0x2730, 1);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, 0x2730), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, OACONTROL + 2), 0U);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 3ULL);
	/* Writes are logged in order, with the written value. */
	KUNIT_EXPECT_EQ(test, gpu->mmio.n_logged, 4ULL);
	KUNIT_EXPECT_EQ(test, gpu->mmio.log[1].value, 0x00010000U);
	KUNIT_EXPECT_EQ(test, gpu->mmio.log[3].reg, (u32)OASTATUS2);
}

static void lost_reports_are_flagged(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu);
	gpu->oa->faults.lose_reports = 3;
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 7U);
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)OASTATUS1_REPORT_LOST);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.dropped, 3ULL);
	sim_mmio_write(gpu, OACONTROL, 0);
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)OASTATUS1_REPORT_LOST);
	set_up_buffer(gpu);
	KUNIT_EXPECT_EQ(test, status(gpu), 0U);
}

static void forced_overflow_is_flagged(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	KUNIT_EXPECT_EQ(test, sim_oa_overflow(gpu->oa), -ENODATA);
	start(gpu);
	KUNIT_EXPECT_EQ(test, sim_oa_overflow(gpu->oa), 0);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 0U);
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)OASTATUS1_BUFFER_OVERFLOW);
}

static void half_full_buffer_interrupts_once(struct kunit *test)
{
	const unsigned int half = SIM_TEST_BUFFER_SIZE / REPORT_SIZE / 2;
	struct sim_gpu *gpu = bench_gpu(test);

	sim_test_interrupts = 0;
	start(gpu);
	sim_test_now += (half - 1) * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), half - 1);
	KUNIT_EXPECT_EQ(test, sim_test_interrupts, 0U);
	sim_test_now += PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), half);
	KUNIT_EXPECT_EQ(test, sim_test_interrupts, 1U);
	/* The driver consumes some reports, but the buffer stays more than half full. */
	sim_test_now += 20 * PERIOD;
	sim_mmio_write(gpu, OASTATUS2, (SIM_TEST_BUFFER + 10 * REPORT_SIZE) | OASTATUS2_GGTT);
	sim_test_now += 20 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), half + 40);
	KUNIT_EXPECT_EQ(test, sim_test_interrupts, 1U);
	/* Now the buffer is one report short of half full. */
	sim_mmio_write(gpu, OASTATUS2, (SIM_TEST_BUFFER + 41 * REPORT_SIZE) | OASTATUS2_GGTT);
	sim_test_now += PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), half + 41);
	KUNIT_EXPECT_EQ(test, sim_test_interrupts, 2U);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.half_full, 2ULL);
}

static void interrupts_can_be_dropped(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	sim_test_interrupts = 0;
	gpu->oa->faults.lose_interrupts = 1;
	start(gpu);
	sim_test_now += ROOM * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), ROOM);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.half_full, 1ULL);
	KUNIT_EXPECT_EQ(test, sim_test_interrupts, 0U);
	KUNIT_EXPECT_EQ(test, gpu->oa->faults.lose_interrupts, 0U);
}

static void late_reports_land_when_unit_stops(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(gpu);
	gpu->oa->faults.tail_ahead = 2;
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_NE(test, report(7)[0], 0U);
	KUNIT_EXPECT_EQ(test, report(8)[0], 0U);
	KUNIT_EXPECT_EQ(test, report(9)[0], 0U);
	sim_test_now += 5 * PERIOD;
	sim_mmio_write(gpu, OACONTROL, 0);
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 15U);
	KUNIT_EXPECT_NE(test, report(14)[0], 0U);
	KUNIT_EXPECT_NE(test, report(14)[TIMESTAMP], 0U);
}

static void forced_wrap_wraps_counters(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	const u32 step = PERIOD * 80;

	start(gpu);
	gpu->oa->wrap = 2 * step + 1;
	sim_test_now += 4 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 4U);
	KUNIT_EXPECT_EQ(test, report(0)[C(2)], -(2 * step + 1));
	KUNIT_EXPECT_EQ(test, report(0)[A(40)], -(2 * step + 1));
	KUNIT_EXPECT_EQ(test, report(0)[B(1)], -(2 * step + 1));
	KUNIT_EXPECT_EQ(test, report(2)[C(2)], ~0U);
	KUNIT_EXPECT_EQ(test, report(3)[C(2)], step - 1);
	KUNIT_EXPECT_EQ(test, report(3)[B(1)], step - 1);
	/*
	 * The counter overflow bit compares the last reports of two consecutive simulation steps,
	 * so a step must end here.
	 */
	sim_test_now += PERIOD;
	n_reports(gpu);
	gpu->oa->wrap = step / 2;
	sim_test_now += PERIOD;
	n_reports(gpu);
	sim_test_now += PERIOD;
	KUNIT_EXPECT_EQ(test, status(gpu), (u32)OASTATUS1_COUNTER_OVERFLOW);
}

static void timer_phase_follows_visible_clock(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_segment segment = {
		.workload = &gpu->workloads[BENCH_STEADY],
		.offset = (1ULL << 32) - START,
		.owner = SIM_GLOBAL,
	};
	unsigned int i;

	start(gpu);
	segment.start = sim_test_now;
	segment.offset -= 3 * PERIOD + 17;
	sim_timeline_append(&gpu->timeline, &segment);
	sim_oa_retime(gpu->oa);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, report(i)[TIMESTAMP] % PERIOD, 1ULL << EXPONENT);
	KUNIT_EXPECT_GT(test, report(0)[TIMESTAMP], report(9)[TIMESTAMP]);
	KUNIT_EXPECT_EQ(test, report(9)[C(2)] - report(0)[C(2)], (u32)(9 * PERIOD * 80));
}

static void filter_passes_one_context(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	const u64 slot = gpu->world.slot_ticks;
	unsigned int n, i;

	ungate(gpu);
	program(gpu);
	set_up_buffer(gpu);
	sim_mmio_write(gpu, OACONTROL, CONTROL | BIT(1) | SIM_TEST_CONTEXT);
	sim_test_now += 2 * SIM_N_SLOTS * slot;
	n = n_reports(gpu);
	KUNIT_EXPECT_GE(test, n, (unsigned int)(2 * slot / PERIOD) - 1);
	KUNIT_EXPECT_LE(test, n, (unsigned int)(2 * slot / PERIOD) + 1);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, (report(i)[TIMESTAMP] - START) / slot % SIM_N_SLOTS,
				(u64)SIM_TEST_SLOT);
	KUNIT_EXPECT_LE(test, report(n - 1)[C(2)] - report(0)[C(2)], (u32)(2 * slot * 80));

	sim_mmio_write(gpu, OACONTROL, 0);
	set_up_buffer(gpu);
	sim_mmio_write(gpu, OACONTROL, CONTROL | BIT(1) | (SIM_TEST_CONTEXT + SZ_4K));
	sim_test_now += 2 * SIM_N_SLOTS * slot;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 0U);
}

static void reports_without_memory_are_counted(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	sim_mmio_write(gpu, OASTATUS2, SIM_TEST_BUFFER);
	sim_mmio_write(gpu, OABUFFER, SIM_TEST_BUFFER);
	sim_mmio_write(gpu, OASTATUS1, SIM_TEST_BUFFER);
	sim_mmio_write(gpu, OACONTROL, CONTROL);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.ggtt_faults, 10ULL);
	KUNIT_EXPECT_EQ(test, report(0)[0], 0U);

	sim_mmio_write(gpu, OACONTROL, 0);
	start(gpu);
	sim_oa_unmapped(gpu->oa, SIM_TEST_BUFFER, SIM_TEST_BUFFER_SIZE);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 10U);
	KUNIT_EXPECT_EQ(test, gpu->oa->statistics.ggtt_faults, 20ULL);
	KUNIT_EXPECT_EQ(test, report(0)[0], 0U);
}

static struct kunit_case oa_cases[] = {
	KUNIT_CASE(reports_are_on_time_if_host_is_late),
	KUNIT_CASE(counters_show_load),
	KUNIT_CASE(full_buffer_stops_unit_until_setup),
	KUNIT_CASE(wrong_setup_order_causes_overflow),
	KUNIT_CASE(counters_stop_while_disabled),
	KUNIT_CASE(set_is_detected_after_set_without_noa),
	KUNIT_CASE(sleep_clears_registers),
	KUNIT_CASE(registers_have_documented_access),
	KUNIT_CASE(lost_reports_are_flagged),
	KUNIT_CASE(forced_overflow_is_flagged),
	KUNIT_CASE(half_full_buffer_interrupts_once),
	KUNIT_CASE(interrupts_can_be_dropped),
	KUNIT_CASE(late_reports_land_when_unit_stops),
	KUNIT_CASE(forced_wrap_wraps_counters),
	KUNIT_CASE(timer_phase_follows_visible_clock),
	KUNIT_CASE(filter_passes_one_context),
	KUNIT_CASE(reports_without_memory_are_counted),
	{}
};

static struct kunit_suite oa_suite = {
	.name = "gpuoa_sim_oa",
	.init = gen7_init,
	.exit = bench_exit,
	.test_cases = oa_cases,
};

kunit_test_suite(oa_suite);
