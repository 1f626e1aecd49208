// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_count.c - extension of report counters to 64 bits.
 */
#include <kunit/test.h>

#include "../core/stream/gpuoa_count.h"
#include "uapi/gpuoa.h"

/* Reports have four words: a 32-bit counter, the low word of a 40-bit one, its upper bits. */
#define REPORT_WORDS 4

static const struct gpuoa_counter_place place_32 = { .bits = 32, .offset = 0 };
static const struct gpuoa_counter_place place_40 = { .bits = 40, .offset = 4, .high = 9 };
static const struct gpuoa_counter_place place_56 = { .bits = 56, .offset = 0 };
static const struct gpuoa_counter_place place_64 = { .bits = 64, .offset = 8 };

static void sum_starts_at_the_first_report(struct kunit *test)
{
	const u32 reports[2][REPORT_WORDS] = { { 1000 }, { 1007 } };
	struct gpuoa_count count = { .place = place_32 };

	gpuoa_count_take(&count, reports[0]);
	KUNIT_EXPECT_EQ(test, count.value, 0);
	gpuoa_count_take(&count, reports[1]);
	KUNIT_EXPECT_EQ(test, count.value, 7);
}

static void sum_continues_when_counter_wraps(struct kunit *test)
{
	const u32 before[REPORT_WORDS] = { 0xfffffffe, 0xffffffff, 0xff00, 0xffffffff };
	const u32 after[REPORT_WORDS] = { 3, 1, 0, 0 };
	const u64 highest[2] = { GENMASK_ULL(55, 0), ~0ULL }, low[2] = { 1, 1 };
	struct gpuoa_count count_32 = { .place = place_32 };
	struct gpuoa_count count_40 = { .place = place_40 };
	struct gpuoa_count count_56 = { .place = place_56 };
	struct gpuoa_count count_64 = { .place = place_64 };

	gpuoa_count_take(&count_32, before);
	gpuoa_count_take(&count_32, after);
	KUNIT_EXPECT_EQ(test, count_32.value, 5);
	gpuoa_count_take(&count_40, before);
	gpuoa_count_take(&count_40, after);
	KUNIT_EXPECT_EQ(test, count_40.value, 2);
	gpuoa_count_take(&count_56, highest);
	gpuoa_count_take(&count_56, low);
	KUNIT_EXPECT_EQ(test, count_56.value, 2);
	gpuoa_count_take(&count_64, highest);
	gpuoa_count_take(&count_64, low);
	KUNIT_EXPECT_EQ(test, count_64.value, 2);
}

static void sum_includes_upper_eight_bits(struct kunit *test)
{
	const u32 before[REPORT_WORDS] = { 0, 5, 0x0100, 0 };
	const u32 after[REPORT_WORDS] = { 0, 4, 0x0300, 0 };
	struct gpuoa_count count = { .place = place_40 };

	gpuoa_count_take(&count, before);
	gpuoa_count_take(&count, after);
	KUNIT_EXPECT_EQ(test, count.value, 0x1ffffffffULL);
}

/* Counters advance by 2^31 per report, so they wrap every second report. */
static u32 (*fast_reports(struct kunit *test, u32 n))[REPORT_WORDS]
{
	u32 (*reports)[REPORT_WORDS] = kunit_kzalloc(test, n * sizeof(*reports), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, reports);
	for (i = 0; i < n; i++)
		reports[i][0] = 77 + (i << 31);

	return reports;
}

static u64 counted(u32 (*reports)[REPORT_WORDS], u32 first, u32 second, u32 stride)
{
	struct gpuoa_count count = { .place = place_32 };
	LIST_HEAD(counts);

	list_add(&count.node, &counts);
	gpuoa_counts_take(&counts, reports, sizeof(*reports), first, stride);
	if (second)
		gpuoa_counts_take(&counts, reports + first, sizeof(*reports), second, stride);

	return count.value;
}

static void batch_misses_no_wrap(struct kunit *test)
{
	u32 (*reports)[REPORT_WORDS] = fast_reports(test, 64);
	u32 n, split;

	for (n = 1; n <= 64; n++)
		for (split = 1; split <= n; split++)
			KUNIT_ASSERT_EQ_MSG(test, counted(reports, split, n - split, 1),
					    (u64)(n - 1) << 31, "%u reports, %u at first", n,
					    split);
}

static void stride_skips_unneeded_reports(struct kunit *test)
{
	u32 (*reports)[REPORT_WORDS] = fast_reports(test, 64);

	/* With a stride of two reports, wraps are missed. */
	KUNIT_EXPECT_EQ(test, counted(reports, 64, 0, 1), 63ULL << 31);
	KUNIT_EXPECT_EQ(test, counted(reports, 64, 0, 2), 1ULL << 31);
	KUNIT_EXPECT_EQ(test, counted(reports, 64, 0, U32_MAX), 1ULL << 31);
}

static void rebase_keeps_previous_sum(struct kunit *test)
{
	const u32 reports[4][REPORT_WORDS] = { { 10 }, { 15 }, { 2 }, { 4 } };
	struct gpuoa_count count = { .place = place_32 };
	LIST_HEAD(counts);

	list_add(&count.node, &counts);
	gpuoa_counts_take(&counts, reports, sizeof(reports[0]), 2, 1);
	gpuoa_counts_rebase(&counts);
	KUNIT_EXPECT_EQ(test, count.value, 5);
	gpuoa_counts_take(&counts, reports + 2, sizeof(reports[0]), 2, 1);
	KUNIT_EXPECT_EQ(test, count.value, 7);
}

static void period_prevents_wraps_with_all_eus_busy(struct kunit *test)
{
	const struct gpuoa_unit_info unknown = {};
	const struct gpuoa_unit_info hsw = { .n_eus = 20, .gt_max_frequency = 1150000000 };
	const struct gpuoa_unit_info dg2 = { .n_eus = 512, .gt_max_frequency = 2400000000 };

	/* The longest period is the time of 2^31 events at two events per EU and clock. */
	KUNIT_EXPECT_EQ(test, gpuoa_count_period_max(&hsw), 46684427);
	KUNIT_EXPECT_EQ(test, gpuoa_count_period_max(&dg2), 873813);
	KUNIT_EXPECT_EQ(test, gpuoa_count_period_max(&unknown), NSEC_PER_MSEC);
	/* The longest period of every GPU exceeds the default period. */
	KUNIT_EXPECT_GT(test, gpuoa_count_period_max(&dg2), GPUOA_COUNT_PERIOD_NS);
}

static void stride_depends_on_period(struct kunit *test)
{
	const struct gpuoa_unit_info dg2 = { .n_eus = 512, .gt_max_frequency = 2400000000 };

	KUNIT_EXPECT_EQ(test, gpuoa_count_stride(&dg2, 160), 5461);
	KUNIT_EXPECT_EQ(test, gpuoa_count_stride(&dg2, 873813), 1);
	KUNIT_EXPECT_EQ(test, gpuoa_count_stride(&dg2, NSEC_PER_SEC), 1);
}

static struct kunit_case count_cases[] = {
	KUNIT_CASE(sum_starts_at_the_first_report),
	KUNIT_CASE(sum_continues_when_counter_wraps),
	KUNIT_CASE(sum_includes_upper_eight_bits),
	KUNIT_CASE(batch_misses_no_wrap),
	KUNIT_CASE(stride_skips_unneeded_reports),
	KUNIT_CASE(rebase_keeps_previous_sum),
	KUNIT_CASE(period_prevents_wraps_with_all_eus_busy),
	KUNIT_CASE(stride_depends_on_period),
	{}
};

static struct kunit_suite count_suite = {
	.name = "gpuoa_count",
	.test_cases = count_cases,
};

kunit_test_suite(count_suite);
