// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_gen12.c - OA backends of gen12 and later: OAG of gen12.0 (Tiger Lake, Rocket Lake, DG1,
 * Alder Lake), gen12.5 (DG2), gen12.7 (Meteor Lake, Arrow Lake) and Xe2 (Lunar Lake, Battlemage),
 * and OAM of the media GT: one unit on Meteor Lake, two or three on Xe2.
 *
 * OAG and OAM have the same registers at different offsets. Xe2 has PEC counters and 64-bit
 * headers. Registers and sequences follow the PRMs, drivers/gpu/drm/i915/i915_perf.c and
 * drivers/gpu/drm/xe/xe_oa.c.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include <gen12_regs.h>

#include "gpuoa_metric_set.h"
#include "gpuoa_oa.h"
#include "gpuoa_report.h"

/**
 * struct gen12_variant - register offsets and properties of a unit type
 * @control: OACONTROL
 * @debug: OA_DEBUG
 * @status: OASTATUS
 * @head: OAHEADPTR
 * @tail: OATAILPTR
 * @buffer: OABUFFER
 * @timer: OAGLBCTXCTRL or CONTEXT_CONTROL
 * @format_shift: bit position of the format in @control
 * @control_bits: bits set in @control while the unit runs
 * @debug_bits: bits set in @debug
 * @extended: @debug has bits for large buffers and the MMIO trigger (gen12.5 and later)
 * @rpm_config1: RPM_CONFIG1 of the GT
 * @sqcnt1: SQCNT1 of the GT
 * @sqcnt1_bits: bits set in @sqcnt1
 * @shares_gt: other units of the same GT may still need @sqcnt1_bits and @compression
 * @compression: OAM_COMPRESSION_T3_CONTROL, which enables latency measurement; 0 before Xe3
 * @tlb_invalidate: OA_TLB_INV_CR of the GT; 0 if not needed
 * @gates_clocks: EU clock gating must be disabled while the unit runs (Wa_1508761755)
 */
struct gen12_variant {
	u32 control;
	u32 debug;
	u32 status;
	u32 head;
	u32 tail;
	u32 buffer;
	u32 timer;
	u32 format_shift;
	u32 control_bits;
	u32 debug_bits;
	bool extended;
	u32 rpm_config1;
	u32 sqcnt1;
	u32 sqcnt1_bits;
	bool shares_gt;
	u32 compression;
	u32 tlb_invalidate;
	bool gates_clocks;
};

#define GEN12_OAG_REGS                             \
	.control = OAG_OACONTROL,                  \
	.debug = OAG_OA_DEBUG,                     \
	.status = OAG_OASTATUS,                    \
	.head = OAG_OAHEADPTR,                     \
	.tail = OAG_OATAILPTR,                     \
	.buffer = OAG_OABUFFER,                    \
	.timer = OAG_OAGLBCTXCTRL,                 \
	.format_shift = OAG_OACONTROL_FORMAT_SHIFT, \
	.rpm_config1 = RPM_CONFIG1,                \
	.sqcnt1 = SQCNT1

/* As on gen9, include the clock ratio in all reports instead of reporting each ratio change. */
#define GEN12_DEBUG \
	(GEN12_OA_DEBUG_INCLUDE_CLK_RATIO | GEN12_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS)

/* PEC counters of Xe2 do not count unless these bits of OA_DEBUG are set. */
#define XE2_DEBUG                                                                              \
	(GEN12_DEBUG | XE2_OA_DEBUG_START_TRIGGER_SCOPE_CONTROL |                              \
	 XE2_OA_DEBUG_DISABLE_START_TRG_2_COUNT_QUAL | XE2_OA_DEBUG_DISABLE_START_TRG_1_COUNT_QUAL)

#define GEN12_5_SQCNT1 (SQCNT1_PMON_ENABLE | GEN12_5_SQCNT1_OABPC)

#define GEN12_OA_OPS                               \
	.exponent_max = 31,                        \
	.buffer_size_min = SZ_128K,                \
	.noa_delay_us = GPUOA_NOA_DELAY_US,        \
	.enable_metrics = gen12_enable_metrics,    \
	.disable_metrics = gen12_disable_metrics,  \
	.start = gen12_start,                      \
	.stop = gen12_stop,                        \
	.status = gen12_status,                    \
	.tail = gen12_tail,                        \
	.runs = gen12_runs,                        \
	.set_head = gen12_set_head,                \
	.is_timer_report = gpuoa_reason_is_timer

/**
 * DOC: OAG and OAR
 *
 * OAG counts for all contexts and writes the reports. OAR counts for one render context and is
 * saved and restored with it. It writes no reports; MI_REPORT_PERF_COUNT in a batch of that context
 * reads it. A stream for one context uses both: OAR is enabled in the context, and the reports of
 * OAG pass through the context filter. A provider without a context handle cannot access the
 * context's registers, so OAR is then left unused.
 */

static void gen12_gate_clocks(const struct gpuoa_hw *hw, bool gate)
{
	const struct gen12_variant *variant = hw->oa->variant;

	if (!variant->gates_clocks)
		return;

	gpuoa_hw_write(hw, ROW_CHICKEN,
		       gate ? MASKED_CLEAR(STALL_DOP_GATING_DISABLE) :
			      MASKED_SET(STALL_DOP_GATING_DISABLE));
	gpuoa_hw_write(hw, ROW_CHICKEN2,
		       gate ? MASKED_CLEAR(DISABLE_DOP_GATING) : MASKED_SET(DISABLE_DOP_GATING));
}

static u32 gen12_debug(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;
	u32 debug = MASKED_SET(variant->debug_bits) |
		    MASKED_CLEAR(GEN12_OA_DEBUG_DISABLE_CTX_SWITCH_REPORTS);

	if (!variant->extended)
		return debug;

	return debug | MASKED_CLEAR(GEN12_5_OA_DEBUG_DISABLE_MMIO_TRG);
}

/* Select the unit of the size field in OABUFFER. */
static void gen12_select_scale(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;

	if (variant->extended)
		gpuoa_hw_write(hw, variant->debug,
			       hw->buffer_size > SZ_16M ?
				       MASKED_SET(GEN12_5_OA_DEBUG_BUF_SIZE_SELECT) :
				       MASKED_CLEAR(GEN12_5_OA_DEBUG_BUF_SIZE_SELECT));
}

static int gen12_write_oar(const struct gpuoa_hw *hw, bool enable)
{
	u32 format = hw->format->code << OAR_OACONTROL_FORMAT_SHIFT | hw->format->control;
	const struct gpuoa_register regs[] = {
		{ RCS_OACTXCONTROL, enable ? RCS_OACTXCONTROL_COUNTER_RESUME : 0 },
		{ OAR_OACONTROL, format | (enable ? OAR_OACONTROL_ENABLE : 0) },
		{ RCS_CONTEXT_CONTROL, enable ? MASKED_SET(RCS_CONTEXT_CONTROL_OAR_ENABLE) :
						MASKED_CLEAR(RCS_CONTEXT_CONTROL_OAR_ENABLE) },
	};

	if (!hw->filter || !hw->context_handle)
		return 0;

	return hw->ops->context_write(hw->provider, hw->context_handle, regs, ARRAY_SIZE(regs));
}

/**
 * gen12_enable_metrics() - Implement &gpuoa_oa_ops.enable_metrics.
 * @hw: OA unit
 * @set: configuration
 *
 * Return: 0 or an error of the provider
 */
static int gen12_enable_metrics(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	const struct gen12_variant *variant = hw->oa->variant;
	int ret;

	gen12_gate_clocks(hw, false);
	gpuoa_hw_write(hw, variant->debug, gen12_debug(hw));
	gpuoa_hw_write(hw, variant->timer,
		       FIELD_PREP(GEN12_CTXCTRL_TIMER_PERIOD, hw->exponent) |
			       GEN12_CTXCTRL_TIMER_ENABLE | GEN12_CTXCTRL_COUNTER_RESUME);
	/* Enable the counters of memory traffic. */
	gpuoa_hw_rmw(hw, variant->sqcnt1, 0, variant->sqcnt1_bits);
	if (variant->compression)
		gpuoa_hw_rmw(hw, variant->compression, 0, OAM_LAT_MEASURE_ENABLE);

	ret = gen12_write_oar(hw, true);
	if (ret)
		return ret;

	return gpuoa_metric_set_program(hw, set);
}

/**
 * gen12_disable_metrics() - Implement &gpuoa_oa_ops.disable_metrics.
 * @hw: OA unit
 *
 * Errors of gen12_write_oar() are ignored: a context that cannot be accessed any more cannot be
 * measured either.
 */
static void gen12_disable_metrics(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;

	gen12_gate_clocks(hw, true);
	if (variant->extended)
		gpuoa_hw_write(hw, variant->debug, MASKED_SET(GEN12_5_OA_DEBUG_DISABLE_MMIO_TRG));
	gen12_write_oar(hw, false);
	if (hw->oa->flex)
		gpuoa_flex_write(hw, NULL);
	/* Leaving these bits set costs power. */
	gpuoa_hw_rmw(hw, variant->rpm_config1, RPM_CONFIG1_NOA_ENABLE, 0);
	if (!variant->shares_gt)
		gpuoa_hw_rmw(hw, variant->sqcnt1, variant->sqcnt1_bits, 0);
}

/**
 * gen12_start() - Implement &gpuoa_oa_ops.start.
 * @hw: OA unit
 */
static void gen12_start(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;
	u32 size = FIELD_PREP(GEN12_OABUFFER_SIZE, oabuffer_size_code(hw->buffer_size));

	/*
	 * Select the scale only now, because the buffer size is not known earlier: an AUX area is
	 * mapped after the metrics are enabled.
	 */
	gen12_select_scale(hw);
	gpuoa_hw_write(hw, variant->status, 0);
	gpuoa_hw_write(hw, variant->head, hw->buffer + hw->first);
	/* Write OABUFFER after the head and before the tail, or the overflow bit misbehaves. */
	gpuoa_hw_write(hw, variant->buffer, hw->buffer | size | GEN12_OABUFFER_GGTT);
	gpuoa_hw_write(hw, variant->tail, hw->buffer + hw->first);

	gpuoa_hw_write(hw, variant->control,
		       hw->format->code << variant->format_shift | hw->format->control |
			       variant->control_bits | GEN12_OACONTROL_ENABLE);
}

/**
 * gen12_stop() - Implement &gpuoa_oa_ops.stop.
 * @hw: OA unit
 *
 * Return: 0, -ETIMEDOUT or -ENODEV
 */
static int gen12_stop(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;
	int ret;

	gpuoa_hw_write(hw, variant->control, 0);
	ret = gpuoa_hw_wait_clear(hw, variant->control, GEN12_OACONTROL_ENABLE);
	if (ret || !variant->tlb_invalidate)
		return ret;

	/*
	 * Invalidate the unit's TLB, because the buffer's pages may be freed and reused from now
	 * on.
	 */
	gpuoa_hw_write(hw, variant->tlb_invalidate, OA_TLB_INV_CR_BUSY);

	return gpuoa_hw_wait_clear(hw, variant->tlb_invalidate, OA_TLB_INV_CR_BUSY);
}

/**
 * gen12_runs() - Implement &gpuoa_oa_ops.runs.
 * @hw: OA unit
 *
 * Return: true if the unit is enabled
 */
static bool gen12_runs(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;

	return gpuoa_hw_read(hw, variant->control) & GEN12_OACONTROL_ENABLE;
}

/**
 * gen12_tail() - Implement &gpuoa_oa_ops.tail.
 * @hw: OA unit
 *
 * Return: offset in the buffer, bytes
 */
static u32 gen12_tail(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;

	return (gpuoa_hw_read(hw, variant->tail) & GEN12_OAPTR_ADDRESS) - hw->buffer;
}

static u32 gen12_notes(u32 oastatus)
{
	u32 notes = 0;

	if (oastatus & GEN12_OASTATUS_COUNTER_OVERFLOW)
		notes |= GPUOA_STATUS_COUNTERS_WRAPPED;
	if (oastatus & GEN12_5_OASTATUS_MMIO_TRG_Q_FULL)
		notes |= GPUOA_STATUS_TRIGGERS_LOST;

	return notes;
}

/**
 * gen12_status() - Implement &gpuoa_oa_ops.status.
 * @hw: OA unit
 * @status: status, output
 *
 * Clears the status bits that are reported once.
 */
static void gen12_status(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status)
{
	const struct gen12_variant *variant = hw->oa->variant;
	u32 oastatus = gpuoa_hw_read(hw, variant->status);
	u32 once = GEN12_OASTATUS_REPORT_LOST | GEN12_OASTATUS_COUNTER_OVERFLOW;

	if (variant->extended)
		once |= GEN12_5_OASTATUS_MMIO_TRG_Q_FULL;

	status->gone = oastatus == GPUOA_HW_GONE;
	if (status->gone)
		return;
	status->tail = gen12_tail(hw);
	status->overflow = oastatus & GEN12_OASTATUS_BUFFER_OVERFLOW;
	status->lost = oastatus & GEN12_OASTATUS_REPORT_LOST;
	status->notes = gen12_notes(oastatus & once);
	if (oastatus & once)
		gpuoa_hw_write(hw, variant->status, oastatus & ~once);
}

/**
 * gen12_set_head() - Implement &gpuoa_oa_ops.set_head.
 * @hw: OA unit
 * @head: offset in the buffer, bytes
 */
static void gen12_set_head(const struct gpuoa_hw *hw, u32 head)
{
	const struct gen12_variant *variant = hw->oa->variant;

	gpuoa_hw_write(hw, variant->head, (hw->buffer + head) & GEN12_OAPTR_ADDRESS);
}

static const struct gpuoa_reg_range gen12_mux[] = {
	{ 0x0d00, 0x0d04 }, /* RPM_CONFIG0, 1 */
	{ 0x0d0c, 0x0d2c }, /* NOA_CONFIG0..8 */
	{ 0x20cc, 0x20cc }, /* WAIT_FOR_RC6_EXIT */
	{ 0x9840, 0x9840 }, /* GDT_CHICKEN_BITS */
	{ 0x9884, 0x9888 }, /* NOA_WRITE_HIGH, NOA_WRITE */
	{},
};

/* 0x20cc is not included, because it is a different register on Meteor Lake. */
static const struct gpuoa_reg_range mtl_mux[] = {
	{ 0x0d00, 0x0d04 },	/* RPM_CONFIG0, 1 */
	{ 0x0d0c, 0x0d2c },	/* NOA_CONFIG0..8 */
	{ 0x9840, 0x9840 },	/* GDT_CHICKEN_BITS */
	{ 0x9884, 0x9888 },	/* NOA_WRITE_HIGH, NOA_WRITE */
	{ 0x38d100, 0x38d114 }, /* VISACTL */
	{},
};

static const struct gpuoa_reg_range gen12_boolean[] = {
	{ 0x2b2c, 0x2b2c }, /* OAG_OA_PESS */
	{ 0xd900, 0xd91c }, /* OAG_OASTARTTRIG1..8 */
	{ 0xd920, 0xd93c }, /* OAG_OAREPORTTRIG1..8 */
	{ 0xd940, 0xd97c }, /* OAG_CEC0_0..CEC7_1 */
	{ 0xdc00, 0xdc3c }, /* OAG_SCEC0_0..SCEC7_1 */
	{ 0xdc40, 0xdc44 }, /* OAG_SPCTR_CNF, OAA_DBG */
	{},
};

static const struct gpuoa_reg_range gen12_5_boolean[] = {
	{ 0x2b2c, 0x2b2c }, /* OAG_OA_PESS */
	{ 0xd900, 0xd91c }, /* OAG_OASTARTTRIG1..8 */
	{ 0xd920, 0xd93c }, /* OAG_OAREPORTTRIG1..8 */
	{ 0xd940, 0xd97c }, /* OAG_CEC0_0..CEC7_1 */
	{ 0xdc00, 0xdc3c }, /* OAG_SCEC0_0..SCEC7_1 */
	{ 0xdc40, 0xdc48 }, /* OAG_SPCTR_CNF, OAA_DBG, OAA_ENABLE */
	{ 0xdd00, 0xdd48 }, /* OAG_LCE0_0..OAA_LENABLE */
	{},
};

static const struct gpuoa_reg_mask gen12_masks[] = {
	{ WAIT_FOR_RC6_EXIT, MASKED_SET(WAIT_FOR_RC6_EXIT_ENABLE) },
	{},
};

static const struct gpuoa_reg_mask no_masks[] = { {} };

static const struct gpuoa_id_layout gen12_id = {
	.reason = REPORT_ID_REASON,
	.context_valid = REPORT_ID_CONTEXT_VALID,
};

static const struct gpuoa_id_layout gen12_5_id = {
	.reason = GEN12_5_REPORT_ID_REASON,
	.context_valid = REPORT_ID_CONTEXT_VALID,
	.source = GEN12_5_REPORT_ID_SOURCE,
};

/* A36 and A37 are stored where other formats have the upper bytes of A0..A3 and A24..A27. */
static const struct gpuoa_counters counters_a24u40[] = {
	{ GPUOA_COUNTER_CLOCK, 32, 1, 12 },
	{ GPUOA_COUNTER_A(0), 32, 4, 16 },
	{ GPUOA_COUNTER_A(4), 40, 20, 32, 164 },
	{ GPUOA_COUNTER_A(24), 32, 4, 112 },
	{ GPUOA_COUNTER_A(28), 40, 4, 128, 188 },
	{ GPUOA_COUNTER_A(32), 32, 4, 144 },
	{ GPUOA_COUNTER_A(36), 32, 1, 160 },
	{ GPUOA_COUNTER_A(37), 32, 1, 184 },
	{ GPUOA_COUNTER_B(0), 32, 8, 192 },
	{ GPUOA_COUNTER_C(0), 32, 8, 224 },
	{},
};

/*
 * OAG always writes this format to the OABUFFER. OAR_A32u40_A4u32_B8_C8, which MI_REPORT_PERF_COUNT
 * writes for the context's own counters, has the same code.
 */
static const struct gpuoa_format_desc gen12_5_formats[] = {
	{ GPUOA_FORMAT_A24U40_A14U32_B8_C8, 5, 256, "A24u40_A14u32_B8_C8", &gpuoa_header_32,
	  counters_a24u40 },
};

static const struct gen12_variant gen12_oag = {
	GEN12_OAG_REGS,
	.debug_bits = GEN12_DEBUG,
	.sqcnt1_bits = SQCNT1_PMON_ENABLE,
	.tlb_invalidate = OA_TLB_INV_CR,
};

static const struct gen12_variant dg2_oag = {
	GEN12_OAG_REGS,
	.debug_bits = GEN12_DEBUG,
	.extended = true,
	.sqcnt1_bits = GEN12_5_SQCNT1,
	.tlb_invalidate = OA_TLB_INV_CR,
	.gates_clocks = true,
};

static const struct gen12_variant mtl_oag = {
	GEN12_OAG_REGS,
	.debug_bits = GEN12_DEBUG,
	.extended = true,
	.sqcnt1_bits = GEN12_5_SQCNT1,
	.tlb_invalidate = OA_TLB_INV_CR,
};

const struct gpuoa_oa_ops gpuoa_oag_gen12 = {
	GEN12_OA_OPS,
	.variant = &gen12_oag,
	.formats = gpuoa_formats_gen8,
	.n_formats = GPUOA_GEN8_FORMATS,
	.default_format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
	.id = &gen12_id,
	.buffer_size_max = SZ_16M,
	.mux = gen12_mux,
	.boolean = gen12_boolean,
	.flex = gpuoa_flex_regs,
	.masks = gen12_masks,
	.aliases = gpuoa_aliases_gen8,
	.filters_contexts = true,
	.needs_context = true,
	.context_runs = gpuoa_filter_by_report,
};

#define GEN12_5_OAG                                         \
	.formats = gen12_5_formats,                         \
	.n_formats = ARRAY_SIZE(gen12_5_formats),           \
	.default_format = GPUOA_FORMAT_A24U40_A14U32_B8_C8, \
	.id = &gen12_5_id,                                  \
	.buffer_size_max = SZ_128M,                         \
	.boolean = gen12_5_boolean,                         \
	.flex = gpuoa_flex_regs,                            \
	.aliases = gpuoa_aliases_gen8,                      \
	.filters_contexts = true,                           \
	.needs_context = true,                              \
	.context_runs = gpuoa_filter_by_switch

const struct gpuoa_oa_ops gpuoa_oag_dg2 = {
	GEN12_OA_OPS,
	GEN12_5_OAG,
	.variant = &dg2_oag,
	.mux = gen12_mux,
	.masks = gen12_masks,
};

const struct gpuoa_oa_ops gpuoa_oag_mtl = {
	GEN12_OA_OPS,
	GEN12_5_OAG,
	.variant = &mtl_oag,
	.mux = mtl_mux,
	.masks = no_masks,
};

static const struct gpuoa_counters counters_mpec8u64[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_MPEC(0), 64, 8, 32 },
	{ GPUOA_COUNTER_B(0), 32, 8, 96 },
	{ GPUOA_COUNTER_C(0), 32, 8, 128 },
	{},
};

static const struct gpuoa_counters counters_mpec8u32[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_MPEC(0), 32, 8, 32 },
	{ GPUOA_COUNTER_B(0), 32, 8, 64 },
	{ GPUOA_COUNTER_C(0), 32, 8, 96 },
	{},
};

static const struct gpuoa_format_desc oam_formats[] = {
	{ GPUOA_FORMAT_MPEC8U64_B8_C8, 1, 192, "MPEC8u64_B8_C8", &gpuoa_header_64,
	  counters_mpec8u64 },
	{ GPUOA_FORMAT_MPEC8U32_B8_C8, 2, 128, "MPEC8u32_B8_C8", &gpuoa_header_64_timestamp_32,
	  counters_mpec8u32 },
};

/*
 * Each unit's list contains only registers of that unit, so that units do not disturb each other.
 * NOA_WRITE and similar registers belong to the render unit.
 */
static const struct gpuoa_reg_range mtl_oam_mux[] = {
	{ 0x38d100, 0x38d114 }, /* VISACTL */
	{},
};

static const struct gpuoa_reg_range mtl_oam_boolean[] = {
	{ 0x393000, 0x39301c }, /* OAM_STARTTRIG1..8 */
	{ 0x393020, 0x39303c }, /* OAM_REPORTTRIG1..8 */
	{ 0x393040, 0x39307c }, /* OAM_CEC0_0..CEC7_1 */
	{ 0x393200, 0x39323c }, /* MPES0..7 */
	{},
};

static const struct gpuoa_reg_range xe2_no_mux[] = { {} };

static const struct gpuoa_reg_range xe2_scmi0_boolean[] = {
	{ 0x394200, 0x39423c }, /* MPES0..7 */
	{},
};

static const struct gpuoa_reg_range xe2_scmi1_boolean[] = {
	{ 0x394a00, 0x394a3c }, /* MPES0..7 */
	{},
};

static const struct gpuoa_reg_mask oam_no_masks[] = { {} };

#define OAM_VARIANT(base)                              \
	.control = (base) + OAM_CONTROL,               \
	.debug = (base) + OAM_DEBUG,                   \
	.status = (base) + OAM_STATUS,                 \
	.head = (base) + OAM_HEAD_POINTER,             \
	.tail = (base) + OAM_TAIL_POINTER,             \
	.buffer = (base) + OAM_BUFFER,                 \
	.timer = (base) + OAM_CONTEXT_CONTROL,         \
	.format_shift = OAM_CONTROL_FORMAT_SHIFT,      \
	.extended = true,                              \
	.rpm_config1 = MEDIA_GT_BASE + RPM_CONFIG1,    \
	.sqcnt1 = MEDIA_GT_BASE + SQCNT1,              \
	.sqcnt1_bits = GEN12_5_SQCNT1

static const struct gen12_variant mtl_oam = {
	OAM_VARIANT(MTL_OAM_BASE),
	.debug_bits = GEN12_DEBUG,
	.tlb_invalidate = MEDIA_GT_BASE + OA_TLB_INV_CR,
};

static const struct gen12_variant xe2_oam_sag = {
	OAM_VARIANT(XE2_OAM_SAG_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
};

static const struct gen12_variant xe2_oam_scmi0 = {
	OAM_VARIANT(XE2_OAM_SCMI0_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
};

static const struct gen12_variant xe2_oam_scmi1 = {
	OAM_VARIANT(XE2_OAM_SCMI1_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
};

static const struct gen12_variant xe3_oam_sag = {
	OAM_VARIANT(XE2_OAM_SAG_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
	.compression = OAM_COMPRESSION_T3_CONTROL,
};

static const struct gen12_variant xe3_oam_scmi0 = {
	OAM_VARIANT(XE2_OAM_SCMI0_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
	.compression = OAM_COMPRESSION_T3_CONTROL,
};

/*
 * Media units have no context filter, because media contexts have no OAR, and reports carry no
 * context id per engine.
 */
#define OAM_OA                                          \
	GEN12_OA_OPS,                                   \
	.formats = oam_formats,                         \
	.n_formats = ARRAY_SIZE(oam_formats),           \
	.id = &gen12_5_id,                              \
	.buffer_size_max = SZ_128M,                     \
	.splits_reports = true,                         \
	.masks = oam_no_masks

const struct gpuoa_oa_ops gpuoa_oam_mtl = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U32_B8_C8,
	.variant = &mtl_oam,
	.mux = mtl_oam_mux,
	.boolean = mtl_oam_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe2_sag = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe2_oam_sag,
	.mux = xe2_no_mux,
	.boolean = mtl_oam_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe2_scmi0 = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe2_oam_scmi0,
	.mux = xe2_no_mux,
	.boolean = xe2_scmi0_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe2_scmi1 = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe2_oam_scmi1,
	.mux = xe2_no_mux,
	.boolean = xe2_scmi1_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe3_sag = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe3_oam_sag,
	.mux = xe2_no_mux,
	.boolean = mtl_oam_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe3_scmi0 = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe3_oam_scmi0,
	.mux = xe2_no_mux,
	.boolean = xe2_scmi0_boolean,
};

/*
 * Counters of a format with PEC counters: the GPU clock, followed by @count counters starting with
 * PEC@first
 */
#define PEC_COUNTERS(name, bits, first, count)                 \
	static const struct gpuoa_counters name[] = {          \
		{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },            \
		{ GPUOA_COUNTER_PEC(first), bits, count, 32 }, \
		{},                                            \
	}

PEC_COUNTERS(counters_pec64u64, 64, 0, 64);
PEC_COUNTERS(counters_pec64u32, 32, 0, 64);
PEC_COUNTERS(counters_pec32u64_g1, 64, 0, 32);
PEC_COUNTERS(counters_pec32u32_g1, 32, 0, 32);
PEC_COUNTERS(counters_pec32u64_g2, 64, 32, 32);
PEC_COUNTERS(counters_pec32u32_g2, 32, 32, 32);
PEC_COUNTERS(counters_pec36u64_g1_32_g2_4, 64, 0, 36);

static const struct gpuoa_counters counters_pec36u64_g1_4_g2_32[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_PEC(0), 64, 4, 32 },
	{ GPUOA_COUNTER_PEC(32), 64, 32, 64 },
	{},
};

static const struct gpuoa_counters counters_pec64u64_b8_c8[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_PEC(0), 64, 64, 32 },
	{ GPUOA_COUNTER_B(0), 32, 8, 544 },
	{ GPUOA_COUNTER_C(0), 32, 8, 576 },
	{},
};

#define XE2_FORMAT(id, code, size, name, counters, control)                       \
	{                                                                         \
		GPUOA_FORMAT_##id, code, size, name, &gpuoa_header_64, counters, control \
	}

static const struct gpuoa_format_desc xe2_formats[] = {
	XE2_FORMAT(PEC64U64, 1, 576, "PEC64u64", counters_pec64u64, XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC64U64_B8_C8, 1, 640, "PEC64u64_B8_C8", counters_pec64u64_b8_c8,
		   XE2_OACONTROL_COUNTER_SIZE_64 | XE2_OACONTROL_REPORT_BC),
	XE2_FORMAT(PEC64U32, 1, 320, "PEC64u32", counters_pec64u32, 0),
	XE2_FORMAT(PEC32U64_G1, 5, 320, "PEC32u64_G1", counters_pec32u64_g1,
		   XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC32U32_G1, 5, 192, "PEC32u32_G1", counters_pec32u32_g1, 0),
	XE2_FORMAT(PEC32U64_G2, 6, 320, "PEC32u64_G2", counters_pec32u64_g2,
		   XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC32U32_G2, 6, 192, "PEC32u32_G2", counters_pec32u32_g2, 0),
	XE2_FORMAT(PEC36U64_G1_32_G2_4, 3, 320, "PEC36u64_G1_32_G2_4",
		   counters_pec36u64_g1_32_g2_4,
		   XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC36U64_G1_4_G2_32, 4, 320, "PEC36u64_G1_4_G2_32",
		   counters_pec36u64_g1_4_g2_32,
		   XE2_OACONTROL_COUNTER_SIZE_64),
};

/*
 * The events of PEC counters are selected by separate registers. Metric definitions list these
 * registers with the boolean counters, and xe does not distinguish that list from the MUX list, so
 * this whitelist is used for both.
 */
static const struct gpuoa_reg_range xe2_regs[] = {
	{ 0x2b2c, 0x2b2c },   /* OAG_OA_PESS */
	{ 0x5194, 0x5194 },   /* SYS_MEM_LAT_MEASURE_MERTF_GRP_3D */
	{ 0x8704, 0x8704 },   /* LMEM_LAT_MEASURE_MCFG_GRP */
	{ 0xb1bc, 0xb1bc },   /* L3_BANK_LAT_MEASURE_LBCF_GFX */
	{ 0xd0e0, 0xd0f4 },   /* VISACTL */
	{ 0xd900, 0xd91c },   /* OAG_OASTARTTRIG1..8 */
	{ 0xd920, 0xd93c },   /* OAG_OAREPORTTRIG1..8 */
	{ 0xd940, 0xd97c },   /* OAG_CEC0_0..CEC7_1 */
	{ 0xdc00, 0xdc3c },   /* OAG_SCEC0_0..SCEC7_1 */
	{ 0xdc40, 0xdc48 },   /* OAG_SPCTR_CNF, OAA_DBG, OAA_ENABLE */
	{ 0xdd00, 0xdd48 },   /* OAG_LCE0_0..OAA_LENABLE */
	{ 0xe18c, 0xe18c },   /* SAMPLER_MODE */
	{ 0xe590, 0xe590 },   /* TDL_LSC_LAT_MEASURE_TDL_GFX */
	{ 0x13000, 0x137fc }, /* PES0_PESL0..PES63_UPPER_PESL3 */
	{},
};

static const struct gpuoa_reg_mask xe2_no_masks[] = { {} };

static const struct gen12_variant xe2_oag = {
	GEN12_OAG_REGS,
	.control_bits = XE2_OAG_OACONTROL_PES_DISAG_EN,
	.debug_bits = XE2_DEBUG,
	.extended = true,
	.sqcnt1_bits = GEN12_5_SQCNT1,
};

const struct gpuoa_oa_ops gpuoa_oag_xe2 = {
	GEN12_OA_OPS,
	.variant = &xe2_oag,
	.formats = xe2_formats,
	.n_formats = ARRAY_SIZE(xe2_formats),
	.default_format = GPUOA_FORMAT_PEC64U64,
	.id = &gen12_5_id,
	.buffer_size_max = SZ_128M,
	.mux = xe2_regs,
	.boolean = xe2_regs,
	.flex = gpuoa_flex_regs,
	.masks = xe2_no_masks,
	.aliases = gpuoa_aliases_xe2,
	.filters_contexts = true,
	.needs_context = true,
	.context_runs = gpuoa_filter_by_switch,
};
