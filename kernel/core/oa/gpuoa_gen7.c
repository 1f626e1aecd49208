// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_gen7.c - OA backend of Haswell (gen7.5).
 *
 * Registers and sequences follow the Haswell PRM, volume "Observability Performance Counters", and
 * drivers/gpu/drm/i915/i915_perf.c.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/sizes.h>

#include <gen7_regs.h>

#include "gpuoa_metric_set.h"
#include "gpuoa_oa.h"

static const struct gpuoa_counters gen7_counters_a13[] = {
	{ GPUOA_COUNTER_A(0), 32, 13, 12 },
	{},
};

static const struct gpuoa_counters gen7_counters_a29[] = {
	{ GPUOA_COUNTER_A(0), 32, 29, 12 },
	{},
};

static const struct gpuoa_counters gen7_counters_a13_b8_c8[] = {
	{ GPUOA_COUNTER_A(0), 32, 13, 12 },
	{ GPUOA_COUNTER_B(0), 32, 8, 64 },
	{ GPUOA_COUNTER_C(0), 32, 8, 96 },
	{},
};

static const struct gpuoa_counters gen7_counters_b4_c8[] = {
	{ GPUOA_COUNTER_B(0), 32, 4, 16 },
	{ GPUOA_COUNTER_C(0), 32, 8, 32 },
	{},
};

static const struct gpuoa_counters gen7_counters_a45_b8_c8[] = {
	{ GPUOA_COUNTER_A(0), 32, 45, 12 },
	{ GPUOA_COUNTER_B(0), 32, 8, 192 },
	{ GPUOA_COUNTER_C(0), 32, 8, 224 },
	{},
};

static const struct gpuoa_counters gen7_counters_b4_c8_a16[] = {
	{ GPUOA_COUNTER_B(0), 32, 4, 16 },
	{ GPUOA_COUNTER_C(0), 32, 8, 32 },
	{ GPUOA_COUNTER_A(29), 32, 16, 64 },
	{},
};

static const struct gpuoa_counters gen7_counters_c4_b8[] = {
	{ GPUOA_COUNTER_C(0), 32, 4, 16 },
	{ GPUOA_COUNTER_B(0), 32, 8, 32 },
	{},
};

/*
 * A29_B8_C8, code 3, is omitted: the buffer size is not a multiple of its 192 bytes, and the
 * hardware's behaviour for a report that crosses the end of the buffer is not known.
 */
static const struct gpuoa_format_desc gen7_formats[] = {
	{ GPUOA_FORMAT_A13, 0, 64, "A13", &gpuoa_header_hsw, gen7_counters_a13 },
	{ GPUOA_FORMAT_A29, 1, 128, "A29", &gpuoa_header_hsw, gen7_counters_a29 },
	{ GPUOA_FORMAT_A13_B8_C8, 2, 128, "A13_B8_C8", &gpuoa_header_hsw, gen7_counters_a13_b8_c8 },
	{ GPUOA_FORMAT_B4_C8, 4, 64, "B4_C8", &gpuoa_header_hsw, gen7_counters_b4_c8 },
	{ GPUOA_FORMAT_A45_B8_C8, 5, 256, "A45_B8_C8", &gpuoa_header_hsw, gen7_counters_a45_b8_c8 },
	{ GPUOA_FORMAT_B4_C8_A16, 6, 128, "B4_C8_A16", &gpuoa_header_hsw, gen7_counters_b4_c8_a16 },
	{ GPUOA_FORMAT_C4_B8, 7, 64, "C4_B8", &gpuoa_header_hsw, gen7_counters_c4_b8 },
};

static const struct gpuoa_reg_range gen7_mux[] = {
	{ 0x91b8, 0x91cc },   /* OA_PERFCNT1..3 */
	{ 0x9800, 0x9888 },   /* MICRO_BP0_0 .. NOA_WRITE */
	{ 0xe180, 0xe180 },   /* HALF_SLICE_CHICKEN2 */
	{ 0x9e80, 0x9ea4 },   /* HSW_MBVID2_NOA0..9 */
	{ 0x9ec0, 0x9ec0 },   /* HSW_MBVID2_MISR0 */
	{ 0x25100, 0x2ff90 }, /* render NOA */
	{},
};

static const struct gpuoa_reg_range gen7_boolean[] = {
	{ 0x2710, 0x272c }, /* OASTARTTRIG1..8 */
	{ 0x2740, 0x275c }, /* OAREPORTTRIG1..8 */
	{ 0x2770, 0x27ac }, /* CEC0_0..CEC7_1 */
	{},
};

/*
 * Users must not change the ST power optimisation in HALF_SLICE_CHICKEN2 (bit 13, write-enabled by
 * bit 29), because the GPU's driver sets it for a workaround.
 */
static const struct gpuoa_reg_mask gen7_masks[] = {
	{ HALF_SLICE_CHICKEN2, MASKED_SET(ST_PO_DISABLE) },
	{},
};

/* The events of A counters are fixed; B1 counts clocks with the TestOa configuration. */
static const struct gpuoa_alias gen7_aliases[] = {
	{ "gpu-busy", GPUOA_COUNTER_A(41), "clocks" },
	{ "gpu-clocks", GPUOA_COUNTER_B(1), "clocks" },
	{ "eu-active", GPUOA_COUNTER_A(0), "EU-clocks" },
	{ "eu-stall", GPUOA_COUNTER_A(1), "EU-clocks" },
	{},
};

static int gen7_enable_metrics(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	/* Clock gating would stop the counters. */
	gpuoa_hw_rmw(hw, MISCCPCTL, DOP_CLOCK_GATE_ENABLE, 0);
	gpuoa_hw_rmw(hw, UCGCTL1, 0, CS_UNIT_CLOCK_GATE_DISABLE);

	gpuoa_metric_set_write_noa(hw, set);

	return 0;
}

static void gen7_disable_metrics(const struct gpuoa_hw *hw)
{
	gpuoa_hw_rmw(hw, UCGCTL1, CS_UNIT_CLOCK_GATE_DISABLE, 0);
	gpuoa_hw_rmw(hw, MISCCPCTL, 0, DOP_CLOCK_GATE_ENABLE);
	gpuoa_hw_rmw(hw, GDT_CHICKEN_BITS, GT_NOA_ENABLE, 0);
}

static void gen7_start(const struct gpuoa_hw *hw)
{
	u32 control = FIELD_PREP(OACONTROL_TIMER_PERIOD, hw->exponent) | OACONTROL_TIMER_ENABLE |
		      FIELD_PREP(OACONTROL_FORMAT, hw->format->code) | OACONTROL_ENABLE;
	u32 size_code = oabuffer_size_code(hw->buffer_size);

	/*
	 * Write OABUFFER after the head and before the tail, or the overflow bit misbehaves.
	 * Writing OASTATUS1 also clears the status bits.
	 */
	gpuoa_hw_write(hw, OASTATUS2, (hw->buffer + hw->first) | OASTATUS2_GGTT);
	gpuoa_hw_write(hw, OABUFFER, hw->buffer);
	gpuoa_hw_write(hw, OASTATUS1,
		       (hw->buffer + hw->first) | FIELD_PREP(OASTATUS1_BUFFER_SIZE, size_code));

	if (hw->filter)
		control |= (hw->context & OACONTROL_CONTEXT) | OACONTROL_PER_CONTEXT_ENABLE;
	gpuoa_hw_write(hw, OACONTROL, control);
}

static int gen7_stop(const struct gpuoa_hw *hw)
{
	gpuoa_hw_write(hw, OACONTROL, 0);

	return gpuoa_hw_wait_clear(hw, OACONTROL, OACONTROL_ENABLE);
}

static bool gen7_runs(const struct gpuoa_hw *hw)
{
	return gpuoa_hw_read(hw, OACONTROL) & OACONTROL_ENABLE;
}

static u32 gen7_tail(const struct gpuoa_hw *hw)
{
	return (gpuoa_hw_read(hw, OASTATUS1) & OASTATUS1_TAIL) - hw->buffer;
}

static void gen7_status(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status)
{
	u32 oastatus1 = gpuoa_hw_read(hw, OASTATUS1);

	status->gone = oastatus1 == GPUOA_HW_GONE;
	status->tail = (oastatus1 & OASTATUS1_TAIL) - hw->buffer;
	status->overflow = oastatus1 & OASTATUS1_BUFFER_OVERFLOW;
	status->lost = oastatus1 & OASTATUS1_REPORT_LOST;
	/*
	 * The status bits are sticky until the next start of the unit, so only the first occurrence
	 * can be detected.
	 */
	status->notes = 0;
}

static void gen7_set_head(const struct gpuoa_hw *hw, u32 head)
{
	gpuoa_hw_write(hw, OASTATUS2, ((hw->buffer + head) & OASTATUS2_HEAD) | OASTATUS2_GGTT);
}

/*
 * Reports carry no reason, but timer reports have a fixed phase: the timer fires when bit e of the
 * timestamp rises.
 */
static bool gen7_is_timer_report(const struct gpuoa_hw *hw, const void *report)
{
	u64 phase = BIT_ULL(hw->exponent);

	return (gpuoa_report_timestamp(hw->format, report) & (2 * phase - 1)) == phase;
}

const struct gpuoa_oa_ops gpuoa_oa_gen7 = {
	.formats = gen7_formats,
	.n_formats = ARRAY_SIZE(gen7_formats),
	.default_format = GPUOA_FORMAT_A45_B8_C8,
	.exponent_max = 31,
	.buffer_size_min = SZ_128K,
	.buffer_size_max = SZ_16M,
	.noa_delay_us = GPUOA_NOA_DELAY_US,
	.id_is_never_0 = true,
	.lost_latches = true,
	.timer_alone = true,
	.mux = gen7_mux,
	.boolean = gen7_boolean,
	.masks = gen7_masks,
	.aliases = gen7_aliases,
	.filters_contexts = true,
	.isolates_contexts = true,
	.context_mask = OACONTROL_CONTEXT,
	.enable_metrics = gen7_enable_metrics,
	.disable_metrics = gen7_disable_metrics,
	.start = gen7_start,
	.stop = gen7_stop,
	.status = gen7_status,
	.tail = gen7_tail,
	.runs = gen7_runs,
	.set_head = gen7_set_head,
	.is_timer_report = gen7_is_timer_report,
};
