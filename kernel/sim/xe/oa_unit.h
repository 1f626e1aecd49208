/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_unit.h - an OA unit, as xe programs it.
 */
#ifndef _SIM_XE_OA_UNIT_H
#define _SIM_XE_OA_UNIT_H

#include <linux/types.h>

struct sim_gpu;
struct sim_xe_metrics;

/**
 * struct sim_xe_registers - registers of a unit
 * @control: OACONTROL
 * @debug: OA_DEBUG
 * @status: OASTATUS
 * @head: OAHEADPTR
 * @tail: OATAILPTR
 * @buffer: OABUFFER
 * @timer: OAGLBCTXCTRL, CONTEXT_CONTROL
 * @format_shift: where in @control the format stands
 * @control_bits: bits of @control that are set while it runs
 * @rpm_config1: RPM_CONFIG1 of its GT
 * @sqcnt1: SQCNT1 of its GT
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
 * @size: bytes
 * @wide: counters of 64 bits
 * @bc: B and C counters are there
 */
struct sim_xe_format {
	u32 type;
	u32 select;
	u32 size;
	bool wide;
	bool bc;
};

/* The only size of the buffer that xe has */
#define SIM_XE_BUFFER_SIZE SZ_16M

/* What xe tells of OASTATUS */
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
