// SPDX-License-Identifier: MIT
/*
 * aux_test.c - Test reading of reports from an AUX area: reports are read in place and in order
 * with the records, and their space is released afterwards.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <time.h>

#include "played.h"

static int next(struct played *played, const void **reports, size_t max,
		struct gpuoa_read_status *status)
{
	return event_reader_next(&played->stream.events, reports, max, status);
}

static void release(struct played *played)
{
	area_release(&played->stream.area, event_reader_unread(&played->stream.events));
}

/* AUX tail, in report slots */
static uint64_t given_back(const struct played *played)
{
	return played->page->aux_tail / TEST_REPORT_SIZE;
}

static void peek_returns_reports_in_place(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	put_first_sample(&records, PLAYED_ID);
	played_land(&played, 0, 0, 100);
	put_aux_reports(&records, 0, 100);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 100);
	CHECK(reports == played.area && status.has_clock && !status.gap);
	CHECK(given_back(&played) == 0);
	release(&played);
	CHECK(given_back(&played) == 100);
	CHECK(next(&played, &reports, INT_MAX, &status) == 0);
	played_end(&played);
}

static void area_keeps_unread_reports(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 150);
	put_aux_reports(&records, 0, 100);
	put_clock_sample(&records, 5000);
	put_aux_reports(&records, 100, 50);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, 30, &status) == 30);
	release(&played);
	CHECK(given_back(&played) == 30);
	CHECK(next(&played, &reports, INT_MAX, &status) == 70 &&
	      reports == played.area + 30 * TEST_REPORT_SIZE);
	release(&played);
	CHECK(given_back(&played) == 100);
	/* A clock pair ends the read, even if more reports follow it. */
	CHECK(next(&played, &reports, 20, &status) == 20 && status.has_clock &&
	      status.clock.gpu_ticks == 5000);
	release(&played);
	CHECK(given_back(&played) == 120);
	played_end(&played);
}

static void read_wraps_at_end_of_area(void)
{
	static uint8_t reports[PLAYED_AREA_REPORTS * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	uint32_t number = 0;

	played_begin_aux(&played, false);
	for (unsigned int turn = 0; turn < 10; turn++) {
		const uint64_t slot = number;
		const uint32_t before_end = PLAYED_AREA_REPORTS - slot % PLAYED_AREA_REPORTS;
		const uint32_t piece = before_end < 700 ? before_end : 700;

		played_land(&played, slot, number, 700);
		put_aux_reports(&records, slot, piece);
		if (piece < 700)
			put_aux_reports(&records, slot + piece, 700 - piece);
		played_produce(&played, &records);
		CHECK(event_reader_read(&played.stream.events, reports, 1000, &status) == 700);
		CHECK(!status.gap && !status.lost_ring);
		for (uint32_t i = 0; i < 700; i++)
			CHECK(report_number(reports, i) == number + i);
		number += 700;
		release(&played);
		CHECK(given_back(&played) == number);
	}
	played_end(&played);
}

/* Xe2's reports of 576 bytes in an area of 7 of them and 64 bytes */
#define SPLIT_AREA 4096
#define SPLIT_REPORT 576

static struct area split_area(uint8_t *data, struct perf_event_mmap_page *page)
{
	return (struct area){
		.page = page,
		.data = data,
		.size = SPLIT_AREA,
		.report_size = SPLIT_REPORT,
		.splits = true,
		.report_id = { .offset = 0, .bits = 64 },
		.timestamp = { .offset = 8, .bits = 56 },
		.period = 1000,
	};
}

/* Byte @i of report @number, which has an id and a timestamp */
static uint8_t split_byte(uint64_t number, size_t i)
{
	const uint64_t header[] = { 0x80000, (number + 1) * 1000 };

	if (i < sizeof(header))
		return (uint8_t)(header[i / 8] >> i % 8 * 8);
	return (uint8_t)(number * 31 + i);
}

/* Write reports as the GPU does, which continues at the start of the area. */
static void split_land(uint8_t *data, uint64_t first, uint64_t count)
{
	for (uint64_t n = first; n < first + count; n++)
		for (size_t i = 0; i < SPLIT_REPORT; i++)
			data[(n * SPLIT_REPORT + i) % SPLIT_AREA] = split_byte(n, i);
}

static int split_begin(struct area *area, uint64_t first, uint64_t count)
{
	const struct {
		struct perf_event_header header;
		uint64_t words[3];
	} record = {
		{ PERF_RECORD_AUX, 0, sizeof(record) },
		{ first * SPLIT_REPORT, count * SPLIT_REPORT, 0 },
	};

	return area_begin(area, &record.header);
}

/* Take the reports of an area and compare them. Returns the number of equal reports. */
static uint64_t split_take(struct area *area, uint64_t first)
{
	struct rawdata_item item;
	uint64_t taken = 0;

	while (area_next(area, &item)) {
		const uint8_t *report = item.reports.data;

		if (!CHECK(item.kind == RAWDATA_REPORTS) ||
		    !CHECK(item.reports.first == first + taken))
			break;
		for (uint64_t n = 0; n < item.reports.count; n++, taken++)
			for (size_t i = 0; i < SPLIT_REPORT; i++)
				if (*report++ != split_byte(first + taken, i))
					return taken;
	}
	return taken;
}

static void reports_that_cross_the_end_are_joined(void)
{
	static uint8_t data[SPLIT_AREA];
	struct perf_event_mmap_page page = { 0 };
	struct area area = split_area(data, &page);
	uint64_t number = 0;

	/* 9 revolutions, in each of which the reports have other offsets */
	for (unsigned int turn = 0; turn < 16; turn++) {
		const uint64_t count = 1 + turn % 7;

		split_land(data, number, count);
		CHECK(!split_begin(&area, number, count));
		CHECK(split_take(&area, number) == count);
		number += count;
		area_release(&area, 0);
		CHECK(page.aux_tail == number * SPLIT_REPORT);
	}
	CHECK(number * SPLIT_REPORT > 8 * SPLIT_AREA);
	/* A position between two reports is invalid, as is a range that exceeds the area. */
	area.end = 0;
	CHECK(split_begin(&area, 0, 8) == -EIO);
}

/* Units of the render engine leave the last 64 bytes unused: 7 slots in each revolution */
static void rest_of_area_is_unused_without_splits(void)
{
	static uint8_t data[SPLIT_AREA];
	struct perf_event_mmap_page page = { 0 };
	struct area area = split_area(data, &page);
	struct {
		struct perf_event_header header;
		uint64_t offset, size, flags;
	} record = { { PERF_RECORD_AUX, 0, sizeof(record) }, 0, 0, 0 };
	struct rawdata_item item;
	uint64_t number = 0;

	area.splits = false;
	for (unsigned int turn = 0; turn < 3; turn++) {
		for (uint64_t n = 0; n < 7; n++)
			for (size_t i = 0; i < SPLIT_REPORT; i++)
				data[n * SPLIT_REPORT + i] = split_byte(number + n, i);
		for (uint64_t n = 0; n < 7; n += 6) {
			record.offset = turn * SPLIT_AREA + n * SPLIT_REPORT;
			record.size = (n ? 1 : 6) * SPLIT_REPORT;
			CHECK(!area_begin(&area, &record.header));
			CHECK(split_take(&area, number + n) == (n ? 1 : 6));
		}
		number += 7;
		area_release(&area, 0);
	}
	/* The window of a flight recorder spans the unused bytes: 5 reports of each revolution. */
	for (uint64_t n = 0; n < 5; n++)
		for (size_t i = 0; i < SPLIT_REPORT; i++)
			data[n * SPLIT_REPORT + i] = split_byte(number + n, i);
	record.offset = 3 * SPLIT_AREA + 5 * SPLIT_REPORT;
	record.size = SPLIT_AREA - SPLIT_REPORT;
	record.flags = PERF_AUX_FLAG_OVERWRITE;
	area.end = 0;
	CHECK(!area_begin(&area, &record.header));
	area.overwrite = true;
	CHECK(area_next(&area, &item) && item.kind == RAWDATA_RESUME);
	CHECK(area_next(&area, &item) && item.reports.count == 1 &&
	      item.reports.first == number - 1);
	CHECK(split_take(&area, number) == 5);
	record.offset += 64;
	CHECK(area_begin(&area, &record.header) == -EIO);
}

static void unread_report_that_crosses_the_end_is_kept(void)
{
	static uint8_t data[SPLIT_AREA];
	struct perf_event_mmap_page page = { 0 };
	struct area area = split_area(data, &page), before;
	struct rawdata_item item;

	split_land(data, 5, 4);
	area.end = 5 * SPLIT_REPORT;
	CHECK(!split_begin(&area, 5, 4));
	CHECK(area_next(&area, &item) && item.reports.count == 2);
	before = area;
	CHECK(area_next(&area, &item) && item.reports.count == 1 && item.reports.first == 7);
	CHECK(item.reports.data == area.joined);
	area_release(&area, 1);
	CHECK(page.aux_tail == 7 * SPLIT_REPORT);
	/* The reader looked ahead and returns to an earlier position. */
	area = before;
	CHECK(split_take(&area, 7) == 2);
}

/* A slot that the hardware skipped is a lost report, also if it crosses the end. */
static void skipped_slot_that_crosses_the_end_is_lost(void)
{
	static uint8_t data[SPLIT_AREA];
	struct perf_event_mmap_page page = { 0 };
	struct area area = split_area(data, &page);
	struct rawdata_item item;

	split_land(data, 6, 1);
	split_land(data, 8, 1);
	area.end = 6 * SPLIT_REPORT;
	CHECK(!split_begin(&area, 6, 3));
	CHECK(area_next(&area, &item) && item.reports.count == 1);
	CHECK(area_next(&area, &item) && item.kind == RAWDATA_LOST && item.lost.count == 1);
	CHECK(area_next(&area, &item) && item.reports.count == 1 && item.reports.first == 7);
	CHECK(!area_next(&area, &item));
}

static void losses_and_pauses_are_reported_between_reports(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 60);
	put_aux_reports(&records, 0, 20);
	put_aux(&records, 20 * TEST_REPORT_SIZE, 0, PERF_AUX_FLAG_TRUNCATED);
	put_lost_sample(&records, GPUOA_RECORD_BUFFER_OVERFLOW, 9);
	put_aux_reports(&records, 20, 20);
	put_resume_sample(&records, true);
	put_aux_reports(&records, 40, 20);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && !status.gap);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.gap &&
	      status.lost_overflow == 9);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.gap &&
	      !status.lost_overflow && !status.lost_ring && !status.lost_unknown);
	played_end(&played);
}

static void skipped_area_bytes_count_as_lost_ring(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 60);
	put_aux_reports(&records, 0, 20);
	put_perf_lost(&records, PLAYED_ID, 0, 1);
	put_aux_reports(&records, 33, 20);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.gap &&
	      status.lost_ring == 13 && !status.lost_unknown);
	CHECK(report_number(reports, 0) == 33);
	release(&played);
	CHECK(given_back(&played) == 53);
	played_end(&played);
}

/* perf lost the first slots that are missing; the kernel skipped those that are missing later. */
static void slots_skipped_after_lost_records_are_counted_once(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 70);
	put_aux_reports(&records, 0, 20);
	put_perf_lost(&records, PLAYED_ID, 0, 1);
	put_aux_reports(&records, 33, 20);
	put_aux(&records, 53 * TEST_REPORT_SIZE, 0, PERF_AUX_FLAG_TRUNCATED);
	put_lost_sample(&records, GPUOA_RECORD_REPORTS_LOST, 3);
	put_aux_reports(&records, 56, 10);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.lost_ring == 13);
	CHECK(next(&played, &reports, INT_MAX, &status) == 10 && status.gap);
	CHECK(status.lost_hardware == 3 && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 0) == 56);
	played_end(&played);
}

static void impossible_aux_records_return_eio(void)
{
	static const struct {
		uint64_t offset, size, flags;
	} bad[] = {
		{ 0, (PLAYED_AREA_REPORTS + 1) * TEST_REPORT_SIZE, 0 },
		{ 0, TEST_REPORT_SIZE + 8, 0 },
		{ 8, TEST_REPORT_SIZE, 0 },
		{ TEST_REPORT_SIZE, 2 * TEST_REPORT_SIZE, PERF_AUX_FLAG_OVERWRITE },
	};
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		played_begin_aux(&played, false);
		put_aux(&records, bad[i].offset, bad[i].size, bad[i].flags);
		played_produce(&played, &records);
		CHECK(next(&played, &reports, 1, &status) == -EIO);
		played_end(&played);
	}
	/* A stream that has no AUX area */
	played_begin(&played);
	put_aux_reports(&records, 0, 1);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, 1, &status) == -EIO);
	played_end(&played);
}

/* slots without a report */

/* Reports 0 to 59 are written, but three slots of the buffer, in the middle, hold no report. */
static void slots_in_the_middle_are_lost_reports(uint32_t timestamp)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 60);
	for (uint32_t slot = 20; slot < 23; slot++)
		played_spoil(&played, slot, timestamp);
	put_aux_reports(&records, 0, 60);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && !status.gap);
	release(&played);
	CHECK(given_back(&played) == 20);
	CHECK(next(&played, &reports, INT_MAX, &status) == 37 && status.gap);
	CHECK(status.lost_hardware == 3 && !status.lost_ring && !status.lost_unknown);
	CHECK(reports == played.area + 23 * TEST_REPORT_SIZE && report_number(reports, 0) == 23);
	release(&played);
	CHECK(given_back(&played) == 60);
	CHECK(next(&played, &reports, INT_MAX, &status) == 0);
	played_end(&played);
}

static void invalid_reports_are_skipped(void)
{
	slots_in_the_middle_are_lost_reports(4711);
}

static void unwritten_slots_are_skipped(void)
{
	slots_in_the_middle_are_lost_reports(0);
}

/*
 * The first lap fills all slots of the area. In the second lap the GPU writes most of the slots;
 * the others still hold reports of the first lap.
 */
static void reports_of_previous_lap_are_skipped(void)
{
	static uint8_t reports[PLAYED_AREA_REPORTS * TEST_REPORT_SIZE];
	const uint32_t turn = PLAYED_AREA_REPORTS;
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, turn);
	put_aux_reports(&records, 0, turn);
	played_produce(&played, &records);
	CHECK(event_reader_read(&played.stream.events, reports, turn, &status) == (int)turn);
	played_land(&played, turn, turn, 20);
	played_land(&played, turn + 23, turn + 23, 10);
	played_land(&played, turn + 34, turn + 34, 26);
	put_aux_reports(&records, turn, 60);
	played_produce(&played, &records);
	CHECK(event_reader_read(&played.stream.events, reports, turn, &status) == 20 &&
	      !status.gap);
	CHECK(report_number(reports, 19) == turn + 19);
	CHECK(event_reader_read(&played.stream.events, reports, turn, &status) == 10 && status.gap);
	CHECK(status.lost_hardware == 3 && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 0) == turn + 23);
	CHECK(event_reader_read(&played.stream.events, reports, turn, &status) == 26 && status.gap);
	CHECK(status.lost_hardware == 1 && report_number(reports, 0) == turn + 34);
	release(&played);
	CHECK(given_back(&played) == turn + 60);
	played_end(&played);
}

/* The unit was off for so long that its timestamp wrapped and appears to be an earlier one. */
static void pause_longer_than_timestamp_wrap_loses_nothing(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 1000, 20);
	put_aux_reports(&records, 0, 20);
	put_resume_sample(&records, true);
	played_land(&played, 20, 100, 20);
	put_aux_reports(&records, 20, 20);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.gap &&
	      !status.lost_hardware);
	CHECK(report_number(reports, 0) == 100);
	played_end(&played);
}

static void extra_invalid_report_is_no_loss(void)
{
	static uint8_t reports[60 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 20);
	played_land(&played, 21, 20, 39);
	played_spoil(&played, 20, 4711);
	put_aux_reports(&records, 0, 60);
	played_produce(&played, &records);
	/* No report is missing, so one read returns all of them. */
	CHECK(event_reader_read(&played.stream.events, reports, 60, &status) == 59);
	CHECK(!status.gap && !status.lost_hardware && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 58) == 58);
	release(&played);
	CHECK(given_back(&played) == 60);
	played_end(&played);
}

static void skipped_slots_at_start_are_not_counted(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 60);
	played_spoil(&played, 0, 4711);
	put_aux_reports(&records, 0, 60);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 59 && !status.gap &&
	      !status.lost_hardware && report_number(reports, 0) == 1);
	played_end(&played);
}

static void skipped_slots_at_end_are_counted_with_next_report(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played_land(&played, 0, 0, 100);
	for (uint32_t slot = 59; slot < 70; slot++)
		played_spoil(&played, slot, 4711);
	put_aux_reports(&records, 0, 60);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 59);
	CHECK(next(&played, &reports, INT_MAX, &status) == 0 && !status.lost_hardware);
	release(&played);
	CHECK(given_back(&played) == 60);
	/* Write an AUX record alone, without any other record. */
	put_aux_reports(&records, 60, 10);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 0 && !status.lost_hardware);
	release(&played);
	CHECK(given_back(&played) == 70);
	put_aux_reports(&records, 70, 30);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 30 && status.gap &&
	      status.lost_hardware == 11 && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 0) == 70);
	played_end(&played);
}

static void skipped_slots_wrap_at_end_of_area(void)
{
	static uint8_t reports[PLAYED_AREA_REPORTS * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;

	played_begin_aux(&played, false);
	played_land(&played, 1000, 1000, 100);
	for (uint32_t slot = PLAYED_AREA_REPORTS - 2; slot < PLAYED_AREA_REPORTS + 2; slot++)
		played_spoil(&played, slot, slot % 2 ? 4711 : 0);
	put_aux_reports(&records, 1000, 24);
	put_aux_reports(&records, 1024, 76);
	played_produce(&played, &records);
	CHECK(event_reader_read(&played.stream.events, reports, 100, &status) == 22);
	CHECK(event_reader_read(&played.stream.events, reports, 100, &status) == 74 && status.gap);
	CHECK(status.lost_hardware == 4 && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 0) == 1026);
	release(&played);
	CHECK(given_back(&played) == 1100);
	played_end(&played);
}

static void losses_reported_by_kernel_are_not_counted_twice(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	/* Report 20 is invalid. The nine reports after it are lost for another reason. */
	played_land(&played, 0, 0, 21);
	played_land(&played, 21, 30, 20);
	played_spoil(&played, 20, 4711);
	put_aux_reports(&records, 0, 21);
	put_aux(&records, 21 * TEST_REPORT_SIZE, 0, PERF_AUX_FLAG_TRUNCATED);
	put_lost_sample(&records, GPUOA_RECORD_BUFFER_OVERFLOW, 9);
	put_aux_reports(&records, 21, 20);
	/* The kernel skips three slots. */
	put_aux(&records, 41 * TEST_REPORT_SIZE, 0, PERF_AUX_FLAG_TRUNCATED);
	put_lost_sample(&records, GPUOA_RECORD_REPORTS_LOST, 3);
	played_land(&played, 44, 53, 10);
	put_aux_reports(&records, 44, 10);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.gap);
	CHECK(status.lost_overflow == 9 && status.lost_hardware == 1 && !status.lost_ring &&
	      !status.lost_unknown);
	CHECK(next(&played, &reports, INT_MAX, &status) == 10 && status.gap);
	CHECK(status.lost_hardware == 3 && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 0) == 53);
	played_end(&played);
}

static void skipped_slots_are_not_counted_without_period(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, false);
	played.stream.area.period = 0;
	played_land(&played, 0, 0, 60);
	played_spoil(&played, 20, 4711);
	put_aux_reports(&records, 0, 60);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20);
	CHECK(next(&played, &reports, INT_MAX, &status) == 39 && !status.gap &&
	      !status.lost_hardware);
	played_end(&played);
}

/*
 * Report 20 has id 0, which is valid on gen8 and later. Report 40 has neither an id nor a
 * timestamp, so it is invalid. Formats with 32-bit and with 64-bit ids are tested.
 */
static void id_0_is_valid_on_gen8_and_later(void)
{
	static const struct {
		struct report_field id, timestamp;
	} formats[] = {
		{ { .bits = 32, .offset = 0 }, { .bits = 32, .offset = 4 } },
		{ { .bits = 64, .offset = 0 }, { .bits = 56, .offset = 8 } },
	};
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		played_begin_aux(&played, false);
		played.stream.area.id_is_never_0 = false;
		played.stream.area.report_id = formats[i].id;
		played.stream.area.timestamp = formats[i].timestamp;
		played_land(&played, 0, 0, 60);
		memset(played.area + 20 * TEST_REPORT_SIZE, 0, formats[i].id.bits / 8);
		memset(played.area + 40 * TEST_REPORT_SIZE, 0, 16);
		put_aux_reports(&records, 0, 60);
		played_produce(&played, &records);
		CHECK(next(&played, &reports, INT_MAX, &status) == 40);
		CHECK(next(&played, &reports, INT_MAX, &status) == 19 && status.gap &&
		      status.lost_hardware == 1);
		played_end(&played);
	}
}

/* flight recorder */

static void snapshot_wraps_at_end_of_area(void)
{
	static uint8_t reports[PLAYED_AREA_REPORTS * TEST_REPORT_SIZE];
	const uint32_t count = PLAYED_AREA_REPORTS - 1;
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;

	played_begin_aux(&played, true);
	played.stream.area.clock = (struct gpuoa_clock_pair){ .gpu_ticks = 4711,
							      .cpu_ns = 4712,
							      .clock_id = CLOCK_MONOTONIC };
	put_first_sample(&records, PLAYED_ID);
	put_resume_sample(&records, true);
	played_land(&played, 0, 0, 5000);
	put_window(&records, 5000, count, 0);
	played_produce(&played, &records);
	CHECK(event_reader_read(&played.stream.events, reports, INT_MAX, &status) == (int)count);
	/* The newest clock pair belongs to the end of the flight recorder's window. */
	CHECK(status.has_clock && status.clock.gpu_ticks == 4711);
	CHECK(!status.lost_ring && !status.lost_unknown);
	for (uint32_t i = 0; i < count; i++)
		CHECK(report_number(reports, i) == 5000 - count + i);
	release(&played);
	CHECK(given_back(&played) == 0);
	played_end(&played);
}

static void snapshot_is_split_at_pause(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, true);
	played_land(&played, 0, 0, 30);
	played_land(&played, 30, 90, 20);
	put_window(&records, 50, 50, 0);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 30 && !status.gap);
	CHECK(next(&played, &reports, INT_MAX, &status) == 20 && status.gap && !status.lost_ring &&
	      !status.lost_unknown);
	CHECK(report_number(reports, 0) == 90);
	CHECK(next(&played, &reports, INT_MAX, &status) == 0);
	played_end(&played);
}

static void overlapping_snapshots_return_each_report_once(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, true);
	played_land(&played, 0, 0, 100);
	put_window(&records, 100, 100, 0);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 100);
	/* The second window of the flight recorder overlaps the first one. */
	played_land(&played, 100, 200, 50);
	put_resume_sample(&records, true);
	put_window(&records, 150, 150, 0);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 50 && status.gap && !status.lost_ring &&
	      !status.lost_unknown);
	CHECK(report_number(reports, 0) == 200);
	/* The third window of the flight recorder starts after the end of the second one. */
	played_land(&played, 150, 300, 3000);
	put_resume_sample(&records, true);
	put_window(&records, 3150, 500, 0);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) > 0 && status.gap && !status.lost_ring &&
	      !status.lost_unknown);
	CHECK(report_number(reports, 0) == 2800);
	played_end(&played);
}

static void snapshot_reports_loss(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, true);
	played_land(&played, 0, 0, 100);
	put_window(&records, 100, 100, PERF_AUX_FLAG_TRUNCATED);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 100 && status.lost_unknown);
	played_end(&played);
}

static void invalid_slots_of_snapshot_are_skipped(void)
{
	struct gpuoa_read_status status;
	struct bytes records = { 0 };
	struct played played;
	const void *reports;

	played_begin_aux(&played, true);
	played_land(&played, 0, 0, 30);
	played_land(&played, 30, 90, 20);
	/*
	 * Test invalid reports at the start, in the middle, just before a discontinuity, and at the
	 * end.
	 */
	played_spoil(&played, 0, 4711);
	played_spoil(&played, 10, 4711);
	played_spoil(&played, 11, 0);
	played_spoil(&played, 29, 4711);
	played_spoil(&played, 49, 0);
	put_window(&records, 50, 50, 0);
	played_produce(&played, &records);
	CHECK(next(&played, &reports, INT_MAX, &status) == 9 && !status.gap &&
	      !status.lost_hardware);
	CHECK(report_number(reports, 0) == 1);
	CHECK(next(&played, &reports, INT_MAX, &status) == 17 && status.gap &&
	      status.lost_hardware == 2);
	CHECK(report_number(reports, 0) == 12);
	CHECK(next(&played, &reports, INT_MAX, &status) == 19 && status.gap &&
	      status.lost_hardware == 1 && !status.lost_ring && !status.lost_unknown);
	CHECK(report_number(reports, 0) == 90);
	CHECK(next(&played, &reports, INT_MAX, &status) == 0 && !status.gap);
	played_end(&played);
}

/* ---- slots of a small area ------------------------------------------------------------------ */

#define SMALL_REPORT 64
#define SMALL_SLOTS 16
#define SMALL_AREA (SMALL_SLOTS * SMALL_REPORT)

static struct {
	struct area area;
	struct perf_event_mmap_page page;
	uint8_t data[SMALL_AREA];
} small;

/* Begin with an area of empty slots. The period is 100 ticks. */
static void small_begin(bool overwrite)
{
	memset(&small, 0, sizeof(small));
	small.area = (struct area){
		.page = &small.page,
		.data = small.data,
		.size = SMALL_AREA,
		.report_size = SMALL_REPORT,
		.report_id = { .bits = 32, .offset = 0 },
		.timestamp = { .bits = 32, .offset = 4 },
		.id_is_never_0 = true,
		.period = 100,
		.overwrite = overwrite,
	};
}

/*
 * Write slots from @slot on. Each word is a report with this timestamp, "-" an empty slot, and "?"
 * an invalid report.
 */
static void small_land(uint64_t slot, const char *text)
{
	for (; *text; slot++) {
		uint32_t header[] = { *text != '-' && *text != '?', 0 };
		char *end = (char *)text + 1;

		if (header[0])
			header[1] = (uint32_t)strtoull(text, &end, 0);
		else
			header[1] = *text == '?' ? 4711 : 0;
		memcpy(small.data + slot % SMALL_SLOTS * SMALL_REPORT, header, sizeof(header));
		for (text = end; *text == ' '; text++)
			;
	}
}

/* Describe @size bytes from @offset on, as perf does. */
static int small_record(uint64_t offset, uint64_t size, uint64_t flags)
{
	const struct {
		struct perf_event_header header;
		uint64_t words[3];
	} record = {
		{ PERF_RECORD_AUX, 0, sizeof(record) },
		{ offset, size, flags },
	};

	return area_begin(&small.area, &record.header);
}

/* Describe @count slots from @slot on. */
static void small_describe(uint64_t slot, uint64_t count)
{
	CHECK(!small_record(slot * SMALL_REPORT, count * SMALL_REPORT, 0));
}

/* Describe the window of a flight recorder: the @count slots before @end. */
static void small_window(uint64_t end, uint64_t count, uint64_t flags)
{
	CHECK(!small_record(end * SMALL_REPORT, count * SMALL_REPORT,
			    PERF_AUX_FLAG_OVERWRITE | flags));
}

/*
 * Take all items, and describe them: reports by the number of the first one and their count, "+"
 * for a continuation without pause, "pause", "clock", and losses by their count or "?".
 */
static const char *small_items(void)
{
	static char text[256];
	static int fill; /* content of an item that area_next() has to change: 0 or 1 */
	struct rawdata_item item;
	size_t n = 0;

	*text = '\0';
	fill = !fill;
	while (memset(&item, fill, sizeof(item)),
	       n < sizeof(text) - 32 && area_next(&small.area, &item))
		switch (item.kind) {
		case RAWDATA_REPORTS:
			CHECK(item.reports.size == SMALL_REPORT);
			n += sprintf(text + n, " %u:%u", (unsigned int)item.reports.first,
				     (unsigned int)item.reports.count);
			break;
		case RAWDATA_LOST:
			if (item.lost.unknown)
				n += sprintf(text + n, " lost ?");
			else
				n += sprintf(text + n, " lost %u", (unsigned int)item.lost.count);
			break;
		case RAWDATA_RESUME:
			n += sprintf(text + n, item.resume.stopped ? " pause" : " +");
			break;
		case RAWDATA_CLOCK:
			n += sprintf(text + n, " clock %u", (unsigned int)item.clock.gpu_ticks);
			break;
		default:
			n += sprintf(text + n, " unknown");
			break;
		}
	return text;
}

/* Number of slots in a text of small_land() */
static uint64_t small_count(const char *text)
{
	uint64_t count = 1;

	while (*text)
		count += *text++ == ' ';
	return count;
}

/*
 * A slot that was not written is a lost report. An invalid report is one only if timestamps show
 * that a report is missing.
 */
static void lost_reports_are_counted_from_slots_and_timestamps(void)
{
	static const struct {
		const char *slots, *items;
	} known[] = {
		{ "100 200 300", " 0:3" },
		{ "100 - 300", " 0:1 lost 1 1:1" },
		{ "100 - 200", " 0:1 lost 1 1:1" },
		{ "100 - - 400 500 -", " 0:1 lost 2 1:2" },
		{ "100 ? 300", " 0:1 lost 1 1:1" },
		{ "100 ? 299", " 0:1 1:1" },
		{ "100 ? 200", " 0:1 1:1" },
		{ "100 ? 100", " 0:1 1:1" },
		{ "100 ? ? 300", " 0:1 lost 1 1:1" },
		{ "100 ? ? 400", " 0:1 lost 2 1:1" },
		{ "100 ? 500", " 0:1 lost 1 1:1" },
		{ "100 ? - 400", " 0:1 lost 2 1:1" },
		{ "100 - ? 399", " 0:1 lost 1 1:1" },
		{ "100 - ? 300", " 0:1 lost 1 1:1" },
		{ "100 - ? 200", " 0:1 lost 1 1:1" },
		{ "100 - - ? 200", " 0:1 lost 2 1:1" },
		{ "100 - - ? 300", " 0:1 lost 2 1:1" },
		{ "100 - ? ? 500", " 0:1 lost 3 1:1" },
		/* Before the first report, timestamps show nothing. */
		{ "? 100 200", " 0:2" },
		{ "? 300 400", " 0:2" },
		{ "? ? -", "" },
		{ "- 100 200", " lost 1 0:2" },
		{ "? - ? - 100", " lost 2 0:1" },
		/* After a loss, the next one is counted anew. */
		{ "100 - 300 ? 500", " 0:1 lost 1 1:1 lost 1 2:1" },
		{ "100 ? 300 ? 400 - 600", " 0:1 lost 1 1:1 2:1 lost 1 3:1" },
		/* The timestamp wraps. */
		{ "0xffffff9c ? 100", " 0:1 lost 1 1:1" },
		{ "0xffffff9c ? 0", " 0:1 1:1" },
		{ "0xffffff9c 0 100", " 0:3" },
		{ "0xffffffff 0xffffffff 1", " 0:3" },
		/* A report that is older than the preceding one is of the previous revolution. */
		{ "1000 999", " 0:1" },
		{ "1000 200 1200", " 0:1 lost 1 1:1" },
		{ "1000 200 300 1300", " 0:1 lost 2 1:1" },
		{ "1000 200 ? 1300", " 0:1 lost 2 1:1" },
		{ "1000 0x800003e7 1300", " 0:2" }, /* half of a revolution of the timestamp */
		{ "1000 0x800003e8 1200", " 0:1 lost 1 1:1" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		printf("# %s\n", known[i].slots);
		small_begin(false);
		small_land(0, known[i].slots);
		small_describe(0, small_count(known[i].slots));
		CHECK_STRING(small_items(), known[i].items);
	}
}

/* Without a known period, or with one of half a revolution, timestamps do not show the order. */
static void old_reports_are_found_if_the_order_is_known(void)
{
	static const struct {
		uint64_t period;
		const char *items;
	} known[] = {
		{ 100, " 0:1 lost 1 1:1" },
		{ UINT64_C(1) << 30, " 0:1 lost 1 1:1" },
		{ UINT64_C(1) << 31, " 0:3" },
		{ UINT64_C(1) << 32, " 0:3" },
		{ 0, " 0:3" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		small_begin(false);
		small.area.period = known[i].period;
		small_land(0, "1000 200 1200");
		small_describe(0, 3);
		CHECK_STRING(small_items(), known[i].items);
	}
	/* The first report of a record is not compared, because there may have been a pause. */
	small_begin(false);
	small_land(0, "1000 1100 200 300");
	small_describe(0, 2);
	CHECK_STRING(small_items(), " 0:2");
	small_describe(2, 2);
	CHECK_STRING(small_items(), " 2:2");
}

/* Sequence numbers do not count slots that the kernel skipped, but those that perf lost. */
static void sequence_numbers_count_slots_lost_by_perf(void)
{
	small_begin(false);
	small_land(0, "100 200 300 400 500 600 700 800 900 1000");
	small_describe(0, 2);
	CHECK_STRING(small_items(), " 0:2");
	small_describe(4, 1);
	CHECK_STRING(small_items(), " 2:1");
	area_note_ring_lost(&small.area);
	small_describe(7, 1);
	CHECK_STRING(small_items(), " 5:1");
	small_describe(9, 1);
	CHECK_STRING(small_items(), " 6:1");
	/* A record may describe nothing. */
	small_describe(10, 0);
	CHECK_STRING(small_items(), "");
	/* The last slot of an area is one if slots fill the area. */
	small_land(15, "1600");
	small_describe(15, 1);
	CHECK_STRING(small_items(), " 7:1");
}

/* A report with id 0 is one on gen8 and later, if it has a timestamp. */
static void report_needs_an_id_or_a_timestamp(void)
{
	small_begin(false);
	small.area.id_is_never_0 = false;
	small_land(0, "100 ? 5000 - 5200");
	small_describe(0, 5);
	CHECK_STRING(small_items(), " 0:3 lost 1 3:1");
}

/* The window of a flight recorder is split where reports are more than a period apart. */
static void window_is_split_at_pauses(void)
{
	static const struct {
		uint64_t period;
		const char *slots, *items;
	} known[] = {
		{ 100, "100 200 300", " + 0:3" },
		{ 100, "100 200 301 401", " + 0:2 pause 2:2" },
		{ 100, "100 200 301", " + 0:2 pause 2:1" },
		{ 100, "100 150 250", " + 0:3" },
		{ 100, "100 300 500", " + 0:1 pause 1:1 pause 2:1" },
		{ 100, "300 200 300", " + 0:1 pause 1:2" },
		{ 100, "100 - 300", " + 0:1 lost 1 1:1" },
		{ 100, "0xffffff9c 0 101", " + 0:2 pause 2:1" },
		{ 0, "100 300 200", " + 0:3" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const uint64_t count = small_count(known[i].slots);

		printf("# %s\n", known[i].slots);
		small_begin(true);
		small.area.period = known[i].period;
		small_land(0, known[i].slots);
		small_window(count, count, 0);
		CHECK_STRING(small_items(), known[i].items);
	}
}

static void windows_that_overlap_have_each_report_once(void)
{
	small_begin(true);
	small_land(0, "100 200 300 400 5000 5100 9000 9100 9200 9300");
	small_window(4, 4, 0);
	CHECK_STRING(small_items(), " + 0:4");
	small_window(4, 4, 0);
	CHECK_STRING(small_items(), " +");
	small_window(6, 5, 0);
	CHECK_STRING(small_items(), " + 4:2");
	small.area.clock = (struct gpuoa_clock_pair){ .gpu_ticks = 77, .cpu_ns = 1 };
	small_window(8, 2, PERF_AUX_FLAG_TRUNCATED);
	CHECK_STRING(small_items(), " + lost ? clock 77 6:2");
	small.area.clock.cpu_ns = 0;
	small_window(10, 1, 0);
	CHECK_STRING(small_items(), " + 9:1");
	/* The end of the last window is after this one. */
	small_window(9, 2, 0);
	CHECK_STRING(small_items(), " + 7:2");
}

static void records_between_slots_return_eio(void)
{
	const uint64_t window = PERF_AUX_FLAG_OVERWRITE;
	const struct perf_event_header shorter = { PERF_RECORD_AUX, 0, 31 };

	small_begin(false);
	CHECK(!small_record(64, 64, 0));
	CHECK(small_record(1, 64, 0) == -EIO);
	CHECK(small_record(64, 65, 0) == -EIO);
	CHECK(small_record(32, 64, 0) == -EIO);
	CHECK(!small_record(0, SMALL_AREA, 0));
	CHECK(small_record(0, SMALL_AREA + 64, 0) == -EIO);
	CHECK(!small_record(SMALL_AREA, SMALL_AREA, window));
	CHECK(!small_record(64, 64, window));
	CHECK(small_record(64, 128, window) == -EIO);
	CHECK(small_record(64, 32, window) == -EIO);
	CHECK(area_begin(&small.area, &shorter) == -EIO);
	/* With 64 unused bytes, a position before the window may be invalid. */
	small.area.report_size = 192; /* 5 slots, and 64 bytes */
	CHECK(!small_record(SMALL_AREA, 64, window));
	CHECK(small_record(SMALL_AREA, 192, window) == -EIO);
	CHECK(!small_record(SMALL_AREA, 64 + 192, window));
	small.area.data = NULL;
	small.area.size = 0;
	CHECK(small_record(0, 0, 0) == -EIO);
}

static void area_fill_counts_bytes_that_were_not_released(void)
{
	small_begin(false);
	small.page.aux_head = 640;
	small.page.aux_tail = 64;
	CHECK(area_fill(&small.area) == 576);
	small_describe(1, 9);
	small_land(1, "100 200 300 400 500 600 700 800 900");
	CHECK_STRING(small_items(), " 0:9");
	area_release(&small.area, 2);
	CHECK(small.page.aux_tail == 512 && area_fill(&small.area) == 128);
	small.area.overwrite = true;
	area_release(&small.area, 0);
	CHECK(small.page.aux_tail == 512 && area_fill(&small.area) == 0);
	small.area.overwrite = false;
	small.area.data = NULL;
	area_release(&small.area, 0);
	CHECK(small.page.aux_tail == 512 && area_fill(&small.area) == 0);
}

/*
 * Return the result of mapping an area of @size bytes with reports of @report_size bytes. Areas of
 * several pages are those of a flight recorder.
 */
static int map_area(int file, uint64_t size, size_t report_size)
{
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page page = { 0 };
	struct area area = { .report_size = report_size };
	unsigned char resident[2];
	void *data;
	int err;

	err = area_map(&area, &page, file, page_size, size, size > page_size);
	if (err) {
		CHECK(!area.data && !area.page);
		return err;
	}
	CHECK(page.aux_offset == page_size && page.aux_size == size);
	CHECK(area.page == &page && area.size == size && area.overwrite == (size > page_size));
	CHECK(!memcmp(area.data, "second page", 12));
	data = (void *)area.data;
	area_unmap(&area);
	CHECK(!area.data && mincore(data, page_size, resident) < 0 && errno == ENOMEM);
	area_unmap(&area);
	return 0;
}

static void areas_of_possible_sizes_are_mapped(void)
{
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	const int file = memfd_create("area", MFD_CLOEXEC);

	REQUIRE(file >= 0 && !ftruncate(file, 4 * (off_t)page_size));
	CHECK(pwrite(file, "second page", 12, (off_t)page_size) == 12);
	CHECK(!map_area(file, 2 * page_size, 256));
	CHECK(!map_area(file, page_size, 64));
	CHECK(map_area(file, 3 * page_size, 256) == -EOPNOTSUPP);
	CHECK(map_area(file, page_size + 1, 256) == -EOPNOTSUPP);
	CHECK(!map_area(file, page_size, AREA_REPORT_MAX));
	CHECK(map_area(file, page_size, AREA_REPORT_MAX + 1) == -EOPNOTSUPP);
	/* A report as large as the area fits; a larger one does not. */
	CHECK(!map_area(file, 512, 512));
	CHECK(map_area(file, 256, 512) == -EOPNOTSUPP);
	CHECK(map_area(file, 0, 256) == -EOPNOTSUPP);
	CHECK(map_area(-1, page_size, 256) == -EBADF);
	close(file);
}

int main(void)
{
	RUN(peek_returns_reports_in_place);
	RUN(area_keeps_unread_reports);
	RUN(read_wraps_at_end_of_area);
	RUN(reports_that_cross_the_end_are_joined);
	RUN(rest_of_area_is_unused_without_splits);
	RUN(unread_report_that_crosses_the_end_is_kept);
	RUN(skipped_slot_that_crosses_the_end_is_lost);
	RUN(losses_and_pauses_are_reported_between_reports);
	RUN(skipped_area_bytes_count_as_lost_ring);
	RUN(slots_skipped_after_lost_records_are_counted_once);
	RUN(impossible_aux_records_return_eio);
	RUN(invalid_reports_are_skipped);
	RUN(unwritten_slots_are_skipped);
	RUN(reports_of_previous_lap_are_skipped);
	RUN(pause_longer_than_timestamp_wrap_loses_nothing);
	RUN(extra_invalid_report_is_no_loss);
	RUN(skipped_slots_at_start_are_not_counted);
	RUN(skipped_slots_at_end_are_counted_with_next_report);
	RUN(skipped_slots_wrap_at_end_of_area);
	RUN(losses_reported_by_kernel_are_not_counted_twice);
	RUN(skipped_slots_are_not_counted_without_period);
	RUN(id_0_is_valid_on_gen8_and_later);
	RUN(snapshot_wraps_at_end_of_area);
	RUN(snapshot_is_split_at_pause);
	RUN(overlapping_snapshots_return_each_report_once);
	RUN(snapshot_reports_loss);
	RUN(invalid_slots_of_snapshot_are_skipped);
	RUN(lost_reports_are_counted_from_slots_and_timestamps);
	RUN(old_reports_are_found_if_the_order_is_known);
	RUN(sequence_numbers_count_slots_lost_by_perf);
	RUN(report_needs_an_id_or_a_timestamp);
	RUN(window_is_split_at_pauses);
	RUN(windows_that_overlap_have_each_report_once);
	RUN(records_between_slots_return_eio);
	RUN(area_fill_counts_bytes_that_were_not_released);
	RUN(areas_of_possible_sizes_are_mapped);
	return tap_end();
}
