/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen8_regs.h - registers of the OA unit of gen8 to gen11, for the backend and the simulator.
 *
 * Names and bits are those of the PRMs and of drivers/gpu/drm/i915.
 */
#ifndef _GEN8_REGS_H
#define _GEN8_REGS_H

#include <linux/bits.h>

#include <gpuoa_regs.h>

/* This register is saved and restored with each render context. */
#define GEN8_OACTXCONTROL 0x2360
#define GEN8_OACTXCONTROL_TIMER_PERIOD GENMASK(7, 2)
#define GEN8_OACTXCONTROL_TIMER_ENABLE BIT(1)
#define GEN8_OACTXCONTROL_COUNTER_RESUME BIT(0)

#define GEN8_OABUFFER_UDW 0x23b4

#define GEN8_OACONTROL 0x2b00
#define GEN8_OACONTROL_FORMAT GENMASK(4, 2)
#define GEN8_OACONTROL_SPECIFIC_CONTEXT_ENABLE BIT(1)
#define GEN8_OACONTROL_COUNTER_ENABLE BIT(0)

/* Masked; gen9 and later */
#define GEN9_OA_DEBUG 0x2b04
#define GEN9_OA_DEBUG_INCLUDE_CLK_RATIO BIT(6)
#define GEN9_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS BIT(5)
#define GEN9_OA_DEBUG_DISABLE_GO_1_0_REPORTS BIT(2)
#define GEN9_OA_DEBUG_DISABLE_CTX_SWITCH_REPORTS BIT(1)

#define GEN8_OASTATUS 0x2b08
#define GEN8_OASTATUS_TAIL_POINTER_WRAP BIT(17)
#define GEN8_OASTATUS_HEAD_POINTER_WRAP BIT(16)
#define GEN8_OASTATUS_OVERRUN BIT(3)
#define GEN8_OASTATUS_COUNTER_OVERFLOW BIT(2)
#define GEN8_OASTATUS_BUFFER_OVERFLOW BIT(1)
#define GEN8_OASTATUS_REPORT_LOST BIT(0)

#define GEN8_OAHEADPTR 0x2b0c
#define GEN8_OATAILPTR 0x2b10
#define GEN8_OAPTR_ADDRESS GENMASK(31, 6)

#define GEN8_OABUFFER 0x2b14
#define GEN8_OABUFFER_BASE GENMASK(31, 6)
#define GEN8_OABUFFER_SIZE GENMASK(5, 3)
#define GEN8_OABUFFER_GGTT BIT(0)

#endif /* _GEN8_REGS_H */
