// SPDX-License-Identifier: MIT
/*
 * markers_test.c - Test markers and clock pairs of a recording: found while reading, or by one
 * call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>

#include "gpuoa-query.h"
#include "gpuoa-time.h"
#include "reader/side_data.h"
#include "recording.h"
#include "tap.h"

#define ID 42

static void put_payload(struct recording *recording, struct bytes *payload)
{
	put_sample(&recording->records, ID, 0, payload);
	clear(payload);
}

/*
 * A recording of 40 reports and two markers. It has pairs of two clocks at the start and at the
 * end.
 */
static struct bytes marked(void)
{
	struct recording recording = { 0 };
	struct bytes payload = { 0 }, file;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put_stream(&payload);
	put_clock(&payload, 1000);
	put_clock_of(&payload, GPUOA_CLOCK_PERF, 1001);
	put_reports(&payload, 0, 10);
	put_payload(&recording, &payload);
	put_head(&payload);
	put_marker(&payload, 11, 12 * TEST_TICKS + 1);
	put_reports(&payload, 10, 20);
	put_marker(&payload, UINT64_MAX, 30 * TEST_TICKS);
	put_reports(&payload, 30, 10);
	put_payload(&recording, &payload);
	put_head(&payload);
	put_clock(&payload, 40 * TEST_TICKS);
	put_clock_of(&payload, GPUOA_CLOCK_PERF, 40 * TEST_TICKS + 1);
	put_payload(&recording, &payload);
	file = lay_out(&recording);
	clear(&recording.records);
	return file;
}

static struct gpuoa_reader *open_marked(void)
{
	struct bytes file = marked();
	struct gpuoa_reader *reader = NULL;

	CHECK(!open_bytes(&file, &reader, NULL, 0));
	clear(&file);
	return reader;
}

static void markers_do_not_end_reads(void)
{
	struct gpuoa_reader *reader = open_marked();
	struct gpuoa_stream_marker mark = { .reserved = { 1, 1, 1 } };
	uint8_t reports[64 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;

	CHECK(gpuoa_reader_next_marker(reader, &mark, sizeof(mark)) == 0);
	CHECK(gpuoa_reader_read(reader, reports, 64, &status) == 40);
	CHECK(!status.gap && status.has_clock && status.clock.clock_id == CLOCK_MONOTONIC);
	CHECK(gpuoa_reader_next_marker(reader, &mark, sizeof(mark)) == 1);
	CHECK(mark.value == 11 && mark.gpu_ticks == 12 * TEST_TICKS + 1 && mark.error_ns == 50);
	CHECK(mark.cpu_ns == 80 * mark.gpu_ticks && !mark.reserved[2]);
	CHECK(gpuoa_reader_next_marker(reader, &mark, sizeof(mark)) == 1);
	CHECK(mark.value == UINT64_MAX && mark.gpu_ticks == 30 * TEST_TICKS);
	CHECK(gpuoa_reader_next_marker(reader, &mark, sizeof(mark)) == 0);
	gpuoa_reader_close(reader);
}

static void reader_time_has_all_clock_pairs(void)
{
	struct gpuoa_reader *reader = open_marked();
	const struct gpuoa_time *time;
	struct gpuoa_read_status status;
	uint8_t reports[64 * TEST_REPORT_SIZE];
	const void *before;
	uint64_t ns, error;

	/* Reports already returned stay valid. */
	REQUIRE(gpuoa_reader_peek(reader, &before, 3, &status) == 3);
	REQUIRE(!gpuoa_reader_time(reader, &time));
	CHECK(report_number(before, 2) == 2);
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, 20 * TEST_TICKS, &ns, &error));
	CHECK(ns == 80 * 20 * TEST_TICKS && error == 50 + 80 + 1);
	CHECK(!gpuoa_time_to_cpu(time, GPUOA_CLOCK_PERF, 20 * TEST_TICKS, &ns, &error));
	CHECK(ns == 80 * 20 * TEST_TICKS + 1000000000);
	CHECK(gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 0, &ns, NULL) == -ENODATA);
	/*
	 * After the call, reading continues at the same position, and clock pairs that are read
	 * again are not added twice.
	 */
	CHECK(gpuoa_reader_read(reader, reports, 64, &status) == 37);
	CHECK(report_number(reports, 0) == 3);
	CHECK(!gpuoa_reader_time(reader, &time));
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, 20 * TEST_TICKS, &ns, &error));
	CHECK(ns == 80 * 20 * TEST_TICKS && error == 50 + 80 + 1);
	gpuoa_reader_close(reader);
}

static void newest_markers_are_kept(void)
{
	struct gpuoa_stream_marker mark = { 0 };
	struct side_data side_data;
	uint64_t next = 10;

	CHECK(!side_data_init(&side_data, 0));
	for (mark.value = 0; mark.value < 10; mark.value++)
		CHECK(!side_data_take_marker(&side_data, &mark));
	for (uint64_t i = 0; i < 10; i++)
		CHECK(side_data_next_marker(&side_data, &mark) == 1 && mark.value == i);
	CHECK(side_data_next_marker(&side_data, &mark) == 0);
	for (mark.value = 0; mark.value < 65546; mark.value++)
		CHECK(!side_data_take_marker(&side_data, &mark));
	CHECK(side_data_next_marker(&side_data, &mark) == -ENOBUFS);
	while (side_data_next_marker(&side_data, &mark) == 1)
		CHECK(mark.value == next++);
	CHECK(next == 65546);
	side_data_fini(&side_data);
}

static void truncated_marker_is_damage(void)
{
	struct recording recording = { 0 };
	const struct gpuoa_record record = { GPUOA_RECORD_MARKER, 16 };
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	put_head(&payload);
	put(&payload, &record, sizeof(record));
	put64(&payload, 1);
	put_payload(&recording, &payload);
	CHECK(find(&recording).result == -EBADMSG);
}

static void marker_commands_write_value(void)
{
	struct gpuoa_unit_desc unit = { .platform = "bmg", .features = GPUOA_UNIT_MARKERS };
	uint32_t dwords[GPUOA_MARKER_DWORDS] = { 1, 2, 3, 4 };

	CHECK(gpuoa_marker_commands(&unit, sizeof(unit), 0xcafe, dwords, GPUOA_MARKER_DWORDS) ==
	      GPUOA_MARKER_DWORDS);
	CHECK(dwords[0] == 0x11000001 && dwords[1] == 0xdb1c && dwords[2] == 0xcafe && !dwords[3]);
	CHECK(gpuoa_marker_commands(&unit, sizeof(unit), 0, dwords, GPUOA_MARKER_DWORDS - 1) ==
	      -ENOBUFS);
	unit.features = ~(uint64_t)GPUOA_UNIT_MARKERS;
	CHECK(gpuoa_marker_commands(&unit, sizeof(unit), 0, dwords, GPUOA_MARKER_DWORDS) ==
	      -EOPNOTSUPP);
	/* An older program passes a shorter struct, which ends before the required field. */
	CHECK(gpuoa_marker_commands(&unit, 64, 0, dwords, GPUOA_MARKER_DWORDS) == -EOPNOTSUPP);
}

int main(void)
{
	RUN(markers_do_not_end_reads);
	RUN(reader_time_has_all_clock_pairs);
	RUN(newest_markers_are_kept);
	RUN(truncated_marker_is_damage);
	RUN(marker_commands_write_value);
	return tap_end();
}
