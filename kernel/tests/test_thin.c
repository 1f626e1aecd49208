// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_thin.c - dword masks: copying selected dwords of each report.
 */
#include <kunit/test.h>

#include "../core/oa/gpuoa_oa.h"
#include "../core/stream/gpuoa_attr.h"
#include "../core/stream/gpuoa_sample.h"

static const struct gpuoa_format_desc *hsw_format(u32 id)
{
	return gpuoa_attr_format(&gpuoa_oa_gen7, id);
}

/* Request dwords 0..63, 64..127 and 128..191 by one mask word each. */
static void ask(struct gpuoa_thin *thin, const struct gpuoa_format_desc *format, u64 low,
		u64 middle, u64 high)
{
	const u64 dword_mask[GPUOA_ATTR_MASK_WORDS] = { low, middle, high };

	gpuoa_thin_init(thin, format, dword_mask);
}

static void nothing_asked_is_all_of_it(struct kunit *test)
{
	struct gpuoa_thin thin;

	ask(&thin, hsw_format(GPUOA_FORMAT_A45_B8_C8), 0, 0, 0);
	KUNIT_EXPECT_EQ(test, thin.size, 0);
}

static void header_is_always_there(struct kunit *test)
{
	struct gpuoa_thin thin;

	/* Header and one more dword are nine, so dword 8 is added to make the number even. */
	ask(&thin, gpuoa_attr_format(&gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64), 0, BIT_ULL(0), 0);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[0], 0x1ff);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[1], 1);
	ask(&thin, gpuoa_attr_format(&gpuoa_oa_bdw, GPUOA_FORMAT_A12_B8_C8), BIT_ULL(31), 0, 0);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[0], 0x8000001f);
	ask(&thin, hsw_format(GPUOA_FORMAT_A13), BIT_ULL(15) | BIT_ULL(14), 0, 0);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[0], 0xc003);
}

static void dwords_are_even_in_number(struct kunit *test)
{
	struct gpuoa_thin thin;

	/* Haswell's header has two dwords: one more needs another. */
	ask(&thin, hsw_format(GPUOA_FORMAT_A45_B8_C8), BIT_ULL(10), 0, 0);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[0], 0x407);
	KUNIT_EXPECT_EQ(test, thin.size, 16);
	KUNIT_EXPECT_EQ(test, thin.n_runs, 2);
	/* If the last dword is added, the whole report is copied. */
	ask(&thin, hsw_format(GPUOA_FORMAT_A13), 0x7fff, 0, 0);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[0], 0);
	KUNIT_EXPECT_EQ(test, thin.size, 0);
	ask(&thin, hsw_format(GPUOA_FORMAT_A13), 0x3fff, 0, 0);
	KUNIT_EXPECT_EQ(test, thin.dword_mask[0], 0x3fff);
	KUNIT_EXPECT_EQ(test, thin.size, 56);
}

#define REPORT_DWORDS (640 / sizeof(u32))

/* The value of each dword is its index. */
static u32 *numbered_reports(struct kunit *test, u32 n)
{
	u32 *reports = kunit_kzalloc(test, n * REPORT_DWORDS * sizeof(u32), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, reports);
	for (i = 0; i < n * REPORT_DWORDS; i++)
		reports[i] = i;

	return reports;
}

/* For all pairs of dwords, the copy contains the dwords of the report in order. */
static void copies_are_true(struct kunit *test)
{
	const struct gpuoa_format_desc *format =
		gpuoa_attr_format(&gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8);
	u32 *reports = numbered_reports(test, 3);
	u32 *copy = kunit_kzalloc(test, 3 * 640 + 8, GFP_KERNEL);
	struct gpuoa_thin thin;
	u32 a, b, i, n, at;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (a = 0; a < REPORT_DWORDS; a++) {
		for (b = a; b < REPORT_DWORDS; b += 7) {
			u64 dword_mask[GPUOA_ATTR_MASK_WORDS] = {};

			dword_mask[a / 64] |= BIT_ULL(a % 64);
			dword_mask[b / 64] |= BIT_ULL(b % 64);
			gpuoa_thin_init(&thin, format, dword_mask);
			copy[3 * thin.size / sizeof(u32)] = 0xdead;
			gpuoa_thin_copy(&thin, copy, reports, 640, 3);
			for (at = 0, n = 0; n < 3; n++)
				for (i = 0; i < REPORT_DWORDS; i++)
					if (thin.dword_mask[i / 64] & BIT_ULL(i % 64))
						KUNIT_ASSERT_EQ(test, copy[at++],
								n * REPORT_DWORDS + i);
			KUNIT_ASSERT_EQ(test, at * sizeof(u32), 3 * thin.size);
			KUNIT_ASSERT_EQ(test, copy[at], 0xdead);
			KUNIT_ASSERT_TRUE(test, thin.dword_mask[a / 64] & BIT_ULL(a % 64));
			KUNIT_ASSERT_TRUE(test, thin.dword_mask[b / 64] & BIT_ULL(b % 64));
		}
	}
}

/* The longest possible list of runs */
static void every_other_dword_fits(struct kunit *test)
{
	const u64 odd = 0xaaaaaaaaaaaaaaaaULL;
	struct gpuoa_thin thin;

	ask(&thin, gpuoa_attr_format(&gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8), odd, odd,
	    odd & GENMASK_ULL(31, 0));
	/* Eight dwords of the header, and 9, 11, ... 159 */
	KUNIT_EXPECT_EQ(test, thin.size, (8 + 76) * sizeof(u32));
	KUNIT_EXPECT_EQ(test, thin.n_runs, 77);
}

static struct kunit_case thin_cases[] = {
	KUNIT_CASE(nothing_asked_is_all_of_it),
	KUNIT_CASE(header_is_always_there),
	KUNIT_CASE(dwords_are_even_in_number),
	KUNIT_CASE(copies_are_true),
	KUNIT_CASE(every_other_dword_fits),
	{}
};

static struct kunit_suite thin_suite = {
	.name = "gpuoa_thin",
	.test_cases = thin_cases,
};

kunit_test_suite(thin_suite);
