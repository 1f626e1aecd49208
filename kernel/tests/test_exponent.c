// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_exponent.c - conversion between timer exponents, periods and rates.
 */
#include <kunit/test.h>
#include <linux/limits.h>

#include "../core/oa/gpuoa_report.h"

#define HSW_FREQUENCY 12500000ULL /* 80 ns */
#define MHZ_19_2 19200000ULL	  /* 52.083 ns, not an integer */

struct exponent_case {
	u64 frequency;
	u64 requested;
	int exponent;
};

static const struct exponent_case period_cases[] = {
	{ HSW_FREQUENCY, 0, -ERANGE },
	{ HSW_FREQUENCY, 159, -ERANGE },
	{ HSW_FREQUENCY, 160, 0 },
	{ HSW_FREQUENCY, 319, 0 },
	{ HSW_FREQUENCY, 320, 1 },
	{ HSW_FREQUENCY, 10239, 5 },
	{ HSW_FREQUENCY, 10240, 6 },
	{ HSW_FREQUENCY, 100000, 9 },
	{ HSW_FREQUENCY, 343597383679ULL, 30 },
	{ HSW_FREQUENCY, 343597383680ULL, 31 },
	{ HSW_FREQUENCY, S64_MAX, 31 },
	/*
	 * 2 ticks are 104.17 ns, and 2048 ticks are 106666.67 ns. A tick rounded to whole ns would
	 * give wrong results.
	 */
	{ MHZ_19_2, 104, -ERANGE },
	{ MHZ_19_2, 105, 0 },
	{ MHZ_19_2, 106666, 9 },
	{ MHZ_19_2, 106667, 10 },
	/* Just below 1 GHz the product exceeds 64 bits. */
	{ 999999999ULL, S64_MAX, 31 },
};

static void period_selects_longest_exponent_not_above_it(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(period_cases); i++) {
		const struct exponent_case *c = &period_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, c->exponent,
				    gpuoa_exponent_from_period(c->frequency, 31, c->requested),
				    "%llu ns at %llu Hz", c->requested, c->frequency);
	}
}

static const struct exponent_case rate_cases[] = {
	{ HSW_FREQUENCY, U64_MAX, -ERANGE },
	{ HSW_FREQUENCY, 6250001, -ERANGE },
	{ HSW_FREQUENCY, 6250000, 0 },
	{ HSW_FREQUENCY, 3125001, 0 },
	{ HSW_FREQUENCY, 3125000, 1 },
	{ HSW_FREQUENCY, 97657, 5 },
	{ HSW_FREQUENCY, 97656, 6 },
	{ HSW_FREQUENCY, 10000, 9 },
	{ HSW_FREQUENCY, 4000, 10 },
	{ HSW_FREQUENCY, 1, 22 },
	{ MHZ_19_2, 9375, 10 },
	{ MHZ_19_2, 9376, 9 },
};

static void rate_selects_lowest_rate_not_below_it(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rate_cases); i++) {
		const struct exponent_case *c = &rate_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, c->exponent,
				    gpuoa_exponent_from_rate(c->frequency, 31, c->requested),
				    "%llu Hz at %llu Hz", c->requested, c->frequency);
	}
}

static void exponent_is_limited_by_hardware(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, gpuoa_exponent_from_period(HSW_FREQUENCY, 15, S64_MAX), 15);
	KUNIT_EXPECT_EQ(test, gpuoa_exponent_from_rate(HSW_FREQUENCY, 15, 1), 15);
}

static void period_of_exponent_selects_that_exponent(struct kunit *test)
{
	static const u64 frequencies[] = { 12000000, HSW_FREQUENCY, MHZ_19_2, 25000000, 38400000 };
	size_t f;
	int e;

	for (f = 0; f < ARRAY_SIZE(frequencies); f++) {
		for (e = 0; e <= 31; e++) {
			u64 ns = gpuoa_exponent_period_ns(frequencies[f], e);

			KUNIT_EXPECT_EQ(test, e,
					gpuoa_exponent_from_period(frequencies[f], 31, ns));
			KUNIT_EXPECT_EQ(test, e ? e - 1 : -ERANGE,
					gpuoa_exponent_from_period(frequencies[f], 31, ns - 1));
		}
	}
}

static void rate_limit_is_exact(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 6, 100000));
	KUNIT_EXPECT_TRUE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 5, 100000));
	/* 97656.25 Hz */
	KUNIT_EXPECT_TRUE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 6, 97656));
	KUNIT_EXPECT_FALSE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 6, 97657));
	/* With exponent 31 the timer has a rate of 0.003 Hz, which is above 0 and below 1 Hz. */
	KUNIT_EXPECT_TRUE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 31, 0));
	KUNIT_EXPECT_FALSE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 31, 1));
	KUNIT_EXPECT_FALSE(test, gpuoa_exponent_faster_than(HSW_FREQUENCY, 31, INT_MAX));
}

static struct kunit_case exponent_cases[] = {
	KUNIT_CASE(period_selects_longest_exponent_not_above_it),
	KUNIT_CASE(rate_selects_lowest_rate_not_below_it),
	KUNIT_CASE(exponent_is_limited_by_hardware),
	KUNIT_CASE(period_of_exponent_selects_that_exponent),
	KUNIT_CASE(rate_limit_is_exact),
	{}
};

static struct kunit_suite exponent_suite = {
	.name = "gpuoa_exponent",
	.test_cases = exponent_cases,
};

kunit_test_suite(exponent_suite);

MODULE_DESCRIPTION("KUnit suites of gpuoa");
MODULE_LICENSE("GPL");
