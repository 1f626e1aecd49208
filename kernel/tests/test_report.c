// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_report.c - report headers, and counter differences for all counter widths.
 */
#include <kunit/test.h>

#include "../core/oa/gpuoa_oa.h"
#include "../core/stream/gpuoa_attr.h"

static void timestamp_has_width_of_header(struct kunit *test)
{
	const struct gpuoa_format_desc hsw = { .header = &gpuoa_header_hsw };
	const struct gpuoa_format_desc short_header = { .header = &gpuoa_header_32 };
	const struct gpuoa_format_desc long_header = { .header = &gpuoa_header_64 };
	const struct gpuoa_format_desc half = { .header = &gpuoa_header_64_timestamp_32 };
	const u64 report[] = { 0x8765432112345678, 0xff23456789abcdef };

	KUNIT_EXPECT_EQ(test, gpuoa_report_timestamp(&hsw, report), 0x87654321);
	KUNIT_EXPECT_EQ(test, gpuoa_report_timestamp(&short_header, report), 0x87654321);
	KUNIT_EXPECT_EQ(test, gpuoa_report_timestamp(&long_header, report), 0x23456789abcdef);
	KUNIT_EXPECT_EQ(test, gpuoa_report_timestamp(&half, report), 0x89abcdef);
}

static void context_id_has_offset_of_header(struct kunit *test)
{
	const struct gpuoa_format_desc short_header = { .header = &gpuoa_header_32 };
	const struct gpuoa_format_desc long_header = { .header = &gpuoa_header_64 };
	const u32 report[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	KUNIT_EXPECT_EQ(test, *gpuoa_report_context(&short_header, report), 2);
	KUNIT_EXPECT_EQ(test, *gpuoa_report_context(&long_header, report), 4);
}

static void id_field_is_shifted(struct kunit *test)
{
	const u32 report[] = { 0xa5f81234 };

	KUNIT_EXPECT_EQ(test, gpuoa_report_id_field(report, GENMASK(31, 26)), 0x29);
	KUNIT_EXPECT_EQ(test, gpuoa_report_id_field(report, GENMASK(24, 19)), 0x3f);
	KUNIT_EXPECT_EQ(test, gpuoa_report_id_field(report, BIT(16)), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_report_id_field(report, 0), 0);
}

static void subtract_borrows_from_upper_eight_bits(struct kunit *test)
{
	static const struct gpuoa_counters counters[] = { { 0, 40, 2, 16, 32 }, {} };
	const struct gpuoa_format_desc format = { .counters = counters };
	u32 a[16] = {}, b[16] = {};
	u8 *a_high = (u8 *)a + 32, *b_high = (u8 *)b + 32;

	/* Subtract in A0 0x02_00000001 - 0x01_00000002, and in A1 0x00_00000000 - 0xff_ffffffff. */
	a[4] = 1;
	b[4] = 2;
	a_high[0] = 2;
	b_high[0] = 1;
	b[5] = ~0;
	b_high[1] = ~0;
	gpuoa_report_subtract(&format, a, a, b);
	KUNIT_EXPECT_EQ(test, a[4], ~0);
	KUNIT_EXPECT_EQ(test, a_high[0], 0);
	KUNIT_EXPECT_EQ(test, a[5], 1);
	KUNIT_EXPECT_EQ(test, a_high[1], 0);
}

static void subtract_wraps_at_counter_width(struct kunit *test)
{
	static const struct gpuoa_counters counters[] = { { 0, 32, 2, 12 }, { 0, 64, 1, 24 }, {} };
	const struct gpuoa_format_desc format = { .counters = counters };
	u64 a[4] = {}, b[4] = {}, difference[4] = {};

	((u32 *)a)[3] = 5;
	((u32 *)b)[3] = 7;
	((u32 *)a)[4] = 9;
	((u32 *)b)[4] = 1;
	a[3] = 0x100000000;
	b[3] = 1;
	gpuoa_report_subtract(&format, difference, a, b);
	KUNIT_EXPECT_EQ(test, ((u32 *)difference)[3], (u32)-2);
	KUNIT_EXPECT_EQ(test, ((u32 *)difference)[4], 8);
	KUNIT_EXPECT_EQ(test, difference[3], 0xffffffff);
	KUNIT_EXPECT_EQ(test, difference[0], 0);
}

/* Count how many counters each byte of a report belongs to. */
static void cover(const struct gpuoa_format_desc *format, u8 *covered)
{
	const struct gpuoa_counters *range;
	u32 i, width;

	for (range = format->counters; range->count; range++) {
		width = range->bits == 64 ? 8 : 4;
		for (i = 0; i < range->count * width; i++)
			covered[range->offset + i]++;
		if (range->bits == 40)
			for (i = 0; i < range->count; i++)
				covered[range->high + i]++;
	}
}

/*
 * Each byte from the context id to the end of the counters must belong to exactly one counter.
 * Otherwise a software filter would leave counts of other contexts in it.
 */
static void check_coverage(struct kunit *test, const struct gpuoa_format_desc *format, u32 end)
{
	u32 begin = format->header->word == 8 ? 24 : 12, i;
	u8 *covered = kunit_kzalloc(test, 2 * GPUOA_REPORT_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, covered);
	cover(format, covered);
	for (i = 0; i < 2 * GPUOA_REPORT_MAX; i++)
		KUNIT_ASSERT_EQ_MSG(test, covered[i], i >= begin && i < end, "%s, byte %u",
				    format->name, i);
}

struct coverage_case {
	const struct gpuoa_oa_ops *oa;
	u32 format;
	u32 end;
};

static const struct coverage_case coverage_cases[] = {
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A12, 64 },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A12_B8_C8, 128 },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A32U40_A4U32_B8_C8, 256 },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_C4_B8, 64 },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, 256 },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U64_B8_C8, 160 },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U32_B8_C8, 128 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64, 544 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8, 608 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U32, 288 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U64_G1, 288 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U32_G1, 160 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U64_G2, 288 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U32_G2, 160 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC36U64_G1_32_G2_4, 320 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC36U64_G1_4_G2_32, 320 },
};

static void counters_cover_whole_report(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(coverage_cases); i++) {
		const struct coverage_case *c = &coverage_cases[i];

		check_coverage(test, gpuoa_attr_format(c->oa, c->format), c->end);
	}
}

struct name_case {
	const struct gpuoa_oa_ops *oa;
	u32 format;
	u32 counter;
	struct gpuoa_counter_place place;
};

/* Position of the first and last counters of the rows in the documented report layouts */
static const struct name_case name_cases[] = {
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A13, GPUOA_COUNTER_A(12), { 32, 60 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A29, GPUOA_COUNTER_A(28), { 32, 124 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A13_B8_C8, GPUOA_COUNTER_C(7), { 32, 124 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_TIMESTAMP, { 32, 4 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_A(0), { 32, 12 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_A(44), { 32, 188 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_B(7), { 32, 220 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_C(7), { 32, 252 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_B4_C8, GPUOA_COUNTER_B(3), { 32, 28 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_B4_C8, GPUOA_COUNTER_C(7), { 32, 60 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_B4_C8_A16, GPUOA_COUNTER_A(44), { 32, 124 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_C4_B8, GPUOA_COUNTER_C(3), { 32, 28 } },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_C4_B8, GPUOA_COUNTER_B(7), { 32, 60 } },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A12, GPUOA_COUNTER_A(18), { 32, 60 } },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A12_B8_C8, GPUOA_COUNTER_A(7), { 32, 16 } },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A32U40_A4U32_B8_C8, GPUOA_COUNTER_CLOCK, { 32, 12 } },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A32U40_A4U32_B8_C8, GPUOA_COUNTER_A(31), { 40, 140, 191 } },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A32U40_A4U32_B8_C8, GPUOA_COUNTER_A(35), { 32, 156 } },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, GPUOA_COUNTER_A(3), { 32, 28 } },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, GPUOA_COUNTER_A(4), { 40, 32, 164 } },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, GPUOA_COUNTER_A(23), { 40, 108, 183 } },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, GPUOA_COUNTER_A(31), { 40, 140, 191 } },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, GPUOA_COUNTER_A(37), { 32, 184 } },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U64_B8_C8, GPUOA_COUNTER_TIMESTAMP, { 56, 8 } },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U64_B8_C8, GPUOA_COUNTER_MPEC(7), { 64, 88 } },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U32_B8_C8, GPUOA_COUNTER_MPEC(7), { 32, 60 } },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U32_B8_C8, GPUOA_COUNTER_TIMESTAMP, { 32, 8 } },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64, GPUOA_COUNTER_CLOCK, { 64, 24 } },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64, GPUOA_COUNTER_PEC(63), { 64, 536 } },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8, GPUOA_COUNTER_C(7), { 32, 604 } },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U32_G2, GPUOA_COUNTER_PEC(63), { 32, 156 } },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC36U64_G1_4_G2_32, GPUOA_COUNTER_PEC(32), { 64, 64 } },
	/* Not in the format */
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_CLOCK },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8, GPUOA_COUNTER_NONE },
	{ &gpuoa_oa_gen7, GPUOA_FORMAT_B4_C8_A16, GPUOA_COUNTER_A(28) },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A12, GPUOA_COUNTER_A(6) },
	{ &gpuoa_oa_bdw, GPUOA_FORMAT_A12, GPUOA_COUNTER_A(19) },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U64_G1, GPUOA_COUNTER_PEC(32) },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U64_G2, GPUOA_COUNTER_PEC(31) },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC36U64_G1_4_G2_32, GPUOA_COUNTER_PEC(4) },
};

static void counters_have_documented_offsets(struct kunit *test)
{
	struct gpuoa_counter_place place;
	size_t i;
	bool there;

	for (i = 0; i < ARRAY_SIZE(name_cases); i++) {
		const struct name_case *c = &name_cases[i];

		place = (struct gpuoa_counter_place){};
		there = gpuoa_report_find(gpuoa_attr_format(c->oa, c->format), c->counter, &place);
		KUNIT_EXPECT_EQ_MSG(test, there, !!c->place.bits, "case %zu", i);
		KUNIT_EXPECT_EQ_MSG(test, place.bits, c->place.bits, "case %zu", i);
		KUNIT_EXPECT_EQ_MSG(test, place.offset, c->place.offset, "case %zu", i);
		if (place.bits == 40)
			KUNIT_EXPECT_EQ_MSG(test, place.high, c->place.high, "case %zu", i);
	}
}

static struct kunit_case report_cases[] = {
	KUNIT_CASE(timestamp_has_width_of_header),
	KUNIT_CASE(context_id_has_offset_of_header),
	KUNIT_CASE(id_field_is_shifted),
	KUNIT_CASE(subtract_borrows_from_upper_eight_bits),
	KUNIT_CASE(subtract_wraps_at_counter_width),
	KUNIT_CASE(counters_cover_whole_report),
	KUNIT_CASE(counters_have_documented_offsets),
	{}
};

static struct kunit_suite report_suite = {
	.name = "gpuoa_report",
	.test_cases = report_cases,
};

kunit_test_suite(report_suite);
