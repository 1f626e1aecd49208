// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_faults.c - each injected fault of a virtual GPU, on Skylake and Haswell.
 */
#include <kunit/test.h>

#include <gen7_regs.h>
#include <gen8_regs.h>

#include "vgpu/model/gpu.h"
#include "sim_bench.h"

#define PERIOD BENCH_PERIOD
#define REPORT_SIZE 256
#define TIMER (BENCH_EXPONENT << 2 | BIT(1) | BIT(0))
#define A32U40 5
#define CONTROL (A32U40 << 2 | BIT(0))
#define WRAPS (GEN8_OASTATUS_HEAD_POINTER_WRAP | GEN8_OASTATUS_TAIL_POINTER_WRAP)
#define ROOM (SIM_TEST_BUFFER_SIZE / REPORT_SIZE)

/* 25 us is more than four periods of 5.12 us. */
#define LATE_US 25
#define LATE_TICKS (LATE_US * BENCH_FREQUENCY / 1000000)

static int faults_init(struct kunit *test)
{
	return bench_init(test, "skl_gt2");
}

static void set_up_buffer(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, GEN8_OASTATUS, 0);
	sim_mmio_write(gpu, GEN8_OAHEADPTR, SIM_TEST_BUFFER);
	sim_mmio_write(gpu, GEN8_OABUFFER, SIM_TEST_BUFFER | GEN8_OABUFFER_GGTT);
	sim_mmio_write(gpu, GEN8_OATAILPTR, SIM_TEST_BUFFER);
}

static struct sim_oa *start(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	set_up_buffer(gpu);
	sim_mmio_write(gpu, GEN8_OACTXCONTROL, TIMER);
	sim_mmio_write(gpu, GEN8_OACONTROL, CONTROL);

	return gpu->oa;
}

static void stop(struct sim_gpu *gpu)
{
	sim_mmio_write(gpu, GEN8_OACONTROL, 0);
}

/* Get the number of reports up to the tail register. */
static unsigned int n_reports(struct sim_gpu *gpu)
{
	return (sim_mmio_read(gpu, GEN8_OATAILPTR) - SIM_TEST_BUFFER) / REPORT_SIZE;
}

static const u32 *report(unsigned int n)
{
	return (const u32 *)(sim_test_memory + n * REPORT_SIZE);
}

static void missing_report_is_announced_and_never_written(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);

	sim_test_now += 3 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 3U);
	oa->faults.missing = 2;
	sim_test_now += 4 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 7U);
	KUNIT_EXPECT_EQ(test, report(3)[0] | report(3)[1], 0U);
	KUNIT_EXPECT_EQ(test, report(4)[0] | report(4)[1], 0U);
	KUNIT_EXPECT_EQ(test, report(5)[1] - report(2)[1], 3 * (u32)PERIOD);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OASTATUS), 0U);
	KUNIT_EXPECT_EQ(test, oa->statistics.generated, 7ULL);
	KUNIT_EXPECT_EQ(test, oa->statistics.written, 5ULL);
	KUNIT_EXPECT_EQ(test, oa->statistics.dropped, 2ULL);
}

static void late_report_lands_at_its_time(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);
	unsigned int i, n;

	oa->faults.land_late_us = LATE_US;
	sim_test_now += 20 * PERIOD;
	n = n_reports(gpu);
	KUNIT_EXPECT_EQ(test, n, 20U);
	for (i = 0; i < n; i++) {
		u64 tick = oa->next - 1 - (n - 1 - i) * PERIOD;

		/*
		 * The last report cannot be later than oa->next - 1, the tick to which the unit was
		 * simulated.
		 */
		if (tick + LATE_TICKS + PERIOD < sim_test_now)
			KUNIT_EXPECT_NE_MSG(test, report(i)[1], 0U, "report %u", i);
	}
	KUNIT_EXPECT_EQ(test, report(n - 1)[0] | report(n - 1)[1], 0U);
	KUNIT_EXPECT_LE(test, sim_oa_landing_ns(oa), LATE_US * 1000ULL);
}

static void late_report_lands_after_stop(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);

	oa->faults.land_late_us = LATE_US;
	sim_test_now += 5 * PERIOD;
	stop(gpu);
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 5U);
	KUNIT_EXPECT_EQ(test, report(4)[1], 0U);
	sim_test_now += LATE_TICKS;
	bench_advance(gpu);
	KUNIT_EXPECT_NE(test, report(4)[1], 0U);
	KUNIT_EXPECT_EQ(test, sim_oa_landing_ns(oa), U64_MAX);
}

/* A late report lands even if the buffer was cleared and set up again in the meantime. */
static void late_report_lands_in_next_run(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);
	u32 before;

	oa->faults.land_late_us = LATE_US;
	sim_test_now += 8 * PERIOD;
	stop(gpu);
	before = sim_test_now;
	memset(sim_test_memory, 0, SIM_TEST_BUFFER_SIZE);
	oa->faults.land_late_us = 0;
	start(test);
	sim_test_now += LATE_TICKS;
	KUNIT_EXPECT_LT(test, n_reports(gpu), 7U);
	KUNIT_EXPECT_NE(test, report(7)[1], 0U);
	KUNIT_EXPECT_LE(test, report(7)[1], before);
}

static void torn_report_is_stale_after_first_line(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);

	memset(sim_test_memory, 0x5a, SIM_TEST_BUFFER_SIZE);
	oa->faults.torn_us = LATE_US;
	sim_test_now += 3 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 3U);
	KUNIT_EXPECT_EQ(test, report(2)[1] - report(1)[1], (u32)PERIOD);
	KUNIT_EXPECT_EQ(test, report(2)[16], 0x5a5a5a5aU);
	KUNIT_EXPECT_EQ(test, report(2)[63], 0x5a5a5a5aU);
	stop(gpu);
	sim_test_now += LATE_TICKS;
	bench_advance(gpu);
	KUNIT_EXPECT_NE(test, report(2)[16], 0x5a5a5a5aU);
	KUNIT_EXPECT_NE(test, report(2)[63], 0x5a5a5a5aU);
}

static void report_without_id_has_other_fields(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);

	oa->faults.zero_ids = 1;
	sim_test_now += 2 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 2U);
	KUNIT_EXPECT_EQ(test, report(0)[0], 0U);
	KUNIT_EXPECT_NE(test, report(0)[1], 0U);
	KUNIT_EXPECT_NE(test, report(1)[0], 0U);
	KUNIT_EXPECT_EQ(test, oa->statistics.written, 2ULL);
}

static void frozen_tail_recovers(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);

	sim_test_now += 2 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 2U);
	sim_oa_freeze_tail(oa, LATE_US);
	sim_test_now += LATE_TICKS - 1;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 2U);
	KUNIT_EXPECT_NE(test, report(3)[1], 0U);
	sim_test_now++;
	KUNIT_EXPECT_GT(test, n_reports(gpu), 5U);
}

static void reset_clears_registers(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);
	u64 now;

	sim_mmio_write(gpu, NOA_WRITE, 0x1234);
	sim_mmio_write(gpu, EU_PERF_CNTL0, 0x5);
	sim_mmio_write(gpu, GEN9_OA_DEBUG, 0x00020002);
	oa->faults.land_late_us = LATE_US;
	sim_test_now += 5 * PERIOD;
	now = sim_now(gpu);
	sim_gpu_reset(gpu);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OACONTROL), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OATAILPTR), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN9_OA_DEBUG), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, EU_PERF_CNTL0), 0U);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, NOA_WRITE), 0U);
	KUNIT_EXPECT_EQ(test, oa->mux, SIM_HASH_START);
	KUNIT_EXPECT_EQ(test, oa->statistics.generated, 5ULL);

	/* Reports in flight are lost, and no others follow. */
	sim_test_now += 20 * PERIOD;
	bench_advance(gpu);
	KUNIT_EXPECT_EQ(test, report(4)[1], 0U);
	KUNIT_EXPECT_EQ(test, oa->statistics.generated, 5ULL);
	KUNIT_EXPECT_EQ(test, sim_now(gpu), now + 20 * PERIOD);

	oa->faults.land_late_us = 0;
	start(test);
	sim_test_now += 3 * PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 3U);
}

static void dead_gpu_reads_all_ones(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	struct sim_oa *oa = start(test);

	sim_test_now += 5 * PERIOD;
	sim_gpu_set_dead(gpu, true);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OASTATUS), U32_MAX);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OATAILPTR), U32_MAX);
	KUNIT_EXPECT_EQ(test, sim_gpu_read_timestamp(gpu), U64_MAX);
	set_up_buffer(gpu);
	sim_mmio_write(gpu, GEN8_OACONTROL, CONTROL);
	sim_test_now += 5 * PERIOD;
	bench_advance(gpu);
	KUNIT_EXPECT_EQ(test, oa->statistics.generated, 5ULL);

	sim_gpu_set_dead(gpu, false);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OACONTROL), 0U);
	KUNIT_EXPECT_EQ(test, sim_gpu_read_timestamp(gpu), sim_test_now);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 0ULL);
	KUNIT_EXPECT_EQ(test, gpu->statistics.asleep_accesses, 0ULL);
}

static void clock_read_while_asleep_is_counted(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	sim_gpu_read_timestamp(gpu);
	KUNIT_EXPECT_EQ(test, gpu->statistics.asleep_accesses, 0ULL);
	sim_gpu_put(gpu);
	sim_gpu_read_timestamp(gpu);
	KUNIT_EXPECT_EQ(test, gpu->statistics.asleep_accesses, 1ULL);
	/*
	 * If the test reads the timestamp from the model, this does not count as a register access.
	 */
	sim_gpu_timestamp(gpu);
	KUNIT_EXPECT_EQ(test, gpu->statistics.asleep_accesses, 1ULL);
}

/* On gen8 to gen11, a status write that does not set the wrap bits moves the tail. */
static void status_write_without_wrap_bits_corrupts_tail(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	start(test);
	sim_test_now += 3 * PERIOD;
	sim_mmio_write(gpu, GEN8_OASTATUS, WRAPS);
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 3U);
	sim_mmio_write(gpu, GEN8_OASTATUS, 0);
	KUNIT_EXPECT_EQ(test, n_reports(gpu), 0U);
}

static void wrap_bits_show_head_and_tail_wraps(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);

	/* Reports of context switches need free space as well. */
	start(test);
	sim_test_now += (ROOM - 8) * PERIOD;
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OASTATUS) & WRAPS, 0U);
	sim_mmio_write(gpu, GEN8_OAHEADPTR, SIM_TEST_BUFFER + (ROOM - 8) * REPORT_SIZE);
	sim_test_now += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OASTATUS) & WRAPS,
			(u32)GEN8_OASTATUS_TAIL_POINTER_WRAP);
	sim_mmio_write(gpu, GEN8_OAHEADPTR, SIM_TEST_BUFFER + REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OASTATUS) & WRAPS, (u32)WRAPS);
	stop(gpu);
	start(test);
	KUNIT_EXPECT_EQ(test, sim_mmio_read(gpu, GEN8_OASTATUS), 0U);
}

/* The GPU is removed while a batch works: its workload resumes at once. */
static void work_is_aborted_when_gpu_is_removed(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	u64 begin, end;

	begin = sim_batch_begin(gpu, 3);
	KUNIT_EXPECT_EQ(test, begin, sim_test_now + 1);
	sim_test_now += 2;
	KUNIT_ASSERT_EQ(test, sim_work(gpu, 3, BENCH_STEADY, U32_MAX, &end), 0);
	KUNIT_EXPECT_GT(test, end, sim_test_now + BENCH_FREQUENCY);
	sim_test_now += 1000;
	sim_work_cut(gpu);
	KUNIT_EXPECT_EQ(test, sim_timeline_last(&gpu->timeline)->start, sim_test_now + 1);
	sim_batch_end(gpu, false);
	KUNIT_EXPECT_EQ(test, sim_timeline_last(&gpu->timeline)->start, sim_test_now + 1);
	KUNIT_EXPECT_PTR_EQ(test, sim_timeline_last(&gpu->timeline)->workload,
			    &gpu->workloads[BENCH_STEADY]);
	KUNIT_EXPECT_EQ(test, sim_batch_begin(gpu, 3), sim_test_now + 1);
}

static struct kunit_case faults_cases[] = {
	KUNIT_CASE(missing_report_is_announced_and_never_written),
	KUNIT_CASE(late_report_lands_at_its_time),
	KUNIT_CASE(late_report_lands_after_stop),
	KUNIT_CASE(late_report_lands_in_next_run),
	KUNIT_CASE(torn_report_is_stale_after_first_line),
	KUNIT_CASE(report_without_id_has_other_fields),
	KUNIT_CASE(frozen_tail_recovers),
	KUNIT_CASE(reset_clears_registers),
	KUNIT_CASE(dead_gpu_reads_all_ones),
	KUNIT_CASE(clock_read_while_asleep_is_counted),
	KUNIT_CASE(status_write_without_wrap_bits_corrupts_tail),
	KUNIT_CASE(wrap_bits_show_head_and_tail_wraps),
	KUNIT_CASE(work_is_aborted_when_gpu_is_removed),
	{}
};

static struct kunit_suite faults_suite = {
	.name = "gpuoa_sim_faults",
	.init = faults_init,
	.exit = bench_exit,
	.test_cases = faults_cases,
};

kunit_test_suite(faults_suite);
