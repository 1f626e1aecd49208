// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_poll_interval.c - computation of poll intervals.
 */
#include <kunit/test.h>
#include <linux/time64.h>

#include "../core/stream/gpuoa_poll_interval.h"

#define HSW_FREQUENCY 12500000ULL
#define SETTLE 1251 /* 100 us plus one tick */
#define NS(ticks) ((ticks) * 80ULL + 1)

static struct gpuoa_poll_interval interval_of(u32 exponent, bool timer_alone)
{
	struct gpuoa_poll_interval interval;

	gpuoa_poll_interval_init(&interval, HSW_FREQUENCY, exponent, timer_alone);

	return interval;
}

static void wait_ends_when_next_report_is_visible(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);
	u64 last = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_settle(HSW_FREQUENCY), SETTLE);
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, last, last, 1),
			NS(2 * 1024 + SETTLE));
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, last + 100, last, 1),
			NS(2 * 1024 + SETTLE - 100));
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, last, last, 5),
			NS(6 * 1024 + SETTLE));
	/* The next report is held back; it will be consumed together with the one after it. */
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, last + 1024 + SETTLE, last, 1),
			NS(1024));
}

static void wait_for_visible_report_is_zero(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);
	u64 last = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test,
			gpuoa_poll_interval_until(&interval, last + 2 * 1024 + SETTLE, last, 1), 0);
}

static void wait_after_start_depends_on_phase(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);
	u64 start = 1000 * 1024 + 700;

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, start, start, 1),
			NS(2 * 1024 + SETTLE - 188));
	start = 1000 * 1024 + 100;
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, start, start, 1),
			NS(1024 + 412 + SETTLE));
}

/* If no report came for a long time (the filtered context is idle), wait for the next one. */
static void wait_ignores_old_reports(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);
	u64 now = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, now, 512, 2),
			NS(3 * 1024 + SETTLE));
}

/* Wait for the late report only, not for the two after it. */
static void wait_for_late_report_is_zero(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);
	u64 last = 1000 * 1024 + 512;
	u64 now = last + 2 * 1024 + SETTLE + 100;

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, now, last, 1), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, now, last, 3),
			NS(2 * 1024 - 100));
}

static void wait_is_exact_for_long_period_near_clock_start(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(31, true);

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_until(&interval, 1000, 0, 1),
			NS((3ULL << 31) - 1000 + SETTLE));
}

/* A report written just now may not be visible yet, earlier ones are. */
static void next_is_never_zero(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);
	u64 due = 1000 * 1024 + 512;

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_next(&interval, due + SETTLE - 1), NS(1));
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_next(&interval, due + SETTLE), NS(1024));
	/* Clock values below two periods */
	interval = interval_of(31, true);
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_next(&interval, 1000),
			NS((1ULL << 31) - 1000 + SETTLE));
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_next(&interval, 3ULL << 30),
			NS((3ULL << 30) + SETTLE));
}

static void fill_uses_timer_period(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, true);

	KUNIT_EXPECT_EQ(test, interval.period_ns, 81920);
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_fill(&interval, 1000), 81920000);
}

static void fill_includes_context_switches(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(9, false);

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_fill(&interval, 1000), 10 * NSEC_PER_MSEC);
	interval = interval_of(0, false);
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_fill(&interval, 1000), 160000);
}

static void latency_is_limited_if_other_reports_exist(struct kunit *test)
{
	struct gpuoa_poll_interval interval = interval_of(20, false);

	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_latency(&interval), 40 * NSEC_PER_MSEC);
	interval = interval_of(20, true);
	KUNIT_EXPECT_EQ(test, gpuoa_poll_interval_latency(&interval), U64_MAX);
}

static struct kunit_case poll_interval_cases[] = {
	KUNIT_CASE(wait_ends_when_next_report_is_visible),
	KUNIT_CASE(wait_for_visible_report_is_zero),
	KUNIT_CASE(wait_after_start_depends_on_phase),
	KUNIT_CASE(wait_ignores_old_reports),
	KUNIT_CASE(wait_for_late_report_is_zero),
	KUNIT_CASE(wait_is_exact_for_long_period_near_clock_start),
	KUNIT_CASE(next_is_never_zero),
	KUNIT_CASE(fill_uses_timer_period),
	KUNIT_CASE(fill_includes_context_switches),
	KUNIT_CASE(latency_is_limited_if_other_reports_exist),
	{}
};

static struct kunit_suite poll_interval_suite = {
	.name = "gpuoa_poll_interval",
	.test_cases = poll_interval_cases,
};

kunit_test_suite(poll_interval_suite);
