// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pace.c - computation of poll intervals.
 */
#include <kunit/test.h>
#include <linux/time64.h>

#include "../core/stream/gpuoa_poll_interval.h"

#define HSW_FREQUENCY 12500000ULL
#define SETTLE 1251 /* 100 us plus one tick */
#define NS(ticks) ((ticks) * 80ULL + 1)

static struct gpuoa_pace pace_of(u32 exponent, bool timer_alone)
{
	struct gpuoa_pace pace;

	gpuoa_pace_init(&pace, HSW_FREQUENCY, exponent, timer_alone);

	return pace;
}

static void waits_until_the_next_report_shows(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);
	u64 last = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_pace_settle(HSW_FREQUENCY), SETTLE);
	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last, last, 1), NS(2 * 1024 + SETTLE));
	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last + 100, last, 1),
			NS(2 * 1024 + SETTLE - 100));
	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last, last, 5), NS(6 * 1024 + SETTLE));
	/* The next report is held back; it will be consumed together with the one after it. */
	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last + 1024 + SETTLE, last, 1), NS(1024));
}

static void waits_not_for_what_is_there(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);
	u64 last = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last + 2 * 1024 + SETTLE, last, 1), 0);
}

static void start_of_the_unit_is_between_reports(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);
	u64 start = 1000 * 1024 + 700;

	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, start, start, 1),
			NS(2 * 1024 + SETTLE - 188));
	start = 1000 * 1024 + 100;
	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, start, start, 1), NS(1024 + 412 + SETTLE));
}

/* If no report came for a long time (the filtered context is idle), wait for the next one. */
static void reports_of_long_ago_do_not_hurry(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);
	u64 now = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, now, 512, 2), NS(3 * 1024 + SETTLE));
}

/* Wait for the late report only, not for the two after it. */
static void late_report_is_expected_at_once(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);
	u64 last = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last + 2 * 1024 + SETTLE + 100, last, 1), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, last + 2 * 1024 + SETTLE + 100, last, 3),
			NS(2 * 1024 - 100));
}

static void long_periods_and_young_clocks(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(31, true);

	KUNIT_EXPECT_EQ(test, gpuoa_pace_until(&pace, 1000, 0, 1),
			NS((3ULL << 31) - 1000 + SETTLE));
}

/* A report written just now may not be visible yet, earlier ones are. */
static void next_report_is_always_ahead(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);
	u64 due = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_pace_next(&pace, due + SETTLE - 1), NS(1));
	KUNIT_EXPECT_EQ(test, gpuoa_pace_next(&pace, due + SETTLE), NS(1024));
	/* Clock values below two periods */
	pace = pace_of(31, true);
	KUNIT_EXPECT_EQ(test, gpuoa_pace_next(&pace, 1000), NS((1ULL << 31) - 1000 + SETTLE));
	KUNIT_EXPECT_EQ(test, gpuoa_pace_next(&pace, 3ULL << 30), NS((3ULL << 30) + SETTLE));
}

static void buffer_fills_by_the_timer_alone(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, true);

	KUNIT_EXPECT_EQ(test, pace.period_ns, 81920);
	KUNIT_EXPECT_EQ(test, gpuoa_pace_fill(&pace, 1000), 81920000);
}

static void buffer_fills_by_context_switches(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(9, false);

	KUNIT_EXPECT_EQ(test, gpuoa_pace_fill(&pace, 1000), 10 * NSEC_PER_MSEC);
	pace = pace_of(0, false);
	KUNIT_EXPECT_EQ(test, gpuoa_pace_fill(&pace, 1000), 160000);
}

static void what_the_timer_does_not_make_is_not_left_for_long(struct kunit *test)
{
	struct gpuoa_pace pace = pace_of(20, false);

	KUNIT_EXPECT_EQ(test, gpuoa_pace_latency(&pace), 40 * NSEC_PER_MSEC);
	pace = pace_of(20, true);
	KUNIT_EXPECT_EQ(test, gpuoa_pace_latency(&pace), U64_MAX);
}

static struct kunit_case pace_cases[] = {
	KUNIT_CASE(waits_until_the_next_report_shows),
	KUNIT_CASE(waits_not_for_what_is_there),
	KUNIT_CASE(start_of_the_unit_is_between_reports),
	KUNIT_CASE(reports_of_long_ago_do_not_hurry),
	KUNIT_CASE(late_report_is_expected_at_once),
	KUNIT_CASE(long_periods_and_young_clocks),
	KUNIT_CASE(next_report_is_always_ahead),
	KUNIT_CASE(buffer_fills_by_the_timer_alone),
	KUNIT_CASE(buffer_fills_by_context_switches),
	KUNIT_CASE(what_the_timer_does_not_make_is_not_left_for_long),
	{}
};

static struct kunit_suite pace_suite = {
	.name = "gpuoa_pace",
	.test_cases = pace_cases,
};

kunit_test_suite(pace_suite);
