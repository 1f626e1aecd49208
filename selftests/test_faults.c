// SPDX-License-Identifier: MIT
/*
 * test_faults.c - undocumented behavior of the hardware, and how the driver handles it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "aux.h"
#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

#define AREA (128ULL << 10)

FIXTURE(faults)
{
	struct reader reader;
	uint64_t generated;
	uint64_t resets;
	uint64_t overflows;
};

FIXTURE_SETUP(faults)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	ASSERT_EQ(0, reader_open(&self->reader, &attr, 9, 10));
	self->generated = sim_get("generated");
	self->resets = unit_get("statistics/resets");
	self->overflows = unit_get("statistics/overflows");
}

FIXTURE_TEARDOWN(faults)
{
	sim_set("missing", "0");
	sim_set("land_late_us", "0");
	sim_set("torn_us", "0");
	sim_set("dead", "0");
	reader_close(&self->reader);
}

static void finish(struct reader *reader)
{
	reader_run(reader, 50);
	reader_disable(reader);
	reader_drain(reader);
}

/* The tail passes slots that are never written. They are skipped before the buffer is full. */
TEST_F(faults, missing_reports_are_skipped_and_reported)
{
	struct tally *tally = &self->reader.tally;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("missing", "3"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 1000));
	finish(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_LOST(3, &self->reader);
	EXPECT_COME_OR_LOST(sim_get("generated") - self->generated, &self->reader);
	EXPECT_EQ(self->overflows + tally->overflows, unit_get("statistics/overflows"));
}

TEST_F(faults, missing_reports_before_disable_are_reported)
{
	struct tally *tally = &self->reader.tally;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("missing", "2"));
	usleep(3000);
	reader_disable(&self->reader);
	reader_drain(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_LOST(2, &self->reader);
	EXPECT_COME_OR_LOST(sim_get("generated") - self->generated, &self->reader);
}

/* Haswell writes invalid reports. The reader checks ids, and must not see any. */
TEST_F(faults, invalid_reports_are_dropped)
{
	struct tally *tally = &self->reader.tally;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("zero_ids", "5"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 500));
	finish(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_LOST(5, &self->reader);
	EXPECT_COME_OR_LOST(sim_get("generated") - self->generated, &self->reader);
}

static void start_and_stop(struct reader *reader, unsigned int times, unsigned int us)
{
	while (times--) {
		reader_enable(reader);
		usleep(us);
		reader_disable(reader);
		reader_drain(reader);
	}
}

/* Stopping the unit waits for reports in flight. */
TEST_F(faults, disable_waits_for_reports)
{
	struct tally *tally = &self->reader.tally;

	ASSERT_EQ(0, sim_set("land_late_us", "60"));
	start_and_stop(&self->reader, 20, 3000);

	EXPECT_EQ(0, tally->errors);
	EXPECT_LT(500, tally->reports);
	EXPECT_COME_OR_LOST(sim_get("generated") - self->generated, &self->reader);
}

/*
 * The wait for reports in flight has a timeout. A report that arrives after a restart is not
 * mistaken for a new one.
 */
TEST_F(faults, late_reports_are_lost)
{
	struct tally *tally = &self->reader.tally;

	ASSERT_EQ(0, sim_set("land_late_us", "2000"));
	start_and_stop(&self->reader, 20, 20000);

	EXPECT_EQ(0, tally->errors);
	EXPECT_LT(0, tally->lost);
	EXPECT_COME_OR_LOST(sim_get("generated") - self->generated, &self->reader);
}

/* The kernel detects a reset that the provider does not report. */
TEST_F(faults, reset_is_detected_and_reported)
{
	struct tally *tally = &self->reader.tally;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("reset", "1"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 1000));
	finish(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->lost_unknown);
	EXPECT_EQ(self->resets + 1, unit_get("statistics/resets"));
	/* All registers were rewritten: B1 counts clocks again. */
	EXPECT_EQ(0, sim_get("unknown_accesses"));
}

/* All registers read as ones. This is reported once; the GPU is not accessed until it recovers. */
TEST_F(faults, dead_gpu_is_not_accessed)
{
	struct tally *tally = &self->reader.tally;
	uint64_t polls, reports;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("dead", "1"));
	EXPECT_TRUE(WAIT_UNTIL((reader_drain(&self->reader), tally->lost_unknown)));
	polls = unit_get("statistics/polls");
	reports = tally->reports;
	reader_run(&self->reader, 500);
	EXPECT_GT(10, unit_get("statistics/polls") - polls);
	EXPECT_EQ(reports, tally->reports);
	EXPECT_EQ(1, tally->lost_unknown);
	EXPECT_EQ(self->overflows, unit_get("statistics/overflows"));

	ASSERT_EQ(0, sim_set("dead", "0"));
	EXPECT_TRUE(reader_run_reports(&self->reader, 1000));
	finish(&self->reader);
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->lost_unknown);
	EXPECT_EQ(self->resets + 1, unit_get("statistics/resets"));
}

TEST_F(faults, dead_gpu_stops_at_once)
{
	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 100));
	ASSERT_EQ(0, sim_set("dead", "1"));
	reader_disable(&self->reader);
	reader_drain(&self->reader);
	EXPECT_EQ(1, self->reader.tally.lost_unknown);
	EXPECT_EQ(0, self->reader.tally.errors);
}

/* Reading the clock of an idle GPU wakes it up. */
TEST(get_clock_resumes_the_gpu)
{
	struct gpuoa_clock first = { .clock_id = CLOCK_MONOTONIC }, second = first;
	uint64_t asleep = sim_get("asleep_accesses");
	int fd = unit_open();

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, ioctl(fd, GPUOA_IOC_GET_CLOCK, &first));
	EXPECT_EQ(0, ioctl(fd, GPUOA_IOC_GET_CLOCK, &second));
	EXPECT_LT(first.gpu_ticks, second.gpu_ticks);
	EXPECT_EQ(asleep, sim_get("asleep_accesses"));
	close(fd);
}

FIXTURE(area)
{
	struct aux_reader reader;
	uint64_t generated;
};

FIXTURE_SETUP(area)
{
	/*
	 * Use a rate so low that a busy machine polls at least every 128 reports (0.67 s). If more
	 * reports arrive between two polls, the driver may not detect that a report is missing.
	 */
	struct gpuoa_attr gpuoa = aux_attr(15);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	attr.aux_watermark = 1024;
	ASSERT_EQ(0, aux_open(&self->reader, &attr, 15));
	ASSERT_EQ(0, aux_map(&self->reader, AREA, true));
	self->generated = sim_get("generated");
}

FIXTURE_TEARDOWN(area)
{
	sim_set("missing", "0");
	sim_set("land_late_us", "0");
	sim_set("torn_us", "0");
	aux_close(&self->reader);
}

TEST_F(area, missing_reports_are_skipped_and_reported)
{
	struct aux_tally *tally = &self->reader.tally;
	uint64_t generated;

	/*
	 * Run for more than a lap, so that the slot of the missing report holds a report of the
	 * previous lap.
	 */
	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, AREA / 256 + 10));
	ASSERT_EQ(0, sim_set("missing", "1"));
	ASSERT_TRUE(aux_run_reports(&self->reader, 20));
	ASSERT_EQ(0, aux_disable(&self->reader));
	aux_drain(&self->reader);

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(0, tally->lost_unknown);
	/* Unless time is virtual, a busy machine may lose more, and then stops the unit. */
	generated = sim_get("generated") - self->generated;
	EXPECT_LE(1, tally->lost);
	EXPECT_LE(generated, tally->reports + tally->lost);
	if (virtual_time() || tally->lost == 1) {
		EXPECT_EQ(1, tally->lost);
		EXPECT_EQ(generated, tally->reports + tally->lost);
	}
}

static uint64_t torn_reports;
static uint32_t last_clocks;

/* B1 counts clocks. It is at the end of the report, far from the header. */
static void take_whole(struct aux_reader *reader, const uint8_t *report)
{
	uint32_t clocks;

	memcpy(&clocks, report + 196, sizeof(clocks));
	/* A stale or empty report has a lower count. */
	if (reader->tally.reports && (int32_t)(clocks - last_clocks) <= 0)
		torn_reports++;
	last_clocks = clocks;
	reader->tally.reports++;
}

/*
 * The header arrives at once, the rest later than the maximum delay that i915 once assumed, but
 * before the next report.
 */
TEST(no_report_is_torn)
{
	struct gpuoa_attr gpuoa = aux_attr(11);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;

	attr.aux_watermark = 256;
	ASSERT_EQ(0, aux_open(&reader, &attr, 11));
	ASSERT_EQ(0, aux_map(&reader, AREA, true));
	reader.take = take_whole;
	torn_reports = 0;
	ASSERT_EQ(0, sim_set("torn_us", "150"));
	ASSERT_EQ(0, aux_enable(&reader));
	/* Run for more than a lap, so that parts that have not arrived are stale. */
	aux_run(&reader, 500);
	ASSERT_EQ(0, aux_disable(&reader));
	aux_drain(&reader);
	EXPECT_LT(700, reader.tally.reports);
	EXPECT_EQ(0, torn_reports);
	EXPECT_EQ(0, sim_set("torn_us", "0"));
	aux_close(&reader);
}

TEST_F(area, reset_is_detected_and_reported)
{
	struct aux_tally *tally = &self->reader.tally;

	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 20));
	ASSERT_EQ(0, sim_set("reset", "1"));
	EXPECT_TRUE(aux_run_reports(&self->reader, 200));
	ASSERT_EQ(0, aux_disable(&self->reader));
	aux_drain(&self->reader);
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(1, tally->lost_unknown);
}

#define HSW_OASTATUS2 0x2368 /* register with the reader's head */

/*
 * Get the number of head register writes in the simulator's log; @different excludes repeated
 * values.
 */
static unsigned int heads_written(unsigned int *different)
{
	FILE *log = fopen("/sys/kernel/debug/gpuoa_sim/0/writes", "r");
	unsigned int reg, value, last = 0, count = 0;

	*different = 0;
	while (log && fscanf(log, "%x %x", &reg, &value) == 2) {
		if (reg != HSW_OASTATUS2)
			continue;
		*different += !count++ || value != last;
		last = value;
	}
	if (log)
		fclose(log);
	return count;
}

/* Drain the area. Return true if the driver has written a second value to the head register. */
static bool head_follows(struct aux_reader *reader)
{
	unsigned int different;

	aux_drain(reader);
	heads_written(&different);
	return different > 1;
}

/*
 * The unit starts while the reader has not yet consumed earlier reports. Head and tail must then be
 * equal for the hardware, because its reaction to a head beyond its tail is not documented.
 */
TEST_F(area, head_never_exceeds_the_tail)
{
	unsigned int different;
	uint64_t head, reports;

	ASSERT_EQ(0, aux_enable(&self->reader));
	EXPECT_TRUE(WAIT_UNTIL(aux_head(&self->reader) > 0));
	ASSERT_EQ(0, aux_disable(&self->reader));

	ASSERT_EQ(0, sim_set("writes", "0"));
	head = aux_head(&self->reader);
	ASSERT_EQ(0, aux_enable(&self->reader));
	EXPECT_TRUE(WAIT_UNTIL(aux_head(&self->reader) > head));
	EXPECT_LT(0, heads_written(&different));
	EXPECT_EQ(1, different);
	/* The head moves again once the reader has consumed the earlier reports. */
	EXPECT_TRUE(WAIT_UNTIL(head_follows(&self->reader)));
	reports = self->reader.tally.reports;
	head = aux_head(&self->reader);
	EXPECT_TRUE(WAIT_UNTIL(aux_head(&self->reader) > head));
	ASSERT_EQ(0, aux_disable(&self->reader));
	aux_drain(&self->reader);
	EXPECT_LT(reports, self->reader.tally.reports);
	EXPECT_EQ(0, self->reader.tally.errors);
	if (!self->reader.tally.gaps)
		EXPECT_EQ(sim_get("generated") - self->generated, self->reader.tally.reports);
}

TEST_HARNESS_MAIN
