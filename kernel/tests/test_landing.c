// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_landing.c - detection of complete reports in a buffer with zero-copy delivery.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/sizes.h>

#include "../core/stream/gpuoa_tail_check.h"

#define BUFFER_SIZE SZ_128K
#define REPORT_SIZE 256
#define SLOTS (BUFFER_SIZE / REPORT_SIZE)
#define LAG 1250
#define START 0x7ffff0000ULL /* the lower 32 bits wrap soon */

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
 * struct landing_fixture - a unit that writes a report every @period ticks
 * @landing: state under test
 * @pages: pages of the buffer
 * @format: report format
 * @period: timer period, ticks
 */
struct landing_fixture {
	struct gpuoa_landing landing;
	void *pages[BUFFER_SIZE / PAGE_SIZE];
	const struct gpuoa_format_desc *format;
	u64 period;
};

static int landing_test_init(struct kunit *test)
{
	struct landing_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, fix);
	for (i = 0; i < ARRAY_SIZE(fix->pages); i++) {
		fix->pages[i] = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, fix->pages[i]);
	}
	fix->format = &format_32;
	fix->period = 1024;
	gpuoa_landing_init(&fix->landing, fix->pages, BUFFER_SIZE, fix->format, LAG, false);
	gpuoa_landing_start(&fix->landing, 0, START);
	test->priv = fix;

	return 0;
}

/* Restart with another report format or period. */
static void begin(struct landing_fixture *fix, const struct gpuoa_format_desc *format, u64 period,
		  bool clears)
{
	fix->format = format;
	fix->period = period;
	gpuoa_landing_init(&fix->landing, fix->pages, BUFFER_SIZE, format, LAG, clears);
	gpuoa_landing_start(&fix->landing, 0, START);
}

static u32 slots(const struct landing_fixture *fix)
{
	return BUFFER_SIZE / fix->format->size;
}

static u64 time_of(const struct landing_fixture *fix, u32 n)
{
	return START + (n + 1) * fix->period;
}

static u32 offset_of(const struct landing_fixture *fix, u32 n)
{
	return n % slots(fix) * fix->format->size;
}

/* Write report @n to its slot. */
static void land(struct landing_fixture *fix, u32 n)
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

static void land_all(struct landing_fixture *fix, u32 from, u32 to)
{
	while (from < to)
		land(fix, from++);
}

/* Number of complete reports if the tail is after report @n - 1, which is @age ticks old */
static u32 look(struct landing_fixture *fix, u32 n, u64 age)
{
	return gpuoa_landing_update(&fix->landing, offset_of(fix, n), time_of(fix, n - 1) + age);
}

/* The same for a stopped unit */
static u32 look_idle(struct landing_fixture *fix, u32 n)
{
	return gpuoa_landing_update_idle(&fix->landing, offset_of(fix, n), time_of(fix, n - 1));
}

static void take(struct landing_fixture *fix, u32 n, u32 count)
{
	gpuoa_landing_take(&fix->landing, count, time_of(fix, n - 1) + LAG);
}

/* Write and consume all reports before @n, lap by lap. */
static void stream_up_to(struct kunit *test, u32 from, u32 to)
{
	struct landing_fixture *fix = test->priv;
	u32 step;

	for (; from < to; from += step) {
		step = min(to - from, slots(fix) / 4);
		land_all(fix, from, from + step);
		KUNIT_ASSERT_EQ(test, look(fix, from + step, LAG), step - 1);
		KUNIT_ASSERT_EQ(test, look_idle(fix, from + step), step);
		take(fix, from + step, step);
	}
}

static void empty_buffer_has_nothing(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(&fix->landing, 0, START), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(&fix->landing, 0, START), 0);
	/* The tail has passed slots that are still zero. */
	KUNIT_EXPECT_EQ(test, look(fix, 100, 2 * LAG), 0);
}

static void report_is_held_back_until_the_next_shows(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, look(fix, 1, 0), 0);
	land(fix, 1);
	KUNIT_EXPECT_EQ(test, look(fix, 2, 0), 1);
}

/* The age of an announced report does not prove it complete: on DG2, old ones were incomplete. */
static void age_alone_is_no_evidence(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, look(fix, 1, 1000 * LAG), 0);
	land_all(fix, 1, 300);
	KUNIT_EXPECT_EQ(test, look(fix, 300, 1000 * LAG), 299);
}

static void idle_unit_gives_its_last_report(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, look_idle(fix, 3), 3);
	/* A report that never arrived is not delivered. */
	KUNIT_EXPECT_EQ(test, look_idle(fix, 5), 3);
}

static void tail_ahead_of_landed_data_is_not_believed(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, look(fix, 10, 0), 2);
	KUNIT_EXPECT_EQ(test, look(fix, 10, 10 * LAG), 2);
	land(fix, 3);
	KUNIT_EXPECT_EQ(test, look(fix, 10, 0), 3);
}

static void report_that_lands_late_is_not_passed_over(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 2);
	land_all(fix, 3, 10);
	KUNIT_EXPECT_EQ(test, look(fix, 10, LAG), 1);
	land(fix, 2);
	KUNIT_EXPECT_EQ(test, look(fix, 10, LAG), 9);
}

static void tail_inside_a_report_is_rounded_down(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(&fix->landing, 2 * REPORT_SIZE + 192,
						   time_of(fix, 1) + LAG), 1);
}

static void tail_beyond_the_end_is_wrapped(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(&fix->landing, ~0, START + LAG), 0);
}

static void what_is_left_over_is_not_taken(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	stream_up_to(test, 0, SLOTS);
	/* All slots still hold reports of the first lap. */
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 100, 0), 0);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 100, 100 * LAG), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(&fix->landing,
							offset_of(fix, SLOTS + 100),
							time_of(fix, SLOTS + 100)), 0);
	land_all(fix, SLOTS, SLOTS + 7);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 100, 0), 6);
}

static void what_is_left_over_from_another_run_is_not_taken(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	stream_up_to(test, 0, 3 * SLOTS / 2);
	gpuoa_landing_start(&fix->landing, 0, time_of(fix, 4 * SLOTS));
	KUNIT_EXPECT_EQ(test, look(fix, 4 * SLOTS + 50, 100), 0);
	land_all(fix, 4 * SLOTS, 4 * SLOTS + 3);
	KUNIT_EXPECT_EQ(test, look(fix, 4 * SLOTS + 50, 100), 2);
}

/* Reports arrive in any order, up to 64 at a time, over several laps. */
static void scrambled_order_gives_each_report_once_and_in_order(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
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
			count = look(fix, n + 64, i);
			taken += count;
			take(fix, n + 64, count);
			KUNIT_ASSERT_TRUE(test, taken <= n + 64);
			KUNIT_ASSERT_TRUE(test, !taken || taken <= n ||
					  !memchr(landed, false, taken - n));
			if (count)
				KUNIT_ASSERT_EQ(test, fix->landing.last, time_of(fix, taken - 1));
		}
		KUNIT_ASSERT_EQ(test, taken, n + 63);
	}
}

static void reports_that_show_vouch_for_those_before(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	fix->period = 2;
	land_all(fix, 0, SLOTS - 1);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, 0), SLOTS - 2);
	((u32 *)fix->pages[0])[1] = 0;
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, 0), SLOTS - 2);
	/* The most recent reports are checked one by one. */
	((u32 *)fix->pages[(SLOTS - 64) * REPORT_SIZE >> PAGE_SHIFT])[1] = 0;
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, 0), SLOTS - 65);
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
static void of_many_the_last_ones_wait(struct kunit *test)
{
	static const struct gpuoa_format_desc small = { .size = 64, .header = &gpuoa_header_hsw };
	struct landing_fixture *fix = test->priv;
	void *pages[SZ_256K / PAGE_SIZE];
	struct gpuoa_landing *landing = &fix->landing;
	u64 now = START + 4096 * 1024ULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		pages[i] = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, pages[i]);
	}
	gpuoa_landing_init(landing, pages, SZ_256K, &small, LAG, false);
	gpuoa_landing_start(landing, 0, START);
	land_small(pages, 4000);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_ahead(2047), 2047);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(landing, 2175 * 64, now), 2174);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(landing, 2176 * 64, now), 2048);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_ahead(2048), 2176);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(landing, 4000 * 64, now), 3872);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_all(landing, 4000 * 64, now), 3999);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(landing, 4000 * 64, now), 4000);
	/* An announced report that has not arrived does not prove its predecessors complete. */
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(landing, 4090 * 64, now), 3962);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(landing, 4064 * 64, now), 3936);
	gpuoa_landing_take(landing, 3936, now);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(landing, 4064 * 64, now), 63);
}

static void equal_timestamps_are_new(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	stream_up_to(test, 0, SLOTS);
	land_all(fix, SLOTS, SLOTS + 2);
	((u32 *)fix->pages[0])[REPORT_SIZE / 4 + 1] = time_of(fix, SLOTS);
	KUNIT_EXPECT_EQ(test, look_idle(fix, SLOTS + 2), 2);
}

/*
 * The lap takes exactly as long as the timestamp wrap, so a stale report has the timestamp of the
 * expected one. The reader releases each slot after consuming it.
 */
static void laps_as_long_as_the_wrap(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u32 n;

	begin(fix, &format_32, 1ULL << 23, true);
	KUNIT_ASSERT_EQ(test, fix->period * SLOTS, 1ULL << 32);
	for (n = 0; n < 3 * SLOTS; n++) {
		/* Announced, but not yet arrived */
		KUNIT_ASSERT_EQ(test, look(fix, n + 1, 0), 0);
		KUNIT_ASSERT_EQ(test, look(fix, n + 1, 1000 * LAG), 0);
		land(fix, n);
		KUNIT_ASSERT_EQ(test, look(fix, n + 1, 0), n ? 1 : 0);
		take(fix, n + 1, n ? 1 : 0);
		KUNIT_ASSERT_EQ(test, gpuoa_landing_release(&fix->landing, fix->landing.tail),
				fix->landing.tail);
	}
}

/* Slots that the reader has not released are unchanged. */
static void slots_are_cleared_when_they_are_given_back(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	const u32 *second = fix->pages[0] + REPORT_SIZE;

	begin(fix, &format_32, 1ULL << 23, true);
	gpuoa_landing_release(&fix->landing, 0);
	land_all(fix, 0, 4);
	KUNIT_EXPECT_EQ(test, look(fix, 4, 0), 3);
	take(fix, 4, 3);
	gpuoa_landing_release(&fix->landing, REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, ((u32 *)fix->pages[0])[0], 0);
	KUNIT_EXPECT_EQ(test, ((u32 *)fix->pages[0])[1], 0);
	KUNIT_EXPECT_EQ(test, second[0], 1);
	KUNIT_EXPECT_EQ(test, second[1], (u32)time_of(fix, 1));
	/* When timestamps suffice to detect stale reports, the reader's memory is not written. */
	begin(fix, &format_32, 1024, false);
	land_all(fix, 0, 2);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_release(&fix->landing, REPORT_SIZE), REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, ((u32 *)fix->pages[0])[0], 1);
}

/* The unit was off while the whole buffer was released. */
static void a_pause_as_long_as_the_wrap(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u32 n = SLOTS;

	begin(fix, &format_32, 1ULL << 23, true);
	land_all(fix, 0, SLOTS);
	gpuoa_landing_start(&fix->landing, 0, time_of(fix, n - 1));
	gpuoa_landing_release(&fix->landing, 0);
	/* These slots held stale reports with the expected timestamps. */
	KUNIT_EXPECT_EQ(test, look_idle(fix, n + 5), 0);
	land_all(fix, n, n + 3);
	KUNIT_EXPECT_EQ(test, look(fix, n + 5, 0), 2);
}

static void long_laps_are_known(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, gpuoa_landing_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 23));
	KUNIT_EXPECT_TRUE(test, gpuoa_landing_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 22));
	KUNIT_EXPECT_FALSE(test, gpuoa_landing_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 21));
	KUNIT_EXPECT_TRUE(test, gpuoa_landing_ambiguous(&format_32, BUFFER_SIZE, 1ULL << 32));
	KUNIT_EXPECT_FALSE(test, gpuoa_landing_ambiguous(&format_64, BUFFER_SIZE, 1ULL << 32));
}

static void wide_timestamps(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	begin(fix, &format_64, 1ULL << 23, false);
	stream_up_to(test, 0, 3 * SLOTS);
	KUNIT_EXPECT_EQ(test, look(fix, 3 * SLOTS + 1, LAG), 0);
	land_all(fix, 3 * SLOTS, 3 * SLOTS + 2);
	KUNIT_EXPECT_EQ(test, look(fix, 3 * SLOTS + 2, LAG), 1);
}

/* A missing report is skipped when it is old and later reports have arrived. */
static void a_hole_is_passed(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u64 now;
	u32 before;

	stream_up_to(test, 0, SLOTS);
	land_all(fix, SLOTS, SLOTS + 2);
	land_all(fix, SLOTS + 3, SLOTS + 9);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 9, 0), 1);
	take(fix, SLOTS + 9, 1);

	now = time_of(fix, SLOTS + 8);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole(&fix->landing, offset_of(fix, SLOTS + 9), now,
						 &before), 0);
	now += 49 * LAG;
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole(&fix->landing, offset_of(fix, SLOTS + 9), now,
						 &before), 0);
	KUNIT_EXPECT_EQ(test, before, 0);
	now += LAG;
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole(&fix->landing, offset_of(fix, SLOTS + 9), now,
						 &before), 1);
	KUNIT_EXPECT_EQ(test, before, 1);
	take(fix, SLOTS + 9, 1);
	gpuoa_landing_skip(&fix->landing, 1);
	/* The stale report of the last lap was cleared. */
	KUNIT_EXPECT_EQ(test, ((u32 *)(fix->pages[0] + 2 * REPORT_SIZE))[1], 0);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 9, 0), 5);
	KUNIT_EXPECT_EQ(test, look_idle(fix, SLOTS + 9), 6);
}

static void the_last_report_is_no_hole(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u64 now = time_of(fix, 0);
	u32 before, n;

	land(fix, 0);
	for (n = 0; n < 10; n++, now += 100 * LAG) {
		KUNIT_EXPECT_EQ(test, gpuoa_landing_hole(&fix->landing, offset_of(fix, 1), now,
							 &before), 0);
		KUNIT_EXPECT_EQ(test, before, 0);
		/* If no later report has arrived, nothing is skipped. */
		KUNIT_EXPECT_EQ(test, gpuoa_landing_hole(&fix->landing, offset_of(fix, 9), now,
							 &before), 0);
		KUNIT_EXPECT_EQ(test, before, 0);
	}
}

static void holes_of_a_stopped_unit(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u64 now = time_of(fix, 9);
	u32 tail = offset_of(fix, 9);

	land(fix, 0);
	land(fix, 4);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole_idle(&fix->landing, tail, now), 0);
	KUNIT_EXPECT_EQ(test, look_idle(fix, 9), 1);
	gpuoa_landing_take(&fix->landing, 1, now);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole_idle(&fix->landing, tail, now), 3);
	gpuoa_landing_skip(&fix->landing, 3);
	KUNIT_EXPECT_EQ(test, look_idle(fix, 9), 1);
	gpuoa_landing_take(&fix->landing, 1, now);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole_idle(&fix->landing, tail, now), 4);
	gpuoa_landing_skip(&fix->landing, 4);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_hole_idle(&fix->landing, tail, now), 0);
}

static void whole_reports_leave_the_rest_alone(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u32 n;

	begin(fix, &format_576, 1024, false);
	n = slots(fix);
	KUNIT_EXPECT_EQ(test, fix->landing.size, n * 576);
	stream_up_to(test, 0, n - 1);
	land_all(fix, n - 1, n + 2);
	KUNIT_EXPECT_EQ(test, look(fix, n + 2, LAG), 2);
	KUNIT_EXPECT_EQ(test, look_idle(fix, n + 2), 3);
	take(fix, n + 2, 3);
	KUNIT_EXPECT_EQ(test, fix->landing.tail, 2 * 576);
}

static struct kunit_case landing_cases[] = {
	KUNIT_CASE(empty_buffer_has_nothing),
	KUNIT_CASE(report_is_held_back_until_the_next_shows),
	KUNIT_CASE(age_alone_is_no_evidence),
	KUNIT_CASE(idle_unit_gives_its_last_report),
	KUNIT_CASE(tail_ahead_of_landed_data_is_not_believed),
	KUNIT_CASE(report_that_lands_late_is_not_passed_over),
	KUNIT_CASE(tail_inside_a_report_is_rounded_down),
	KUNIT_CASE(tail_beyond_the_end_is_wrapped),
	KUNIT_CASE(what_is_left_over_is_not_taken),
	KUNIT_CASE(what_is_left_over_from_another_run_is_not_taken),
	KUNIT_CASE(scrambled_order_gives_each_report_once_and_in_order),
	KUNIT_CASE(reports_that_show_vouch_for_those_before),
	KUNIT_CASE(of_many_the_last_ones_wait),
	KUNIT_CASE(equal_timestamps_are_new),
	KUNIT_CASE(laps_as_long_as_the_wrap),
	KUNIT_CASE(slots_are_cleared_when_they_are_given_back),
	KUNIT_CASE(a_pause_as_long_as_the_wrap),
	KUNIT_CASE(long_laps_are_known),
	KUNIT_CASE(a_hole_is_passed),
	KUNIT_CASE(the_last_report_is_no_hole),
	KUNIT_CASE(holes_of_a_stopped_unit),
	KUNIT_CASE(wide_timestamps),
	KUNIT_CASE(whole_reports_leave_the_rest_alone),
	{}
};

static struct kunit_suite landing_suite = {
	.name = "gpuoa_landing",
	.init = landing_test_init,
	.test_cases = landing_cases,
};

kunit_test_suite(landing_suite);
