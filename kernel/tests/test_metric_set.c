// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_metric_set.c - whitelists, masks and comparison of register lists.
 */
#include <kunit/test.h>
#include <linux/time64.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "../core/oa/gpuoa_oa.h"
#include "fake_hw.h"

static int check(const struct gpuoa_reg_range *whitelist, u32 address)
{
	struct gpuoa_register reg = { address, 0 };

	return gpuoa_regs_check(whitelist, gpuoa_oa_gen7.masks, &reg, 1);
}

struct range_case {
	const struct gpuoa_reg_range *const *whitelist;
	u32 first;
	u32 last;
};

static const struct range_case range_cases[] = {
	{ &gpuoa_oa_gen7.mux, 0x91b8, 0x91cc },	    { &gpuoa_oa_gen7.mux, 0x9800, 0x9888 },
	{ &gpuoa_oa_gen7.mux, 0xe180, 0xe180 },	    { &gpuoa_oa_gen7.mux, 0x9e80, 0x9ea4 },
	{ &gpuoa_oa_gen7.mux, 0x9ec0, 0x9ec0 },	    { &gpuoa_oa_gen7.mux, 0x25100, 0x2ff90 },
	{ &gpuoa_oa_gen7.boolean, 0x2710, 0x272c }, { &gpuoa_oa_gen7.boolean, 0x2740, 0x275c },
	{ &gpuoa_oa_gen7.boolean, 0x2770, 0x27ac },
};

static void ranges_end_at_documented_registers(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(range_cases); i++) {
		const struct range_case *c = &range_cases[i];

		KUNIT_EXPECT_EQ(test, check(*c->whitelist, c->first), 0);
		KUNIT_EXPECT_EQ(test, check(*c->whitelist, c->last), 0);
		KUNIT_EXPECT_EQ_MSG(test, check(*c->whitelist, c->first - 4), -EINVAL, "%x",
				    c->first - 4);
		KUNIT_EXPECT_EQ_MSG(test, check(*c->whitelist, c->last + 4), -EINVAL, "%x",
				    c->last + 4);
		KUNIT_EXPECT_EQ(test, check(*c->whitelist, c->first + 2), -EINVAL);
	}
}

static void other_registers_are_rejected(struct kunit *test)
{
	/*
	 * Registers that no configuration may write: OACONTROL, OASTATUS1, OABUFFER, MISCCPCTL,
	 * UCGCTL1, WAIT_FOR_RC6_EXIT, and offsets without a register
	 */
	static const u32 forbidden[] = { 0x2360, 0x2364, 0x23b0, 0x9424, 0x9400, 0x20cc, 0, ~0u };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forbidden); i++) {
		KUNIT_EXPECT_EQ(test, check(gpuoa_oa_gen7.mux, forbidden[i]), -EINVAL);
		KUNIT_EXPECT_EQ(test, check(gpuoa_oa_gen7.boolean, forbidden[i]), -EINVAL);
	}
	KUNIT_EXPECT_PTR_EQ(test, gpuoa_oa_gen7.flex, NULL);
}

static void lists_have_separate_whitelists(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, check(gpuoa_oa_gen7.boolean, 0x9888), -EINVAL);
	KUNIT_EXPECT_EQ(test, check(gpuoa_oa_gen7.mux, 0x2710), -EINVAL);
}

static void one_invalid_register_rejects_list(struct kunit *test)
{
	struct gpuoa_register regs[] = { { 0x9888, 1 }, { 0x9888, 2 }, { 0x2360, 3 } };

	KUNIT_EXPECT_EQ(test, gpuoa_regs_check(gpuoa_oa_gen7.mux, gpuoa_oa_gen7.masks, regs, 2), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_regs_check(gpuoa_oa_gen7.mux, gpuoa_oa_gen7.masks, regs, 3),
			-EINVAL);
}

static void workaround_bits_are_masked(struct kunit *test)
{
	struct gpuoa_register regs[] = { { 0xe180, 0xffffffff }, { 0x9888, 0xffffffff } };

	KUNIT_ASSERT_EQ(test, gpuoa_regs_check(gpuoa_oa_gen7.mux, gpuoa_oa_gen7.masks, regs, 2), 0);
	KUNIT_EXPECT_EQ(test, regs[0].value, 0xffffffff & ~(BIT(13) | BIT(29)));
	KUNIT_EXPECT_EQ(test, regs[1].value, 0xffffffff);
}

static void uuid_format_is_checked(struct kunit *test)
{
	static const char *const bad[] = {
		"",
		"a490e9d2-55b3-4db0-8dab-53011032c5f",
		"a490e9d2-55b3-4db0-8dab-53011032c5f33",
		"a490e9d2_55b3-4db0-8dab-53011032c5f3",
		"a490e9d255b3-4db0-8dab-53011032c5f3-",
		"g490e9d2-55b3-4db0-8dab-53011032c5f3",
		" 490e9d2-55b3-4db0-8dab-53011032c5f3",
	};
	char uuid[GPUOA_UUID_SIZE] = "a490e9d2-55b3-4db0-8dab-53011032c5f3";
	size_t i;

	KUNIT_EXPECT_TRUE(test, gpuoa_uuid_valid(uuid));
	KUNIT_EXPECT_TRUE(test, gpuoa_uuid_valid("A490E9D2-55B3-4DB0-8DAB-53011032C5F3\0\0\0"));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(uuid, 0, sizeof(uuid));
		strscpy(uuid, bad[i], sizeof(uuid));
		KUNIT_EXPECT_FALSE_MSG(test, gpuoa_uuid_valid(uuid), "%s", bad[i]);
	}
}

static void sets_with_equal_writes_are_equal(struct kunit *test)
{
	static const struct gpuoa_register regs[] = { { 0x9888, 1 }, { 0x9888, 2 } };
	static const struct gpuoa_register swapped[] = { { 0x9888, 2 }, { 0x9888, 1 } };
	struct gpuoa_metric_set a = { .mux = { regs, 2 } };
	struct gpuoa_metric_set b = { .mux = { regs, 2 }, .id = 5, .uuid = "other" };
	struct gpuoa_metric_set order = { .mux = { swapped, 2 } };
	struct gpuoa_metric_set part = { .mux = { regs, 1 } };
	struct gpuoa_metric_set place = { .boolean = { regs, 2 } };

	KUNIT_EXPECT_TRUE(test, gpuoa_metric_set_equal(&a, &a));
	KUNIT_EXPECT_TRUE(test, gpuoa_metric_set_equal(&a, &b));
	KUNIT_EXPECT_FALSE(test, gpuoa_metric_set_equal(&a, &order));
	KUNIT_EXPECT_FALSE(test, gpuoa_metric_set_equal(&a, &part));
	KUNIT_EXPECT_FALSE(test, gpuoa_metric_set_equal(&a, &place));
}

static const struct gpuoa_register noa_mux[] = { { 0x9888, 1 }, { 0x9888, 2 } };
static const struct gpuoa_register noa_boolean[] = { { 0x2710, 3 } };

/*
 * On all generations, the writes to the MUX are flushed, and the MUX gets time to switch before the
 * boolean counters are written.
 */
static void boolean_writes_follow_mux_delay(struct kunit *test)
{
	static const struct gpuoa_oa_ops *const oas[] = {
		&gpuoa_oa_gen7, &gpuoa_oa_gen9, &gpuoa_oag_gen12, &gpuoa_oag_xe2,
	};
	const struct gpuoa_metric_set set = {
		.mux = { noa_mux, 2 },
		.boolean = { noa_boolean, 1 },
	};
	const struct fake_event *mux, *boolean;
	struct fake_hw *fake;
	size_t i;
	u32 n;

	for (i = 0; i < ARRAY_SIZE(oas); i++) {
		fake = fake_hw_new(test, oas[i], GPUOA_FORMAT_DEFAULT);
		fake->hw.noa_delay_us = 3000;
		KUNIT_ASSERT_EQ(test, oas[i]->enable_metrics(&fake->hw, &set), 0);
		mux = NULL;
		boolean = NULL;
		for (n = 0; n < fake->n_events; n++) {
			if (fake->events[n].reg == 0x9888)
				mux = &fake->events[n];
			if (fake->events[n].reg == 0x2710)
				boolean = &fake->events[n];
		}
		KUNIT_ASSERT_NOT_NULL(test, mux);
		KUNIT_ASSERT_NOT_NULL(test, boolean);
		KUNIT_EXPECT_GE(test, boolean->at, mux->at + 3 * NSEC_PER_MSEC);
		KUNIT_EXPECT_GT(test, boolean->reads, mux->reads);
	}
}

static void set_without_mux_has_no_delay(struct kunit *test)
{
	const struct gpuoa_metric_set set = { .boolean = { noa_boolean, 1 } };
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oa_gen7, GPUOA_FORMAT_DEFAULT);
	u64 begin = ktime_get_ns();

	fake->hw.noa_delay_us = USEC_PER_SEC;
	gpuoa_metric_set_write_noa(&fake->hw, &set);
	KUNIT_EXPECT_LT(test, ktime_get_ns() - begin, NSEC_PER_SEC);
}

static struct kunit_case metric_set_cases[] = {
	KUNIT_CASE(ranges_end_at_documented_registers),
	KUNIT_CASE(other_registers_are_rejected),
	KUNIT_CASE(lists_have_separate_whitelists),
	KUNIT_CASE(one_invalid_register_rejects_list),
	KUNIT_CASE(workaround_bits_are_masked),
	KUNIT_CASE(uuid_format_is_checked),
	KUNIT_CASE(sets_with_equal_writes_are_equal),
	KUNIT_CASE(boolean_writes_follow_mux_delay),
	KUNIT_CASE(set_without_mux_has_no_delay),
	{}
};

static struct kunit_suite metric_set_suite = {
	.name = "gpuoa_metric_set",
	.test_cases = metric_set_cases,
};

kunit_test_suite(metric_set_suite);
