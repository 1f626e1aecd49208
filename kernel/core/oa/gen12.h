/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen12.h - code shared by the OA units of gen12 to Xe2. OAG and OAM have the same registers at
 * different offsets.
 */
#ifndef _GPUOA_OA_GEN12_H
#define _GPUOA_OA_GEN12_H

#include <linux/sizes.h>
#include <linux/types.h>

#include <gen12_regs.h>

#include "oa.h"

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
 * @shares_gt: other units of the same GT may still need @sqcnt1_bits
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

/* PEC counters do not count unless these bits are set. */
#define XE2_DEBUG                                                                              \
	(GEN12_DEBUG | XE2_OA_DEBUG_START_TRIGGER_SCOPE_CONTROL |                              \
	 XE2_OA_DEBUG_DISABLE_START_TRG_2_COUNT_QUAL | XE2_OA_DEBUG_DISABLE_START_TRG_1_COUNT_QUAL)

#define GEN12_5_SQCNT1 (SQCNT1_PMON_ENABLE | GEN12_5_SQCNT1_OABPC)

int gen12_enable_metrics(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set);
void gen12_disable_metrics(const struct gpuoa_hw *hw);
void gen12_start(const struct gpuoa_hw *hw);
int gen12_stop(const struct gpuoa_hw *hw);
void gen12_status(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status);
bool gen12_runs(const struct gpuoa_hw *hw);
u32 gen12_tail(const struct gpuoa_hw *hw);
void gen12_set_head(const struct gpuoa_hw *hw, u32 head);

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

extern const struct gpuoa_id_layout gen12_5_id;

#endif /* _GPUOA_OA_GEN12_H */
