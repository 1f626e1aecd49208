// SPDX-License-Identifier: MIT
/*
 * dword_mask_test.c - Check that the metrics of reports reduced by a dword mask equal those of
 * whole reports.
 */
#include "report/dword_mask.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "fixture.h"
#include "payload.h"
#include "raw.h"
#include "reader/rawdata.h"
#include "reader/event_reader.h"
#include "tap.h"
#include "extra/tracer/frame.h"

#define REPORTS 3
#define SETS 4 /* per platform */

static const struct gpuoa_metric *hsw_metric(const char *symbol)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find("hsw"), "RenderBasic", NULL, NULL);

	return gpuoa_set_find_metric(set, symbol);
}

static void metric_dword_mask_has_counters_and_header(void)
{
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };

	/* A0, and C2 (the clock) */
	REQUIRE(!gpuoa_metric_dword_mask(hsw_metric("EuActive"), GPUOA_REPORT_A45_B8_C8,
					 dword_mask));
	CHECK(dword_mask[0] == (3 | 1 << 3 | 1ull << 58));
	CHECK(!dword_mask[1] && !dword_mask[2]);
	CHECK(gpuoa_metric_in_dword_mask(hsw_metric("EuActive"), GPUOA_REPORT_A45_B8_C8,
					 dword_mask));
	CHECK(gpuoa_metric_in_dword_mask(hsw_metric("GpuTime"), GPUOA_REPORT_A45_B8_C8,
					 dword_mask));
	CHECK(!gpuoa_metric_in_dword_mask(hsw_metric("EuStall"), GPUOA_REPORT_A45_B8_C8,
					  dword_mask));
	/*
	 * Add the dwords of another metric to the mask: five documented dwords make six with the
	 * undocumented one, since the number must be even.
	 */
	REQUIRE(!gpuoa_metric_dword_mask(hsw_metric("EuStall"), GPUOA_REPORT_A45_B8_C8,
					 dword_mask));
	CHECK(dword_mask[0] == (7 | 3 << 3 | 1ull << 58));
	CHECK(dword_mask_size(dword_mask) == 24);
}

static void masks_have_both_dwords_of_64_bit_counters(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("lnl");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	const struct gpuoa_metric *metric;

	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };

		REQUIRE(!gpuoa_metric_dword_mask(metric, GPUOA_FORMAT_PEC64U64, dword_mask));
		for (size_t word = 0; word < GPUOA_DWORD_MASK_WORDS; word++)
			CHECK(!((dword_mask[word] ^ dword_mask[word] >> 1) & 0x5555555555555555));
	}
}

static void format_without_counter_returns_enoent(void)
{
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 1ull << 63 },
		 all[GPUOA_DWORD_MASK_WORDS] = { 0 };

	CHECK(gpuoa_metric_dword_mask(hsw_metric("GpuBusy"), GPUOA_REPORT_A13, dword_mask) ==
	      -ENOENT);
	CHECK(dword_mask[0] == 1ull << 63);
	CHECK(gpuoa_metric_dword_mask(hsw_metric("GpuBusy"), 60, dword_mask) == -EINVAL);
	CHECK(!gpuoa_metric_in_dword_mask(hsw_metric("GpuBusy"), GPUOA_REPORT_A13, all));
	CHECK(gpuoa_metric_in_dword_mask(hsw_metric("GpuBusy"), GPUOA_REPORT_A45_B8_C8, all));
}

static bool selects(const uint64_t *dword_mask, const size_t *dwords, size_t count)
{
	uint64_t expected[GPUOA_DWORD_MASK_WORDS] = { 0 };

	for (size_t i = 0; i < count; i++)
		expected[dwords[i] / 64] |= UINT64_C(1) << dwords[i] % 64;
	return !memcmp(dword_mask, expected, sizeof(expected));
}

/* A counter of 40 bits has a dword and a byte elsewhere, one of 64 bits two dwords. */
static void mask_has_all_dwords_of_a_field(void)
{
	static const struct {
		uint32_t format;
		enum counter_bank bank;
		uint32_t counter;
		size_t dwords[2], count;
	} cases[] = {
		{ GPUOA_FORMAT_A45_B8_C8, BANK_A, 0, { 3 }, 1 },
		{ GPUOA_FORMAT_A45_B8_C8, BANK_C, 7, { 63 }, 1 },
		{ GPUOA_FORMAT_A45_B8_C8, BANK_PEC, 0, { 0 }, 0 },
		{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, BANK_A, 0, { 4, 40 }, 2 },
		{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, BANK_A, 31, { 35, 47 }, 2 },
		{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, BANK_A, 32, { 36 }, 1 },
		{ GPUOA_FORMAT_PEC64U64, BANK_PEC, 0, { 8, 9 }, 2 },
		{ GPUOA_FORMAT_PEC64U64, BANK_PEC, 63, { 134, 135 }, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };

		dword_mask_add_field(dword_mask, format_counter(format_get(cases[i].format),
								counter_number(cases[i].bank,
									       cases[i].counter)));
		if (!CHECK(selects(dword_mask, cases[i].dwords, cases[i].count)))
			printf("# case %zu\n", i);
		CHECK(dword_mask_is_whole(dword_mask) == !cases[i].count);
		CHECK(dword_mask_size(dword_mask) == 4 * cases[i].count);
	}
}

static void mask_has_the_header(void)
{
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };

	dword_mask_add_header(dword_mask, format_get(GPUOA_FORMAT_A45_B8_C8));
	CHECK(dword_mask[0] == 3);
	dword_mask_add_header(dword_mask, format_get(GPUOA_FORMAT_A32U40_A4U32_B8_C8));
	CHECK(dword_mask[0] == 0xf);
	dword_mask_add_header(dword_mask, format_get(GPUOA_FORMAT_PEC64U64));
	CHECK(dword_mask[0] == 0xff && !dword_mask[1] && !dword_mask[2]);
}

static void mask_fits_the_dwords_of_a_format(void)
{
	for (size_t dword = 0; dword < GPUOA_DWORD_MASK_WORDS * 64; dword++) {
		uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 1 };

		dword_mask[dword / 64] |= UINT64_C(1) << dword % 64;
		CHECK(dword_mask_fits(dword_mask, format_get(GPUOA_FORMAT_A13)) == (dword < 16));
		CHECK(dword_mask_fits(dword_mask, format_get(GPUOA_FORMAT_A45_B8_C8)) ==
		      (dword < 64));
		CHECK(dword_mask_fits(dword_mask, format_get(GPUOA_FORMAT_PEC64U64)) ==
		      (dword < 144));
		CHECK(!dword_mask_is_whole(dword_mask));
	}
}

/* Masks are completed as in the kernel: the header, and an even number of dwords. */
static void mask_is_completed(void)
{
	const struct report_format *format = format_get(GPUOA_FORMAT_A32U40_A4U32_B8_C8);
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };

	dword_mask_complete(dword_mask, format);
	CHECK(dword_mask_is_whole(dword_mask));
	dword_mask[0] = 1ull << 50;
	dword_mask_complete(dword_mask, format);
	CHECK(dword_mask[0] == (0x1f | 1ull << 50));
	dword_mask[0] = 3ull << 50;
	dword_mask_complete(dword_mask, format);
	CHECK(dword_mask[0] == (0xf | 3ull << 50));
	dword_mask[0] = 0x70;
	dword_mask_complete(dword_mask, format);
	CHECK(dword_mask[0] == 0xff);
	/* All dwords but one: the mask selects all, and so becomes 0. */
	dword_mask[0] = ~(1ull << 60);
	dword_mask_complete(dword_mask, format);
	CHECK(dword_mask_is_whole(dword_mask));
	dword_mask[0] = ~(3ull << 60);
	dword_mask_complete(dword_mask, format);
	CHECK(dword_mask[0] == ~(3ull << 60));
}

static void reports_are_shrunk_and_expanded(void)
{
	const uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0x8000000000000005, 1, 1ull << 15 };
	uint32_t whole[2][144], expanded[2][144], shrunk[2][5];

	for (uint32_t i = 0; i < 144; i++) {
		whole[0][i] = 1000 + i;
		whole[1][i] = 2000 + i;
	}
	for (size_t i = 0; i < 2; i++)
		dword_mask_shrink(dword_mask, shrunk[i], sizeof(whole[0]), whole[i]);
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t first = 1000 * (i + 1);

		CHECK(shrunk[i][0] == first && shrunk[i][1] == first + 2);
		CHECK(shrunk[i][2] == first + 63 && shrunk[i][3] == first + 64);
		CHECK(shrunk[i][4] == first + 143);
	}
	memset(expanded, 0xff, sizeof(expanded));
	dword_mask_expand(dword_mask, expanded, sizeof(expanded[0]), shrunk, 2);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < 144; k++)
			CHECK(expanded[i][k] ==
			      (dword_mask[k / 64] >> k % 64 & 1 ? whole[i][k] : 0));
	memset(expanded, 0xff, sizeof(expanded));
	dword_mask_expand(dword_mask, expanded, sizeof(expanded[0]), shrunk, 0);
	CHECK(expanded[0][0] == UINT32_MAX);
}

/* Extract the dwords selected by @dword_mask from reports. */
static void mask_reports(const uint64_t *dword_mask, void *to, const uint8_t *reports, size_t size)
{
	uint8_t *next = to;

	for (size_t n = 0; n < REPORTS; n++)
		for (size_t i = 0; i < size / 4; i++)
			if (dword_mask[i / 64] >> i % 64 & 1) {
				memcpy(next, reports + n * size + 4 * i, 4);
				next += 4;
			}
}

/* Calculate the values of one metric in all intervals. */
static bool calculate(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      const struct gpuoa_metric *metric, uint32_t format, const void *reports,
		      union gpuoa_value *values)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options), .metrics = &metric, .metric_count = 1, .no_infos = true
	};
	struct gpuoa_interval intervals[REPORTS];
	struct gpuoa_calc *calc;
	size_t used, rows;

	if (gpuoa_calc_open(set, constants, format, &options, &calc, NULL, 0))
		return false;
	memset(values, 0, REPORTS * sizeof(*values));
	rows = gpuoa_calc_run(calc, reports, REPORTS, values, intervals, REPORTS, &used);
	gpuoa_calc_close(calc);
	return rows == REPORTS - 1;
}

static void check_metric(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			 const struct gpuoa_metric *metric, uint32_t format, const uint8_t *reports)
{
	static uint8_t masked[REPORTS * RAW_SIZE_MAX], expanded[REPORTS * RAW_SIZE_MAX];
	union gpuoa_value whole_values[REPORTS], masked_values[REPORTS];
	const size_t size = gpuoa_format_size(format);
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };

	REQUIRE(!gpuoa_metric_dword_mask(metric, format, dword_mask));
	mask_reports(dword_mask, masked, reports, size);
	dword_mask_expand(dword_mask, expanded, size, masked, REPORTS);
	REQUIRE(calculate(set, constants, metric, format, reports, whole_values));
	REQUIRE(calculate(set, constants, metric, format, expanded, masked_values));
	CHECK(!memcmp(whole_values, masked_values, sizeof(whole_values)));
}

/* Return constants for the set: those that are masks have all bits set, all others are 7. */
static struct gpuoa_constants *constants_of(const struct gpuoa_set *set,
					    const struct gpuoa_platform *platform)
{
	struct gpuoa_constants *constants;
	const char *name;

	if (gpuoa_constants_new(platform, &constants))
		return NULL;
	while ((name = gpuoa_calc_missing_constant(set, constants, NULL, 0)))
		if (gpuoa_constants_set(constants, name, 7))
			return NULL;
	return constants;
}

static void check_set(const struct gpuoa_platform *platform, const struct gpuoa_set *set)
{
	static uint8_t reports[REPORTS * RAW_SIZE_MAX];
	struct gpuoa_constants *constants = constants_of(set, platform);
	const struct raw_format *format;
	struct gpuoa_set_desc desc;
	uint64_t state = 42;

	REQUIRE(constants);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	format = raw_format(desc.format_name);
	REQUIRE(format);
	memset(reports, 0x55, sizeof(reports));
	for (size_t i = 1; i < REPORTS; i++)
		raw_next(format, &state, reports + (i - 1) * format->size,
			 reports + i * format->size, 30);
	/* Skip metrics that are available for queries only. */
	for (size_t i = 0; i < desc.metric_count; i++)
		if (gpuoa_metric_available(gpuoa_set_get_metric(set, i), constants, NULL, 0) == 1)
			check_metric(set, constants, gpuoa_set_get_metric(set, i), desc.format,
				     reports);
	gpuoa_constants_free(constants);
}

static void masked_reports_give_equal_metrics(void)
{
	static const char *const names[] = { "hsw", "bdw", "icl", "tglgt2", "mtlgt2", "lnl", "bmg" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_find(names[i]);

		REQUIRE(platform);
		for (size_t n = 0; n < SETS; n++)
			check_set(platform, gpuoa_platform_get_set(platform, n));
	}
}

/* ---- recordings ---- */

/* The header, A0 and C2 */
#define KEEP (3 | 1 << 3 | 1ull << 58)

static struct gpuoa_record_dword_mask thin_record(uint64_t dword_mask)
{
	return (struct gpuoa_record_dword_mask){
		.record = { GPUOA_RECORD_DWORD_MASK, sizeof(struct gpuoa_record_dword_mask) },
		.dword_mask = { dword_mask },
	};
}

static int describe_thin(uint32_t report_size, uint64_t dword_mask, struct gpuoa_reader_desc *desc)
{
	struct gpuoa_record_stream record = test_stream();
	const struct gpuoa_record_dword_mask masked = thin_record(dword_mask);
	const struct rawdata_stream stream = { &record, &masked };
	struct gpuoa_unit_desc unit;

	record.report_size = report_size;
	return rawdata_describe(&stream, desc, &unit);
}

static void masked_stream_describes_itself(void)
{
	struct gpuoa_reader_desc desc;

	REQUIRE(!describe_thin(16, KEEP, &desc));
	CHECK(desc.report_size == TEST_REPORT_SIZE);
	CHECK(desc.dword_mask[0] == KEEP);
	CHECK(describe_thin(24, KEEP, &desc) == -EBADMSG);
	CHECK(describe_thin(256, KEEP, &desc) == -EBADMSG);
	/* Two invalid masks: one without the header, and one with an odd number of dwords */
	CHECK(describe_thin(8, 3 << 3, &desc) == -EBADMSG);
	CHECK(describe_thin(12, 3 | 1 << 3, &desc) == -EBADMSG);
}

static int next_event(void *ctx, struct stream_event *event)
{
	struct bytes *payload = ctx;

	if (!payload->size)
		return 0;
	event->kind = STREAM_EVENT_RAW;
	event->payload = payload->data;
	event->size = payload->size;
	payload->size = 0;
	return 1;
}

static void check_whole(const uint32_t *report, uint32_t first)
{
	for (size_t k = 0; k < TEST_REPORT_SIZE / 4; k++)
		CHECK(report[k] == (k == 0  ? first :
				    k == 1  ? first + 1 :
				    k == 3  ? first + 2 :
				    k == 58 ? first + 3 :
					      0));
}

static void reads_return_full_size_reports(void)
{
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + 32 },
		.report_size = 16,
		.count = 2,
	};
	const uint32_t dwords[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { KEEP };
	uint32_t reports[TEST_REPORT_SIZE / 4];
	const uint32_t *there;
	struct gpuoa_read_status status;
	struct bytes payload = { 0 };
	struct event_reader events;

	put_head(&payload);
	put(&payload, &record, sizeof(record));
	put(&payload, dwords, sizeof(dwords));
	event_reader_init(&events, next_event, &payload, TEST_REPORT_SIZE);
	REQUIRE(!event_reader_set_mask(&events, dword_mask));
	/* First read at most one report, then the other five in place. */
	memset(reports, 0xff, sizeof(reports));
	REQUIRE(event_reader_read(&events, reports, 1, &status) == 1);
	check_whole(reports, 1);
	REQUIRE(event_reader_next(&events, (const void **)&there, SIZE_MAX, &status) == 1);
	check_whole(there, 5);
	event_reader_fini(&events);
	clear(&payload);
}

/*
 * Write the raw data of a tracer with one scope and two reports, reduced by a mask. The dwords of
 * the reports are 1 2 3 4 and 5 6 7 8.
 */
static size_t write_raw(uint8_t *raw, size_t size)
{
	const struct gpuoa_record_dword_mask masked = thin_record(KEEP);
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + 32 },
		.report_size = 16,
		.count = 2,
	};
	const uint32_t dwords[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct gpuoa_record_stream stream = test_stream();
	struct frame_room room = { raw, raw + size };
	struct bytes payload = { 0 };

	stream.report_size = 16;
	put_head(&payload);
	put(&payload, &stream, sizeof(stream));
	put(&payload, &masked, sizeof(masked));
	put(&payload, &record, sizeof(record));
	put(&payload, dwords, sizeof(dwords));
	CHECK(frame_put(&room, FRAME_PAYLOAD, 0, payload.data, payload.size));
	clear(&payload);
	return (size_t)(room.at - raw);
}

static void scope_of_masked_reports_is_readable(void)
{
	static uint32_t reports[2][TEST_REPORT_SIZE / 4];
	static uint8_t raw[4096];
	const size_t size = write_raw(raw, sizeof(raw));
	struct gpuoa_read_status status;
	struct gpuoa_reader *reader;
	size_t in_use = 0;

	for (int i = 0; i < 20; i++) {
		REQUIRE(!gpuoa_tracer_reader_open(raw, size, 0, &reader, NULL, 0));
		CHECK(gpuoa_reader_read(reader, reports, 2, &status) == 2);
		check_whole(reports[0], 1);
		check_whole(reports[1], 5);
		gpuoa_reader_close(reader);
		/* libc caches the blocks that are freed first, up to seven per size. */
		if (i == 9)
			in_use = mallinfo2().uordblks;
	}
	CHECK(mallinfo2().uordblks == in_use);
}

int main(void)
{
	RUN(metric_dword_mask_has_counters_and_header);
	RUN(masks_have_both_dwords_of_64_bit_counters);
	RUN(mask_has_all_dwords_of_a_field);
	RUN(mask_has_the_header);
	RUN(mask_fits_the_dwords_of_a_format);
	RUN(mask_is_completed);
	RUN(reports_are_shrunk_and_expanded);
	RUN(format_without_counter_returns_enoent);
	RUN(masked_reports_give_equal_metrics);
	RUN(masked_stream_describes_itself);
	RUN(reads_return_full_size_reports);
	RUN(scope_of_masked_reports_is_readable);
	return tap_end();
}
