// SPDX-License-Identifier: MIT
/*
 * read_filtered_test.c - Test filtered reads of recordings with known reports: reading the newest
 * reports, the number of dropped ones, the end at a discontinuity, and the number of reports left.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>

#include "gpuoa-stream.h"
#include "recording.h"
#include "tap.h"

#define ID 7
#define MAX 64

static uint8_t reports[MAX * TEST_REPORT_SIZE];
static struct gpuoa_read_detail detail;

static int read_some(struct gpuoa_reader *reader, size_t max, size_t newest)
{
	const struct gpuoa_read_options options = { .size = sizeof(options), .newest = newest };

	return gpuoa_reader_read_filtered(reader, reports, max, &options, &detail, sizeof(detail));
}

static bool are_numbered(uint32_t first, int count)
{
	for (int i = 0; i < count; i++)
		if (report_number(reports, i) != first + i)
			return false;
	return true;
}

/*
 * Open a recording of reports 0 to 9 and 15 to 24. The OABUFFER had no space for the five between
 * them.
 */
static struct gpuoa_reader *with_a_gap(void)
{
	struct recording recording = { 0 };
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_first_sample(&recording.records, ID);
	put_reports_sample(&recording.records, ID, 0, 10);
	put_head(&payload);
	put_lost(&payload, GPUOA_RECORD_BUFFER_OVERFLOW, 5);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	put_head(&payload);
	put_reports_at(&payload, 10, 15, 10);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	return open_laid_out(&recording);
}

static void gap_spans_last_to_next_report(void)
{
	struct gpuoa_reader *reader = with_a_gap();

	REQUIRE(reader);
	CHECK(read_some(reader, 4, 0) == 4 && are_numbered(0, 4));
	CHECK(!detail.status.gap && !detail.gap.begin && !detail.gap.end && detail.outstanding);
	CHECK(read_some(reader, MAX, 0) == 6 && are_numbered(4, 6) && !detail.status.gap);
	CHECK(read_some(reader, MAX, 0) == 10 && are_numbered(15, 10));
	CHECK(detail.status.gap && detail.status.lost_overflow == 5);
	CHECK(detail.gap.begin == 9 * TEST_TICKS && detail.gap.end == 15 * TEST_TICKS);
	CHECK(read_some(reader, MAX, 0) == 0 && detail.status.end && !detail.outstanding);
	gpuoa_reader_close(reader);
}

static void newest_drops_reports_before_gap(void)
{
	struct gpuoa_reader *reader = with_a_gap();

	REQUIRE(reader);
	CHECK(read_some(reader, MAX, 12) == 10 && are_numbered(15, 10));
	CHECK(detail.dropped == 10 && detail.status.gap && detail.status.lost_overflow == 5);
	CHECK(detail.gap.begin == 9 * TEST_TICKS && detail.gap.end == 15 * TEST_TICKS);
	gpuoa_reader_close(reader);
}

/* Check that reports are in order, for each buffer size and each number of newest reports. */
static void newest_reports_are_in_order(void)
{
	for (size_t newest = 1; newest <= 12; newest++) {
		struct gpuoa_reader *reader = with_a_gap();
		const int expected = newest < 10 ? (int)newest : 10;

		REQUIRE(reader);
		CHECK(read_some(reader, MAX, newest) == expected);
		CHECK(are_numbered(25 - expected, expected));
		CHECK(detail.dropped == (uint64_t)(20 - expected));
		gpuoa_reader_close(reader);
	}
}

static void empty_buffer_consumes_nothing(void)
{
	struct gpuoa_reader *reader = with_a_gap();

	REQUIRE(reader);
	CHECK(read_some(reader, 0, 0) == 0 && !detail.dropped && !detail.outstanding);
	CHECK(read_some(reader, 0, 3) == 0 && !detail.dropped && !detail.left_out);
	CHECK(read_some(reader, 1, 0) == 1 && are_numbered(0, 1));
	gpuoa_reader_close(reader);
}

#define TIMER (1 << 19)
#define SWITCH (1 << 22)
#define CONTEXT (1 << 16) /* the context id is valid */

/* Append a sample of one report in format A24u40_A14u32_B8_C8. */
static void add_report(struct recording *recording, uint32_t number, uint32_t id, uint32_t context)
{
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + TEST_REPORT_SIZE },
		.first = number,
		.report_size = TEST_REPORT_SIZE,
		.count = 1,
	};
	const uint32_t report[TEST_REPORT_SIZE / 4] = { id, number * TEST_TICKS, context };
	struct bytes payload = { 0 };

	put_head(&payload);
	put(&payload, &record, sizeof(record));
	put(&payload, report, sizeof(report));
	put_sample(&recording->records, ID, 0, &payload);
	clear(&payload);
}

/*
 * Open a recording of Meteor Lake, of which only reports of context switches have a valid context
 * id: 0 and 1 are of context 7; 2 to 6 were lost, so that the context of 7 is unknown; 8 and 9 are
 * of context 7. @uuid: of the set; NULL: RenderBasic
 */
static struct gpuoa_reader *with_contexts_and_a_gap(const char *uuid, uint32_t format)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find("mtlgt2"), "RenderBasic", NULL, NULL);
	struct gpuoa_record_stream stream = test_stream();
	struct recording recording = { 0 };
	struct bytes payload = { 0 };
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	strcpy(stream.uuid, uuid ? uuid : desc.uuid);
	strcpy(stream.info.platform, "mtlgt2");
	stream.format = format;
	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put_clock(&payload, 0);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	add_report(&recording, 0, SWITCH | CONTEXT, 7);
	add_report(&recording, 1, TIMER, 0);
	put_head(&payload);
	put_lost(&payload, GPUOA_RECORD_BUFFER_OVERFLOW, 5);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	add_report(&recording, 7, TIMER, 0);
	add_report(&recording, 8, SWITCH | CONTEXT, 7);
	add_report(&recording, 9, TIMER, 0);
	return open_laid_out(&recording);
}

static uint32_t ticks_of(size_t index)
{
	uint32_t ticks;

	memcpy(&ticks, reports + index * TEST_REPORT_SIZE + 4, sizeof(ticks));
	return ticks;
}

static int read_context(struct gpuoa_reader *reader)
{
	const struct gpuoa_read_options options = { .size = sizeof(options),
						    .context_filter = true,
						    .context_id = 7 };

	return gpuoa_reader_read_filtered(reader, reports, 1, &options, &detail, sizeof(detail));
}

static void check_contexts(const char *uuid)
{
	struct gpuoa_reader *reader =
		with_contexts_and_a_gap(uuid, GPUOA_FORMAT_A24U40_A14U32_B8_C8);

	REQUIRE(reader);
	CHECK(read_context(reader) == 1 && ticks_of(0) == 0);
	CHECK(read_context(reader) == 1 && ticks_of(0) == TEST_TICKS && !detail.left_out);
	CHECK(read_context(reader) == 1 && ticks_of(0) == 8 * TEST_TICKS);
	CHECK(detail.status.gap && detail.left_out == 1);
	CHECK(read_context(reader) == 1 && ticks_of(0) == 9 * TEST_TICKS && !detail.left_out);
	CHECK(detail.has_frequency);
	CHECK(read_context(reader) == 0 && detail.status.end);
	gpuoa_reader_close(reader);
}

static void context_is_unknown_after_gap(void)
{
	check_contexts(NULL);
}

/* The headers of all sets of a unit are alike. */
static void set_that_is_unknown_has_the_header_of_its_unit(void)
{
	check_contexts("00000000-0000-4000-8000-00000000c057");
}

/* Without a format, all that is known of reports is their size. */
static void reports_of_unknown_format_are_returned(void)
{
	static const uint32_t numbers[] = { 0, 1, 7, 8, 9 };
	struct gpuoa_reader *reader = with_contexts_and_a_gap(NULL, 9999);

	REQUIRE(reader);
	CHECK(read_context(reader) == -ENODATA);
	for (uint32_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		CHECK(read_some(reader, 1, 0) == 1 && ticks_of(0) == numbers[i] * TEST_TICKS);
		CHECK(!detail.left_out && !detail.has_frequency);
	}
	CHECK(read_some(reader, 1, 0) == 0 && detail.status.end);
	gpuoa_reader_close(reader);
}

/*
 * Haswell's reports contain neither reason nor context. The errno must differ from that for an
 * unknown set.
 */
static void filters_missing_from_header_are_rejected(void)
{
	struct gpuoa_read_options options = { .size = sizeof(options), .reasons = 1 };
	struct gpuoa_reader *reader = with_a_gap();

	REQUIRE(reader);
	CHECK(gpuoa_reader_read_filtered(reader, reports, MAX, &options, &detail, sizeof(detail)) ==
	      -EOPNOTSUPP);
	options = (struct gpuoa_read_options){ .size = sizeof(options), .newest = 1 };
	CHECK(gpuoa_reader_read_filtered(reader, reports, MAX, &options, &detail, sizeof(detail)) ==
	      1);
	gpuoa_reader_close(reader);
}

/* The number of reports that are read at once does not matter. */
static void reports_of_unknown_format_are_in_order(void)
{
	for (size_t max = 1; max <= 10; max++) {
		struct gpuoa_record_stream stream = test_stream();
		struct recording recording = { 0 };
		struct bytes payload = { 0 };
		struct gpuoa_reader *reader;
		uint32_t first = 0;
		int n;

		stream.format = 9999;
		add_event(&recording, TEST_SAMPLE_TYPE, ID);
		put_head(&payload);
		put(&payload, &stream, sizeof(stream));
		put_reports(&payload, 0, 10);
		put_sample(&recording.records, ID, 0, &payload);
		clear(&payload);
		reader = open_laid_out(&recording);
		REQUIRE(reader);
		for (; (n = read_some(reader, max, 0)) > 0; first += (uint32_t)n)
			CHECK(n <= (int)max && are_numbered(first, n));
		CHECK(!n && first == 10);
		gpuoa_reader_close(reader);
	}
}

/* A gap before the first report begins at 0. Times follow the clock pairs, also over wraps. */
static void gaps_are_between_clock_pairs(void)
{
	const uint64_t wraps = UINT64_C(5) << 32;
	struct recording recording = { 0 };
	struct bytes payload = { 0 };
	struct gpuoa_reader *reader;

	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	put_head(&payload);
	put_stream(&payload);
	put_lost(&payload, GPUOA_RECORD_BUFFER_OVERFLOW, 5);
	put_clock(&payload, wraps + 10 * TEST_TICKS);
	put_reports_at(&payload, 0, 12, 3);
	put_lost(&payload, GPUOA_RECORD_BUFFER_OVERFLOW, 5);
	put_clock(&payload, 2 * wraps);
	put_reports_at(&payload, 3, 20, 2);
	put_lost(&payload, GPUOA_RECORD_BUFFER_OVERFLOW, 5);
	put_reports_at(&payload, 5, 30, 2);
	put_sample(&recording.records, ID, 0, &payload);
	clear(&payload);
	reader = open_laid_out(&recording);
	REQUIRE(reader);
	CHECK(read_some(reader, MAX, 0) == 3 && detail.status.gap);
	CHECK(!detail.gap.begin && detail.gap.end == wraps + 12 * TEST_TICKS);
	CHECK(read_some(reader, MAX, 0) == 2 && detail.status.gap);
	CHECK(detail.gap.begin == wraps + 14 * TEST_TICKS);
	CHECK(detail.gap.end == 2 * wraps + 20 * TEST_TICKS);
	CHECK(read_some(reader, MAX, 0) == 2 && detail.status.gap);
	CHECK(detail.gap.begin == 2 * wraps + 21 * TEST_TICKS);
	CHECK(detail.gap.end == 2 * wraps + 30 * TEST_TICKS);
	gpuoa_reader_close(reader);
}

int main(void)
{
	RUN(gap_spans_last_to_next_report);
	RUN(newest_drops_reports_before_gap);
	RUN(newest_reports_are_in_order);
	RUN(empty_buffer_consumes_nothing);
	RUN(context_is_unknown_after_gap);
	RUN(set_that_is_unknown_has_the_header_of_its_unit);
	RUN(reports_of_unknown_format_are_returned);
	RUN(filters_missing_from_header_are_rejected);
	RUN(reports_of_unknown_format_are_in_order);
	RUN(gaps_are_between_clock_pairs);
	return tap_end();
}
