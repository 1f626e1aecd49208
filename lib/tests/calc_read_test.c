// SPDX-License-Identifier: MIT
/*
 * calc_read_test.c - Test reading and calculating in one call, and constants that are shared by
 * threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "recording.h"
#include "tap.h"

#define ID 42
#define ROWS_MAX 16
#define COLUMNS_MAX 128
#define SAMPLES 50

static union gpuoa_value values[ROWS_MAX * COLUMNS_MAX];
static struct gpuoa_interval intervals[ROWS_MAX];

/* Open a recording with ten reports in each sample; every fifth sample is missing. */
static struct gpuoa_reader *open_recording(void)
{
	struct recording recording = { 0 };
	struct gpuoa_reader *reader;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	for (int i = 0; i < SAMPLES; i++)
		if (i % 5 != 4)
			put_reports_sample(&recording.records, ID, i * 10, 10);
	reader = open_laid_out(&recording);
	CHECK(reader);
	return reader;
}

static struct gpuoa_calc *open_calc(const struct gpuoa_reader *reader)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_uuid(gpuoa_reader_platform(reader), TEST_UUID);
	struct gpuoa_calc *calc = NULL;

	CHECK(!gpuoa_calc_open(set, gpuoa_reader_constants(reader), GPUOA_REPORT_A45_B8_C8, NULL,
			       &calc, NULL, 0));
	return calc;
}

static void rows_of_one_read_are_contiguous(void)
{
	struct gpuoa_reader *reader = open_recording();
	struct gpuoa_calc *calc = open_calc(reader);
	struct gpuoa_read_status status = { 0 };
	uint64_t rows = 0, gaps = 0, lost = 0;
	int n;

	while ((n = gpuoa_calc_read(calc, reader, values, intervals, ROWS_MAX, &status)) > 0) {
		for (int i = 0; i < n; i++) {
			CHECK(intervals[i].end - intervals[i].begin == TEST_TICKS);
			CHECK(!i || intervals[i].begin == intervals[i - 1].end);
		}
		CHECK(n <= ROWS_MAX && !status.end);
		rows += n;
		gaps += status.gap;
		lost += status.lost_ring;
	}
	CHECK(n == 0 && status.end);
	/* The recording has ten runs of 40 reports, which give 39 rows each. */
	CHECK(rows == 10 * 39 && gaps == 9 && lost + status.lost_ring == 90);
	CHECK(gpuoa_calc_read(calc, reader, values, NULL, ROWS_MAX, &status) == 0 && status.end);
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
}

static void reading_single_rows_returns_equal_rows(void)
{
	struct gpuoa_reader *reader = open_recording();
	struct gpuoa_calc *calc = open_calc(reader);
	uint64_t rows = 0;
	int n;

	while ((n = gpuoa_calc_read(calc, reader, values, NULL, 1, NULL)) > 0)
		rows += n;
	CHECK(n == 0 && rows == 10 * 39);
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
}

static void wrong_format_and_no_room_are_rejected(void)
{
	struct gpuoa_reader *reader = open_recording();
	const struct gpuoa_set *set =
		gpuoa_platform_find_uuid(gpuoa_reader_platform(reader), TEST_UUID);
	struct gpuoa_calc_options options = { .size = sizeof(options), .no_infos = true };
	const struct gpuoa_metric *time = gpuoa_set_find_metric(set, "GpuTime");
	struct gpuoa_calc *calc;

	options.metrics = &time;
	options.metric_count = 1;
	REQUIRE(!gpuoa_calc_open(set, gpuoa_reader_constants(reader), GPUOA_REPORT_A13, &options,
				 &calc, NULL, 0));
	CHECK(gpuoa_calc_read(calc, reader, values, NULL, ROWS_MAX, NULL) == -EINVAL);
	gpuoa_calc_close(calc);
	calc = open_calc(reader);
	CHECK(gpuoa_calc_read(calc, reader, values, NULL, 0, NULL) == -ENOBUFS);
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
}

static void output_describe_returns_names_and_types(void)
{
	struct gpuoa_reader *reader = open_recording();
	struct gpuoa_calc *calc = open_calc(reader);
	const size_t count = gpuoa_calc_output_count(calc);
	struct gpuoa_output_desc desc;
	struct gpuoa_set_desc set;

	gpuoa_set_describe(gpuoa_platform_find_uuid(gpuoa_reader_platform(reader), TEST_UUID), &set,
			   sizeof(set));
	CHECK(count == set.metric_count + set.info_count && count <= COLUMNS_MAX);
	for (size_t i = 0; i < count; i++) {
		REQUIRE(!gpuoa_calc_output_describe(calc, i, &desc, sizeof(desc)));
		CHECK(desc.type == gpuoa_calc_output_type(calc, i));
		CHECK(*desc.symbol && *desc.name && desc.description && desc.units);
		CHECK(i < set.metric_count ? desc.metric && !desc.info : desc.info && !desc.metric);
	}
	CHECK(!gpuoa_calc_output_describe(calc, 0, &desc, sizeof(desc)));
	CHECK_STRING(desc.symbol, "GpuTime");
	CHECK_STRING(desc.units, "ns");
	CHECK(!gpuoa_calc_output_describe(calc, count - 1, &desc, sizeof(desc)));
	CHECK_STRING(desc.symbol, "ReportId");
	CHECK(gpuoa_calc_output_describe(calc, count, &desc, sizeof(desc)) == -ERANGE);
	gpuoa_calc_close(calc);
	gpuoa_reader_close(reader);
}

/* Constants that do not change can be read by several threads. */
struct event_reader {
	const struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
	pthread_t thread;
	bool failed;
};

static void *open_many(void *argument)
{
	struct event_reader *events = argument;

	for (int i = 0; i < 50; i++) {
		struct gpuoa_calc *calc;
		char why[64];

		if (gpuoa_calc_open(events->set, events->constants, GPUOA_REPORT_A45_B8_C8, NULL,
				    &calc, NULL, 0))
			events->failed = true;
		else
			gpuoa_calc_close(calc);
		if (gpuoa_set_available(events->set, NULL, events->constants, why, sizeof(why)) !=
		    1)
			events->failed = true;
	}
	return NULL;
}

static void threads_share_constants(void)
{
	struct gpuoa_reader *reader = open_recording();
	struct event_reader readers[4];

	for (size_t i = 0; i < 4; i++) {
		readers[i] = (struct event_reader){
			.constants = gpuoa_reader_constants(reader),
			.set = gpuoa_platform_find_uuid(gpuoa_reader_platform(reader), TEST_UUID),
		};
		REQUIRE(!pthread_create(&readers[i].thread, NULL, open_many, &readers[i]));
	}
	for (size_t i = 0; i < 4; i++) {
		pthread_join(readers[i].thread, NULL);
		CHECK(!readers[i].failed);
	}
	gpuoa_reader_close(reader);
}

int main(void)
{
	RUN(rows_of_one_read_are_contiguous);
	RUN(reading_single_rows_returns_equal_rows);
	RUN(wrong_format_and_no_room_are_rejected);
	RUN(output_describe_returns_names_and_types);
	RUN(threads_share_constants);
	return tap_end();
}
