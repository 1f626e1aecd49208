/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen12_regs.h - registers of the OA units of gen12 to Xe2, for the backend and the simulator.
 *
 * OAG counts for all contexts, OAR for one render context, OAM for media engines.
 *
 * Names and bits are those of the PRMs and of drivers/gpu/drm/i915 and xe.
 */
#ifndef _GEN12_REGS_H
#define _GEN12_REGS_H

#include <linux/bits.h>

#include <gpuoa_regs.h>

/*
 * MMIO offset of the media GT. Its registers have the same offsets from this base as those of the
 * render GT from 0.
 */
#define MEDIA_GT_BASE 0x380000

/* OAG */
#define OAG_OAGLBCTXCTRL 0x2b28
#define OAG_OASTARTTRIG1 0xd900
#define OAG_OACONTROL 0xdaf4
#define OAG_OA_DEBUG 0xdaf8
#define OAG_OASTATUS 0xdafc
#define OAG_OAHEADPTR 0xdb00
#define OAG_OATAILPTR 0xdb04
#define OAG_OABUFFER 0xdb08
#define OAG_MMIOTRIGGER 0xdb1c

/* MMIO offsets of the OAM units, and offsets of the registers in a unit */
#define MTL_OAM_BASE 0x393000
#define XE2_OAM_SAG_BASE 0x393000
#define XE2_OAM_SCMI0_BASE 0x394000
#define XE2_OAM_SCMI1_BASE 0x394800
#define OAM_STARTTRIG1 0x000
#define OAM_REPORTTRIG1 0x020
#define OAM_CEC0_0 0x040
#define OAM_CONTROL 0x194
#define OAM_DEBUG 0x198
#define OAM_STATUS 0x19c
#define OAM_HEAD_POINTER 0x1a0
#define OAM_TAIL_POINTER 0x1a4
#define OAM_BUFFER 0x1a8
#define OAM_CONTEXT_CONTROL 0x1bc
#define OAM_MMIO_TRG 0x1d0
#define OAM_MPES0 0x200

/* Of all OAM units of Xe3 */
#define OAM_COMPRESSION_T3_CONTROL 0x1c2e00
#define OAM_LAT_MEASURE_ENABLE BIT(4)

/* OACONTROL of OAG and OAM; the format starts at bit 2 in OAG and at bit 1 in OAM and OAR */
#define GEN12_OACONTROL_ENABLE BIT(0)
#define OAG_OACONTROL_FORMAT_SHIFT 2
#define OAM_CONTROL_FORMAT_SHIFT 1
#define XE2_OACONTROL_COUNTER_SIZE_64 BIT(8)
#define XE2_OACONTROL_REPORT_BC BIT(9)
#define XE2_OAG_OACONTROL_PES_DISAG_EN GENMASK(27, 22)

/* OA_DEBUG, masked */
#define GEN12_5_OA_DEBUG_DISABLE_MMIO_TRG BIT(14)
#define XE2_OA_DEBUG_START_TRIGGER_SCOPE_CONTROL BIT(13)
#define GEN12_5_OA_DEBUG_BUF_SIZE_SELECT BIT(12)
#define XE2_OA_DEBUG_DISABLE_START_TRG_2_COUNT_QUAL BIT(8)
#define XE2_OA_DEBUG_DISABLE_START_TRG_1_COUNT_QUAL BIT(7)
#define GEN12_OA_DEBUG_INCLUDE_CLK_RATIO BIT(6)
#define GEN12_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS BIT(5)
#define GEN12_OA_DEBUG_DISABLE_GO_1_0_REPORTS BIT(2)
#define GEN12_OA_DEBUG_DISABLE_CTX_SWITCH_REPORTS BIT(1)

/* OASTATUS */
#define GEN12_5_OASTATUS_MMIO_TRG_Q_FULL BIT(6)
#define GEN12_OASTATUS_COUNTER_OVERFLOW BIT(2)
#define GEN12_OASTATUS_BUFFER_OVERFLOW BIT(1)
#define GEN12_OASTATUS_REPORT_LOST BIT(0)

/* OAHEADPTR, OATAILPTR */
#define GEN12_OAPTR_ADDRESS GENMASK(31, 6)

/* OABUFFER */
#define GEN12_OABUFFER_BASE GENMASK(31, 6)
#define GEN12_OABUFFER_SIZE GENMASK(5, 3)
#define GEN12_OABUFFER_GGTT BIT(0)

/* OAGLBCTXCTRL, and CONTEXT_CONTROL of OAM */
#define GEN12_CTXCTRL_TIMER_PERIOD GENMASK(7, 2)
#define GEN12_CTXCTRL_TIMER_ENABLE BIT(1)
#define GEN12_CTXCTRL_COUNTER_RESUME BIT(0)

/* Registers of OAR, and other registers in the render context's state */
#define RCS_OACTXCONTROL 0x2360
#define RCS_OACTXCONTROL_COUNTER_RESUME BIT(0)
#define OAR_OACONTROL 0x2960
#define OAR_OACONTROL_FORMAT_SHIFT 1
#define OAR_OACONTROL_ENABLE BIT(0)
#define RCS_CONTEXT_CONTROL 0x2244 /* masked */
#define RCS_CONTEXT_CONTROL_OAR_ENABLE BIT(8)

/* One per GT */
#define OA_TLB_INV_CR 0xceec
#define OA_TLB_INV_CR_BUSY BIT(0)
#define SQCNT1 0x8718
#define SQCNT1_PMON_ENABLE BIT(30)
#define GEN12_5_SQCNT1_OABPC BIT(29)

/*
 * Masked register with the clock gating of EUs. On DG2, signals of EUs are wrong while clock gating
 * is enabled.
 */
#define ROW_CHICKEN 0xe4f0 /* multicast */
#define STALL_DOP_GATING_DISABLE BIT(5)
#define ROW_CHICKEN2 0xe4f4
#define DISABLE_DOP_GATING BIT(0)

#endif /* _GEN12_REGS_H */
