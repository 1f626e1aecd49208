// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_gen8.c - OA backend of gen8 (Broadwell, Cherryview), gen9 (Skylake and derivatives) and
 * gen11 (Ice Lake, Elkhart Lake).
 *
 * Registers and sequences follow the PRMs and drivers/gpu/drm/i915/i915_perf.c.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/sizes.h>

#include <gen8_regs.h>

#include "gpuoa_metric_set.h"
#include "gpuoa_oa.h"
#include "gpuoa_report.h"

/**
 * struct gen8_variant - differences between generations with these registers
 * @debug: bits to set in OA_DEBUG; 0 to leave the register unchanged
 * @noa: register that enables the NOA network
 * @noa_enable: enable bit in @noa
 */
struct gen8_variant {
	u32 debug;
	u32 noa;
	u32 noa_enable;
};

static const struct gpuoa_reg_range bdw_mux[] = {
	{ 0x0d00, 0x0d2c }, /* RPM_CONFIG0, 1, NOA_CONFIG0..8 */
	{ 0x20cc, 0x20cc }, /* WAIT_FOR_RC6_EXIT */
	{ 0x91b8, 0x91cc }, /* OA_PERFCNT1..3 */
	{ 0x9800, 0x9888 }, /* MICRO_BP0_0 .. NOA_WRITE */
	{ 0xe180, 0xe180 }, /* HALF_SLICE_CHICKEN2 */
	{},
};

static const struct gpuoa_reg_range chv_mux[] = {
	{ 0x91b8, 0x91cc },	/* OA_PERFCNT1..3 */
	{ 0x9800, 0x9888 },	/* MICRO_BP0_0 .. NOA_WRITE */
	{ 0xe180, 0xe180 },	/* HALF_SLICE_CHICKEN2 */
	{ 0x182300, 0x1823a4 }, /* NOA */
	{},
};

static const struct gpuoa_reg_range gen11_mux[] = {
	{ 0x0d00, 0x0d2c }, /* RPM_CONFIG0, 1, NOA_CONFIG0..8 */
	{ 0x20cc, 0x20cc }, /* WAIT_FOR_RC6_EXIT */
	{ 0x91b8, 0x91dc }, /* OA_PERFCNT1..4 */
	{ 0x9800, 0x9888 }, /* MICRO_BP0_0 .. NOA_WRITE */
	{ 0xe180, 0xe180 }, /* HALF_SLICE_CHICKEN2 */
	{},
};

static const struct gpuoa_reg_range gen8_boolean[] = {
	{ 0x2710, 0x272c }, /* OASTARTTRIG1..8 */
	{ 0x2740, 0x275c }, /* OAREPORTTRIG1..8 */
	{ 0x2770, 0x27ac }, /* CEC0_0..CEC7_1 */
	{},
};

/*
 * Users must not change these two bits: ST_PO_DISABLE is set by the GPU's driver for a workaround,
 * and WAIT_FOR_RC6_EXIT_ENABLE controls a function unrelated to NOA. NOA uses other bits of the
 * same registers.
 */
static const struct gpuoa_reg_mask gen8_masks[] = {
	{ HALF_SLICE_CHICKEN2, MASKED_SET(ST_PO_DISABLE) },
	{ WAIT_FOR_RC6_EXIT, MASKED_SET(WAIT_FOR_RC6_EXIT_ENABLE) },
	{},
};

static const struct gpuoa_id_layout gen8_id = {
	.reason = REPORT_ID_REASON,
	.context_valid = GEN8_REPORT_ID_CONTEXT_VALID,
};

static const struct gpuoa_id_layout gen9_id = {
	.reason = REPORT_ID_REASON,
	.context_valid = REPORT_ID_CONTEXT_VALID,
};

static int gen8_write_timer(const struct gpuoa_hw *hw, u32 value)
{
	const struct gpuoa_register timer = { GEN8_OACTXCONTROL, value };

	return hw->ops->contexts_write(hw->provider, &timer, 1);
}

/*
 * The timer and the flexible EU counters are part of the context image, so they are set in all
 * contexts. Otherwise the period would change when another context runs.
 */
static int gen8_enable_metrics(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	const struct gen8_variant *variant = hw->oa->variant;
	int ret;

	if (variant->debug)
		gpuoa_hw_write(hw, GEN9_OA_DEBUG, MASKED_SET(variant->debug));

	ret = gen8_write_timer(hw, FIELD_PREP(GEN8_OACTXCONTROL_TIMER_PERIOD, hw->exponent) |
					   GEN8_OACTXCONTROL_TIMER_ENABLE |
					   GEN8_OACTXCONTROL_COUNTER_RESUME);
	if (ret)
		return ret;

	return gpuoa_metric_set_program(hw, set);
}

/*
 * Errors from writing to the contexts are ignored. Old values in contexts are harmless while the
 * unit is off.
 */
static void gen8_disable_metrics(const struct gpuoa_hw *hw)
{
	const struct gen8_variant *variant = hw->oa->variant;

	gen8_write_timer(hw, 0);
	gpuoa_flex_write(hw, NULL);
	gpuoa_hw_rmw(hw, variant->noa, variant->noa_enable, 0);
}

static void gen8_start(const struct gpuoa_hw *hw)
{
	u32 size = FIELD_PREP(GEN8_OABUFFER_SIZE, oabuffer_size_code(hw->buffer_size));

	gpuoa_hw_write(hw, GEN8_OASTATUS, 0);
	gpuoa_hw_write(hw, GEN8_OAHEADPTR, hw->buffer + hw->first);
	gpuoa_hw_write(hw, GEN8_OABUFFER_UDW, 0);
	/* Write OABUFFER after the head and before the tail, or the overflow bit misbehaves. */
	gpuoa_hw_write(hw, GEN8_OABUFFER, hw->buffer | size | GEN8_OABUFFER_GGTT);
	gpuoa_hw_write(hw, GEN8_OATAILPTR, hw->buffer + hw->first);

	/*
	 * Count for all contexts. The filter of the hardware is not used, because gpuoa_report.c
	 * filters.
	 */
	gpuoa_hw_write(hw, GEN8_OACONTROL,
		       FIELD_PREP(GEN8_OACONTROL_FORMAT, hw->format->code) |
			       GEN8_OACONTROL_COUNTER_ENABLE);
}

static int gen8_stop(const struct gpuoa_hw *hw)
{
	gpuoa_hw_write(hw, GEN8_OACONTROL, 0);

	return gpuoa_hw_wait_clear(hw, GEN8_OACONTROL, GEN8_OACONTROL_COUNTER_ENABLE);
}

static bool gen8_runs(const struct gpuoa_hw *hw)
{
	return gpuoa_hw_read(hw, GEN8_OACONTROL) & GEN8_OACONTROL_COUNTER_ENABLE;
}

/*
 * Clear the status bits. Unlike on Haswell, this is possible while the unit runs. Most bits are
 * cleared by writing 0, but the wrap bits by writing 1.
 */
static void gen8_clear_lost(const struct gpuoa_hw *hw, u32 oastatus)
{
	oastatus &= ~(GEN8_OASTATUS_COUNTER_OVERFLOW | GEN8_OASTATUS_REPORT_LOST);
	gpuoa_hw_write(hw, GEN8_OASTATUS,
		       oastatus | GEN8_OASTATUS_HEAD_POINTER_WRAP |
			       GEN8_OASTATUS_TAIL_POINTER_WRAP);
}

static u32 gen8_tail(const struct gpuoa_hw *hw)
{
	return (gpuoa_hw_read(hw, GEN8_OATAILPTR) & GEN8_OAPTR_ADDRESS) - hw->buffer;
}

static void gen8_status(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status)
{
	u32 oastatus = gpuoa_hw_read(hw, GEN8_OASTATUS);

	status->gone = oastatus == GPUOA_HW_GONE;
	if (status->gone)
		return;
	status->tail = gen8_tail(hw);
	status->overflow = oastatus & GEN8_OASTATUS_BUFFER_OVERFLOW;
	status->lost = oastatus & GEN8_OASTATUS_REPORT_LOST;
	status->notes = oastatus & GEN8_OASTATUS_COUNTER_OVERFLOW ?
				GPUOA_STATUS_COUNTERS_WRAPPED :
				0;
	if (status->lost || status->notes)
		gen8_clear_lost(hw, oastatus);
}

static void gen8_set_head(const struct gpuoa_hw *hw, u32 head)
{
	gpuoa_hw_write(hw, GEN8_OAHEADPTR, (hw->buffer + head) & GEN8_OAPTR_ADDRESS);
}

#define GEN8_OA                                             \
	.formats = gpuoa_formats_gen8,                      \
	.n_formats = GPUOA_GEN8_FORMATS,                    \
	.default_format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,  \
	.exponent_max = 31,                                 \
	.buffer_size_min = SZ_128K,                         \
	.buffer_size_max = SZ_16M,                          \
	.noa_delay_us = GPUOA_NOA_DELAY_US,                 \
	.boolean = gen8_boolean,                            \
	.flex = gpuoa_flex_regs,                            \
	.masks = gen8_masks,                                \
	.aliases = gpuoa_aliases_gen8,                      \
	.filters_contexts = true,                           \
	.context_runs = gpuoa_filter_by_report,             \
	.enable_metrics = gen8_enable_metrics,              \
	.disable_metrics = gen8_disable_metrics,            \
	.start = gen8_start,                                \
	.stop = gen8_stop,                                  \
	.status = gen8_status,                              \
	.tail = gen8_tail,                                  \
	.runs = gen8_runs,                                  \
	.set_head = gen8_set_head,                          \
	.is_timer_report = gpuoa_reason_is_timer

static const struct gen8_variant gen8_variant = {
	.noa = GDT_CHICKEN_BITS,
	.noa_enable = GT_NOA_ENABLE,
};

/*
 * Include the clock ratio in all reports. A report for each change would be too many, because most
 * of them change nothing.
 */
#define GEN9_DEBUG (GEN9_OA_DEBUG_INCLUDE_CLK_RATIO | GEN9_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS)

static const struct gen8_variant gen9_variant = {
	.debug = GEN9_DEBUG,
	.noa = GDT_CHICKEN_BITS,
	.noa_enable = GT_NOA_ENABLE,
};

static const struct gen8_variant gen11_variant = {
	.debug = GEN9_DEBUG,
	.noa = RPM_CONFIG1,
	.noa_enable = RPM_CONFIG1_NOA_ENABLE,
};

const struct gpuoa_oa_ops gpuoa_oa_bdw = {
	GEN8_OA,
	.variant = &gen8_variant,
	.id = &gen8_id,
	.mux = bdw_mux,
};

const struct gpuoa_oa_ops gpuoa_oa_chv = {
	GEN8_OA,
	.variant = &gen8_variant,
	.id = &gen8_id,
	.mux = chv_mux,
};

const struct gpuoa_oa_ops gpuoa_oa_gen9 = {
	GEN8_OA,
	.variant = &gen9_variant,
	.id = &gen9_id,
	.mux = bdw_mux,
};

const struct gpuoa_oa_ops gpuoa_oa_gen11 = {
	GEN8_OA,
	.variant = &gen11_variant,
	.id = &gen9_id,
	.mux = gen11_mux,
};
