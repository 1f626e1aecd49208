// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_i915.c - gpuoa_i915.ko: platform table, GGTT entries, clock extension, buffer verification.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "../core/oa/platform.h"
#include "../i915/gpuoa_i915_decode.h"
#include "../i915/ids.h"
#include "../lease/lease_clock.h"

static void pte_of_haswell_is_decoded(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0x12345000LL, pte_hsw.decode(0x12345001));
	/* Bits 38:32 of the address are in bits 10:4; the other low bits are cacheability. */
	KUNIT_EXPECT_EQ(test, 0x7f12345000LL, pte_hsw.decode(0x123457f1));
	KUNIT_EXPECT_EQ(test, 0x0100000000LL, pte_hsw.decode(0x0000001d));
	KUNIT_EXPECT_EQ(test, 0xfffff000LL, pte_hsw.decode(0xfffff80f));
	KUNIT_EXPECT_EQ(test, -ENXIO, pte_hsw.decode(0x12345000));
	KUNIT_EXPECT_EQ(test, 4, pte_hsw.size);
}

static void pte_of_gen8_is_decoded(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0x12345000LL, pte_gen8.decode(0x12345001));
	KUNIT_EXPECT_EQ(test, 0x7ffffff000LL, pte_gen8.decode(0xffffffffffffffffULL));
	/* gen8 has no local memory: bit 1 means writable. */
	KUNIT_EXPECT_EQ(test, 0x1000LL, pte_gen8.decode(0x1003));
	KUNIT_EXPECT_EQ(test, -ENXIO, pte_gen8.decode(0x1002));
	KUNIT_EXPECT_EQ(test, 8, pte_gen8.size);
}

static void pte_of_gen12_is_decoded(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0x3ffffffff000LL, pte_gen12.decode(0xfffffffffffff001ULL));
	KUNIT_EXPECT_EQ(test, -EREMOTE, pte_gen12.decode(0x1003));
	KUNIT_EXPECT_EQ(test, -ENXIO, pte_gen12.decode(0x1002));
	KUNIT_EXPECT_EQ(test, 8, pte_gen12.size);
}

static void clock_is_extended_across_wrap(struct kunit *test)
{
	const u64 frequency = 12000000;
	const struct clock_anchor anchor = { .ticks = 0x5fffffff0ULL, .ns = 1000 };

	KUNIT_EXPECT_EQ(test, 0x5fffffff0ULL, clock_extend(&anchor, frequency, 0xfffffff0, 1000));
	KUNIT_EXPECT_EQ(test, 0x600000010ULL,
			clock_extend(&anchor, frequency, 0x10, 1000 + 32 * 1000 / 12));
	/*
	 * The clock is extended correctly after a thousand wraps, with clocks that differ by 10
	 * ppm.
	 */
	KUNIT_EXPECT_EQ(test, 0x5fffffff0ULL + (1000ULL << 32),
			clock_extend(&anchor, frequency, 0xfffffff0,
				     1000 + (1000ULL << 32) / 12 * 1000 / 100000 * 100001));
}

/* Readings may be slightly earlier than expected, but never before the anchor. */
static void clock_is_monotonic(struct kunit *test)
{
	const struct clock_anchor anchor = { .ticks = 0x100000000ULL, .ns = 0 };

	KUNIT_EXPECT_EQ(test, 0x100000000ULL, clock_extend(&anchor, 19200000, 0xfffffff0, 0));
	KUNIT_EXPECT_EQ(test, 0x100000000ULL + 19200000 - 7,
			clock_extend(&anchor, 19200000, 19200000 - 7, NSEC_PER_SEC));
}

/* A clock that has restarted, such as after system sleep, runs on from a later time. */
static void clock_runs_on_after_restart(struct kunit *test)
{
	const struct clock_anchor anchor = { .ticks = 0x180000000ULL, .ns = 0 };

	KUNIT_EXPECT_EQ(test, 0x200000005ULL, clock_extend(&anchor, 19200000, 5, 0));
	KUNIT_EXPECT_EQ(test, 0x200000005ULL + 19200000,
			clock_extend(&anchor, 19200000, 19200000 + 5, NSEC_PER_SEC));
}

struct id_case {
	u16 device;
	const char *platform;
};

/* clang-format off */
static const struct id_case id_cases[] = {
	{ 0x0402, "hsw" },    { 0x0412, "hsw" },    { 0x1616, "bdw" },	  { 0x1912, "sklgt2" },
	{ 0x193d, "sklgt4" }, { 0x5a85, "bxt" },    { 0x5927, "kblgt3" }, { 0x3184, "glk" },
	{ 0x3ea5, "cflgt3" }, { 0x8a52, "icl" },    { 0x4e71, "ehl" },	  { 0x9a60, "tglgt1" },
	{ 0x9a49, "tglgt2" }, { 0x4c8a, "rkl" },    { 0x4680, "adls" },   { 0xa7ad, "adl" },
	/*
	 * Not supported: Cherryview, DG1, DG2, Meteor Lake, Lunar Lake, and GT1 of gen9, which has
	 * no metrics
	 */
	{ 0x22b1, NULL },     { 0x4905, NULL },	    { 0x56a0, NULL },	  { 0x7d55, NULL },
	{ 0x64a0, NULL },     { 0x1902, NULL },	    { 0x0000, NULL },	  { 0xffff, NULL },
};

/* clang-format on */

static void device_id_selects_platform(struct kunit *test)
{
	const struct platform *platform;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(id_cases); i++) {
		platform = i915_platform_find(id_cases[i].device);
		if (!id_cases[i].platform) {
			KUNIT_EXPECT_PTR_EQ(test, NULL, platform);
			continue;
		}
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, platform);
		KUNIT_EXPECT_STREQ(test, id_cases[i].platform, platform->name);
	}
}

/*
 * The core knows every platform and device id of gpuoa_i915. This also tests that the ids are
 * sorted.
 */
static void core_knows_each_platform(struct kunit *test)
{
	const struct platform *platform;
	unsigned int known = 0;
	u32 device;

	for (device = 0; device <= U16_MAX; device++) {
		platform = i915_platform_find(device);
		if (!platform)
			continue;
		known++;
		KUNIT_EXPECT_NOT_NULL(test, gpuoa_platform_find(platform->name));
		KUNIT_EXPECT_NOT_NULL(test, platform->generation->pte);
	}
	KUNIT_EXPECT_EQ(test, 244, known);
}

static void threads_depend_on_platform(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 7, i915_platform_find(0x0412)->threads_per_eu);
	KUNIT_EXPECT_EQ(test, 7, i915_platform_find(0x9a49)->threads_per_eu);
	/* Broxton, Gemini Lake */
	KUNIT_EXPECT_EQ(test, 6, i915_platform_find(0x5a85)->threads_per_eu);
	KUNIT_EXPECT_EQ(test, 6, i915_platform_find(0x3184)->threads_per_eu);
}

static void context_ids_fit_their_masks(struct kunit *test)
{
	const struct generation *gen8 = i915_platform_find(0x1912)->generation;
	const struct generation *gen12 = i915_platform_find(0x9a49)->generation;

	KUNIT_EXPECT_EQ(test, 0x1fffff, gen8->context_id);
	KUNIT_EXPECT_EQ(test, 2046 << 5, gen12->context_id);
	KUNIT_EXPECT_EQ(test, 0, gen12->context_id & ~gen12->context_mask);
	/* Haswell contexts are identified by the address of their state. */
	KUNIT_EXPECT_EQ(test, 0, i915_platform_find(0x0412)->generation->context_id);
}

#define BUFFER_PAGES 4
#define REPORT_SIZE 256
#define REPORT_DWORDS (REPORT_SIZE / sizeof(u32))

/* Create a buffer that contains two pages of reports and one more report. */
struct content_bench {
	struct buffer_content content;
	u32 *buffer;
};

static struct content_bench *content_new(struct kunit *test)
{
	struct content_bench *bench = kunit_kzalloc(test, sizeof(*bench), GFP_KERNEL);
	u32 *report;
	int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bench);
	bench->content = (struct buffer_content){
		.from = 0x7fffff00,
		.to = 0x80000100,
		.report_size = REPORT_SIZE,
		.reports = 2 * PAGE_SIZE + REPORT_SIZE,
	};
	bench->buffer = kunit_kzalloc(test, BUFFER_PAGES * PAGE_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, bench->buffer);
	for (i = 0; i * REPORT_SIZE < bench->content.reports; i++) {
		report = bench->buffer + i * REPORT_DWORDS;
		memset(report, 0x5a, REPORT_SIZE);
		report[1] = bench->content.from + 8 * i;
	}

	return bench;
}

static int content_verify(struct content_bench *bench)
{
	return buffer_verify(&bench->content, bench->buffer, BUFFER_PAGES * PAGE_SIZE);
}

static void buffer_is_identified_by_its_reports(struct kunit *test)
{
	struct content_bench *bench = content_new(test);

	KUNIT_EXPECT_EQ(test, 0, content_verify(bench));
	/* Reports may be missing, but not a whole page of them. */
	memset(bench->buffer, 0, REPORT_SIZE);
	KUNIT_EXPECT_EQ(test, 0, content_verify(bench));
	memset(bench->buffer, 0, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, -ENODATA, content_verify(bench));
	/* No report was expected. */
	bench->content.reports = 0;
	KUNIT_EXPECT_EQ(test, 0, content_verify(bench));
}

/*
 * Memory that belongs to something else is rejected because of a single byte that the unit cannot
 * have written.
 */
static void memory_without_reports_is_rejected(struct kunit *test)
{
	struct content_bench *bench = content_new(test);
	u32 *last = bench->buffer + BUFFER_PAGES * PAGE_SIZE / sizeof(u32) - 1;

	*last = 1;
	KUNIT_EXPECT_EQ(test, -EFAULT, content_verify(bench));
	*last = 0;
	KUNIT_EXPECT_EQ(test, 0, content_verify(bench));
	/* Reports from before or after the measured interval are rejected. */
	bench->buffer[1] = bench->content.from - 1;
	KUNIT_EXPECT_EQ(test, -EFAULT, content_verify(bench));
	bench->buffer[1] = bench->content.to + 1;
	KUNIT_EXPECT_EQ(test, -EFAULT, content_verify(bench));
	bench->buffer[1] = bench->content.to;
	KUNIT_EXPECT_EQ(test, 0, content_verify(bench));
}

static struct kunit_case i915_cases[] = {
	KUNIT_CASE(pte_of_haswell_is_decoded),
	KUNIT_CASE(pte_of_gen8_is_decoded),
	KUNIT_CASE(pte_of_gen12_is_decoded),
	KUNIT_CASE(clock_is_extended_across_wrap),
	KUNIT_CASE(clock_is_monotonic),
	KUNIT_CASE(clock_runs_on_after_restart),
	KUNIT_CASE(device_id_selects_platform),
	KUNIT_CASE(core_knows_each_platform),
	KUNIT_CASE(threads_depend_on_platform),
	KUNIT_CASE(context_ids_fit_their_masks),
	KUNIT_CASE(buffer_is_identified_by_its_reports),
	KUNIT_CASE(memory_without_reports_is_rejected),
	{},
};

static struct kunit_suite i915_suite = {
	.name = "gpuoa_i915",
	.test_cases = i915_cases,
};

kunit_test_suite(i915_suite);
