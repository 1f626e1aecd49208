/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen12_oa.h - what the OA units of gen12 to Xe2 share: the same registers, each unit at its own
 * place.
 */
#ifndef _GEN12_OA_H
#define _GEN12_OA_H

#include <gen12_regs.h>

#include "gen8_counters.h"
#include "sim.h"

/**
 * struct gen12_unit - where a unit's registers are, and what is special about it
 * @control: OACONTROL
 * @debug: OA_DEBUG
 * @status: OASTATUS
 * @head: OAHEADPTR
 * @tail: OATAILPTR
 * @buffer: OABUFFER
 * @timer: OAGLBCTXCTRL or CONTEXT_CONTROL
 * @trigger: MMIO trigger; 0: none
 * @noa: RPM_CONFIG1 of its GT
 * @boolean: registers of the boolean counters
 * @format_shift: where the format stands in @control
 * @format: the format that a value of @control selects, or NULL
 * @select: what its counters but the B and C ones count
 * @sees_contexts: it reports when contexts are switched
 * @large: large buffers can be chosen in @debug
 */
struct gen12_unit {
	u32 control;
	u32 debug;
	u32 status;
	u32 head;
	u32 tail;
	u32 buffer;
	u32 timer;
	u32 trigger;
	u32 noa;
	struct sim_boolean_regs boolean;
	u32 format_shift;
	const struct sim_format *(*format)(u32 control);
	void (*select)(struct sim_oa *oa, struct sim_selection *selection);
	bool sees_contexts;
	bool large;
};

u32 gen12_read(struct sim_oa *oa, u32 reg, u32 value);
void gen12_written(struct sim_oa *oa, u32 reg, u32 value, u32 before, u32 flags);
void gen12_select(struct sim_oa *oa, struct sim_selection *selection);
u32 gen12_reasons(const struct sim_oa *oa);
void gen12_fill_header(struct sim_oa *oa, u32 reasons, u32 context);
void gen12_5_fill_header(struct sim_oa *oa, u32 reasons, u32 context);

struct sim_source gen12_event(u32 low, u32 high);

#define GEN12_OA                     \
	.read = gen12_read,          \
	.written = gen12_written,    \
	.select = gen12_select,      \
	.reasons = gen12_reasons

/* OAG's registers */
#define GEN12_OAG                                        \
	.control = OAG_OACONTROL,                        \
	.debug = OAG_OA_DEBUG,                           \
	.status = OAG_OASTATUS,                          \
	.head = OAG_OAHEADPTR,                           \
	.tail = OAG_OATAILPTR,                           \
	.buffer = OAG_OABUFFER,                          \
	.timer = OAG_OAGLBCTXCTRL,                       \
	.noa = RPM_CONFIG1,                              \
	.boolean = { OAG_STARTTRIG2, OAG_STARTTRIG6, OAG_CEC0_0 }, \
	.format_shift = OAG_OACONTROL_FORMAT_SHIFT,      \
	.sees_contexts = true

#define OAG_STARTTRIG2 0xd904
#define OAG_STARTTRIG6 0xd914
#define OAG_REPORTTRIG2 0xd924
#define OAG_REPORTTRIG6 0xd934
#define OAG_CEC0_0 0xd940
#define OAG_COUNTER_A0 0xd980

/* Flags of registers: of a unit, lost when the GPU sleeps, of the multiplexer */
#define OA SIM_REG_OA
#define LOST (SIM_REG_OA | SIM_REG_VOLATILE)
#define MUX (SIM_REG_OA | SIM_REG_MUX)
#define MASKED SIM_REG_MASKED

/* Registers that all OAGs have */
#define GEN12_OAG_RANGES                                                                       \
	{ 0x0d00, 0x0d2c, MUX, ~0 },			/* RPM_CONFIG0, 1, NOA_CONFIG0..8 */   \
	{ RCS_CONTEXT_CONTROL, RCS_CONTEXT_CONTROL, MASKED, ~0 },                              \
	{ RCS_TIMESTAMP, RCS_TIMESTAMP_UDW, OA, 0 },                                           \
	{ RCS_OACTXCONTROL, RCS_OACTXCONTROL, 0, ~0 },                                         \
	{ OAR_OACONTROL, OAR_OACONTROL, 0, ~0 },                                               \
	{ OAG_OAGLBCTXCTRL, 0x2b2c, LOST, ~0 },		/* and OA_PESS */                      \
	{ SQCNT1, SQCNT1, 0, ~0 },                                                             \
	{ OA_TLB_INV_CR, OA_TLB_INV_CR, 0, 0 },                                                \
	{ 0xd900, 0xd97c, LOST, ~0 },			/* triggers, comparators */            \
	{ OAG_OACONTROL, OAG_OACONTROL, LOST, ~0 },                                            \
	{ OAG_OA_DEBUG, OAG_OA_DEBUG, LOST | MASKED, ~0 },                                     \
	{ OAG_OASTATUS, OAG_OABUFFER, LOST, ~0 },                                              \
	{ 0xdc00, 0xdc48, LOST, ~0 },			/* SCEC0_0 .. OAA_ENABLE */            \
	{ EU_PERF_CNTL0, EU_PERF_CNTL4, OA, ~0 },                                              \
	{ EU_PERF_CNTL1, EU_PERF_CNTL5, OA, ~0 },                                              \
	{ EU_PERF_CNTL2, EU_PERF_CNTL6, OA, ~0 },                                              \
	{ EU_PERF_CNTL3, EU_PERF_CNTL3, OA, ~0 }

/* ... and those of gen12.5 and later */
#define GEN12_5_OAG_RANGES                                                                     \
	{ OAG_MMIOTRIGGER, OAG_MMIOTRIGGER, OA, ~0 },                                          \
	{ 0xdd00, 0xdd48, LOST, ~0 }			/* LCE0_0 .. OAA_LENABLE */

/* ... of a media unit at @base */
#define OAM_RANGES(base, unit)                                                                 \
	{ (base), (base) + 0x7c, LOST, ~0, unit },	/* triggers, comparators */            \
	{ (base) + OAM_CONTROL, (base) + OAM_CONTROL, LOST, ~0, unit },                        \
	{ (base) + OAM_DEBUG, (base) + OAM_DEBUG, LOST | MASKED, ~0, unit },                   \
	{ (base) + OAM_STATUS, (base) + OAM_BUFFER, LOST, ~0, unit },                          \
	{ (base) + OAM_CONTEXT_CONTROL, (base) + OAM_CONTEXT_CONTROL, LOST, ~0, unit },        \
	{ (base) + OAM_MMIO_TRG, (base) + OAM_MMIO_TRG, OA, ~0, unit },                        \
	{ (base) + OAM_MPES0, (base) + OAM_MPES0 + 0x3c, LOST, ~0, unit }

/* ... and of the media GT around it */
#define MEDIA_GT_RANGES                                                                        \
	{ MEDIA_GT_BASE + RPM_CONFIG1, MEDIA_GT_BASE + RPM_CONFIG1, MUX, ~0, 1 },              \
	{ MEDIA_GT_BASE + SQCNT1, MEDIA_GT_BASE + SQCNT1, 0, ~0 },                             \
	{ MEDIA_GT_BASE + OA_TLB_INV_CR, MEDIA_GT_BASE + OA_TLB_INV_CR, 0, 0 }

#define RCS_TIMESTAMP 0x2358
#define RCS_TIMESTAMP_UDW 0x235c

/* ---- OAM ---------------------------------------------------------------------------------- */

#define OAM_N_MPEC 8

/* Index of a counter among all of them. */
#define OAM_B OAM_N_MPEC
#define OAM_C (OAM_B + SIM_N_B)
#define OAM_CLOCK (OAM_C + SIM_N_C)
#define OAM_N_COUNTERS (OAM_CLOCK + 1)

#endif /* _GEN12_OA_H */
