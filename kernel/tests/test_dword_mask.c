// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_dword_mask.c - dword masks: copying selected dwords of each report.
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
static void select_dwords(struct gpuoa_dword_mask *mask, const struct gpuoa_format_desc *format,
			  u64 low, u64 middle, u64 high)
{
	const u64 dword_mask[GPUOA_ATTR_MASK_WORDS] = { low, middle, high };

	gpuoa_dword_mask_init(mask, format, dword_mask);
}

static void empty_mask_selects_whole_report(struct kunit *test)
{
	struct gpuoa_dword_mask mask;

	select_dwords(&mask, hsw_format(GPUOA_FORMAT_A45_B8_C8), 0, 0, 0);
	KUNIT_EXPECT_EQ(test, mask.size, 0);
}

static void mask_always_includes_header(struct kunit *test)
{
	struct gpuoa_dword_mask mask;

	/*
	 * The header has eight dwords. With the requested one these are nine, so dword 8 is added
	 * to make the number even.
	 */
	select_dwords(&mask, gpuoa_attr_format(&gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64), 0,
		      BIT_ULL(0), 0);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[0], 0x1ff);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[1], 1);
	select_dwords(&mask, gpuoa_attr_format(&gpuoa_oa_bdw, GPUOA_FORMAT_A12_B8_C8), BIT_ULL(31),
		      0, 0);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[0], 0x8000001f);
	select_dwords(&mask, hsw_format(GPUOA_FORMAT_A13), BIT_ULL(15) | BIT_ULL(14), 0, 0);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[0], 0xc003);
}

static void mask_selects_even_number_of_dwords(struct kunit *test)
{
	struct gpuoa_dword_mask mask;

	/* Haswell's header has two dwords. If one more is requested, another is added. */
	select_dwords(&mask, hsw_format(GPUOA_FORMAT_A45_B8_C8), BIT_ULL(10), 0, 0);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[0], 0x407);
	KUNIT_EXPECT_EQ(test, mask.size, 16);
	KUNIT_EXPECT_EQ(test, mask.n_runs, 2);
	/* If the last dword is added, the whole report is copied. */
	select_dwords(&mask, hsw_format(GPUOA_FORMAT_A13), 0x7fff, 0, 0);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[0], 0);
	KUNIT_EXPECT_EQ(test, mask.size, 0);
	select_dwords(&mask, hsw_format(GPUOA_FORMAT_A13), 0x3fff, 0, 0);
	KUNIT_EXPECT_EQ(test, mask.dword_mask[0], 0x3fff);
	KUNIT_EXPECT_EQ(test, mask.size, 56);
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
static void copy_contains_selected_dwords(struct kunit *test)
{
	const struct gpuoa_format_desc *format =
		gpuoa_attr_format(&gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8);
	u32 *reports = numbered_reports(test, 3);
	u32 *copy = kunit_kzalloc(test, 3 * 640 + 8, GFP_KERNEL);
	struct gpuoa_dword_mask mask;
	u32 a, b, i, n, at;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (a = 0; a < REPORT_DWORDS; a++) {
		for (b = a; b < REPORT_DWORDS; b += 7) {
			u64 dword_mask[GPUOA_ATTR_MASK_WORDS] = {};

			dword_mask[a / 64] |= BIT_ULL(a % 64);
			dword_mask[b / 64] |= BIT_ULL(b % 64);
			gpuoa_dword_mask_init(&mask, format, dword_mask);
			copy[3 * mask.size / sizeof(u32)] = 0xdead;
			gpuoa_dword_mask_copy(&mask, copy, reports, 640, 3);
			for (at = 0, n = 0; n < 3; n++)
				for (i = 0; i < REPORT_DWORDS; i++)
					if (mask.dword_mask[i / 64] & BIT_ULL(i % 64))
						KUNIT_ASSERT_EQ(test, copy[at++],
								n * REPORT_DWORDS + i);
			KUNIT_ASSERT_EQ(test, at * sizeof(u32), 3 * mask.size);
			KUNIT_ASSERT_EQ(test, copy[at], 0xdead);
			KUNIT_ASSERT_TRUE(test, mask.dword_mask[a / 64] & BIT_ULL(a % 64));
			KUNIT_ASSERT_TRUE(test, mask.dword_mask[b / 64] & BIT_ULL(b % 64));
		}
	}
}

/* This mask has the largest possible number of runs of consecutive dwords. */
static void mask_of_every_other_dword_fits(struct kunit *test)
{
	const u64 odd = 0xaaaaaaaaaaaaaaaaULL;
	struct gpuoa_dword_mask mask;

	select_dwords(&mask, gpuoa_attr_format(&gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8), odd,
		      odd, odd & GENMASK_ULL(31, 0));
	/* The selected dwords are the eight dwords of the header, and 9, 11, ... 159. */
	KUNIT_EXPECT_EQ(test, mask.size, (8 + 76) * sizeof(u32));
	KUNIT_EXPECT_EQ(test, mask.n_runs, 77);
}

static struct kunit_case dword_mask_cases[] = {
	KUNIT_CASE(empty_mask_selects_whole_report),	KUNIT_CASE(mask_always_includes_header),
	KUNIT_CASE(mask_selects_even_number_of_dwords), KUNIT_CASE(copy_contains_selected_dwords),
	KUNIT_CASE(mask_of_every_other_dword_fits),	{}
};

static struct kunit_suite dword_mask_suite = {
	.name = "gpuoa_dword_mask",
	.test_cases = dword_mask_cases,
};

kunit_test_suite(dword_mask_suite);
