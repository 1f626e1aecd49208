// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tail_check.c - detection of complete reports in a buffer with zero-copy delivery.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/sizes.h>

#include "../core/stream/gpuoa_tail_check.h"

#define BUFFER_SIZE SZ_128K
#define REPORT_SIZE 256
#define SLOTS (BUFFER_SIZE / REPORT_SIZE)
#define LAG 1250
#define START 0x7ffff0000ULL /* a time at which the lower 32 bits wrap soon */

static const struct gpuoa_format_desc format_32 = {
	.size = REPORT_SIZE,
	.header = &gpuoa_header_hsw,
};

static const struct gpuoa_format_desc format_64 = {
	.size = REPORT_SIZE,
	.header = &gpuoa_header_64,
};

static const struct gpuoa_format_desc format_576 = {
	.size = 576,
	.header = &gpuoa_header_64,
};

/**
 * struct tail_fixture - a unit that writes a report every @period ticks
 * @check: state under test
 * @pages: pages of the buffer
 * @format: report format
 * @period: timer period, ticks
 * @split: a report that crosses the end of the buffer continues at its start
 */
struct tail_fixture {
	struct gpuoa_tail_check check;
	void *pages[BUFFER_SIZE / PAGE_SIZE];
	const struct gpuoa_format_desc *format;
	u64 period;
	bool split;
};

static int tail_test_init(struct kunit *test)
{
	struct tail_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, fix);
	for (i = 0; i < ARRAY_SIZE(fix->pages); i++) {
		fix->pages[i] = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, fix->pages[i]);
	}
	fix->format = &format_32;
	fix->period = 1024;
	gpuoa_tail_check_init(&fix->check, fix->pages, BUFFER_SIZE, fix->format, false, LAG,
			      false);
	gpuoa_tail_check_start(&fix->check, 0, START);
	test->priv = fix;

	return 0;
}

/* Restart with another report format or period. */
static void begin(struct tail_fixture *fix, const struct gpuoa_format_desc *format, u64 period,
		  bool clears)
{
	fix->format = format;
	fix->period = period;
	gpuoa_tail_check_init(&fix->check, fix->pages, BUFFER_SIZE, format, false, LAG, clears);
	gpuoa_tail_check_start(&fix->check, 0, START);
}

static u32 slots(const struct tail_fixture *fix)
{
	return BUFFER_SIZE / fix->format->size;
}

static u64 time_of(const struct tail_fixture *fix, u32 n)
{
	return START + (n + 1) * fix->period;
}

static u32 offset_of(const struct tail_fixture *fix, u32 n)
{
	if (fix->split)
		return (u64)n * fix->format->size % BUFFER_SIZE;

	return n % slots(fix) * fix->format->size;
}

/* Write report @n to its slot. */
static void land(struct tail_fixture *fix, u32 n)
{
	u32 offset = offset_of(fix, n);
	void *report = fix->pages[offset >> PAGE_SHIFT] + offset_in_page(offset);

	if (fix->format->header->word == sizeof(u64)) {
		((u64 *)report)[0] = 1;
		((u64 *)report)[1] = time_of(fix, n);
	} else {
		((u32 *)report)[0] = 1;
		((u32 *)report)[1] = time_of(fix, n);
	}
}

static void land_all(struct tail_fixture *fix, u32 from, u32 to)
{
	while (from < to)
		land(fix, from++);
}

/*
 * Get the number of complete reports if the tail is after report @n - 1, which is @age ticks old.
 */
static u32 count_landed(struct tail_fixture *fix, u32 n, u64 age)
{
	return gpuoa_tail_check_update(&fix->check, offset_of(fix, n), time_of(fix, n - 1) + age);
}

/* Do the same as count_landed(), but for a stopped unit. */
static u32 count_landed_idle(struct tail_fixture *fix, u32 n)
{
	return gpuoa_tail_check_update_idle(&fix->check, offset_of(fix, n), time_of(fix, n - 1));
}

static void consume(struct tail_fixture *fix, u32 n, u32 count)
{
	gpuoa_tail_check_consume(&fix->check, count, time_of(fix, n - 1) + LAG);
}

/* Get the number of missing reports if the tail is after report @n - 1. */
static u32 find_missing(struct tail_fixture *fix, u32 n, u64 now, u32 *before)
{
	return gpuoa_tail_check_missing(&fix->check, offset_of(fix, n), now, before);
}

/* Write and consume all reports before @n, lap by lap. */
static void stream_up_to(struct kunit *test, u32 from, u32 to)
{
	struct tail_fixture *fix = test->priv;
	u32 step;

	for (; from < to; from += step) {
		step = min(to - from, slots(fix) / 4);
		land_all(fix, from, from + step);
		KUNIT_ASSERT_EQ(test, count_landed(fix, from + step, LAG), step - 1);
		KUNIT_ASSERT_EQ(test, count_landed_idle(fix, from + step), step);
		consume(fix, from + step, step);
	}
}

static void empty_buffer_has_no_reports(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(&fix->check, 0, START), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update_idle(&fix->check, 0, START), 0);
	/* The tail has passed these slots, but they are still zero. */
	KUNIT_EXPECT_EQ(test, count_landed(fix, 100, 2 * LAG), 0);
}

static void report_is_held_back_until_next_is_visible(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 1, 0), 0);
	land(fix, 1);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 2, 0), 1);
}

/*
 * The age of an announced report does not prove that the report is complete: on DG2, some old
 * reports were incomplete.
 */
static void age_does_not_prove_report_complete(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 1, 1000 * LAG), 0);
	land_all(fix, 1, 300);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 300, 1000 * LAG), 299);
}

static void stopped_unit_delivers_last_report(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, 3), 3);
	/* A report that never arrived is not delivered. */
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, 5), 3);
}

static void tail_ahead_of_memory_is_ignored(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 10, 0), 2);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 10, 10 * LAG), 2);
	land(fix, 3);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 10, 0), 3);
}

static void late_report_is_not_skipped(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	land_all(fix, 0, 2);
	land_all(fix, 3, 10);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 10, LAG), 1);
	land(fix, 2);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 10, LAG), 9);
}

static void tail_inside_a_report_is_rounded_down(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test,
			gpuoa_tail_check_update(&fix->check, 2 * REPORT_SIZE + 192,
						time_of(fix, 1) + LAG),
			1);
}

static void tail_beyond_the_end_is_wrapped(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(&fix->check, ~0, START + LAG), 0);
}

static void stale_reports_are_not_consumed(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	stream_up_to(test, 0, SLOTS);
	/* All slots still hold reports of the first lap. */
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS + 100, 0), 0);
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS + 100, 100 * LAG), 0);
	KUNIT_EXPECT_EQ(test,
			gpuoa_tail_check_update_idle(&fix->check, offset_of(fix, SLOTS + 100),
						     time_of(fix, SLOTS + 100)),
			0);
	land_all(fix, SLOTS, SLOTS + 7);
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS + 100, 0), 6);
}

static void reports_of_previous_run_are_not_consumed(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	stream_up_to(test, 0, 3 * SLOTS / 2);
	gpuoa_tail_check_start(&fix->check, 0, time_of(fix, 4 * SLOTS));
	KUNIT_EXPECT_EQ(test, count_landed(fix, 4 * SLOTS + 50, 100), 0);
	land_all(fix, 4 * SLOTS, 4 * SLOTS + 3);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 4 * SLOTS + 50, 100), 2);
}

/* Reports arrive in any order, up to 64 at a time, over several laps. */
static void scrambled_writes_deliver_each_report_once_in_order(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u32 taken = 0, n, i, count, random = 1;
	bool landed[64];

	fix->period = 16;
	for (n = 0; n < 10 * SLOTS; n += 64) {
		memset(landed, 0, sizeof(landed));
		for (i = 0; i < 4096; i++) {
			random = random * 1664525 + 1013904223;
			land(fix, n + (random >> 26));
			landed[random >> 26] = true;
			if (i % 8 && i < 4000)
				continue;
			count = count_landed(fix, n + 64, i);
			taken += count;
			consume(fix, n + 64, count);
			KUNIT_ASSERT_TRUE(test, taken <= n + 64);
			KUNIT_ASSERT_TRUE(test, !taken || taken <= n ||
					  !memchr(landed, false, taken - n));
			if (count)
				KUNIT_ASSERT_EQ(test, fix->check.last, time_of(fix, taken - 1));
		}
		KUNIT_ASSERT_EQ(test, taken, n + 63);
	}
}

static void visible_report_proves_preceding_ones_complete(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	fix->period = 2;
	land_all(fix, 0, SLOTS - 1);
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS - 1, 0), SLOTS - 2);
	((u32 *)fix->pages[0])[1] = 0;
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS - 1, 0), SLOTS - 2);
	/* The most recent reports are checked one by one. */
	((u32 *)fix->pages[(SLOTS - 64) * REPORT_SIZE >> PAGE_SHIFT])[1] = 0;
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS - 1, 0), SLOTS - 65);
}

/* Fill a larger buffer with complete 64-byte reports, 1024 ticks apart. */
static void land_small(void **pages, u32 count)
{
	u32 i, *report;

	for (i = 0; i < count; i++) {
		report = pages[i * 64 >> PAGE_SHIFT] + offset_in_page(i * 64);
		report[0] = 1;
		report[1] = START + (i + 1) * 1024ULL;
	}
}

/* In a long batch the last 128 reports are held back, unless the unit is stopped. */
static void long_batch_holds_back_last_reports(struct kunit *test)
{
	static const struct gpuoa_format_desc small = { .size = 64, .header = &gpuoa_header_hsw };
	struct tail_fixture *fix = test->priv;
	void *pages[SZ_256K / PAGE_SIZE];
	struct gpuoa_tail_check *check = &fix->check;
	u64 now = START + 4096 * 1024ULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		pages[i] = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, pages[i]);
	}
	gpuoa_tail_check_init(check, pages, SZ_256K, &small, false, LAG, false);
	gpuoa_tail_check_start(check, 0, START);
	land_small(pages, 4000);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_needed(2047), 2047);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(check, 2175 * 64, now), 2174);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(check, 2176 * 64, now), 2048);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_needed(2048), 2176);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(check, 4000 * 64, now), 3872);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update_all(check, 4000 * 64, now), 3999);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update_idle(check, 4000 * 64, now), 4000);
	/* An announced report that has not arrived does not prove its predecessors complete. */
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(check, 4090 * 64, now), 3962);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(check, 4064 * 64, now), 3936);
	gpuoa_tail_check_consume(check, 3936, now);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_update(check, 4064 * 64, now), 63);
}

static void equal_timestamp_is_new(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	stream_up_to(test, 0, SLOTS);
	land_all(fix, SLOTS, SLOTS + 2);
	((u32 *)fix->pages[0])[REPORT_SIZE / 4 + 1] = time_of(fix, SLOTS);
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, SLOTS + 2), 2);
}

/*
 * The lap takes exactly as long as the timestamp wrap, so a stale report has the timestamp of the
 * expected one. The reader releases each slot after consuming it.
 */
static void lap_as_long_as_wrap_detects_stale_reports(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u32 n;

	begin(fix, &format_32, 1ULL << 23, true);
	KUNIT_ASSERT_EQ(test, fix->period * SLOTS, 1ULL << 32);
	for (n = 0; n < 3 * SLOTS; n++) {
		/* Announced, but not yet arrived */
		KUNIT_ASSERT_EQ(test, count_landed(fix, n + 1, 0), 0);
		KUNIT_ASSERT_EQ(test, count_landed(fix, n + 1, 1000 * LAG), 0);
		land(fix, n);
		KUNIT_ASSERT_EQ(test, count_landed(fix, n + 1, 0), n ? 1 : 0);
		consume(fix, n + 1, n ? 1 : 0);
		KUNIT_ASSERT_EQ(test, gpuoa_tail_check_release(&fix->check, fix->check.tail),
				fix->check.tail);
	}
}

/* Slots that the reader has not released are unchanged. */
static void released_slots_are_cleared(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	const u32 *second = fix->pages[0] + REPORT_SIZE;

	begin(fix, &format_32, 1ULL << 23, true);
	gpuoa_tail_check_release(&fix->check, 0);
	land_all(fix, 0, 4);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 4, 0), 3);
	consume(fix, 4, 3);
	gpuoa_tail_check_release(&fix->check, REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, ((u32 *)fix->pages[0])[0], 0);
	KUNIT_EXPECT_EQ(test, ((u32 *)fix->pages[0])[1], 0);
	KUNIT_EXPECT_EQ(test, second[0], 1);
	KUNIT_EXPECT_EQ(test, second[1], (u32)time_of(fix, 1));
	/* When timestamps suffice to detect stale reports, the reader's memory is not written. */
	begin(fix, &format_32, 1024, false);
	land_all(fix, 0, 2);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_release(&fix->check, REPORT_SIZE), REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, ((u32 *)fix->pages[0])[0], 1);
}

/* The unit was off while the whole buffer was released. */
static void pause_as_long_as_wrap_detects_stale_reports(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u32 n = SLOTS;

	begin(fix, &format_32, 1ULL << 23, true);
	land_all(fix, 0, SLOTS);
	gpuoa_tail_check_start(&fix->check, 0, time_of(fix, n - 1));
	gpuoa_tail_check_release(&fix->check, 0);
	/* These slots held stale reports with the expected timestamps. */
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, n + 5), 0);
	land_all(fix, n, n + 3);
	KUNIT_EXPECT_EQ(test, count_landed(fix, n + 5, 0), 2);
}

static void lap_longer_than_half_wrap_is_ambiguous(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, gpuoa_tail_check_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 23));
	KUNIT_EXPECT_TRUE(test, gpuoa_tail_check_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 22));
	KUNIT_EXPECT_FALSE(test, gpuoa_tail_check_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 21));
	KUNIT_EXPECT_TRUE(test, gpuoa_tail_check_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 32));
	KUNIT_EXPECT_FALSE(test, gpuoa_tail_check_ambiguous(&format_64, BUFFER_SIZE, 1ULL << 32));
}

static void wide_timestamps_distinguish_laps(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;

	begin(fix, &format_64, 1ULL << 23, false);
	stream_up_to(test, 0, 3 * SLOTS);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 3 * SLOTS + 1, LAG), 0);
	land_all(fix, 3 * SLOTS, 3 * SLOTS + 2);
	KUNIT_EXPECT_EQ(test, count_landed(fix, 3 * SLOTS + 2, LAG), 1);
}

/* A missing report is skipped when it is old and later reports have arrived. */
static void old_missing_report_is_skipped(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u64 now;
	u32 before;

	stream_up_to(test, 0, SLOTS);
	land_all(fix, SLOTS, SLOTS + 2);
	land_all(fix, SLOTS + 3, SLOTS + 9);
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS + 9, 0), 1);
	consume(fix, SLOTS + 9, 1);

	now = time_of(fix, SLOTS + 8);
	KUNIT_EXPECT_EQ(test, find_missing(fix, SLOTS + 9, now, &before), 0);
	now += 49 * LAG;
	KUNIT_EXPECT_EQ(test, find_missing(fix, SLOTS + 9, now, &before), 0);
	KUNIT_EXPECT_EQ(test, before, 0);
	now += LAG;
	KUNIT_EXPECT_EQ(test, find_missing(fix, SLOTS + 9, now, &before), 1);
	KUNIT_EXPECT_EQ(test, before, 1);
	consume(fix, SLOTS + 9, 1);
	gpuoa_tail_check_skip(&fix->check, 1);
	/* The stale report of the last lap was cleared. */
	KUNIT_EXPECT_EQ(test, ((u32 *)(fix->pages[0] + 2 * REPORT_SIZE))[1], 0);
	KUNIT_EXPECT_EQ(test, count_landed(fix, SLOTS + 9, 0), 5);
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, SLOTS + 9), 6);
}

static void last_report_is_not_missing(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u64 now = time_of(fix, 0);
	u32 before, n;

	land(fix, 0);
	for (n = 0; n < 10; n++, now += 100 * LAG) {
		KUNIT_EXPECT_EQ(test, find_missing(fix, 1, now, &before), 0);
		KUNIT_EXPECT_EQ(test, before, 0);
		/* If no later report has arrived, nothing is skipped. */
		KUNIT_EXPECT_EQ(test, find_missing(fix, 9, now, &before), 0);
		KUNIT_EXPECT_EQ(test, before, 0);
	}
}

static void stopped_unit_skips_missing_reports(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u64 now = time_of(fix, 9);
	u32 tail = offset_of(fix, 9);

	land(fix, 0);
	land(fix, 4);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_missing_idle(&fix->check, tail, now), 0);
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, 9), 1);
	gpuoa_tail_check_consume(&fix->check, 1, now);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_missing_idle(&fix->check, tail, now), 3);
	gpuoa_tail_check_skip(&fix->check, 3);
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, 9), 1);
	gpuoa_tail_check_consume(&fix->check, 1, now);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_missing_idle(&fix->check, tail, now), 4);
	gpuoa_tail_check_skip(&fix->check, 4);
	KUNIT_EXPECT_EQ(test, gpuoa_tail_check_missing_idle(&fix->check, tail, now), 0);
}

static void unsplit_reports_leave_rest_of_buffer_unused(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u32 n;

	begin(fix, &format_576, 1024, false);
	n = slots(fix);
	KUNIT_EXPECT_EQ(test, fix->check.size, n * 576);
	stream_up_to(test, 0, n - 1);
	land_all(fix, n - 1, n + 2);
	KUNIT_EXPECT_EQ(test, count_landed(fix, n + 2, LAG), 2);
	KUNIT_EXPECT_EQ(test, count_landed_idle(fix, n + 2), 3);
	consume(fix, n + 2, 3);
	KUNIT_EXPECT_EQ(test, fix->check.tail, 2 * 576);
}

/*
 * In each lap, the reports have other offsets. Where a header will be, there are counters of an old
 * report: here all ones, or a time shortly before that of the first report.
 */
static void split_reports_use_the_whole_buffer(struct kunit *test)
{
	struct tail_fixture *fix = test->priv;
	u32 n, i, k;

	fix->split = true;
	fix->format = &format_576;
	for (i = 0; i < ARRAY_SIZE(fix->pages); i++)
		for (k = 0; k < PAGE_SIZE / sizeof(u64); k++)
			((u64 *)fix->pages[i])[k] = i % 2 ? U64_MAX : START - LAG;
	gpuoa_tail_check_init(&fix->check, fix->pages, BUFFER_SIZE, fix->format, true, LAG, false);
	gpuoa_tail_check_start(&fix->check, 0, START);
	KUNIT_EXPECT_EQ(test, fix->check.size, BUFFER_SIZE);
	for (n = 0; n < 4 * slots(fix); n += 5) {
		/* All are announced, but only the first 3 have landed. */
		land_all(fix, n, n + 3);
		KUNIT_EXPECT_EQ(test, count_landed(fix, n + 5, LAG), 2);
		land_all(fix, n + 3, n + 5);
		KUNIT_EXPECT_EQ(test, count_landed(fix, n + 5, LAG), 4);
		KUNIT_EXPECT_EQ(test, count_landed_idle(fix, n + 5), 5);
		consume(fix, n + 5, 5);
		KUNIT_EXPECT_EQ(test, fix->check.tail, offset_of(fix, n + 5));
	}
}

static struct kunit_case tail_check_cases[] = {
	KUNIT_CASE(empty_buffer_has_no_reports),
	KUNIT_CASE(report_is_held_back_until_next_is_visible),
	KUNIT_CASE(age_does_not_prove_report_complete),
	KUNIT_CASE(stopped_unit_delivers_last_report),
	KUNIT_CASE(tail_ahead_of_memory_is_ignored),
	KUNIT_CASE(late_report_is_not_skipped),
	KUNIT_CASE(tail_inside_a_report_is_rounded_down),
	KUNIT_CASE(tail_beyond_the_end_is_wrapped),
	KUNIT_CASE(stale_reports_are_not_consumed),
	KUNIT_CASE(reports_of_previous_run_are_not_consumed),
	KUNIT_CASE(scrambled_writes_deliver_each_report_once_in_order),
	KUNIT_CASE(visible_report_proves_preceding_ones_complete),
	KUNIT_CASE(long_batch_holds_back_last_reports),
	KUNIT_CASE(equal_timestamp_is_new),
	KUNIT_CASE(lap_as_long_as_wrap_detects_stale_reports),
	KUNIT_CASE(released_slots_are_cleared),
	KUNIT_CASE(pause_as_long_as_wrap_detects_stale_reports),
	KUNIT_CASE(lap_longer_than_half_wrap_is_ambiguous),
	KUNIT_CASE(old_missing_report_is_skipped),
	KUNIT_CASE(last_report_is_not_missing),
	KUNIT_CASE(stopped_unit_skips_missing_reports),
	KUNIT_CASE(wide_timestamps_distinguish_laps),
	KUNIT_CASE(unsplit_reports_leave_rest_of_buffer_unused),
	KUNIT_CASE(split_reports_use_the_whole_buffer),
	{}
};

static struct kunit_suite tail_check_suite = {
	.name = "gpuoa_tail_check",
	.init = tail_test_init,
	.test_cases = tail_check_cases,
};

kunit_test_suite(tail_check_suite);
