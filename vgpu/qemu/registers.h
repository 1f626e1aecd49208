/* SPDX-License-Identifier: MIT */
/*
 * registers.h - register definitions used by several files.
 */
#ifndef VGPU_REGISTERS_H
#define VGPU_REGISTERS_H

/* Registers of an engine, relative to its base; names are those of i915. */
#define RING_SIZE 0x800
#define RING_TAIL 0x30
#define RING_HEAD 0x34
#define RING_HEAD_OFFSET GENMASK(20, 2)
#define RING_START 0x38
#define RING_CTL 0x3c
#define RING_CTL_SIZE GENMASK(20, 12)
#define RING_CTL_VALID BIT(0)
#define RING_PWRCTX_MAXCNT 0x54
#define PWRCTX_MAXCNT_40_US 64
#define RING_IPEIR 0x64
#define RING_IPEHR 0x68
#define RING_INSTDONE 0x6c
#define RING_ACTHD 0x74
#define RING_ACTHD_UDW 0x5c
#define RING_HWS_PGA 0x80
#define RING_ENGINE_ID 0x8c /* class, and instance from bit 4 */
#define RING_MI_MODE 0x9c
#define MODE_STOP BIT(8)
#define MODE_IDLE BIT(9)
#define RING_IMR 0xa8
#define RING_EIR 0xb0
#define RING_EMR 0xb4
#define RING_INSTPM 0xc0
#define INSTPM_SYNC_FLUSH BIT(5)
#define RING_RESET_CTL 0xd0
#define RESET_CTL_REQUEST BIT(0)
#define RESET_CTL_READY BIT(1)
#define RESET_CTL_CAT_ERROR BIT(2)
#define RING_CS_DEBUG_MODE2 0xd8
#define RING_BB_STATE 0x110
#define BB_STATE_PPGTT BIT(5)
#define RING_SBB_ADDR 0x114
#define RING_SBB_STATE 0x118
#define RING_SBB_ADDR_UDW 0x11c
#define RING_BB_ADDR 0x140
#define BB_ADDR_VALID BIT(0)
#define RING_BB_ADDR_UDW 0x168
#define RING_BB_PER_CTX_PTR 0x1c0
#define RING_INDIRECT_CTX 0x1c4
#define RING_PP_DIR_BASE 0x228
#define RING_ELSP 0x230
#define RING_EXECLIST_STATUS_LO 0x234
#define RING_EXECLIST_STATUS_HI 0x238
#define RING_CONTEXT_CONTROL 0x244
#define CONTEXT_CONTROL_RESTORE_INHIBIT BIT(0)
#define CONTEXT_CONTROL_OAR BIT(8)
#define RING_PDP_UDW(n) (0x274 + 8 * (n))
#define RING_PDP_LDW(n) (0x270 + 8 * (n))
#define RING_CTX_ASID 0x278 /* Xe2: the driver's number of the address space */
#define RING_MODE 0x29c
#define RING_MODE_PPGTT BIT(9)
#define RING_TIMESTAMP 0x358
#define RING_TIMESTAMP_UDW 0x35c
#define RING_CONTEXT_STATUS_BUF(n) (0x370 + 8 * (n))
#define RING_CONTEXT_STATUS_PTR 0x3a0
#define RING_CTX_TIMESTAMP 0x3a8
#define RING_PREDICATE_SRC0 0x400
#define RING_PREDICATE_SRC1 0x408
#define RING_PREDICATE_DATA 0x410
#define RING_PREDICATE_RESULT 0x418
#define RING_PREDICATE_RESULT_1 0x41c
#define RING_PREDICATE_RESULT_2 0x3bc
/* Additional registers that batches of users may access, one in each slot */
#define RING_FORCE_TO_NONPRIV 0x4d0
#define NONPRIV_SLOTS 12
#define NONPRIV_DENY BIT(30)
#define NONPRIV_READ BIT(28) /* not for writing */
#define NONPRIV_ADDRESS GENMASK(25, 2)
#define RING_EXECLIST_SQ 0x510
#define RING_EXECLIST_CONTROL 0x550
#define EXECLIST_CONTROL_LOAD BIT(0)
#define RING_CS_CHICKEN1 0x580
#define RING_GPR 0x600
#define RING_N_GPRS 16

/* Haswell's render engine */
#define GEN7_CCID 0x2180

#define GEN7_FORCEWAKE 0xa188
#define GEN7_FORCEWAKE_ACK 0x130044
#define GEN9_FORCEWAKE_MEDIA 0xa270
#define GEN9_FORCEWAKE_RENDER 0xa278
#define GEN11_FORCEWAKE_MEDIA_VDBOX 0xa540
#define GEN11_FORCEWAKE_MEDIA_VEBOX 0xa560

/* Offset of the media GT's registers below MEDIA_GT_END, on GPUs that have one */
#define MEDIA_GT 0x380000
#define MEDIA_GT_END 0x40000

#define GDRST 0x941c
#define GEN6_RPNSWREQ 0xa008
#define GEN6_RPSTAT1 0xa01c
#define GEN6_RC_CONTROL 0xa090
#define RC_CONTROL_ENABLE BIT(31)
#define PCODE_MAILBOX 0x138124
#define RP_STATE_CAP 0x145998
#define RC6_RESIDENCY 0x138108

#define OAR_CONTROL 0x2960
#define OAC_CONTROL 0x15114
#define OAR_CONTROL_ENABLE BIT(0) /* also of OAC_CONTROL */

#endif /* VGPU_REGISTERS_H */
