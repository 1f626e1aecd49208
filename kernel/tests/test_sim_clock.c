// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_clock.c - the simulated clock, at normal and at reduced speed.
 */
#include <kunit/test.h>
#include <linux/time64.h>

#include "vgpu/model/timeline.h"

/* One tick is 80 ns. */
#define FREQUENCY 12500000
#define YEAR_NS (365ULL * 24 * 3600 * NSEC_PER_SEC)

static void clock_follows_cpu_time(struct kunit *test)
{
	struct sim_clock clock;

	sim_clock_init(&clock, FREQUENCY);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 0), 0);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 79), 0);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 80), 1);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, YEAR_NS), YEAR_NS / 80);
}

static void slowdown_keeps_clock_continuous(struct kunit *test)
{
	struct sim_clock clock;

	sim_clock_init(&clock, FREQUENCY);
	sim_clock_slow(&clock, 8000, 10);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 8000), 100);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 8799), 100);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 8800), 101);

	sim_clock_slow(&clock, 16000, 1);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 16000), 110);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 16080), 111);
}

static void slowdown_does_not_overflow_for_years(struct kunit *test)
{
	struct sim_clock clock;

	sim_clock_init(&clock, FREQUENCY);
	sim_clock_slow(&clock, YEAR_NS, SIM_MAX_SLOWDOWN);
	KUNIT_EXPECT_EQ(test, sim_clock_tick(&clock, 2 * YEAR_NS),
			YEAR_NS / 80 + YEAR_NS / 80 / SIM_MAX_SLOWDOWN);
}

static void wait_is_not_too_short(struct kunit *test)
{
	struct sim_clock clock;
	u64 ticks, ns;

	/* Use a frequency at which a tick is not an integer number of ns. */
	sim_clock_init(&clock, 19200000);
	sim_clock_slow(&clock, 12345, 3);
	for (ticks = 0; ticks < 100; ticks++) {
		ns = sim_clock_wait(&clock, ticks);
		KUNIT_EXPECT_GE(test, sim_clock_tick(&clock, 12345 + ns), clock.tick + ticks);
		/* The wait is less than one tick too long. */
		KUNIT_EXPECT_LE(test, ns, (ticks + 1) * 157);
	}
}

static struct kunit_case clock_cases[] = {
	KUNIT_CASE(clock_follows_cpu_time),
	KUNIT_CASE(slowdown_keeps_clock_continuous),
	KUNIT_CASE(slowdown_does_not_overflow_for_years),
	KUNIT_CASE(wait_is_not_too_short),
	{},
};

static struct kunit_suite clock_suite = {
	.name = "gpuoa_sim_clock",
	.test_cases = clock_cases,
};

kunit_test_suite(clock_suite);
