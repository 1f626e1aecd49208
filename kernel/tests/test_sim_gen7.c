// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_gen7.c - the simulated Haswell: recognized configurations, report layouts, reference
 * metrics.
 */
#include <kunit/test.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>

#include <gpuoa_provider.h>

#include "vgpu/model/gen7.h"
#include "vgpu/model/select.h"

struct write {
	u32 reg;
	u32 value;
};

static const struct write render_basic[] = {
	{ 0x9840, 0x80 }, { 0x253a4, 0x1600000 }, { 0x25440, 0x100000 }, { 0x25128, 0x0 },
	{ 0x2691c, 0x800 }, { 0x26aa0, 0x1500000 }, { 0x26b9c, 0x6000 }, { 0x2791c, 0x800 },
	{ 0x27aa0, 0x1500000 }, { 0x27b9c, 0x6000 }, { 0x2641c, 0x400 }, { 0x25380, 0x10 },
	{ 0x2538c, 0x0 }, { 0x25384, 0x800aaaa }, { 0x25400, 0x4 }, { 0x2540c, 0x6029000 },
	{ 0x25410, 0x2 }, { 0x25404, 0x5c30ffff }, { 0x25100, 0x16 }, { 0x25110, 0x400 },
	{ 0x25104, 0x0 }, { 0x26804, 0x1211 }, { 0x26884, 0x100 }, { 0x26900, 0x2 },
	{ 0x26908, 0x700000 }, { 0x26904, 0x0 }, { 0x26984, 0x1022 }, { 0x26a04, 0x11 },
	{ 0x26a80, 0x6 }, { 0x26a88, 0xc02 }, { 0x26a84, 0x0 }, { 0x26b04, 0x1000 },
	{ 0x26b80, 0x2 }, { 0x26b8c, 0x7 }, { 0x26b84, 0x0 }, { 0x27804, 0x4844 },
	{ 0x27884, 0x400 }, { 0x27900, 0x2 }, { 0x27908, 0xe000000 }, { 0x27904, 0x0 },
	{ 0x27984, 0x4088 }, { 0x27a04, 0x44 }, { 0x27a80, 0x6 }, { 0x27a88, 0x18040 },
	{ 0x27a84, 0x0 }, { 0x27b04, 0x4000 }, { 0x27b80, 0x2 }, { 0x27b8c, 0xe0 },
	{ 0x27b84, 0x0 }, { 0x26104, 0x2222 }, { 0x26184, 0xc006666 }, { 0x26284, 0x4000000 },
	{ 0x26304, 0x4000000 }, { 0x26400, 0x2 }, { 0x26410, 0xa0 }, { 0x26404, 0x0 },
	{ 0x25420, 0x4108020 }, { 0x25424, 0x1284a420 }, { 0x2541c, 0x0 }, { 0x25428, 0x42049 },
	{ 0x91bc, 0xe0400000 }, { 0x91c4, 0xe4500000 },
};

static const struct write compute_extended[] = {
	{ 0x9840, 0x80 }, { 0x2681c, 0x3eb00800 }, { 0x26820, 0x900000 }, { 0x25384, 0x2aaaaaa },
	{ 0x25404, 0x3ffffff }, { 0x26800, 0x142284 }, { 0x26808, 0xe629062 },
	{ 0x2680c, 0x3f6f55cb }, { 0x26810, 0x14 }, { 0x26804, 0x0 }, { 0x26104, 0x2aaaaaa },
	{ 0x26184, 0x2aaaaaa }, { 0x25420, 0x0 }, { 0x25424, 0x0 }, { 0x2541c, 0x0 },
	{ 0x25428, 0x0 }, { 0x91bc, 0xe0400000 }, { 0x91c4, 0xe4500000 },
};

static const struct gen7_boolean render_basic_boolean = {
	.starttrig2 = 0x00800000,
	.starttrig6 = 0x00800000,
};

static const struct gen7_boolean compute_extended_boolean = {
	.starttrig2 = 0xf0800000,
	.starttrig6 = 0xf0800000,
	.cec = {
		0x7fe2a, 0xff00, 0x7fe6a, 0xff00, 0x7fe92, 0xff00, 0x7fea2, 0xff00,
		0x7fe32, 0xff00, 0x7fe9a, 0xff00, 0x7ff23, 0xff00, 0x7fff3, 0xfffe,
	},
};

static const struct gen7_boolean test_oa_boolean = {
	.starttrig2 = 0xf0800000,
	.starttrig6 = 0xf0800000,
	.cec = {
		0x4, 0, 0x3, 0, 0x7, 0, 0x100002, 0xfff7, 0x100002, 0xffcf, 0x100082, 0xffef,
		0x1000c2, 0xffe7, 0x100001, 0xffe7,
	},
};

static u64 hash_writes(const struct write *writes, size_t n)
{
	u64 hash = SIM_HASH_START;

	while (n--) {
		hash = sim_hash(hash, writes->reg, writes->value);
		writes++;
	}
	return hash;
}

static void render_basic_counts_selected_signals(struct kunit *test)
{
	u64 mux = hash_writes(render_basic, ARRAY_SIZE(render_basic));
	struct sim_selection selection = {};

	gen7_select(mux, &render_basic_boolean, &selection);
	KUNIT_ASSERT_NOT_NULL(test, selection.name);
	KUNIT_EXPECT_STREQ(test, selection.name, "RenderBasic");
	KUNIT_EXPECT_EQ(test, selection.compared, 0);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_C + 2].signal, SIM_CLOCK);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_B + 1].signal, SIM_SAMPLER1_BUSY);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_A + 41].signal, SIM_GPU_BUSY);
}

static void order_of_mux_writes_matters(struct kunit *test)
{
	struct write writes[ARRAY_SIZE(render_basic)];
	struct sim_selection selection = {};

	memcpy(writes, render_basic, sizeof(writes));
	swap(writes[7], writes[8]);
	gen7_select(hash_writes(writes, ARRAY_SIZE(writes)), &render_basic_boolean, &selection);
	KUNIT_EXPECT_NULL(test, selection.name);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_C + 2].share, 0);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_B].share, 0);
}

static void comparators_need_own_configuration(struct kunit *test)
{
	u64 mux = hash_writes(compute_extended, ARRAY_SIZE(compute_extended));
	struct gen7_boolean boolean = compute_extended_boolean;
	struct sim_selection selection = {};

	gen7_select(mux, &boolean, &selection);
	KUNIT_ASSERT_NOT_NULL(test, selection.name);
	KUNIT_EXPECT_STREQ(test, selection.name, "ComputeExtended");
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_B + 7].signal, SIM_CLOCK);

	/* A B counter counts comparator results only if OASTARTTRIG selects them. */
	boolean.starttrig6 = 0x00800000;
	memset(&selection, 0, sizeof(selection));
	gen7_select(mux, &boolean, &selection);
	KUNIT_EXPECT_NE(test, selection.sources[GEN7_B + 3].share, 0);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_B + 4].share, 0);
	KUNIT_EXPECT_EQ(test, selection.compared, 0);

	/* With another comparator configuration, B counters count its results. */
	memset(&selection, 0, sizeof(selection));
	gen7_select(mux, &test_oa_boolean, &selection);
	KUNIT_EXPECT_EQ(test, selection.compared, 0xff);
}

static void test_oa_counts_comparisons(struct kunit *test)
{
	const struct write mux = { 0x9840, 0x80 };
	struct sim_selection selection = {};

	gen7_select(hash_writes(&mux, 1), &test_oa_boolean, &selection);
	KUNIT_EXPECT_EQ(test, selection.compared, 0xff);
	KUNIT_EXPECT_EQ(test, selection.sources[GEN7_C + 2].signal, SIM_CLOCK);
	KUNIT_EXPECT_EQ(test, sim_cec_count(selection.patterns[7], 600), 400ULL);
}

static struct kunit_case sim_gen7_cases[] = {
	KUNIT_CASE(render_basic_counts_selected_signals),
	KUNIT_CASE(order_of_mux_writes_matters),
	KUNIT_CASE(comparators_need_own_configuration),
	KUNIT_CASE(test_oa_counts_comparisons),
	{}
};

static struct kunit_suite sim_gen7_suite = {
	.name = "gpuoa_sim_gen7",
	.test_cases = sim_gen7_cases,
};

kunit_test_suite(sim_gen7_suite);
