// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_cec.c - the simulator's comparators that feed the B counters.
 */
#include <kunit/test.h>

#include "vgpu/model/select.h"

/* Comparator configuration of TestOa */
static const u32 test_oa[2 * SIM_N_CECS] = {
	0x4, 0, 0x3, 0, 0x7, 0, 0x100002, 0xfff7, 0x100002, 0xffcf, 0x100082, 0xffef,
	0x1000c2, 0xffe7, 0x100001, 0xffe7,
};

/* Published rates of TestOa's B counters, in sixths of the clock */
static const unsigned int test_oa_sixths[SIM_N_CECS] = { 0, 6, 6, 3, 2, 2, 1, 4 };

static void test_oa_counts_at_documented_rates(struct kunit *test)
{
	u8 patterns[SIM_N_CECS];
	unsigned int i;

	sim_cec_patterns(test_oa, patterns);
	for (i = 0; i < SIM_N_CECS; i++) {
		KUNIT_EXPECT_EQ_MSG(test, sim_cec_count(patterns[i], 6000000000ULL),
				    test_oa_sixths[i] * 1000000000ULL, "B%u", i);
		KUNIT_EXPECT_EQ_MSG(test, sim_cec_count(patterns[i], 0), 0ULL, "B%u", i);
	}
}

static void counts_are_exact_at_each_clock(struct kunit *test)
{
	u64 clocks, expected[SIM_N_CECS] = {};
	u8 patterns[SIM_N_CECS];
	unsigned int i;

	sim_cec_patterns(test_oa, patterns);
	for (clocks = 0; clocks < 100; clocks++) {
		for (i = 0; i < SIM_N_CECS; i++) {
			KUNIT_ASSERT_EQ(test, sim_cec_count(patterns[i], clocks), expected[i]);
			expected[i] += patterns[i] >> clocks % SIM_CEC_PERIOD & 1;
		}
	}
}

/* Compare bit 3 alone (a value of 8, the clock modulo 2) with 1. */
static void comparator_functions_compare(struct kunit *test)
{
	static const unsigned int sixths[] = { 3, 0, 3, 3, 3, 3, 6, 6 };
	unsigned int function;

	for (function = 0; function < ARRAY_SIZE(sixths); function++) {
		u32 registers[2 * SIM_N_CECS] = { 0x100000 | 8 << 3 | function, 0xfff7 };
		u8 patterns[SIM_N_CECS];

		sim_cec_patterns(registers, patterns);
		KUNIT_EXPECT_EQ_MSG(test, sim_cec_count(patterns[0], 6), (u64)sixths[function],
				    "function %u", function);
	}
}

/* The next two comparators compare the first one's output with 1 and with 0. */
static void comparators_chain(struct kunit *test)
{
	u32 registers[2 * SIM_N_CECS] = {
		0x1000c2, 0xffe7, 0x80000 | 1 << 3 | 2, 0, 0x80000 | 2, 0,
	};
	u8 patterns[SIM_N_CECS];

	sim_cec_patterns(registers, patterns);
	KUNIT_EXPECT_EQ(test, sim_cec_count(patterns[0], 600), 100ULL);
	KUNIT_EXPECT_EQ(test, patterns[1], patterns[0]);
	KUNIT_EXPECT_EQ(test, sim_cec_count(patterns[2], 600), 500ULL);
}

/* Constant results: functions 0x3, 0x4 and 0x7, all bits masked, and comparators fed by these. */
static void constant_comparators_are_detected(struct kunit *test)
{
	const u32 registers[2 * SIM_N_CECS] = {
		0x3, 0, 0x80002, 0, 0x100002, 0xfff7, 0x80002, 0, 0x40 << 3 | 2, 0xffff,
		0x1, 0xffe7, 0x7fff9, 0, 0x7fff9, 0xfff7,
	};
	u8 patterns[SIM_N_CECS];

	KUNIT_EXPECT_EQ(test, sim_cec_certain(registers), 0xd3);
	KUNIT_EXPECT_EQ(test, sim_cec_certain(test_oa), 0x07);
	sim_cec_patterns(registers, patterns);
	KUNIT_EXPECT_EQ(test, sim_cec_count(patterns[0], 600), 600ULL);
	KUNIT_EXPECT_EQ(test, sim_cec_count(patterns[1], 600), 0ULL);
	KUNIT_EXPECT_EQ(test, sim_cec_count(patterns[4], 600), 600ULL);
	KUNIT_EXPECT_EQ(test, sim_cec_count(patterns[6], 600), 0ULL);
}

static struct kunit_case cec_cases[] = {
	KUNIT_CASE(test_oa_counts_at_documented_rates),
	KUNIT_CASE(counts_are_exact_at_each_clock),
	KUNIT_CASE(comparator_functions_compare),
	KUNIT_CASE(comparators_chain),
	KUNIT_CASE(constant_comparators_are_detected),
	{}
};

static struct kunit_suite cec_suite = {
	.name = "gpuoa_sim_cec",
	.test_cases = cec_cases,
};

kunit_test_suite(cec_suite);
