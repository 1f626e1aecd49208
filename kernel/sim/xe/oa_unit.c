// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_unit.c - programs an OA unit in the same way as xe.
 *
 * Registers and their programming order follow drivers/gpu/drm/xe/xe_oa.c of Linux 6.12.
 */
#include <linux/bitfield.h>
#include <linux/kernel.h>
#include <linux/sizes.h>

#include <gen12_regs.h>

#include "vgpu/model/mmio.h"
#include "metrics.h"
#include "oa_unit.h"
#include "third_party/drm/xe_drm.h"

#define PEC(select_, size_, wide_, bc_) { DRM_XE_OA_FMT_TYPE_PEC, select_, size_, wide_, bc_ }

/* xe's formats for Xe2 */
static const struct sim_xe_format formats[] = {
	{ DRM_XE_OA_FMT_TYPE_OAM_MPEC, 1, 192 },
	{ DRM_XE_OA_FMT_TYPE_OAM_MPEC, 2, 128 },
	PEC(1, 576, true, false),
	PEC(1, 640, true, true),
	PEC(1, 320, false, false),
	PEC(5, 320, true, false),
	PEC(5, 192, false, false),
	PEC(6, 320, true, false),
	PEC(6, 192, false, false),
	PEC(3, 320, true, false),
	PEC(4, 320, true, false),
};

const struct sim_xe_registers sim_xe_oag = {
	.control = OAG_OACONTROL,
	.debug = OAG_OA_DEBUG,
	.status = OAG_OASTATUS,
	.head = OAG_OAHEADPTR,
	.tail = OAG_OATAILPTR,
	.buffer = OAG_OABUFFER,
	.timer = OAG_OAGLBCTXCTRL,
	.format_shift = OAG_OACONTROL_FORMAT_SHIFT,
	.control_bits = XE2_OAG_OACONTROL_PES_DISAG_EN,
	.rpm_config1 = RPM_CONFIG1,
	.sqcnt1 = SQCNT1,
};

/* xe of Linux 6.12 supports only one unit of a media GT. */
const struct sim_xe_registers sim_xe_oam = {
	.control = XE2_OAM_SAG_BASE + OAM_CONTROL,
	.debug = XE2_OAM_SAG_BASE + OAM_DEBUG,
	.status = XE2_OAM_SAG_BASE + OAM_STATUS,
	.head = XE2_OAM_SAG_BASE + OAM_HEAD_POINTER,
	.tail = XE2_OAM_SAG_BASE + OAM_TAIL_POINTER,
	.buffer = XE2_OAM_SAG_BASE + OAM_BUFFER,
	.timer = XE2_OAM_SAG_BASE + OAM_CONTEXT_CONTROL,
	.format_shift = OAM_CONTROL_FORMAT_SHIFT,
	.rpm_config1 = MEDIA_GT_BASE + RPM_CONFIG1,
	.sqcnt1 = MEDIA_GT_BASE + SQCNT1,
};

/**
 * sim_xe_format_find() - Find a report format.
 * @format: value of DRM_XE_OA_PROPERTY_OA_FORMAT
 *
 * Return: the format, or NULL
 */
const struct sim_xe_format *sim_xe_format_find(u64 format)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].type == FIELD_GET(DRM_XE_OA_FORMAT_MASK_FMT_TYPE, format) &&
		    formats[i].select == FIELD_GET(DRM_XE_OA_FORMAT_MASK_COUNTER_SEL, format) &&
		    formats[i].wide == FIELD_GET(DRM_XE_OA_FORMAT_MASK_COUNTER_SIZE, format) &&
		    formats[i].bc == FIELD_GET(DRM_XE_OA_FORMAT_MASK_BC_REPORT, format))
			return &formats[i];

	return NULL;
}

static void unit_rmw(struct sim_gpu *gpu, u32 reg, u32 clear, u32 set)
{
	sim_mmio_write(gpu, reg, (sim_mmio_read(gpu, reg) & ~clear) | set);
}

/**
 * sim_xe_unit_prepare() - Program the registers that do not depend on a configuration.
 * @gpu: the GPU, awake
 * @regs: registers of the unit
 * @exponent: timer exponent, or -1 for no timer reports
 * @sample: enable reports of context switches and of MMIO triggers
 */
void sim_xe_unit_prepare(struct sim_gpu *gpu, const struct sim_xe_registers *regs, int exponent,
			 bool sample)
{
	const u32 debug = GEN12_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS |
			  GEN12_OA_DEBUG_INCLUDE_CLK_RATIO |
			  XE2_OA_DEBUG_START_TRIGGER_SCOPE_CONTROL |
			  XE2_OA_DEBUG_DISABLE_START_TRG_2_COUNT_QUAL |
			  XE2_OA_DEBUG_DISABLE_START_TRG_1_COUNT_QUAL;
	const u32 unwanted = GEN12_OA_DEBUG_DISABLE_CTX_SWITCH_REPORTS |
			     GEN12_5_OA_DEBUG_DISABLE_MMIO_TRG;
	u32 timer = 0;

	if (exponent >= 0)
		timer = GEN12_CTXCTRL_COUNTER_RESUME | GEN12_CTXCTRL_TIMER_ENABLE |
			FIELD_PREP(GEN12_CTXCTRL_TIMER_PERIOD, exponent);

	sim_mmio_write(gpu, regs->debug, MASKED_SET(debug) |
					 (sample ? MASKED_CLEAR(unwanted) : MASKED_SET(unwanted)));
	sim_mmio_write(gpu, regs->timer, timer);
	unit_rmw(gpu, regs->sqcnt1, 0, SQCNT1_PMON_ENABLE | GEN12_5_SQCNT1_OABPC);
}

/**
 * sim_xe_unit_program() - Write the registers of a configuration.
 * @gpu: the GPU, awake
 * @metrics: the configuration
 */
void sim_xe_unit_program(struct sim_gpu *gpu, const struct sim_xe_metrics *metrics)
{
	u32 i;

	for (i = 0; i < metrics->n; i++)
		sim_mmio_write(gpu, metrics->regs[i].reg, metrics->regs[i].value);
}

/**
 * sim_xe_unit_forget() - Undo sim_xe_unit_prepare() and sim_xe_unit_program().
 * @gpu: the GPU, awake
 * @regs: registers of the unit
 */
void sim_xe_unit_forget(struct sim_gpu *gpu, const struct sim_xe_registers *regs)
{
	sim_mmio_write(gpu, regs->debug, MASKED_SET(GEN12_5_OA_DEBUG_DISABLE_MMIO_TRG));
	unit_rmw(gpu, regs->rpm_config1, RPM_CONFIG1_NOA_ENABLE, 0);
	unit_rmw(gpu, regs->sqcnt1, SQCNT1_PMON_ENABLE | GEN12_5_SQCNT1_OABPC, 0);
}

/**
 * sim_xe_unit_context() - Enable or disable the per-context counters (OAR).
 * @gpu: the GPU, awake
 * @format: format of reports that batches write
 * @enable: true to enable
 */
void sim_xe_unit_context(struct sim_gpu *gpu, const struct sim_xe_format *format, bool enable)
{
	u32 control = format->select << OAR_OACONTROL_FORMAT_SHIFT;

	if (format->wide)
		control |= XE2_OACONTROL_COUNTER_SIZE_64;
	if (format->bc)
		control |= XE2_OACONTROL_REPORT_BC;
	sim_mmio_write(gpu, RCS_OACTXCONTROL, enable ? RCS_OACTXCONTROL_COUNTER_RESUME : 0);
	sim_mmio_write(gpu, OAR_OACONTROL, control | (enable ? OAR_OACONTROL_ENABLE : 0));
	sim_mmio_write(gpu, RCS_CONTEXT_CONTROL,
		       enable ? MASKED_SET(RCS_CONTEXT_CONTROL_OAR_ENABLE) :
				MASKED_CLEAR(RCS_CONTEXT_CONTROL_OAR_ENABLE));
}

/**
 * sim_xe_unit_start() - Set up the buffer and start the unit.
 * @gpu: the GPU, awake
 * @regs: registers of the unit
 * @format: report format
 * @buffer: GPU address of the buffer
 */
void sim_xe_unit_start(struct sim_gpu *gpu, const struct sim_xe_registers *regs,
		       const struct sim_xe_format *format, u32 buffer)
{
	u32 size = FIELD_PREP(GEN12_OABUFFER_SIZE, oabuffer_size_code(SIM_XE_BUFFER_SIZE));
	u32 control = format->select << regs->format_shift | regs->control_bits |
		      GEN12_OACONTROL_ENABLE;

	if (format->wide)
		control |= XE2_OACONTROL_COUNTER_SIZE_64;
	if (format->bc)
		control |= XE2_OACONTROL_REPORT_BC;
	sim_mmio_write(gpu, regs->status, 0);
	sim_mmio_write(gpu, regs->head, buffer);
	/*
	 * Write OABUFFER after the head and before the tail, because the overflow bit is wrong
	 * otherwise.
	 */
	sim_mmio_write(gpu, regs->buffer, buffer | size | GEN12_OABUFFER_GGTT);
	sim_mmio_write(gpu, regs->tail, buffer);
	sim_mmio_write(gpu, regs->control, control);
}

/**
 * sim_xe_unit_stop() - Stop a unit.
 * @gpu: the GPU, awake
 * @regs: registers of the unit
 */
void sim_xe_unit_stop(struct sim_gpu *gpu, const struct sim_xe_registers *regs)
{
	sim_mmio_write(gpu, regs->control, 0);
}
