/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_unit.h - programs an OA unit in the same way as xe.
 */
#ifndef _SIM_XE_OA_UNIT_H
#define _SIM_XE_OA_UNIT_H

#include <linux/types.h>

struct sim_gpu;
struct sim_xe_metrics;

/**
 * struct sim_xe_registers - MMIO offsets of a unit's registers
 * @control: OACONTROL
 * @debug: OA_DEBUG
 * @status: OASTATUS
 * @head: OAHEADPTR
 * @tail: OATAILPTR
 * @buffer: OABUFFER
 * @timer: OAGLBCTXCTRL of OAG, CONTEXT_CONTROL of OAM
 * @format_shift: lowest bit of the format in @control
 * @control_bits: additional bits of @control that are set while the unit runs
 * @rpm_config1: RPM_CONFIG1 of the unit's GT
 * @sqcnt1: SQCNT1 of the unit's GT
 */
struct sim_xe_registers {
	u32 control;
	u32 debug;
	u32 status;
	u32 head;
	u32 tail;
	u32 buffer;
	u32 timer;
	u32 format_shift;
	u32 control_bits;
	u32 rpm_config1;
	u32 sqcnt1;
};

/**
 * struct sim_xe_format - a report format
 * @type: enum drm_xe_oa_format_type
 * @select: counter select
 * @size: size of a report, in bytes
 * @wide: counters have 64 bits, else 32
 * @bc: includes B and C counters
 */
struct sim_xe_format {
	u32 type;
	u32 select;
	u32 size;
	bool wide;
	bool bc;
};

/* xe supports only this buffer size. */
#define SIM_XE_BUFFER_SIZE SZ_16M

/* Bits of OASTATUS that xe reports */
#define SIM_XE_STATUS                                                    \
	(GEN12_5_OASTATUS_MMIO_TRG_Q_FULL | GEN12_OASTATUS_COUNTER_OVERFLOW | \
	 GEN12_OASTATUS_BUFFER_OVERFLOW | GEN12_OASTATUS_REPORT_LOST)

extern const struct sim_xe_registers sim_xe_oag, sim_xe_oam;

const struct sim_xe_format *sim_xe_format_find(u64 format);
void sim_xe_unit_prepare(struct sim_gpu *gpu, const struct sim_xe_registers *regs, int exponent,
			 bool sample);
void sim_xe_unit_program(struct sim_gpu *gpu, const struct sim_xe_metrics *metrics);
void sim_xe_unit_forget(struct sim_gpu *gpu, const struct sim_xe_registers *regs);
void sim_xe_unit_context(struct sim_gpu *gpu, const struct sim_xe_format *format, bool enable);
void sim_xe_unit_start(struct sim_gpu *gpu, const struct sim_xe_registers *regs,
		       const struct sim_xe_format *format, u32 buffer);
void sim_xe_unit_stop(struct sim_gpu *gpu, const struct sim_xe_registers *regs);

#endif /* _SIM_XE_OA_UNIT_H */
