// SPDX-License-Identifier: MIT
/*
 * reader_test.c - Test the interface that streams and recordings have in common, with a reader of
 * which this test implements the operations.
 */
#include <errno.h>
#include <limits.h>

#include "fixture.h"
#include "payload.h"
#include "reader/payload_reader.h"
#include "reader/reader.h"
#include "tap.h"

#define MARKERS_MAX 65536

/* Operations that were called, and their results */
static struct {
	int result;
	unsigned int released, read, found;
	size_t max;
	struct gpuoa_read_status status;
	uint32_t reports[4][REPORT_WORDS];
	uint32_t report_count; /* of each read */
	struct gpuoa_context_owner owner;
} now;

static int next(struct gpuoa_reader *reader, const void **reports, size_t max,
		struct gpuoa_read_status *status)
{
	(void)reader;
	now.read++;
	now.max = max;
	*reports = now.reports;
	*status = now.status;
	now.status = (struct gpuoa_read_status){ 0 };
	if (now.result)
		return now.result;
	return now.report_count < max ? (int)now.report_count : (int)max;
}

static void release(struct gpuoa_reader *reader)
{
	(void)reader;
	now.released++;
}

static int find_pairs(struct gpuoa_reader *reader)
{
	(void)reader;
	now.found++;
	return now.result;
}

static int context(struct gpuoa_reader *reader, uint32_t id, struct gpuoa_context_owner *owner)
{
	(void)reader;
	CHECK(id == 7);
	*owner = now.owner;
	return now.result;
}

static const struct reader_ops none = { .next = next };
static const struct reader_ops all = {
	.next = next,
	.release = release,
	.find_pairs = find_pairs,
	.context = context,
};

static struct gpuoa_reader begin(const struct reader_ops *ops)
{
	memset(&now, 0, sizeof(now));
	return (struct gpuoa_reader){
		.ops = ops,
		.desc = { .format = GPUOA_FORMAT_A45_B8_C8, .report_size = TEST_REPORT_SIZE },
	};
}

static void consume_releases_what_was_read(void)
{
	struct gpuoa_reader reader = begin(&all);

	gpuoa_reader_consume(&reader);
	CHECK(now.released == 1);
	/* Nothing is to be released. */
	reader = begin(&none);
	gpuoa_reader_consume(&reader);
	CHECK(!now.released);
	gpuoa_reader_close(NULL);
}

/* All clock pairs of a recording are searched for once, unless that fails. */
static void time_finds_all_pairs_once(void)
{
	const struct gpuoa_time *time = NULL;
	struct gpuoa_reader reader = begin(&all);

	CHECK(gpuoa_reader_time(&reader, &time) == -EINVAL && !now.found && !time);
	CHECK(!side_data_init(&reader.side_data, 12500000));
	now.result = -ENOMEM;
	CHECK(gpuoa_reader_time(&reader, &time) == -ENOMEM && now.found == 1 && !time);
	now.result = 0;
	for (int i = 0; i < 3; i++) {
		CHECK(!gpuoa_reader_time(&reader, &time) && now.found == 2);
		CHECK(time == reader.side_data.time);
	}
	side_data_fini(&reader.side_data);
	reader = begin(&none);
	CHECK(!side_data_init(&reader.side_data, 12500000));
	CHECK(!gpuoa_reader_time(&reader, &time) && !now.found);
	side_data_fini(&reader.side_data);
}

static void context_returns_the_owner(void)
{
	struct gpuoa_reader reader = begin(&all);
	struct gpuoa_context_owner owner = { .process = 55 };

	now.owner = (struct gpuoa_context_owner){ .process = 12, .client = 13, .gone = true };
	now.result = -ENOENT;
	CHECK(gpuoa_reader_context(&reader, 7, &owner, sizeof(owner)) == -ENOENT);
	CHECK(owner.process == 55);
	now.result = 0;
	CHECK(!gpuoa_reader_context(&reader, 7, &owner, sizeof(owner)));
	CHECK(owner.process == 12 && owner.client == 13 && owner.gone);
	/* A program that was built with an older library */
	owner = (struct gpuoa_context_owner){ .client = 55 };
	CHECK(!gpuoa_reader_context(&reader, 7, &owner, 4) && owner.process == 12);
	CHECK(owner.client == 55);
	reader = begin(&none);
	CHECK(gpuoa_reader_context(&reader, 7, &owner, sizeof(owner)) == -EOPNOTSUPP);
}

/* ---- markers -------------------------------------------------------------------------------- */

/* Store markers with the values @first to @end - 1. */
static void store(struct gpuoa_reader *reader, uint64_t first, uint64_t end)
{
	struct gpuoa_stream_marker marker = { 0 };

	for (marker.value = first; marker.value < end; marker.value++) {
		marker.gpu_ticks = 3 * marker.value;
		if (!CHECK(!side_data_take_marker(&reader->side_data, &marker)))
			return;
	}
}

static void check_markers(struct gpuoa_reader *reader, uint64_t first, uint64_t end)
{
	struct gpuoa_stream_marker marker = { 0 };

	for (uint64_t value = first; value < end; value++)
		if (!CHECK(gpuoa_reader_next_marker(reader, &marker, sizeof(marker)) == 1) ||
		    !CHECK(marker.value == value && marker.gpu_ticks == 3 * value))
			return;
}

static void markers_are_returned_in_order(void)
{
	struct gpuoa_stream_marker marker = { .value = 55 };
	struct gpuoa_reader reader = begin(&none);

	/* The queue grows while it begins at any place. */
	for (uint64_t before = 0; before < 70; before++) {
		CHECK(gpuoa_reader_next_marker(&reader, &marker, sizeof(marker)) == 0);
		CHECK(marker.value == 55);
		store(&reader, 0, before);
		check_markers(&reader, 0, before / 2);
		store(&reader, before, 150);
		check_markers(&reader, before / 2, 150);
		CHECK(gpuoa_reader_next_marker(&reader, &marker, sizeof(marker)) == 0);
		side_data_fini(&reader.side_data);
		reader = begin(&none);
	}
	/* A program that was built with an older library */
	store(&reader, 1, 2);
	marker.gpu_ticks = 55;
	CHECK(gpuoa_reader_next_marker(&reader, &marker, 8) == 1);
	CHECK(marker.value == 1 && marker.gpu_ticks == 55);
	side_data_fini(&reader.side_data);
}

/* If they are not fetched, the oldest markers are dropped, which is reported once. */
static void newest_markers_are_kept(void)
{
	struct gpuoa_stream_marker marker;
	struct gpuoa_reader reader = begin(&none);

	store(&reader, 0, MARKERS_MAX);
	check_markers(&reader, 0, 1);
	store(&reader, MARKERS_MAX, MARKERS_MAX + 1);
	check_markers(&reader, 1, 2);
	store(&reader, MARKERS_MAX + 1, MARKERS_MAX + 5);
	for (int i = 0; i < 2; i++) {
		CHECK(gpuoa_reader_next_marker(&reader, &marker, sizeof(marker)) == -ENOBUFS);
		check_markers(&reader, 5 + 100 * i, 105);
		if (!i)
			store(&reader, MARKERS_MAX + 5, MARKERS_MAX + 106);
	}
	check_markers(&reader, 106, MARKERS_MAX + 106);
	CHECK(gpuoa_reader_next_marker(&reader, &marker, sizeof(marker)) == 0);
	side_data_fini(&reader.side_data);
}

/* ---- payloads that the caller has stored ---------------------------------------------------- */

struct payloads {
	struct payload list[4];
	size_t at, count;
	int end; /* result after the last one */
	unsigned int released;
};

static int next_payload(void *ctx, struct payload *payload)
{
	struct payloads *payloads = ctx;

	if (payloads->at == payloads->count)
		return payloads->end;
	*payload = payloads->list[payloads->at++];
	return 1;
}

static void release_payloads(void *ctx)
{
	struct payloads *payloads = ctx;

	payloads->released++;
}

static void stored_payloads_are_read(void)
{
	static uint8_t reports[8 * TEST_REPORT_SIZE];
	struct bytes first = { 0 }, second = { 0 };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	put_head(&first);
	put_stream(&first);
	put_reports(&first, 0, 3);
	put_head(&second);
	put_reports(&second, 3, 2);
	CHECK(payload_describe(&(struct payload){ first.data, first.size }, &desc, &unit) == 1);
	CHECK(payload_describe(&(struct payload){ second.data, second.size }, &desc, &unit) == 0);
	CHECK(payload_describe(&(struct payload){ NULL, 0 }, &desc, &unit) == 0);
	CHECK(payload_describe(&(struct payload){ "other raw data", 12 }, &desc, &unit) ==
	      -EBADMSG);
	for (int i = 0; i < 4; i++) {
		const bool ends = i & 1, loss = i & 2;
		struct payloads payloads = { .list = { { first.data, first.size },
						       { second.data, second.size },
						       { NULL, 0 } },
					     .count = loss ? 3 : 2 };
		struct gpuoa_read_status status;
		struct gpuoa_reader *reader;
		const void *place;

		REQUIRE(!payload_reader_open(&desc, &unit, next_payload, &payloads, ends,
					     release_payloads, &reader));
		CHECK(gpuoa_reader_platform(reader) == gpuoa_platform_find("hsw"));
		CHECK(gpuoa_reader_read(reader, reports, 0, &status) == 0 && !status.end);
		CHECK(gpuoa_reader_read(reader, reports, 8, &status) == 5 && !status.end);
		CHECK(report_number(reports, 4) == 4 && !status.lost_unknown);
		CHECK(gpuoa_reader_peek(reader, &place, 8, &status) == 0);
		CHECK(status.end == ends && status.lost_unknown == (ends && loss));
		CHECK(gpuoa_reader_read(reader, reports, 8, &status) == 0);
		CHECK(status.end == ends && !status.lost_unknown);
		payloads.end = -EIO;
		CHECK(gpuoa_reader_read(reader, reports, 8, &status) == -EIO);
		CHECK(!payloads.released);
		gpuoa_reader_close(reader);
		CHECK(payloads.released == 1);
	}
	clear(&first);
	clear(&second);
}

/* ---- gpuoa_calc_read() ---------------------------------------------------------------------- */

static void calc_read_reads_until_there_is_a_row(void)
{
	static union gpuoa_value values[8 * 256];
	struct gpuoa_constants *constants = haswell_gt2();
	struct gpuoa_reader reader = begin(&all);
	const struct gpuoa_set *set =
		gpuoa_platform_find_uuid(gpuoa_platform_find("hsw"), TEST_UUID);
	struct gpuoa_interval intervals[8];
	struct gpuoa_read_status status;
	struct gpuoa_calc *calc;
	int rows;

	REQUIRE(!gpuoa_calc_open(set, constants, GPUOA_FORMAT_A45_B8_C8, NULL, &calc, NULL, 0));
	CHECK(gpuoa_calc_read(calc, &reader, values, intervals, 0, &status) == -ENOBUFS);
	CHECK(!now.read && !now.released);
	/* There is nothing to read. */
	status.lost_ring = 55;
	CHECK(gpuoa_calc_read(calc, &reader, values, intervals, 5, &status) == 0);
	CHECK(now.read == 1 && now.released == 1 && now.max == 5 && !status.lost_ring);
	/* The first report yields no row; its time is that of the clock pair. */
	now.report_count = 1;
	for (uint32_t i = 0; i < 4; i++) {
		now.reports[i][0] = TEST_REPORT_ID;
		now.reports[i][1] = 100 + 10 * i;
	}
	now.status = (struct gpuoa_read_status){ .has_clock = true,
						 .clock = { .gpu_ticks = UINT64_C(9) << 32 },
						 .gap = true,
						 .lost_ring = 3 };
	rows = gpuoa_calc_read(calc, &reader, values, intervals, 1, &status);
	CHECK(rows == 1 && now.read == 3 && now.released == 2 && now.max == 1);
	CHECK(intervals[0].begin == (UINT64_C(9) << 32) + 100);
	CHECK(status.gap && status.has_clock && status.lost_ring == 3);
	/* A gap yields no row. Without a clock pair, times continue. */
	now.report_count = 4;
	now.reports[0][1] = 5000;
	now.reports[1][1] = 5010;
	now.reports[2][1] = 5020;
	now.reports[3][1] = 5030;
	now.status = (struct gpuoa_read_status){ .gap = true };
	rows = gpuoa_calc_read(calc, &reader, values, intervals, 8, NULL);
	CHECK(rows == 3 && now.read == 4 && now.released == 3 && now.max == 8);
	for (int i = 0; i < rows; i++)
		CHECK(intervals[i].begin == (UINT64_C(9) << 32) + 5000 + 10 * i &&
		      intervals[i].end == (UINT64_C(9) << 32) + 5010 + 10 * i);
	/* At most INT_MAX rows can be returned. */
	now.report_count = 0;
	CHECK(gpuoa_calc_read(calc, &reader, values, intervals, SIZE_MAX, NULL) == 0);
	CHECK(now.max == INT_MAX);
	/* Errors are returned at once. */
	now.result = -EIO;
	now.read = now.released = 0;
	CHECK(gpuoa_calc_read(calc, &reader, values, intervals, 8, &status) == -EIO);
	CHECK(now.read == 1 && now.released == 1);
	/* The calculator is for another format. */
	reader.desc.format = GPUOA_FORMAT_A24U40_A14U32_B8_C8;
	CHECK(gpuoa_calc_read(calc, &reader, values, intervals, 8, &status) == -EINVAL);
	CHECK(now.read == 1);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
}

int main(void)
{
	RUN(consume_releases_what_was_read);
	RUN(time_finds_all_pairs_once);
	RUN(context_returns_the_owner);
	RUN(markers_are_returned_in_order);
	RUN(newest_markers_are_kept);
	RUN(stored_payloads_are_read);
	RUN(calc_read_reads_until_there_is_a_row);
	return tap_end();
}
