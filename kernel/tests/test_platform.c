// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_platform.c - units, whitelists and consistency of all platform descriptions.
 */
#include <kunit/test.h>
#include <linux/log2.h>
#include <linux/sizes.h>
#include <linux/time64.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "../core/oa/gpuoa_oa.h"
#include "../core/oa/platform.h"
#include "../core/stream/gpuoa_attr.h"

#include "documented_registers.h"
#include "platforms_kunit.h"

typedef void (*check_fn)(struct kunit *test, const struct gpuoa_oa_ops *oa);

/* Call @check for each unit of all platforms. */
static void check_all_units(struct kunit *test, check_fn check)
{
	const struct gpuoa_platform *platform;
	size_t i, type;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		platform = gpuoa_platform_find(names[i]);
		KUNIT_ASSERT_NOT_NULL_MSG(test, platform, "%s", names[i]);
		KUNIT_EXPECT_STREQ(test, platform->name, names[i]);
		KUNIT_EXPECT_NOT_NULL(test, platform->units[GPUOA_UNIT_OA]);
		for (type = 0; type < GPUOA_UNIT_TYPES; type++)
			if (platform->units[type])
				check(test, platform->units[type]);
	}
}

static void find_returns_null_for_unknown_platform(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, gpuoa_platform_find(""));
	KUNIT_EXPECT_NULL(test, gpuoa_platform_find("skl"));
	KUNIT_EXPECT_NULL(test, gpuoa_platform_find("HSW"));
}

struct clock_case {
	const char *platform;
	u64 frequency;
};

static const struct clock_case clock_cases[] = {
	{ "hsw", 12500000 },	{ "bdw", 12500000 },	{ "chv", 12500000 },
	{ "sklgt2", 12000000 }, { "kblgt3", 12000000 }, { "cflgt2", 12000000 },
	{ "bxt", 19200000 },	{ "glk", 19200000 },	{ "icl", 12000000 },
	{ "tglgt2", 19200000 }, { "dg1", 19200000 },	{ "adl", 19200000 },
	{ "acmgt1", 38400000 }, { "mtlgt3", 38400000 }, { "lnl", 19200000 },
	{ "bmg", 19200000 },	{ "ptl", 19200000 },
};

static void platforms_have_documented_clocks(struct kunit *test)
{
	const struct gpuoa_platform *platform;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clock_cases); i++) {
		platform = gpuoa_platform_find(clock_cases[i].platform);
		KUNIT_EXPECT_EQ_MSG(test, platform->timestamp_frequency, clock_cases[i].frequency,
				    "%s", platform->name);
	}
}

static u32 units_of(const char *name)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find(name);
	u32 type, units = 0;

	for (type = 0; type < GPUOA_UNIT_TYPES; type++)
		units |= platform->units[type] ? BIT(type) : 0;

	return units;
}

static void media_units_have_documented_addresses(struct kunit *test)
{
	const u32 oa = BIT(GPUOA_UNIT_OA), oam0 = BIT(GPUOA_UNIT_OAM0);
	const u32 oam1 = BIT(GPUOA_UNIT_OAM1), oamg = BIT(GPUOA_UNIT_OAMG);

	KUNIT_EXPECT_EQ(test, units_of("hsw"), oa);
	KUNIT_EXPECT_EQ(test, units_of("adl"), oa);
	KUNIT_EXPECT_EQ(test, units_of("acmgt3"), oa);
	KUNIT_EXPECT_EQ(test, units_of("mtlgt2"), oa | oam0);
	KUNIT_EXPECT_EQ(test, units_of("arlgt1"), oa | oam0);
	KUNIT_EXPECT_EQ(test, units_of("lnl"), oa | oam0 | oamg);
	KUNIT_EXPECT_EQ(test, units_of("bmg"), oa | oam0 | oam1 | oamg);
	KUNIT_EXPECT_EQ(test, units_of("ptl"), oa | oam0 | oamg);
}

static void check_formats(struct kunit *test, const struct gpuoa_oa_ops *oa)
{
	u32 i;

	KUNIT_EXPECT_NOT_NULL(test, gpuoa_attr_format(oa, GPUOA_FORMAT_DEFAULT));
	for (i = 0; i < oa->n_formats; i++) {
		const struct gpuoa_format_desc *format = &oa->formats[i];

		KUNIT_EXPECT_PTR_EQ(test, gpuoa_attr_format(oa, format->id), format);
		KUNIT_EXPECT_NOT_NULL(test, format->header);
		KUNIT_EXPECT_EQ_MSG(test, format->size % 64, 0, "%s", format->name);
		KUNIT_EXPECT_LE_MSG(test, format->size, GPUOA_REPORT_MAX, "%s", format->name);
		/* A software filter needs the layout of the counters and of the context id. */
		if (oa->context_runs) {
			KUNIT_EXPECT_NOT_NULL(test, format->counters);
			KUNIT_EXPECT_NE(test, format->header->context, 0);
		}
	}
}

static void formats_are_consistent(struct kunit *test)
{
	check_all_units(test, check_formats);
}

static void check_ops(struct kunit *test, const struct gpuoa_oa_ops *oa)
{
	KUNIT_EXPECT_TRUE(test, oa->mux && oa->boolean && oa->masks);
	KUNIT_EXPECT_TRUE(test, oa->enable_metrics && oa->disable_metrics);
	KUNIT_EXPECT_TRUE(test, oa->start && oa->stop && oa->status && oa->tail && oa->set_head);
	KUNIT_EXPECT_TRUE(test, oa->is_timer_report);
	KUNIT_EXPECT_EQ(test, oa->exponent_max, 31);
	KUNIT_EXPECT_EQ(test, oa->buffer_size_min, SZ_128K);
	KUNIT_EXPECT_TRUE(test, oa->buffer_size_max == SZ_16M || oa->buffer_size_max == SZ_128M);
	/* If reports contain a context id, its layout must be known. */
	KUNIT_EXPECT_TRUE(test, !oa->context_runs || (oa->filters_contexts && oa->id));
}

static void descriptions_are_complete(struct kunit *test)
{
	check_all_units(test, check_ops);
}

/* ---- whitelists --------------------------------------------------------------------------- */

struct whitelist_case {
	const struct gpuoa_reg_range *const *whitelist;
	const struct gpuoa_reg_range *doc;
};

static const struct whitelist_case whitelist_cases[] = {
	{ &gpuoa_oa_gen7.mux, hsw_mux_doc },
	{ &gpuoa_oa_gen7.boolean, gen8_boolean_doc },
	{ &gpuoa_oa_bdw.mux, bdw_mux_doc },
	{ &gpuoa_oa_chv.mux, chv_mux_doc },
	{ &gpuoa_oa_gen9.mux, bdw_mux_doc },
	{ &gpuoa_oa_gen11.mux, gen11_mux_doc },
	{ &gpuoa_oa_bdw.boolean, gen8_boolean_doc },
	{ &gpuoa_oa_chv.boolean, gen8_boolean_doc },
	{ &gpuoa_oa_gen9.boolean, gen8_boolean_doc },
	{ &gpuoa_oa_gen11.boolean, gen8_boolean_doc },
	{ &gpuoa_oa_bdw.flex, flex_doc },
	{ &gpuoa_oa_gen11.flex, flex_doc },
	{ &gpuoa_oag_gen12.mux, gen12_mux_doc },
	{ &gpuoa_oag_dg2.mux, gen12_mux_doc },
	{ &gpuoa_oag_mtl.mux, mtl_mux_doc },
	{ &gpuoa_oag_gen12.boolean, gen12_boolean_doc },
	{ &gpuoa_oag_dg2.boolean, gen12_5_boolean_doc },
	{ &gpuoa_oag_mtl.boolean, gen12_5_boolean_doc },
	{ &gpuoa_oag_mtl.flex, flex_doc },
	{ &gpuoa_oam_mtl.mux, mtl_oam_mux_doc },
	{ &gpuoa_oam_mtl.boolean, mtl_oam_boolean_doc },
	{ &gpuoa_oag_xe2.mux, xe2_doc },
	{ &gpuoa_oag_xe2.boolean, xe2_doc },
	{ &gpuoa_oag_xe2.flex, flex_doc },
	{ &gpuoa_oam_xe2_sag.mux, nothing_doc },
	{ &gpuoa_oam_xe2_sag.boolean, mtl_oam_boolean_doc },
	{ &gpuoa_oam_xe2_scmi0.boolean, scmi0_doc },
	{ &gpuoa_oam_xe2_scmi1.boolean, scmi1_doc },
};

static const struct gpuoa_reg_mask no_masks[] = { {} };

static bool allowed(const struct gpuoa_reg_range *whitelist, u32 address)
{
	struct gpuoa_register reg = { address, 0 };

	return !gpuoa_regs_check(whitelist, no_masks, &reg, 1);
}

static bool documented(const struct gpuoa_reg_range *doc, u32 address)
{
	for (; doc->last; doc++)
		if (address >= doc->first && address <= doc->last)
			return true;

	return false;
}

/* Parts of the MMIO space that contain OA registers, with a wide margin */
static const struct gpuoa_reg_range mmio[] = {
	{ 0, 0x3fffc }, { 0x180000, 0x184ffc }, { 0x388000, 0x397ffc },
};

/* Check every register: first and last of each range, the adjacent ones, and all others. */
static void whitelists_equal_documented_lists(struct kunit *test)
{
	const struct whitelist_case *c;
	u32 address;
	size_t i, n;

	for (n = 0; n < ARRAY_SIZE(whitelist_cases) * ARRAY_SIZE(mmio); n++) {
		c = &whitelist_cases[n / ARRAY_SIZE(mmio)];
		i = n % ARRAY_SIZE(mmio);
		for (address = mmio[i].first; address <= mmio[i].last; address += 4)
			if (allowed(*c->whitelist, address) != documented(c->doc, address))
				KUNIT_FAIL(test, "list %td: %x", c - whitelist_cases, address);
	}
}

static void addresses_are_aligned(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, allowed(gpuoa_oag_gen12.mux, 0x9884));
	KUNIT_EXPECT_FALSE(test, allowed(gpuoa_oag_gen12.mux, 0x9885));
	KUNIT_EXPECT_FALSE(test, allowed(gpuoa_oag_gen12.mux, 0x9886));
}

/* Registers that users may write through one unit are not writable through another unit. */
static void units_of_a_gpu_share_no_register(struct kunit *test)
{
	const struct gpuoa_platform *bmg = gpuoa_platform_find("bmg");
	u32 address, type, owners;

	for (address = mmio[2].first; address <= mmio[2].last; address += 4) {
		owners = 0;
		for (type = 0; type < GPUOA_UNIT_TYPES; type++)
			owners += allowed(bmg->units[type]->boolean, address);
		if (owners > 1)
			KUNIT_FAIL(test, "%x", address);
	}
}

static void media_units_have_no_flexible_counters(struct kunit *test)
{
	KUNIT_EXPECT_NULL(test, gpuoa_oam_mtl.flex);
	KUNIT_EXPECT_NULL(test, gpuoa_oam_xe2_sag.flex);
	KUNIT_EXPECT_FALSE(test, gpuoa_oam_mtl.filters_contexts);
}

static u32 masked(struct kunit *test, const struct gpuoa_oa_ops *oa, u32 address)
{
	struct gpuoa_register reg = { address, ~0 };

	KUNIT_EXPECT_EQ(test, gpuoa_regs_check(oa->mux, oa->masks, &reg, 1), 0);

	return reg.value;
}

static void workaround_bits_are_masked(struct kunit *test)
{
	/*
	 * The masked bits are bit 13 of HALF_SLICE_CHICKEN2 and bit 0 of WAIT_FOR_RC6_EXIT, with
	 * their write enables in the upper half.
	 */
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_bdw, 0xe180), 0xdfffdfff);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_chv, 0xe180), 0xdfffdfff);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_gen9, 0xe180), 0xdfffdfff);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_gen11, 0xe180), 0xdfffdfff);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_bdw, 0x20cc), 0xfffefffe);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_gen9, 0x20cc), 0xfffefffe);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_gen11, 0x20cc), 0xfffefffe);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oag_gen12, 0x20cc), 0xfffefffe);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oag_dg2, 0x20cc), 0xfffefffe);
	/* All other bits are writable. */
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oa_gen9, 0x9888), ~0);
	KUNIT_EXPECT_EQ(test, masked(test, &gpuoa_oag_mtl, 0x9888), ~0);
}

/* ---- built-in configurations -------------------------------------------------------------- */

static void check_list(struct kunit *test, const struct gpuoa_reg_range *whitelist,
		       const struct gpuoa_reg_mask *masks, const struct gpuoa_reg_list *list)
{
	struct gpuoa_register *regs = kunit_kzalloc(test, 4096, GFP_KERNEL);
	size_t size = list->count * sizeof(*regs);

	KUNIT_ASSERT_NOT_NULL(test, regs);
	KUNIT_ASSERT_LE(test, size, 4096);
	if (!list->count)
		return;
	memcpy(regs, list->regs, size);
	KUNIT_EXPECT_EQ(test, gpuoa_regs_check(whitelist, masks, regs, list->count), 0);
	KUNIT_EXPECT_EQ(test, memcmp(regs, list->regs, size), 0);
}

/*
 * Users may register the register lists of the built-in configurations, and the kernel masks none
 * of their bits.
 */
static void test_sets_pass_whitelists(struct kunit *test)
{
	const struct gpuoa_builtin_set *set;
	const struct gpuoa_oa_ops *oa;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		oa = gpuoa_platform_find(names[i])->units[GPUOA_UNIT_OA];
		set = gpuoa_platform_find(names[i])->test_set;
		if (!set)
			continue;
		KUNIT_EXPECT_TRUE_MSG(test, gpuoa_uuid_valid(set->uuid), "%s", names[i]);
		check_list(test, oa->mux, oa->masks, &set->mux);
		check_list(test, oa->boolean, oa->masks, &set->boolean);
		if (set->flex.count) {
			KUNIT_ASSERT_NOT_NULL(test, oa->flex);
			check_list(test, oa->flex, oa->masks, &set->flex);
		}
	}
}

static void test_sets_have_unique_names(struct kunit *test)
{
	const struct gpuoa_builtin_set *set, *other;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		set = gpuoa_platform_find(names[i])->test_set;
		for (j = 0; set && j < i; j++) {
			other = gpuoa_platform_find(names[j])->test_set;
			if (other)
				KUNIT_EXPECT_STRNEQ(test, set->uuid, other->uuid);
		}
	}
}

static void check_noa_delay(struct kunit *test, const struct gpuoa_oa_ops *oa)
{
	KUNIT_EXPECT_EQ(test, oa->noa_delay_us, 20 * USEC_PER_MSEC);
}

/* The default delay is that of i915 when it wrote the MUX by MMIO. */
static void mux_delay_is_20_ms(struct kunit *test)
{
	check_all_units(test, check_noa_delay);
}

static struct kunit_case platform_cases[] = {
	KUNIT_CASE(find_returns_null_for_unknown_platform),
	KUNIT_CASE(platforms_have_documented_clocks),
	KUNIT_CASE(media_units_have_documented_addresses),
	KUNIT_CASE(formats_are_consistent),
	KUNIT_CASE(descriptions_are_complete),
	KUNIT_CASE(whitelists_equal_documented_lists),
	KUNIT_CASE(addresses_are_aligned),
	KUNIT_CASE(units_of_a_gpu_share_no_register),
	KUNIT_CASE(media_units_have_no_flexible_counters),
	KUNIT_CASE(workaround_bits_are_masked),
	KUNIT_CASE(test_sets_pass_whitelists),
	KUNIT_CASE(test_sets_have_unique_names),
	KUNIT_CASE(mux_delay_is_20_ms),
	{}
};

static struct kunit_suite platform_suite = {
	.name = "gpuoa_platform",
	.test_cases = platform_cases,
};

kunit_test_suite(platform_suite);
