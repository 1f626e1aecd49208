// SPDX-License-Identifier: MIT
/*
 * test_aux.c - the AUX area: zero-copy delivery of reports.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aux.h"
#include "kselftest_harness.h"
#include "sim.h"

#define MIB (1ULL << 20)
#define KIB (1ULL << 10)

static int open_mapped(struct aux_reader *reader, unsigned int exponent, uint32_t watermark,
		       uint64_t size, bool writable)
{
	struct gpuoa_attr gpuoa = aux_attr(exponent);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int error;

	attr.aux_watermark = watermark;
	attr.watermark = 1;
	attr.wakeup_watermark = 512 << 10; /* only the AUX area wakes the reader */
	error = aux_open(reader, &attr, exponent);
	if (!error)
		error = aux_map(reader, size, writable);
	return error;
}

FIXTURE(aux)
{
	struct aux_reader reader;
	uint64_t generated;
	uint64_t lost;
};

FIXTURE_SETUP(aux)
{
	/* 16 MiB hold 5 s of reports, so that a busy machine does not cause losses. */
	ASSERT_EQ(0, open_mapped(&self->reader, 9, 64 * KIB, 16 * MIB, true));
	self->generated = sim_get("generated");
	self->lost = unit_get("statistics/reports_lost");
}

FIXTURE_TEARDOWN(aux)
{
	sim_set("tail_ahead", "0");
	aux_close(&self->reader);
	EXPECT_EQ(0, sim_get("asleep_accesses"));
	EXPECT_EQ(0, sim_get("unknown_accesses"));
	EXPECT_EQ(0, sim_get("ggtt_faults"));
}

/* Get the index of the dword with counter @name in a report of format A45_B8_C8. */
static int dword_of(const char *name)
{
	int n = atoi(name + 1);

	return name[0] == 'A' ? 3 + n : name[0] == 'B' ? 48 + n : 56 + n;
}

/*
 * Return the number of counters that match the reference between two reports, or -1 if one differs.
 */
static int sim_reference_matches(const uint8_t *from, const uint8_t *to)
{
	const uint32_t *a = (const void *)from, *b = (const void *)to;
	char line[128], name[16], question[32];
	unsigned long long delta;
	int matches = 0, dword;
	FILE *reference;

	reference = fopen("/sys/kernel/debug/gpuoa_sim/0/reference", "r+");
	if (!reference)
		return -1;
	snprintf(question, sizeof(question), "%u %u", a[1], b[1]);
	if (write(fileno(reference), question, strlen(question)) < 0)
		matches = -1;
	while (matches >= 0 && fgets(line, sizeof(line), reference)) {
		if (sscanf(line, "counter %15s %llu", name, &delta) != 2)
			continue;
		dword = dword_of(name);
		matches = b[dword] - a[dword] == (uint32_t)delta ? matches + 1 : -1;
	}
	fclose(reference);
	return matches;
}

static void finish(struct aux_reader *reader)
{
	aux_disable(reader);
	aux_drain(reader);
}

TEST_F(aux, all_reports_arrive)
{
	struct aux_tally *tally = &self->reader.tally;

	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 6000));
	finish(&self->reader);

	EXPECT_NO_GAPS(&self->reader);
	EXPECT_EQ(aux_due(&self->reader), tally->reports + tally->lost);
	if (!tally->gaps)
		EXPECT_EQ(sim_get("generated") - self->generated, tally->reports);
}

TEST_F(aux, stream_begins_with_its_description)
{
	struct aux_tally *tally = &self->reader.tally;

	ASSERT_EQ(0, aux_enable(&self->reader));
	while (tally->streams < 2)
		ASSERT_TRUE(aux_run_reports(&self->reader, 100));
	finish(&self->reader);

	EXPECT_EQ(tally->streams, tally->clocks);
	EXPECT_EQ(1, tally->resumes);
	EXPECT_EQ(GPUOA_ATTR_AUX, tally->stream.flags);
	EXPECT_EQ(9, tally->stream.exponent);
	EXPECT_EQ(256, tally->stream.report_size);
	EXPECT_EQ(GPUOA_FORMAT_A45_B8_C8, tally->stream.format);
	EXPECT_EQ(0, strcmp(GPUOA_TEST_OA_HSW_UUID, tally->stream.uuid));
}

TEST_F(aux, reports_equal_the_reference)
{
	struct aux_tally *tally = &self->reader.tally;

	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 2000));
	finish(&self->reader);
	EXPECT_LT(40, sim_reference_matches(tally->first_report, tally->last_report));
}

/* RAW samples match the reference as well. */
TEST(raw_reports_equal_the_reference)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 2000));
	reader_disable(&reader);
	reader_drain(&reader);
	EXPECT_LT(40, sim_reference_matches(reader.tally.first_report, reader.tally.last_report));
	reader_close(&reader);
}

TEST_F(aux, count_is_number_of_reports)
{
	uint64_t count;

	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 2000));
	finish(&self->reader);
	ASSERT_EQ(sizeof(count), read(self->reader.fd, &count, sizeof(count)));
	EXPECT_EQ(self->reader.tally.reports, count);
}

TEST_F(aux, enable_continues_after_disable)
{
	struct aux_tally *tally = &self->reader.tally;
	int i;

	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, aux_enable(&self->reader));
		ASSERT_TRUE(aux_run_reports(&self->reader, 300));
		ASSERT_EQ(0, aux_disable(&self->reader));
		usleep(10000);
	}
	aux_drain(&self->reader);
	EXPECT_NO_GAPS(&self->reader);
	EXPECT_EQ(5, tally->resumes);
	if (!tally->gaps)
		EXPECT_EQ(sim_get("generated") - self->generated, tally->reports);
}

TEST_F(aux, incomplete_reports_are_not_delivered)
{
	struct aux_tally *tally = &self->reader.tally;

	aux_unmap(&self->reader);
	ASSERT_EQ(0, aux_map(&self->reader, MIB, true)); /* one lap is 0.34 s */
	ASSERT_EQ(0, sim_set("tail_ahead", "64"));
	ASSERT_EQ(0, aux_enable(&self->reader));
	/* 8 laps */
	ASSERT_TRUE(aux_run_reports(&self->reader, 8 * 4096));
	finish(&self->reader);

	EXPECT_NO_GAPS(&self->reader);
	EXPECT_EQ(aux_due(&self->reader), tally->reports + tally->lost);
}

TEST_F(aux, dropped_reports_are_a_gap)
{
	struct aux_tally *tally = &self->reader.tally;
	int i;

	ASSERT_EQ(0, aux_enable(&self->reader));
	for (i = 0; i < 5; i++) {
		ASSERT_TRUE(aux_run_reports(&self->reader, 500));
		ASSERT_EQ(0, sim_set("lose_reports", "3"));
		while (tally->hardware_losses <= (uint64_t)i)
			ASSERT_TRUE(aux_run_reports(&self->reader, 1));
	}
	finish(&self->reader);

	EXPECT_EQ(0, self->reader.tally.errors);
	EXPECT_EQ(5, tally->hardware_losses);
	EXPECT_EQ(5, tally->gaps);
	EXPECT_EQ(15, tally->lost);
	EXPECT_EQ(15, unit_get("statistics/reports_lost") - self->lost);
	EXPECT_EQ(sim_get("generated") - self->generated, tally->reports + tally->lost);
}

TEST_F(aux, forced_overflow_is_a_gap)
{
	struct aux_tally *tally = &self->reader.tally;

	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 500));
	ASSERT_EQ(0, sim_set("force_overflow", "1"));
	while (!tally->overflows)
		ASSERT_TRUE(aux_run_reports(&self->reader, 1));
	ASSERT_TRUE(aux_run_reports(&self->reader, 500));
	finish(&self->reader);

	EXPECT_EQ(0, self->reader.tally.errors);
	EXPECT_EQ(1, tally->overflows);
	EXPECT_EQ(1, tally->gaps);
	EXPECT_EQ(aux_due(&self->reader), tally->reports + tally->lost);
	EXPECT_EQ(tally->lost, unit_get("statistics/reports_lost") - self->lost);
}

TEST_F(aux, slow_reader_gets_exact_loss_counts)
{
	struct aux_tally *tally = &self->reader.tally;
	int i;

	aux_unmap(&self->reader);
	ASSERT_EQ(0, aux_map(&self->reader, MIB, true)); /* 0.34 s */
	ASSERT_EQ(0, aux_enable(&self->reader));
	for (i = 0; i < 3; i++) {
		usleep(1000000);
		aux_drain(&self->reader);
	}
	ASSERT_TRUE(aux_run_reports(&self->reader, 500));
	finish(&self->reader);

	EXPECT_EQ(0, self->reader.tally.errors);
	/* A busy machine may lose more reports, also at the end, where the number is unknown. */
	EXPECT_LE(3, tally->overflows);
	EXPECT_EQ(tally->overflows, tally->gaps);
	EXPECT_GE(1, tally->lost_unknown);
	EXPECT_LT(16000, tally->lost);
	EXPECT_EQ(aux_due(&self->reader), tally->reports + tally->lost);
	EXPECT_EQ(tally->lost, unit_get("statistics/reports_lost") - self->lost);
}

/* Without a reader, the unit fills a small area and is stopped. */
static void fill_area(struct __test_metadata *_metadata, struct aux_reader *reader)
{
	const uint64_t overflows = unit_get("statistics/overflows");

	aux_unmap(reader);
	ASSERT_EQ(0, aux_map(reader, MIB, true));
	ASSERT_EQ(0, aux_enable(reader));
	ASSERT_TRUE(WAIT_UNTIL(unit_get("statistics/overflows") > overflows));
}

/* A unit that was stopped for a slow reader is restarted when the area is empty. */
TEST_F(aux, overflow_restarts_after_all_is_read)
{
	const uint64_t overflows = unit_get("statistics/overflows");
	uint64_t generated;

	if (!virtual_time())
		SKIP(return, "a busy host may take a second for what follows");
	fill_area(_metadata, &self->reader);
	generated = sim_get("generated");
	self->reader.page->aux_tail += MIB / 2;
	usleep(500000);
	EXPECT_EQ(generated, sim_get("generated"));
	aux_drain(&self->reader);
	ASSERT_TRUE(aux_run_reports(&self->reader, 500));
	finish(&self->reader);

	EXPECT_EQ(0, self->reader.tally.errors);
	EXPECT_EQ(overflows + 1, unit_get("statistics/overflows"));
}

/* While the reader consumes, the unit stays off. If the reader pauses, the unit is restarted. */
TEST_F(aux, stream_continues_while_the_reader_is_stopped)
{
	uint64_t generated;
	int i;

	if (!virtual_time())
		SKIP(return, "a busy host may take a second for what follows");
	fill_area(_metadata, &self->reader);
	generated = sim_get("generated");
	self->reader.page->aux_tail += MIB / 4;
	for (i = 0; i < 3; i++) {
		self->reader.page->aux_tail += MIB / 16;
		usleep(700000);
		EXPECT_EQ(generated, sim_get("generated"));
	}
	usleep(700000);
	EXPECT_LT(generated, sim_get("generated"));
	finish(&self->reader);
}

TEST_F(aux, bad_aux_tail_is_ignored)
{
	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 1));
	self->reader.page->aux_tail = ~0ULL;
	usleep(50000);
	self->reader.page->aux_tail = 12345;
	usleep(50000);
	self->reader.page->aux_tail = aux_head(&self->reader);
	EXPECT_TRUE(aux_run_reports(&self->reader, 1));
	finish(&self->reader);
}

TEST_F(aux, munmap_stops_the_stream)
{
	ASSERT_EQ(0, aux_enable(&self->reader));
	ASSERT_TRUE(aux_run_reports(&self->reader, 1));
	aux_unmap(&self->reader);
	usleep(20000);
	/* Map another area, with another size, for the same ring. */
	ASSERT_EQ(0, aux_disable(&self->reader));
	aux_drain(&self->reader);
	memset(&self->reader.tally, 0, sizeof(self->reader.tally));
	ASSERT_EQ(0, aux_map(&self->reader, 256 * KIB, true));
	ASSERT_EQ(0, aux_enable(&self->reader));
	EXPECT_TRUE(aux_run_reports(&self->reader, 1200));
	finish(&self->reader);
	EXPECT_EQ(0, self->reader.tally.errors);
}

/*
 * perf wakes the reader when the head reaches a multiple of the watermark. The reader finds the
 * head there, unless the poll or the reader was late by more than a period: on a busy host, and
 * rarely on a debug kernel, where checkers run with interrupts or preemption disabled.
 */
static bool is_never_late(void)
{
	return virtual_time() && access("/proc/lockdep", F_OK);
}

static void wakes_at_exactly(struct __test_metadata *_metadata, unsigned int n)
{
	struct pollfd fd = { .events = POLLIN };
	struct aux_reader reader;
	uint64_t due;
	int i;

	/* One report every 168 ms */
	ASSERT_EQ(0, open_mapped(&reader, 20, n * 256, 128 * KIB, true));
	fd.fd = reader.fd;
	EXPECT_EQ(0, aux_enable(&reader));
	for (i = 0; i < 3; i++) {
		due = (reader.page->aux_tail / (n * 256) + 1) * n * 256;
		EXPECT_EQ(1, poll(&fd, 1, scaled_ms(5000)));
		EXPECT_LE(due, aux_head(&reader));
		if (is_never_late())
			EXPECT_EQ(due, aux_head(&reader));
		aux_drain(&reader);
	}
	finish(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	aux_close(&reader);
}

TEST(watermark_of_one_wakes_at_each_report)
{
	wakes_at_exactly(_metadata, 1);
}

TEST(watermark_of_n_wakes_after_n_reports)
{
	wakes_at_exactly(_metadata, 4);
}

static void window_is_consistent(struct __test_metadata *_metadata, struct aux_reader *reader,
				 uint64_t at_least)
{
	finish(reader);
	if (reader->tally.gaps && !virtual_time()) {
		/*
		 * A flight recorder does not show how many reports are missing, so the test cannot
		 * continue.
		 */
		TH_LOG("held up for so long that reports were lost");
		return;
	}
	EXPECT_NO_GAPS(reader);
	EXPECT_LE(at_least, reader->tally.reports);
	EXPECT_GT(reader->size / 256, reader->tally.reports);
	EXPECT_EQ(1, reader->tally.records);
	EXPECT_EQ(aux_due(reader), reader->tally.reports);
}

TEST(flight_recorder_reads_back_before_it_wraps)
{
	struct aux_reader reader;

	ASSERT_EQ(0, open_mapped(&reader, 9, 0, 4 * MIB, false));
	ASSERT_EQ(0, aux_enable(&reader));
	usleep(200000);
	window_is_consistent(_metadata, &reader, 2000);
	aux_close(&reader);
}

TEST(markers_are_recorded_except_by_a_flight_recorder)
{
	struct gpuoa_marker mark = { .value = 7 };
	const int unit = unit_open();
	struct aux_reader reader;

	ASSERT_EQ(0, open_mapped(&reader, 9, 0, 4 * MIB, true));
	ASSERT_EQ(0, aux_enable(&reader));
	ASSERT_TRUE(aux_run_reports(&reader, 10));
	EXPECT_EQ(0, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
	ASSERT_TRUE(aux_run_reports(&reader, 10));
	finish(&reader);
	EXPECT_EQ(1, reader.tally.marks);
	EXPECT_NO_GAPS(&reader);
	aux_close(&reader);

	ASSERT_EQ(0, open_mapped(&reader, 9, 0, 4 * MIB, false));
	ASSERT_EQ(0, aux_enable(&reader));
	EXPECT_EQ(-1, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
	EXPECT_EQ(EOPNOTSUPP, errno);
	finish(&reader);
	aux_close(&reader);
	close(unit);
}

TEST(flight_recorder_has_the_newest_reports)
{
	struct aux_reader reader;
	uint64_t ticks;

	/* The area holds 1.34 s of reports. */
	ASSERT_EQ(0, open_mapped(&reader, 9, 0, 4 * MIB, false));
	ASSERT_EQ(0, aux_enable(&reader));
	usleep(2000000);
	ticks = sim_get("tick");
	ASSERT_EQ(0, aux_disable(&reader));
	window_is_consistent(_metadata, &reader, 16383);
	/* The last report was written at most one period before the event was disabled. */
	EXPECT_LE(-(2 << 9), (int32_t)(reader.tally.last_timestamp - ticks));
	EXPECT_EQ(2, reader.tally.streams);
	/* After the event is enabled again, the area contains new reports only. */
	reader.tally = (struct aux_tally){ 0 };
	ASSERT_EQ(0, aux_enable(&reader));
	usleep(1800000);
	window_is_consistent(_metadata, &reader, 16383);
	aux_close(&reader);
}

/* The process that opened the event is killed; the other owner still reads the snapshot. */
TEST(flight_recorder_outlives_its_process)
{
	struct gpuoa_attr gpuoa = aux_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;
	pid_t child;

	ASSERT_EQ(0, aux_open(&reader, &attr, 9));
	ASSERT_EQ(0, aux_map(&reader, 4 * MIB, false));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		aux_enable(&reader);
		pause();
		_exit(0);
	}
	usleep(1800000);
	ASSERT_EQ(0, kill(child, SIGKILL));
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	window_is_consistent(_metadata, &reader, 16383);
	aux_close(&reader);
}

TEST_F(aux, aux_mode_is_exclusive)
{
	struct gpuoa_attr gpuoa = aux_attr(9), raw = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct perf_event_attr raw_attr = extensible_attr(&raw);

	EXPECT_EQ(-EBUSY, event_try(&attr));
	EXPECT_EQ(-EBUSY, event_try(&raw_attr));
}

TEST(highest_rate_loses_nothing)
{
	struct aux_reader reader;
	uint64_t generated;

	/*
	 * Slow the GPU down so much that an emulated CPU keeps up with it: the area holds 2 s of
	 * reports.
	 */
	ASSERT_EQ(0, sim_set("slowdown", "200"));
	EXPECT_EQ(0, open_mapped(&reader, 0, 0, 16 * MIB, true));
	generated = sim_get("generated");
	EXPECT_EQ(0, aux_enable(&reader));
	EXPECT_TRUE(aux_run_reports(&reader, 10000));
	finish(&reader);
	EXPECT_EQ(0, sim_set("slowdown", "1"));
	EXPECT_NO_GAPS(&reader);
	EXPECT_EQ(aux_due(&reader), reader.tally.reports + reader.tally.lost);
	if (!reader.tally.gaps)
		EXPECT_EQ(sim_get("generated") - generated, reader.tally.reports);
	aux_close(&reader);
}

TEST(aux_area_sizes_are_checked)
{
	struct gpuoa_attr gpuoa = aux_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;
	uint64_t size;

	ASSERT_EQ(0, aux_open(&reader, &attr, 9));
	/* perf returns ENOMEM if setup_aux() fails. */
	EXPECT_EQ(-ENOMEM, aux_map(&reader, 64 * KIB, true));
	EXPECT_EQ(-ENOMEM, aux_map(&reader, 32 * MIB, true));
	EXPECT_EQ(-EINVAL, aux_map(&reader, 192 * KIB, true));
	for (size = 128 * KIB; size <= 16 * MIB; size *= 2) {
		ASSERT_EQ(0, aux_map(&reader, size, true));
		ASSERT_EQ(0, aux_enable(&reader));
		EXPECT_TRUE(aux_run_reports(&reader, 1));
		finish(&reader);
		EXPECT_EQ(0, reader.tally.errors);
		reader.tally = (struct aux_tally){ 0 };
		aux_unmap(&reader);
	}
	aux_close(&reader);

	gpuoa.buffer_size = 256 * KIB;
	ASSERT_EQ(0, aux_open(&reader, &attr, 9));
	EXPECT_EQ(-ENOMEM, aux_map(&reader, 512 * KIB, true));
	EXPECT_EQ(0, aux_map(&reader, 256 * KIB, true));
	aux_close(&reader);
}

TEST(raw_event_has_no_area)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;

	ASSERT_EQ(0, aux_open(&reader, &attr, 9));
	EXPECT_EQ(-ENOMEM, aux_map(&reader, 256 * KIB, true));
	aux_close(&reader);
}

TEST(event_without_an_area_is_in_error_state)
{
	struct gpuoa_attr gpuoa = aux_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;
	uint64_t count;

	ASSERT_EQ(0, aux_open(&reader, &attr, 9));
	EXPECT_EQ(0, aux_enable(&reader));
	/* Reading an event in error state returns end of file. */
	EXPECT_EQ(0, read(reader.fd, &count, sizeof(count)));
	ASSERT_EQ(0, aux_map(&reader, 256 * KIB, true));
	EXPECT_EQ(0, aux_enable(&reader));
	EXPECT_TRUE(aux_run_reports(&reader, 1));
	finish(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(1, reader.tally.resumes);
	aux_close(&reader);
}

TEST(flat_attributes_give_the_same_stream)
{
	struct perf_event_attr attr = flat_attr(9, 0);
	struct aux_reader reader;

	attr.config |= GPUOA_CONFIG_AUX_MASK;
	ASSERT_EQ(0, aux_open(&reader, &attr, 9));
	ASSERT_EQ(0, aux_map(&reader, 256 * KIB, true));
	ASSERT_EQ(0, aux_enable(&reader));
	EXPECT_TRUE(aux_run_reports(&reader, 1));
	finish(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	aux_close(&reader);
}

TEST_HARNESS_MAIN
