// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_oa_gen12.c - register writes of the gen12 to Xe2 backend for OAG, OAR and OAM, in order.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "../core/stream/gpuoa_attr.h"
#include "fake_hw.h"

#define BUFFER 0x40000000

/* Exponent 9: (9 << 2) | timer | resume */
#define TIMER 0x27

static const struct gpuoa_register mux[] = { { 0x0d04, 0x200 }, { 0x9888, 1 } };
static const struct gpuoa_register boolean[] = { { 0xd900, 2 }, { 0xd940, 3 } };
static const struct gpuoa_register flex[] = { { 0xe458, 4 }, { 0xe65c, 5 } };
static const struct gpuoa_metric_set set = {
	.mux = { mux, ARRAY_SIZE(mux) },
	.boolean = { boolean, ARRAY_SIZE(boolean) },
	.flex = { flex, ARRAY_SIZE(flex) },
};

static void next_is_the_configuration(struct kunit *test)
{
	FAKE_NEXT(test, { FAKE_WRITE, 0x0d04, 0x200 }, { FAKE_WRITE, 0x9888, 1 },
		  { FAKE_WRITE, 0xd900, 2 }, { FAKE_WRITE, 0xd940, 3 },
		  { FAKE_CONTEXTS, 0xe458, 4 }, { FAKE_CONTEXTS, 0xe558, 0 },
		  { FAKE_CONTEXTS, 0xe658, 0 }, { FAKE_CONTEXTS, 0xe758, 0 },
		  { FAKE_CONTEXTS, 0xe45c, 0 }, { FAKE_CONTEXTS, 0xe55c, 0 },
		  { FAKE_CONTEXTS, 0xe65c, 5 });
}

static void next_are_idle_flexible_counters(struct kunit *test)
{
	FAKE_NEXT(test, { FAKE_CONTEXTS, 0xe458, 0 }, { FAKE_CONTEXTS, 0xe558, 0 },
		  { FAKE_CONTEXTS, 0xe658, 0 }, { FAKE_CONTEXTS, 0xe758, 0 },
		  { FAKE_CONTEXTS, 0xe45c, 0 }, { FAKE_CONTEXTS, 0xe55c, 0 },
		  { FAKE_CONTEXTS, 0xe65c, 0 });
}

static void gen12_enables_debug_timer_pmon_config(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	*fake_reg(fake, 0x8718) = 0x00800000;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x00620060 }, { FAKE_WRITE, 0x2b28, TIMER },
		  { FAKE_RMW, 0x8718, 0x40800000 });
	next_is_the_configuration(test);
	fake_end(test);
}

static void gen12_disable_clears_flex_noa_pmon(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	*fake_reg(fake, 0x0d04) = 0x201;
	*fake_reg(fake, 0x8718) = 0x60800000;
	gpuoa_oag_gen12.disable_metrics(&fake->hw);
	next_are_idle_flexible_counters(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0x001 }, { FAKE_RMW, 0x8718, 0x20800000 });
}

static void dg2_ungates_eu_clocks_first(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_dg2, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oag_dg2.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0xe4f0, 0x00200020 }, { FAKE_WRITE, 0xe4f4, 0x00010001 },
		  { FAKE_WRITE, 0xdaf8, 0x40620060 }, { FAKE_WRITE, 0x2b28, TIMER },
		  { FAKE_RMW, 0x8718, 0x60000000 });
	next_is_the_configuration(test);
	fake_end(test);

	gpuoa_oag_dg2.disable_metrics(&fake->hw);
	FAKE_NEXT(test, { FAKE_WRITE, 0xe4f0, 0x00200000 }, { FAKE_WRITE, 0xe4f4, 0x00010000 },
		  { FAKE_WRITE, 0xdaf8, 0x40004000 });
	next_are_idle_flexible_counters(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0 }, { FAKE_RMW, 0x8718, 0 });
}

static void mtl_enables_mmio_trigger_while_in_use(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_mtl, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oag_mtl.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x40620060 }, { FAKE_WRITE, 0x2b28, TIMER },
		  { FAKE_RMW, 0x8718, 0x60000000 });
	next_is_the_configuration(test);
	fake_end(test);

	gpuoa_oag_mtl.disable_metrics(&fake->hw);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x40004000 });
	next_are_idle_flexible_counters(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0 }, { FAKE_RMW, 0x8718, 0 });
}

static void xe2_enables_clocks_of_pec_counters(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_xe2, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oag_xe2.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x61e221e0 }, { FAKE_WRITE, 0x2b28, TIMER },
		  { FAKE_RMW, 0x8718, 0x60000000 });
	next_is_the_configuration(test);
	fake_end(test);
}

/* OAR: resume the counters, enable the unit, enable context save, then write the configuration. */
static void context_enables_oar(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_A12_B8_C8);

	fake->hw.filter = true;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x00620060 }, { FAKE_WRITE, 0x2b28, TIMER },
		  { FAKE_RMW, 0x8718, 0x40000000 }, { FAKE_CONTEXT, 0x2360, 1 },
		  { FAKE_CONTEXT, 0x2960, 2 << 1 | 1 }, { FAKE_CONTEXT, 0x2244, 0x01000100 });
	next_is_the_configuration(test);
	fake_end(test);

	gpuoa_oag_gen12.disable_metrics(&fake->hw);
	FAKE_NEXT(test, { FAKE_CONTEXT, 0x2360, 0 }, { FAKE_CONTEXT, 0x2960, 2 << 1 },
		  { FAKE_CONTEXT, 0x2244, 0x01000000 });
	next_are_idle_flexible_counters(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0 }, { FAKE_RMW, 0x8718, 0 });
}

/* The registers of a context that is known by id alone cannot be written. */
static void context_without_handle_enables_no_oar(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	fake->hw.filter = true;
	fake->hw.context_handle = NULL;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x00620060 }, { FAKE_WRITE, 0x2b28, TIMER },
		  { FAKE_RMW, 0x8718, 0x40000000 });
	next_is_the_configuration(test);
	fake_end(test);

	gpuoa_oag_gen12.disable_metrics(&fake->hw);
	next_are_idle_flexible_counters(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0 }, { FAKE_RMW, 0x8718, 0 });
}

static void oar_of_xe2_uses_whole_format(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8);

	fake->hw.filter = true;
	gpuoa_oag_xe2.disable_metrics(&fake->hw);
	FAKE_NEXT(test, { FAKE_WRITE, 0xdaf8, 0x40004000 }, { FAKE_CONTEXT, 0x2360, 0 },
		  { FAKE_CONTEXT, 0x2960, 0x302 }, { FAKE_CONTEXT, 0x2244, 0x01000000 });
	next_are_idle_flexible_counters(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0 }, { FAKE_RMW, 0x8718, 0 });
}

static void provider_error_is_returned(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	fake->context_error = -EIO;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.enable_metrics(&fake->hw, &set), -EIO);
}

static void oag_start_writes_status_head_buffer_tail_control(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	gpuoa_oag_gen12.start(&fake->hw);
	FAKE_LAST(test, { FAKE_WRITE, 0xdafc, 0 }, { FAKE_WRITE, 0xdb00, BUFFER },
		  { FAKE_WRITE, 0xdb08, BUFFER | 0x39 }, { FAKE_WRITE, 0xdb04, BUFFER },
		  { FAKE_WRITE, 0xdaf4, 5 << 2 | 1 });
}

static void oag_stop_clears_addresses(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	/* This bit clears itself. */
	fake->slow = 0xceec;
	fake->slow_value = 1;
	fake->slow_reads = 3;
	*fake_reg(fake, 0xdaf4) = 1;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.stop(&fake->hw), 0);
	KUNIT_EXPECT_EQ(test, fake->slow_reads, 0);
	FAKE_LAST(test, { FAKE_WRITE, 0xdaf4, 0 }, { FAKE_WRITE, 0xceec, 1 });

	fake->slow_reads = U32_MAX;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.stop(&fake->hw), -ETIMEDOUT);
}

static void oag_stop_reports_timeout(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_xe2, GPUOA_FORMAT_DEFAULT);

	fake->slow = 0xdaf4;
	fake->slow_value = 1;
	fake->slow_reads = U32_MAX;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_xe2.stop(&fake->hw), -ETIMEDOUT);
}

static void xe2_stop_invalidates_no_tlb(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_xe2, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oag_xe2.stop(&fake->hw), 0);
	FAKE_LAST(test, { FAKE_WRITE, 0xdaf4, 0 });
}

struct format_case {
	const struct gpuoa_oa_ops *oa;
	u32 format;
	u32 control_reg;
	u32 control;
	u32 size;
	u32 timestamp_bits;
};

#define PES 0x0fc00000

static const struct format_case format_cases[] = {
	{ &gpuoa_oag_gen12, GPUOA_FORMAT_A12, 0xdaf4, 0x01, 64, 32 },
	{ &gpuoa_oag_gen12, GPUOA_FORMAT_A12_B8_C8, 0xdaf4, 0x09, 128, 32 },
	{ &gpuoa_oag_gen12, GPUOA_FORMAT_A32U40_A4U32_B8_C8, 0xdaf4, 0x15, 256, 32 },
	{ &gpuoa_oag_gen12, GPUOA_FORMAT_C4_B8, 0xdaf4, 0x1d, 64, 32 },
	{ &gpuoa_oag_dg2, GPUOA_FORMAT_A24U40_A14U32_B8_C8, 0xdaf4, 0x15, 256, 32 },
	{ &gpuoa_oag_mtl, GPUOA_FORMAT_A24U40_A14U32_B8_C8, 0xdaf4, 0x15, 256, 32 },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U64_B8_C8, 0x393194, 0x3, 192, 56 },
	{ &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U32_B8_C8, 0x393194, 0x5, 128, 32 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64, 0xdaf4, PES | 0x105, 576, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64_B8_C8, 0xdaf4, PES | 0x305, 640, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U32, 0xdaf4, PES | 0x005, 320, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U64_G1, 0xdaf4, PES | 0x115, 320, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U32_G1, 0xdaf4, PES | 0x015, 192, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U64_G2, 0xdaf4, PES | 0x119, 320, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC32U32_G2, 0xdaf4, PES | 0x019, 192, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC36U64_G1_32_G2_4, 0xdaf4, PES | 0x10d, 320, 56 },
	{ &gpuoa_oag_xe2, GPUOA_FORMAT_PEC36U64_G1_4_G2_32, 0xdaf4, PES | 0x111, 320, 56 },
	{ &gpuoa_oam_xe2_sag, GPUOA_FORMAT_MPEC8U64_B8_C8, 0x393194, 0x3, 192, 56 },
	{ &gpuoa_oam_xe2_scmi0, GPUOA_FORMAT_MPEC8U64_B8_C8, 0x394194, 0x3, 192, 56 },
	{ &gpuoa_oam_xe2_scmi1, GPUOA_FORMAT_MPEC8U64_B8_C8, 0x394994, 0x3, 192, 56 },
};

static void format_selects_code(struct kunit *test)
{
	const struct format_case *c;
	struct fake_hw *fake;

	for (c = format_cases; c < format_cases + ARRAY_SIZE(format_cases); c++) {
		fake = fake_hw_new(test, c->oa, c->format);
		c->oa->start(&fake->hw);
		KUNIT_EXPECT_EQ_MSG(test, *fake_reg(fake, c->control_reg), c->control, "%s",
				    fake->hw.format->name);
		KUNIT_EXPECT_EQ(test, fake->hw.format->size, c->size);
		KUNIT_EXPECT_EQ(test, fake->hw.format->header->timestamp_bits, c->timestamp_bits);
	}
}

/* OAR's format code means A24u40_A14u32 in the OABUFFER. */
static void stream_cannot_use_format_of_oar(struct kunit *test)
{
	const u32 oar = GPUOA_FORMAT_OAR_A32U40_A4U32_B8_C8;

	KUNIT_EXPECT_NULL(test, gpuoa_attr_format(&gpuoa_oag_dg2, oar));
	KUNIT_EXPECT_NULL(test, gpuoa_attr_format(&gpuoa_oag_mtl, oar));
}

struct large_case {
	const struct gpuoa_oa_ops *oa;
	u32 debug;
	u32 buffer;
};

static const struct large_case large_cases[] = {
	{ &gpuoa_oag_dg2, 0xdaf8, 0xdb08 },	      { &gpuoa_oag_mtl, 0xdaf8, 0xdb08 },
	{ &gpuoa_oam_mtl, 0x393198, 0x3931a8 },	      { &gpuoa_oag_xe2, 0xdaf8, 0xdb08 },
	{ &gpuoa_oam_xe2_sag, 0x393198, 0x3931a8 },   { &gpuoa_oam_xe2_scmi0, 0x394198, 0x3941a8 },
	{ &gpuoa_oam_xe2_scmi1, 0x394998, 0x3949a8 },
};

/*
 * Above 16 MiB the size field counts from 1 MiB, selected by a bit of OA_DEBUG. The AUX area is not
 * known when metrics are enabled, and a later one may have another size.
 */
static void expect_each_size(struct kunit *test, const struct large_case *c)
{
	static const u32 codes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 5, 6, 7 };
	struct fake_hw *fake = fake_hw_new(test, c->oa, GPUOA_FORMAT_DEFAULT);
	u32 n, i, select;

	KUNIT_EXPECT_EQ(test, c->oa->buffer_size_max, SZ_128M);
	fake->hw.buffer_size = 0;
	KUNIT_EXPECT_EQ(test, c->oa->enable_metrics(&fake->hw, &set), 0);
	/* Increasing, then decreasing sizes */
	for (n = 0; n < 2 * ARRAY_SIZE(codes); n++) {
		i = n < ARRAY_SIZE(codes) ? n : 2 * ARRAY_SIZE(codes) - 1 - n;
		fake->hw.buffer_size = SZ_128K << i;
		fake->n_events = 0;
		c->oa->start(&fake->hw);
		KUNIT_EXPECT_EQ(test, *fake_reg(fake, c->buffer), BUFFER | codes[i] << 3 | 1);
		select = *fake_reg(fake, c->debug);
		KUNIT_EXPECT_EQ_MSG(test, select, i > 7 ? 0x10001000 : 0x10000000, "size %u", i);
	}
}

static void start_selects_large_buffer_scale(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(large_cases); i++)
		expect_each_size(test, &large_cases[i]);
}

/* gen12.0 has neither buffers above 16 MiB nor the bit of OA_DEBUG that selects them. */
static void gen12_start_writes_no_buffer_scale(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.buffer_size_max, SZ_16M);
	gpuoa_oag_gen12.start(&fake->hw);
	KUNIT_EXPECT_EQ(test, *fake_reg(fake, 0xdaf8), 0);
}

static void status_is_decoded(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);
	struct gpuoa_hw_status status;

	*fake_reg(fake, 0xdb04) = BUFFER + 0xffffc0;
	*fake_reg(fake, 0xdafc) = 2 | 4;
	gpuoa_oag_gen12.status(&fake->hw, &status);
	KUNIT_EXPECT_EQ(test, status.tail, 0xffffc0);
	KUNIT_EXPECT_EQ(test, gpuoa_oag_gen12.tail(&fake->hw), 0xffffc0);
	KUNIT_EXPECT_TRUE(test, status.overflow);
	KUNIT_EXPECT_FALSE(test, status.lost);
	KUNIT_EXPECT_EQ(test, status.notes, GPUOA_STATUS_COUNTERS_WRAPPED);
	FAKE_LAST(test, { FAKE_WRITE, 0xdafc, 2 });

	*fake_reg(fake, 0xdafc) = 2;
	gpuoa_oag_gen12.status(&fake->hw, &status);
	KUNIT_EXPECT_EQ(test, status.notes, 0);
	KUNIT_EXPECT_EQ(test, fake->n_events, 0);
}

static void lost_reports_are_reported_once(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_mtl, GPUOA_FORMAT_DEFAULT);
	struct gpuoa_hw_status status;

	*fake_reg(fake, 0xdafc) = 0x80 | 4 | 1;
	gpuoa_oag_mtl.status(&fake->hw, &status);
	KUNIT_EXPECT_TRUE(test, status.lost);
	FAKE_LAST(test, { FAKE_WRITE, 0xdafc, 0x80 });

	/* Only the MMIO trigger queue overflowed; no timer report was lost. */
	*fake_reg(fake, 0xdafc) = 0x40;
	gpuoa_oag_mtl.status(&fake->hw, &status);
	KUNIT_EXPECT_FALSE(test, status.lost);
	KUNIT_EXPECT_EQ(test, status.notes, GPUOA_STATUS_TRIGGERS_LOST);
	FAKE_LAST(test, { FAKE_WRITE, 0xdafc, 0 });

	gpuoa_oag_mtl.status(&fake->hw, &status);
	KUNIT_EXPECT_FALSE(test, status.lost);
	KUNIT_EXPECT_EQ(test, status.notes, 0);
}

/* A register reads as all ones if the GPU was removed. */
static void all_ones_are_removed_gpu(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_mtl, GPUOA_FORMAT_DEFAULT);
	struct gpuoa_hw_status status;

	gpuoa_oag_mtl.status(&fake->hw, &status);
	KUNIT_EXPECT_FALSE(test, status.gone);
	*fake_reg(fake, 0xdafc) = ~0;
	gpuoa_oag_mtl.status(&fake->hw, &status);
	KUNIT_EXPECT_TRUE(test, status.gone);
	KUNIT_EXPECT_EQ(test, fake->n_events, 0);

	/* stop() does not wait for a GPU that was removed. */
	fake->slow = 0xdaf4;
	fake->slow_value = ~0;
	fake->slow_reads = U32_MAX;
	KUNIT_EXPECT_EQ(test, gpuoa_oag_mtl.stop(&fake->hw), -ENODEV);
	KUNIT_EXPECT_EQ(test, fake->slow_reads, U32_MAX - 1);
}

static void reset_unit_is_off(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oam_mtl, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_FALSE(test, gpuoa_oam_mtl.runs(&fake->hw));
	gpuoa_oam_mtl.start(&fake->hw);
	KUNIT_EXPECT_TRUE(test, gpuoa_oam_mtl.runs(&fake->hw));
	*fake_reg(fake, 0x393194) = 0;
	KUNIT_EXPECT_FALSE(test, gpuoa_oam_mtl.runs(&fake->hw));
}

static void head_is_address(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oag_gen12, GPUOA_FORMAT_DEFAULT);

	gpuoa_oag_gen12.set_head(&fake->hw, 0x4300);
	FAKE_LAST(test, { FAKE_WRITE, 0xdb00, BUFFER + 0x4300 });
}

static const struct gpuoa_register media_boolean[] = { { 0x393200, 1 } };
static const struct gpuoa_metric_set media_set = { .boolean = { media_boolean, 1 } };

/* All registers are on the media GT. Flexible EU counters belong to the render unit. */
static void media_unit_of_mtl_uses_registers_of_its_gt(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oam_mtl, GPUOA_FORMAT_MPEC8U64_B8_C8);

	KUNIT_EXPECT_EQ(test, gpuoa_oam_mtl.enable_metrics(&fake->hw, &media_set), 0);
	FAKE_LAST(test, { FAKE_WRITE, 0x393198, 0x40620060 }, { FAKE_WRITE, 0x3931bc, TIMER },
		  { FAKE_RMW, 0x388718, 0x60000000 }, { FAKE_WRITE, 0x393200, 1 });

	gpuoa_oam_mtl.start(&fake->hw);
	FAKE_LAST(test, { FAKE_WRITE, 0x393198, 0x10000000 }, { FAKE_WRITE, 0x39319c, 0 },
		  { FAKE_WRITE, 0x3931a0, BUFFER }, { FAKE_WRITE, 0x3931a8, BUFFER | 0x39 },
		  { FAKE_WRITE, 0x3931a4, BUFFER }, { FAKE_WRITE, 0x393194, 1 << 1 | 1 });

	gpuoa_oam_mtl.set_head(&fake->hw, 0xc0);
	FAKE_LAST(test, { FAKE_WRITE, 0x3931a0, BUFFER + 0xc0 });

	fake->slow = 0x38ceec;
	KUNIT_EXPECT_EQ(test, gpuoa_oam_mtl.stop(&fake->hw), 0);
	FAKE_LAST(test, { FAKE_WRITE, 0x393194, 0 }, { FAKE_WRITE, 0x38ceec, 1 });

	gpuoa_oam_mtl.disable_metrics(&fake->hw);
	FAKE_LAST(test, { FAKE_WRITE, 0x393198, 0x40004000 }, { FAKE_RMW, 0x380d04, 0 },
		  { FAKE_RMW, 0x388718, 0 });
}

/* SQCNT1 stays on because another unit of the GT may use it. */
static void media_units_of_xe2_share_no_state(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oam_xe2_scmi1, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oam_xe2_scmi1.enable_metrics(&fake->hw, &media_set), 0);
	FAKE_LAST(test, { FAKE_WRITE, 0x394998, 0x61e221e0 }, { FAKE_WRITE, 0x3949bc, TIMER },
		  { FAKE_RMW, 0x388718, 0x60000000 }, { FAKE_WRITE, 0x393200, 1 });

	KUNIT_EXPECT_EQ(test, gpuoa_oam_xe2_scmi1.stop(&fake->hw), 0);
	FAKE_LAST(test, { FAKE_WRITE, 0x394994, 0 });

	gpuoa_oam_xe2_scmi1.disable_metrics(&fake->hw);
	FAKE_LAST(test, { FAKE_WRITE, 0x394998, 0x40004000 }, { FAKE_RMW, 0x380d04, 0 });
}

/* Latency measurement stays on for the same reason. */
static void media_units_of_xe3_measure_latency(struct kunit *test)
{
	struct fake_hw *fake = fake_hw_new(test, &gpuoa_oam_xe3_scmi0, GPUOA_FORMAT_DEFAULT);

	KUNIT_EXPECT_EQ(test, gpuoa_oam_xe3_scmi0.enable_metrics(&fake->hw, &media_set), 0);
	FAKE_LAST(test, { FAKE_WRITE, 0x394198, 0x61e221e0 }, { FAKE_WRITE, 0x3941bc, TIMER },
		  { FAKE_RMW, 0x388718, 0x60000000 }, { FAKE_RMW, 0x1c2e00, 0x10 },
		  { FAKE_WRITE, 0x393200, 1 });

	gpuoa_oam_xe3_scmi0.disable_metrics(&fake->hw);
	FAKE_LAST(test, { FAKE_WRITE, 0x394198, 0x40004000 }, { FAKE_RMW, 0x380d04, 0 });
}

static void split_of_reports_matches_hardware(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, gpuoa_oam_mtl.splits_reports);
	KUNIT_EXPECT_TRUE(test, gpuoa_oam_xe2_sag.splits_reports);
	KUNIT_EXPECT_FALSE(test, gpuoa_oag_xe2.splits_reports);
}

static struct kunit_case gen12_cases[] = {
	KUNIT_CASE(gen12_enables_debug_timer_pmon_config),
	KUNIT_CASE(gen12_disable_clears_flex_noa_pmon),
	KUNIT_CASE(dg2_ungates_eu_clocks_first),
	KUNIT_CASE(mtl_enables_mmio_trigger_while_in_use),
	KUNIT_CASE(xe2_enables_clocks_of_pec_counters),
	KUNIT_CASE(context_enables_oar),
	KUNIT_CASE(context_without_handle_enables_no_oar),
	KUNIT_CASE(oar_of_xe2_uses_whole_format),
	KUNIT_CASE(provider_error_is_returned),
	KUNIT_CASE(oag_start_writes_status_head_buffer_tail_control),
	KUNIT_CASE(oag_stop_clears_addresses),
	KUNIT_CASE(oag_stop_reports_timeout),
	KUNIT_CASE(xe2_stop_invalidates_no_tlb),
	KUNIT_CASE(format_selects_code),
	KUNIT_CASE(stream_cannot_use_format_of_oar),
	KUNIT_CASE(start_selects_large_buffer_scale),
	KUNIT_CASE(gen12_start_writes_no_buffer_scale),
	KUNIT_CASE(status_is_decoded),
	KUNIT_CASE(lost_reports_are_reported_once),
	KUNIT_CASE(all_ones_are_removed_gpu),
	KUNIT_CASE(reset_unit_is_off),
	KUNIT_CASE(head_is_address),
	KUNIT_CASE(media_unit_of_mtl_uses_registers_of_its_gt),
	KUNIT_CASE(media_units_of_xe2_share_no_state),
	KUNIT_CASE(media_units_of_xe3_measure_latency),
	KUNIT_CASE(split_of_reports_matches_hardware),
	{},
};

static struct kunit_suite gen12_suite = {
	.name = "gpuoa_oa_gen12",
	.test_cases = gen12_cases,
};

kunit_test_suite(gen12_suite);
