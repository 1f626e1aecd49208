// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_landing.c - which reports have landed in a buffer that nobody clears.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/sizes.h>

#include "../core/stream/landing.h"

#define BUFFER_SIZE SZ_128K
#define REPORT_SIZE 256
#define SLOTS (BUFFER_SIZE / REPORT_SIZE)
#define SETTLE 1250
#define START 0x7ffff0000ULL /* its lower half wraps soon */

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
 * struct landing_fixture - a unit that writes a report each @period ticks
 * @landing: under test
 * @pages: the buffer
 * @format: format of the reports
 * @period: ticks
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
	gpuoa_landing_init(&fix->landing, fix->pages, BUFFER_SIZE, fix->format, SETTLE, START);
	test->priv = fix;

	return 0;
}

/* A unit with other reports, or another period. */
static void begin(struct landing_fixture *fix, const struct gpuoa_format_desc *format, u64 period)
{
	fix->format = format;
	fix->period = period;
	gpuoa_landing_init(&fix->landing, fix->pages, BUFFER_SIZE, format, SETTLE, START);
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

/* Report @n of the stream lands. */
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

/* What can be taken when reports before @n are announced and the last of them is @age old? */
static u32 look(struct landing_fixture *fix, u32 n, u64 age)
{
	return gpuoa_landing_update(&fix->landing, offset_of(fix, n), time_of(fix, n - 1) + age);
}

static void take(struct landing_fixture *fix, u32 n, u32 count)
{
	gpuoa_landing_take(&fix->landing, count, time_of(fix, n - 1) + SETTLE);
}

/* All reports before @n land and are taken, lap by lap. */
static void stream_up_to(struct kunit *test, u32 from, u32 to)
{
	struct landing_fixture *fix = test->priv;
	u32 step;

	for (; from < to; from += step) {
		step = min(to - from, slots(fix) / 4);
		land_all(fix, from, from + step);
		KUNIT_ASSERT_EQ(test, look(fix, from + step, SETTLE), step);
		take(fix, from + step, step);
	}
}

static void empty_buffer_has_nothing(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(&fix->landing, 0, START), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(&fix->landing, 0, START), 0);
	/* Announced, but not there: slots of zeros. */
	KUNIT_EXPECT_EQ(test, look(fix, 100, 2 * SETTLE), 0);
}

static void report_is_held_back_until_the_next_shows(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, look(fix, 1, 0), 0);
	land(fix, 1);
	KUNIT_EXPECT_EQ(test, look(fix, 2, 0), 1);
}

static void report_is_held_back_until_it_has_settled(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, look(fix, 1, SETTLE - 1), 0);
	KUNIT_EXPECT_EQ(test, look(fix, 1, SETTLE), 1);
}

static void idle_unit_gives_its_last_report(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(&fix->landing, offset_of(fix, 3),
							time_of(fix, 2)), 3);
	/* What never landed is not delivered. */
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(&fix->landing, offset_of(fix, 5),
							time_of(fix, 4)), 3);
}

static void tail_ahead_of_landed_data_is_not_believed(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 3);
	KUNIT_EXPECT_EQ(test, look(fix, 10, 0), 3);
	KUNIT_EXPECT_EQ(test, look(fix, 10, 10 * SETTLE), 3);
	land(fix, 3);
	KUNIT_EXPECT_EQ(test, look(fix, 10, 0), 4);
}

static void report_that_lands_late_is_not_passed_over(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 2);
	land_all(fix, 3, 10);
	KUNIT_EXPECT_EQ(test, look(fix, 10, SETTLE), 2);
	land(fix, 2);
	KUNIT_EXPECT_EQ(test, look(fix, 10, SETTLE), 10);
}

static void tail_inside_a_report_is_rounded_down(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	land_all(fix, 0, 2);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(&fix->landing, REPORT_SIZE + 192,
						   time_of(fix, 1) + SETTLE), 1);
}

static void tail_beyond_the_end_is_wrapped(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_landing_update(&fix->landing, ~0, START + SETTLE), 0);
}

static void what_is_left_over_is_not_taken(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	stream_up_to(test, 0, SLOTS);
	/* All slots show reports of the first lap. */
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 100, 0), 0);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 100, 100 * SETTLE), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_landing_update_idle(&fix->landing,
							offset_of(fix, SLOTS + 100),
							time_of(fix, SLOTS + 100)), 0);
	land_all(fix, SLOTS, SLOTS + 7);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 100, 0), 7);
}

static void what_is_left_over_from_another_run_is_not_taken(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	stream_up_to(test, 0, 3 * SLOTS / 2);
	gpuoa_landing_start(&fix->landing, 0, time_of(fix, 4 * SLOTS));
	KUNIT_EXPECT_EQ(test, look(fix, 4 * SLOTS + 50, 100), 0);
	land_all(fix, 4 * SLOTS, 4 * SLOTS + 3);
	KUNIT_EXPECT_EQ(test, look(fix, 4 * SLOTS + 50, 100), 3);
}

/* Reports land in any order, up to 64 at a time, over several laps. */
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
		KUNIT_ASSERT_EQ(test, taken, n + 64);
	}
}

static void reports_of_age_vouch_for_those_before(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	fix->period = 2;
	land_all(fix, 0, SLOTS - 1);
	/* All are younger than that: all are looked at. */
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, 0), SLOTS - 2);
	((u32 *)fix->pages[0])[1] = 0;
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, 0), 0);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, SETTLE), SLOTS - 1);
	/* But not one of the last ones. */
	((u32 *)fix->pages[(SLOTS - 64) * REPORT_SIZE >> PAGE_SHIFT])[1] = 0;
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS - 1, SETTLE), SLOTS - 64);
}

static void equal_timestamps_are_new(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	stream_up_to(test, 0, SLOTS);
	land_all(fix, SLOTS, SLOTS + 2);
	((u32 *)fix->pages[0])[REPORT_SIZE / 4 + 1] = time_of(fix, SLOTS);
	KUNIT_EXPECT_EQ(test, look(fix, SLOTS + 2, SETTLE), 2);
}

/* A lap is exactly as long as the timestamp's wrap: what is left over looks like what is due. */
static void laps_as_long_as_the_wrap(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u32 n;

	begin(fix, &format_32, 1ULL << 23);
	KUNIT_ASSERT_EQ(test, fix->period * SLOTS, 1ULL << 32);
	for (n = 0; n < 2 * SLOTS; n++) {
		land(fix, n);
		KUNIT_ASSERT_EQ(test, look(fix, n + 1, 0) + look(fix, n + 1, SETTLE), 1);
		take(fix, n + 1, 1);
	}

	/* Announced, but it did not land yet; nobody can see that. */
	KUNIT_EXPECT_EQ(test, look(fix, n + 1, 0), 0);
	KUNIT_EXPECT_EQ(test, look(fix, n + 1, 1), 0);
	land(fix, n);
	KUNIT_EXPECT_EQ(test, look(fix, n + 1, SETTLE - 1), 0);
	KUNIT_EXPECT_EQ(test, look(fix, n + 1, SETTLE), 1);
}

/* The unit was off for as long as the wrap, and timestamps are not trusted until a lap later. */
static void a_pause_as_long_as_the_wrap(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u32 n = SLOTS + (1ULL << 32) / fix->period;

	stream_up_to(test, 0, SLOTS);
	KUNIT_ASSERT_EQ(test, offset_of(fix, n), 0);
	gpuoa_landing_start(&fix->landing, 0, time_of(fix, n - 1));
	/* These slots show just what is due. */
	KUNIT_EXPECT_EQ(test, look(fix, n + 5, 0), 0);
	KUNIT_EXPECT_EQ(test, look(fix, n + 5, SETTLE - 1), 0);
}

static void wide_timestamps(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;

	begin(fix, &format_64, 1ULL << 23);
	stream_up_to(test, 0, 3 * SLOTS);
	KUNIT_EXPECT_EQ(test, look(fix, 3 * SLOTS + 1, SETTLE), 0);
	land(fix, 3 * SLOTS);
	KUNIT_EXPECT_EQ(test, look(fix, 3 * SLOTS + 1, SETTLE), 1);
}

static void whole_reports_leave_the_rest_alone(struct kunit *test)
{
	struct landing_fixture *fix = test->priv;
	u32 n;

	begin(fix, &format_576, 1024);
	n = slots(fix);
	KUNIT_EXPECT_EQ(test, fix->landing.size, n * 576);
	stream_up_to(test, 0, n - 1);
	land_all(fix, n - 1, n + 2);
	KUNIT_EXPECT_EQ(test, look(fix, n + 2, SETTLE), 3);
	take(fix, n + 2, 3);
	KUNIT_EXPECT_EQ(test, fix->landing.tail, 2 * 576);
}

static struct kunit_case landing_cases[] = {
	KUNIT_CASE(empty_buffer_has_nothing),
	KUNIT_CASE(report_is_held_back_until_the_next_shows),
	KUNIT_CASE(report_is_held_back_until_it_has_settled),
	KUNIT_CASE(idle_unit_gives_its_last_report),
	KUNIT_CASE(tail_ahead_of_landed_data_is_not_believed),
	KUNIT_CASE(report_that_lands_late_is_not_passed_over),
	KUNIT_CASE(tail_inside_a_report_is_rounded_down),
	KUNIT_CASE(tail_beyond_the_end_is_wrapped),
	KUNIT_CASE(what_is_left_over_is_not_taken),
	KUNIT_CASE(what_is_left_over_from_another_run_is_not_taken),
	KUNIT_CASE(scrambled_order_gives_each_report_once_and_in_order),
	KUNIT_CASE(reports_of_age_vouch_for_those_before),
	KUNIT_CASE(equal_timestamps_are_new),
	KUNIT_CASE(laps_as_long_as_the_wrap),
	KUNIT_CASE(a_pause_as_long_as_the_wrap),
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
