// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen12.c - shared OA backend of gen12 and later, and OAG of gen12.0 (Tiger Lake, Rocket Lake, DG1,
 * Alder Lake), gen12.5 (DG2) and gen12.7 (Meteor Lake, Arrow Lake).
 *
 * Registers and sequences follow the PRMs, drivers/gpu/drm/i915/i915_perf.c and
 * drivers/gpu/drm/xe/xe_oa.c.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>

#include "gen12.h"
#include "gpuoa_report.h"
#include "metric_set.h"

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
int gen12_enable_metrics(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
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
void gen12_disable_metrics(const struct gpuoa_hw *hw)
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
void gen12_start(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;
	u32 size = FIELD_PREP(GEN12_OABUFFER_SIZE, oabuffer_size_code(hw->buffer_size));

	/*
	 * The buffer size is not known earlier: an AUX area is mapped after the metrics are
	 * enabled.
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
int gen12_stop(const struct gpuoa_hw *hw)
{
	const struct gen12_variant *variant = hw->oa->variant;
	int ret;

	gpuoa_hw_write(hw, variant->control, 0);
	ret = gpuoa_hw_wait_clear(hw, variant->control, GEN12_OACONTROL_ENABLE);
	if (ret || !variant->tlb_invalidate)
		return ret;

	/* The buffer's pages may be freed and reused after this. */
	gpuoa_hw_write(hw, variant->tlb_invalidate, OA_TLB_INV_CR_BUSY);

	return gpuoa_hw_wait_clear(hw, variant->tlb_invalidate, OA_TLB_INV_CR_BUSY);
}

/**
 * gen12_runs() - Implement &gpuoa_oa_ops.runs.
 * @hw: OA unit
 *
 * Return: true if the unit is enabled
 */
bool gen12_runs(const struct gpuoa_hw *hw)
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
u32 gen12_tail(const struct gpuoa_hw *hw)
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
void gen12_status(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status)
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
void gen12_set_head(const struct gpuoa_hw *hw, u32 head)
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

/* Without 0x20cc, which is a different register on Meteor Lake. */
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

const struct gpuoa_id_layout gen12_5_id = {
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
