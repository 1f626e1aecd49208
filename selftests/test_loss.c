// SPDX-License-Identifier: MIT
/*
 * test_loss.c - losses are announced and counted: delivered + lost = generated.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(loss)
{
	struct reader reader;
	uint64_t generated;
	uint64_t forwarded;
	uint64_t lost;
	uint64_t overflows;
};

FIXTURE_SETUP(loss)
{
	struct perf_event_attr attr = flat_attr(12, 1);

	/* The ring holds 40 s of reports, so that a reader on a busy machine loses none. */
	ASSERT_EQ(0, reader_open(&self->reader, &attr, 12, 12));
	self->generated = sim_get("generated");
	self->forwarded = unit_get("statistics/reports_forwarded");
	self->lost = unit_get("statistics/reports_lost");
	self->overflows = unit_get("statistics/overflows");
	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 500));
}

FIXTURE_TEARDOWN(loss)
{
	reader_close(&self->reader);
}

/*
 * Read until *@count, a member of the reader's tally, has reached @n. Then read one more report,
 * because the number of lost reports is known only with the next report.
 */
static bool await(struct reader *reader, const uint64_t *count, uint64_t n)
{
	while (*count < n)
		if (!reader_run_reports(reader, 1))
			return false;
	return reader_run_reports(reader, 1);
}

static void finish(struct reader *reader)
{
	reader_disable(reader);
	reader_drain(reader);
}

TEST_F(loss, dropped_reports_are_counted)
{
	struct tally *tally = &self->reader.tally;

	ASSERT_EQ(0, sim_set("lose_reports", "7"));
	ASSERT_TRUE(await(&self->reader, &tally->hardware_losses, 1));
	finish(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->hardware_losses);
	EXPECT_EQ(7, tally->lost);
	EXPECT_EQ(0, tally->lost_unknown);
	EXPECT_EQ(sim_get("generated") - self->generated, tally->reports + tally->lost);
	EXPECT_EQ(tally->reports, unit_get("statistics/reports_forwarded") - self->forwarded);
	EXPECT_EQ(7, unit_get("statistics/reports_lost") - self->lost);
}

TEST_F(loss, losses_are_reported_by_cause)
{
	struct tally *tally = &self->reader.tally;
	uint64_t i;

	for (i = 1; i <= 5; i++) {
		ASSERT_EQ(0, sim_set("lose_reports", "3"));
		ASSERT_TRUE(await(&self->reader, &tally->hardware_losses, i));
	}
	finish(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(5, tally->hardware_losses);
	EXPECT_EQ(15, tally->lost);
	EXPECT_EQ(sim_get("generated") - self->generated, tally->reports + tally->lost);
}

TEST_F(loss, overflow_restarts_and_is_counted)
{
	struct tally *tally = &self->reader.tally;

	ASSERT_EQ(0, sim_set("force_overflow", "1"));
	ASSERT_TRUE(await(&self->reader, &tally->overflows, 1));
	finish(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->overflows);
	EXPECT_EQ(0, tally->lost_unknown);
	EXPECT_LT(0, tally->lost);
	/*
	 * Reports that would have been written during the restart of the unit count as lost,
	 * although the GPU has not generated them.
	 */
	EXPECT_EQ(reader_due(&self->reader), tally->reports + reader_lost(&self->reader));
	EXPECT_LE(sim_get("generated") - self->generated,
		  tally->reports + reader_lost(&self->reader));
	EXPECT_EQ(1, unit_get("statistics/overflows") - self->overflows);
	EXPECT_EQ(tally->lost, unit_get("statistics/reports_lost") - self->lost);
}

TEST_F(loss, loss_before_disable_is_reported)
{
	struct tally *tally = &self->reader.tally;

	ASSERT_EQ(0, sim_set("force_overflow", "1"));
	reader_disable(&self->reader);
	reader_drain(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->overflows);
	EXPECT_EQ(1, unit_get("statistics/overflows") - self->overflows);
	/* The number of lost reports is unknown if no report followed the loss. */
	if (!tally->lost_unknown)
		EXPECT_EQ(reader_due(&self->reader), tally->reports + tally->lost);
}

TEST(slow_reader_gets_lost_records)
{
	uint64_t generated = sim_get("generated");
	uint64_t forwarded = unit_get("statistics/reports_forwarded");
	struct perf_event_attr attr = flat_attr(12, 1);
	struct reader reader;

	/*
	 * 1 MiB of ring holds 2.7 s of reports: a delay on a busy machine must not fill it again
	 * while the last reports are read. Do not read until twice as many were delivered.
	 */
	ASSERT_EQ(0, reader_open(&reader, &attr, 12, 8));
	reader_enable(&reader);
	ASSERT_TRUE(WAIT_UNTIL(unit_get("statistics/reports_forwarded") - forwarded > 2 * 4096));
	ASSERT_TRUE(await(&reader, &reader.tally.ring_lost, 1));
	finish(&reader);

	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_LT(0, reader.tally.ring_lost);
	EXPECT_EQ(0, reader.tally.lost + reader.tally.lost_unknown);
	EXPECT_EQ(sim_get("generated") - generated, reader.tally.reports + reader.tally.ring_lost);
	EXPECT_EQ(reader.tally.reports + reader.tally.ring_lost,
		  unit_get("statistics/reports_forwarded") - forwarded);
	reader_close(&reader);
}

TEST(small_buffer_overflows_and_restarts)
{
	/*
	 * 512 reports at 160 ns are 82 us, less than a poll interval. Interrupts at each half of
	 * the buffer might be fast enough, but would use all CPU time.
	 */
	struct gpuoa_attr gpuoa = test_oa_attr(0);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;

	gpuoa.buffer_size = 128 << 10;
	ASSERT_EQ(0, reader_open(&reader, &attr, 0, 8));
	ASSERT_EQ(0, sim_set("lose_interrupts", "1000000"));
	reader_enable(&reader);
	ASSERT_TRUE(await(&reader, &reader.tally.overflows, 1));
	finish(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	reader_close(&reader);
	EXPECT_EQ(0, sim_set("lose_interrupts", "0"));
}

TEST(filtered_loss_is_reported_without_a_count)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;
	uint32_t handle;

	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open();
	ASSERT_LE(0, gpuoa.drm_fd);
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	gpuoa.context = handle;
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	reader.filtered = true;
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 50));
	ASSERT_EQ(0, sim_set("lose_reports", "2"));
	ASSERT_TRUE(await(&reader, &reader.tally.hardware_losses, 1));
	ASSERT_EQ(0, sim_set("force_overflow", "1"));
	ASSERT_TRUE(await(&reader, &reader.tally.overflows, 1));
	finish(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(1, reader.tally.hardware_losses);
	EXPECT_EQ(1, reader.tally.overflows);
	EXPECT_EQ(2, reader.tally.lost_unknown);
	EXPECT_EQ(0, reader.tally.lost);
	reader_close(&reader);
	close(gpuoa.drm_fd);
}

#define ORDER_EXPONENT 11
#define ORDER_OVERFLOWS 20

/*
 * State of a check of the order of reports, for a GPU that also writes reports of context switches
 */
struct order {
	struct reader *reader;
	bool timed; /* a timer report was consumed */
	uint64_t others; /* number of other reports */
	uint64_t early; /* number of other reports after a gap that was not yet announced */
	uint64_t errors; /* number of timer reports out of sequence */
};

static void check_order(void *context, const uint8_t *report, uint32_t size)
{
	const uint32_t period = 2U << ORDER_EXPONENT;
	struct order *order = context;
	struct tally *tally = &order->reader->tally;
	uint32_t timestamp, ticks, due = period * (1 + tally->missing);
	bool checked = order->timed && !tally->resync;

	(void)size;
	memcpy(&timestamp, report + 4, sizeof(timestamp));
	ticks = timestamp - tally->last_timestamp;
	if ((timestamp & (period - 1)) != period / 2) {
		order->others++;
		order->early += checked && ticks > due;
		return;
	}
	order->errors += checked && ticks != due;
	order->timed = true;
	tally->last_timestamp = timestamp;
	tally->missing = 0;
	tally->resync = false;
}

TEST(gap_precedes_context_switch_reports)
{
	struct perf_event_attr attr = flat_attr(ORDER_EXPONENT, 1);
	struct order order = { 0 };
	struct reader reader;
	struct gpu_unit unit;

	ASSERT_EQ(0, file_set("/sys/bus/gpuoa_sim/new_device", "tgl_gt2 frames"));
	ASSERT_TRUE(gpu_unit_find(&unit, "tglgt2", "OA"));
	attr.type = unit.pmu_type;
	ASSERT_EQ(0, reader_open(&reader, &attr, ORDER_EXPONENT, 12));
	order.reader = &reader;
	reader.each = check_order;
	reader.context = &order;
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 100));
	for (uint64_t i = 1; i <= ORDER_OVERFLOWS; i++) {
		ASSERT_EQ(0, gpu_unit_set(&unit, "force_overflow", "1"));
		ASSERT_TRUE(await(&reader, &reader.tally.overflows, i));
		ASSERT_TRUE(reader_run_reports(&reader, 20));
	}
	finish(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(0, order.errors);
	EXPECT_EQ(0, order.early);
	EXPECT_LT(0, order.others);
	reader_close(&reader);
}

TEST_HARNESS_MAIN
