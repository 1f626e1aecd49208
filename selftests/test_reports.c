// SPDX-License-Identifier: MIT
/*
 * test_reports.c - reports are complete, ordered, at the exact ticks, and match the reference.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

/* Run the event until @reports have arrived, stop it and drain it. */
#define RUN(reader, reports)                                      \
	do {                                                      \
		reader_enable(reader);                            \
		ASSERT_TRUE(reader_run_reports(reader, reports)); \
		reader_disable(reader);                           \
		reader_drain(reader);                             \
	} while (0)

static void expect_whole(struct __test_metadata *_metadata, const struct reader *reader)
{
	EXPECT_NOTHING_LOST(reader);
	EXPECT_LE(1, reader->tally.streams);
	EXPECT_LE(1, reader->tally.clocks);
}

TEST(timestamps_are_exactly_one_period_apart)
{
	unsigned int exponent;

	for (exponent = 6; exponent <= 16; exponent++) {
		struct perf_event_attr attr = flat_attr(exponent, 1);
		struct reader reader;
		uint64_t generated = sim_get("generated");

		ASSERT_EQ(0, reader_open(&reader, &attr, exponent, 12));
		RUN(&reader, 100000000 / (160ULL << exponent) / 2);
		/* The last report lands before the stop returns, so all are delivered. */
		EXPECT_ALL_OF(sim_get("generated") - generated, &reader);
		expect_whole(_metadata, &reader);
		reader_close(&reader);
	}
}

/* Use a GPU so slow that an emulated CPU keeps up with it. The period is short in GPU time only. */
TEST(shortest_period_of_a_slow_gpu)
{
	struct perf_event_attr attr = flat_attr(0, 160);
	uint64_t generated = sim_get("generated");
	struct reader reader;

	ASSERT_EQ(-ERANGE, sim_set("slowdown", "0"));
	ASSERT_EQ(-ERANGE, sim_set("slowdown", "1001"));
	ASSERT_EQ(0, sim_set("slowdown", "1000"));
	EXPECT_EQ(0, reader_open(&reader, &attr, 0, 10));
	RUN(&reader, 2000);
	EXPECT_EQ(0, sim_set("slowdown", "1"));

	EXPECT_ALL_OF(sim_get("generated") - generated, &reader);
	expect_whole(_metadata, &reader);
	reader_close(&reader);
}

TEST(rate_and_period_select_the_exponent)
{
	struct perf_event_attr attr = flat_attr(0, 0);
	struct reader reader;

	attr.freq = 1;
	attr.sample_freq = 10000;
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	RUN(&reader, 500);
	expect_whole(_metadata, &reader);
	EXPECT_EQ(9, reader.tally.stream.exponent);
	reader_close(&reader);

	attr = flat_attr(0, 1000000);
	ASSERT_EQ(0, reader_open(&reader, &attr, 12, 8));
	RUN(&reader, 50);
	expect_whole(_metadata, &reader);
	EXPECT_EQ(12, reader.tally.stream.exponent);
	reader_close(&reader);
}

TEST(stream_describes_itself)
{
	const uint32_t apart = scaled_ms(500) * (HSW_FREQUENCY / 1000);
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 8));
	RUN(&reader, 300);
	EXPECT_STREQ(GPUOA_TEST_OA_HSW_UUID, reader.tally.stream.uuid);
	EXPECT_EQ(GPUOA_FORMAT_A45_B8_C8, reader.tally.stream.format);
	EXPECT_EQ(256, reader.tally.stream.report_size);
	EXPECT_EQ(0, reader.tally.stream.flags);
	EXPECT_STREQ("hsw", reader.tally.stream.info.platform);
	EXPECT_EQ(HSW_FREQUENCY, reader.tally.stream.info.timestamp_frequency);
	/* The clock pair and the reports use the same clock, at nearly the same time. */
	EXPECT_GT(2 * apart,
		  reader.tally.last_timestamp - (uint32_t)reader.tally.clock.gpu_ticks + apart);
	reader_close(&reader);
}

TEST(stream_describes_itself_to_late_readers)
{
	struct perf_event_attr attr = flat_attr(12, 1);
	const struct tally *tally;
	struct reader reader;
	uint32_t seconds;

	ASSERT_EQ(0, reader_open(&reader, &attr, 12, 10));
	tally = &reader.tally;
	reader_enable(&reader);
	while (tally->streams < 3)
		ASSERT_TRUE(reader_run_reports(&reader, 10));
	reader_disable(&reader);
	reader_drain(&reader);
	/* About once a second */
	seconds = (tally->last_timestamp - tally->first_timestamp) / HSW_FREQUENCY;
	EXPECT_LE(1, seconds);
	EXPECT_GE(seconds + 4, tally->streams);
	expect_whole(_metadata, &reader);
	reader_close(&reader);
}

/* Samples have timestamps of perf's clock, for which the stream has clock pairs as well. */
TEST(stream_has_pairs_of_gpu_and_perf_time)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 8));
	RUN(&reader, 300);
	EXPECT_EQ(reader.tally.clocks, reader.tally.perf_clocks);
	EXPECT_EQ(CLOCK_MONOTONIC, reader.tally.clock.clock_id);
	EXPECT_LE(reader.tally.clock.gpu_ticks, reader.tally.perf_clock.gpu_ticks);
	reader_close(&reader);
}

TEST(markers_are_ordered_by_time)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };
	struct gpuoa_marker mark = { .value = 1 };
	const int unit = unit_open();
	struct reader reader;

	ASSERT_LE(0, unit);
	EXPECT_EQ(-1, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
	EXPECT_EQ(ENODATA, errno);
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 8));
	EXPECT_EQ(-1, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
	EXPECT_EQ(ENODATA, errno);
	reader_enable(&reader);
	while (mark.value <= 20) {
		ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_GET_CLOCK, &clock));
		ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
		EXPECT_LE(clock.gpu_ticks, mark.gpu_ticks);
		EXPECT_LE(clock.cpu_ns - clock.error_ns, mark.cpu_ns + mark.error_ns);
		ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_GET_CLOCK, &clock));
		EXPECT_GE(clock.gpu_ticks, mark.gpu_ticks);
		ASSERT_TRUE(reader_run_reports(&reader, 5));
		EXPECT_EQ(mark.value, reader.tally.marks);
		EXPECT_EQ(mark.value, reader.tally.mark.value);
		EXPECT_EQ(mark.gpu_ticks, reader.tally.mark.gpu_ticks);
		mark.value++;
	}
	mark.reserved = 1;
	EXPECT_EQ(-1, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
	EXPECT_EQ(EINVAL, errno);
	reader_disable(&reader);
	reader_drain(&reader);
	expect_whole(_metadata, &reader);
	mark.reserved = 0;
	EXPECT_EQ(-1, ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark));
	EXPECT_EQ(ENODATA, errno);
	reader_close(&reader);
	close(unit);
}

struct format_case {
	uint32_t format;
	uint32_t size;
	int a0, a12, a28, a44, b0, c2; /* byte offsets, -1: not in the format */
};

static const struct format_case formats[] = {
	{ GPUOA_FORMAT_A13, 64, 12, 60, -1, -1, -1, -1 },
	{ GPUOA_FORMAT_A29, 128, 12, 60, 124, -1, -1, -1 },
	{ GPUOA_FORMAT_A13_B8_C8, 128, 12, 60, -1, -1, 64, 104 },
	{ GPUOA_FORMAT_B4_C8, 64, -1, -1, -1, -1, 16, 40 },
	{ GPUOA_FORMAT_A45_B8_C8, 256, 12, 60, 124, 188, 192, 232 },
	{ GPUOA_FORMAT_B4_C8_A16, 128, -1, -1, -1, 124, 16, 40 },
	{ GPUOA_FORMAT_C4_B8, 64, -1, -1, -1, -1, 32, 24 },
};

static uint32_t delta(const struct tally *tally, int offset)
{
	uint32_t first, last;

	memcpy(&first, tally->first_report + offset, sizeof(first));
	memcpy(&last, tally->last_report + offset, sizeof(last));
	return last - first;
}

TEST(all_formats_contain_their_counters)
{
	size_t i;

	ASSERT_EQ(0, sim_set("workload", "steady"));
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		const struct format_case *f = &formats[i];
		struct perf_event_attr attr = flat_attr(9, 1);
		struct reader reader;
		uint64_t ticks;

		attr.config |= (uint64_t)f->format << GPUOA_CONFIG_FORMAT_SHIFT;
		ASSERT_EQ(0, reader_open(&reader, &attr, 9, 8));
		RUN(&reader, 300);
		expect_whole(_metadata, &reader);
		EXPECT_EQ(f->size, reader.tally.stream.report_size);
		EXPECT_EQ(f->format, reader.tally.stream.format);

		ticks = (uint32_t)(reader.tally.last_timestamp - reader.tally.first_timestamp);
		if (f->a0 >= 0)
			EXPECT_LT(0, delta(&reader.tally, f->a0));
		if (f->a44 >= 0)
			EXPECT_LT(0, delta(&reader.tally, f->a44));
		/* With TestOa, B0 never counts, while C2 and B1 (next to B0) count GPU clocks. */
		if (f->b0 >= 0) {
			EXPECT_EQ(0, delta(&reader.tally, f->b0));
			EXPECT_EQ(delta(&reader.tally, f->c2), delta(&reader.tally, f->b0 + 4));
			EXPECT_LT(ticks, delta(&reader.tally, f->c2));
		}
		reader_close(&reader);
	}
	sim_set("workload", "frames");
}

TEST(test_oa_counters_run_at_their_ratios)
{
	static const unsigned int sixths[8] = { 0, 6, 6, 3, 2, 2, 1, 4 };
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;
	uint64_t clocks;
	int i;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 8));
	RUN(&reader, 1000);
	expect_whole(_metadata, &reader);
	clocks = delta(&reader.tally, 224 + 4 * 2);
	for (i = 0; i < 8; i++) {
		uint64_t expected = clocks * sixths[i] / 6;

		EXPECT_LE(expected, delta(&reader.tally, 192 + 4 * i) + (sixths[i] % 6 ? 1 : 0));
		EXPECT_GE(expected + (sixths[i] % 6 ? 1 : 0), delta(&reader.tally, 192 + 4 * i));
	}
	reader_close(&reader);
}

TEST(buffer_wrap_loses_no_report)
{
	/* 128 KiB hold 512 reports, a third of a second; this is about 9 laps. */
	struct gpuoa_attr gpuoa = test_oa_attr(12);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;

	gpuoa.buffer_size = 128 << 10;
	ASSERT_EQ(0, reader_open(&reader, &attr, 12, 10));
	RUN(&reader, 4500);
	expect_whole(_metadata, &reader);
	reader_close(&reader);
}

TEST(tail_ahead_of_data_returns_no_torn_report)
{
	static const char *const ahead[] = { "1", "3", "17", "64" };
	size_t i;

	for (i = 0; i < sizeof(ahead) / sizeof(ahead[0]); i++) {
		struct perf_event_attr attr = flat_attr(8, 1);
		struct reader reader;
		uint64_t generated = sim_get("generated");

		ASSERT_EQ(0, sim_set("tail_ahead", ahead[i]));
		ASSERT_EQ(0, reader_open(&reader, &attr, 8, 10));
		RUN(&reader, 5000);
		EXPECT_ALL_OF(sim_get("generated") - generated, &reader);
		expect_whole(_metadata, &reader);
		/* The clock in the last delivered report is complete as well. */
		EXPECT_EQ(delta(&reader.tally, 192 + 4), delta(&reader.tally, 224 + 8));
		reader_close(&reader);
	}
	ASSERT_EQ(0, sim_set("tail_ahead", "0"));
}

TEST(timestamp_wraps)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;
	char ms[16];

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	snprintf(ms, sizeof(ms), "%d", scaled_ms(200));
	ASSERT_EQ(0, sim_set("wrap_timestamp", ms));
	reader_enable(&reader);
	/* The 64-bit clock is reported once a second. */
	while (reader.tally.last_timestamp >= reader.tally.first_timestamp ||
	       !(reader.tally.clock.gpu_ticks >> 32))
		ASSERT_TRUE(reader_run_reports(&reader, 100));
	reader_disable(&reader);
	reader_drain(&reader);
	expect_whole(_metadata, &reader);
	EXPECT_LT(reader.tally.last_timestamp, reader.tally.first_timestamp);
	/* The 64-bit clock does not wrap. */
	EXPECT_LT(0, reader.tally.clock.gpu_ticks >> 32);
	reader_close(&reader);
}

TEST(counters_wrap)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;
	uint32_t first, last;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	ASSERT_EQ(0, sim_set("wrap_counters", "50000000"));
	RUN(&reader, 6000);
	expect_whole(_metadata, &reader);
	memcpy(&first, reader.tally.first_report + 232, 4);
	memcpy(&last, reader.tally.last_report + 232, 4);
	EXPECT_LT(last, first);
	EXPECT_EQ(delta(&reader.tally, 196), delta(&reader.tally, 232));
	reader_close(&reader);
}

TEST(event_counts_reports)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;
	uint64_t count = 0;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	RUN(&reader, 1000);
	ASSERT_EQ(sizeof(count), (size_t)read(reader.fd, &count, sizeof(count)));
	EXPECT_EQ(reader.tally.reports + reader.tally.ring_lost, count);
	reader_close(&reader);
}

TEST(disable_and_enable_restart_the_unit)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;
	int i;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	for (i = 0; i < 20; i++)
		RUN(&reader, 10);
	expect_whole(_metadata, &reader);
	EXPECT_EQ(20, reader.tally.resumes);
	reader_close(&reader);
}

TEST(filter_counts_one_context_only)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;
	uint32_t handle, other, ticks;

	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open();
	ASSERT_LE(0, gpuoa.drm_fd);
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &other));
	gpuoa.context = handle;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 10));
	reader.filtered = true;
	RUN(&reader, 600);
	EXPECT_NOTHING_LOST(&reader);
	EXPECT_EQ(GPUOA_ATTR_CONTEXT, reader.tally.stream.flags);
	/*
	 * The context runs in one of eight time slots, so it gets one eighth of the reports and of
	 * the clocks.
	 */
	ticks = reader.tally.last_timestamp - reader.tally.first_timestamp;
	EXPECT_LT(ticks / 1024 / 8 * 3 / 4, reader.tally.reports);
	EXPECT_GT(ticks / 1024 / 8 * 5 / 4, reader.tally.reports);
	EXPECT_LT(0, delta(&reader.tally, 232));
	EXPECT_GT((uint64_t)ticks * 92 / 8 * 5 / 4, delta(&reader.tally, 232));
	reader_close(&reader);
	close(gpuoa.drm_fd);
}

TEST(driver_follows_the_programming_rules)
{
	EXPECT_EQ(0, sim_get("asleep_accesses"));
	EXPECT_EQ(0, sim_get("unknown_accesses"));
	EXPECT_EQ(0, sim_get("ggtt_faults"));
}

TEST_HARNESS_MAIN
