/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen12.h - OA units of gen12 to Xe2, which have the same registers at different offsets.
 */
#ifndef _GEN12_OA_H
#define _GEN12_OA_H

#include "env.h"

#include <gen12_regs.h>

#include "gen8.h"
#include "mmio.h"
#include "oa.h"

/**
 * struct gen12_unit - MMIO offsets and properties of a unit
 * @control: OACONTROL
 * @debug: OA_DEBUG
 * @status: OASTATUS
 * @head: OAHEADPTR
 * @tail: OATAILPTR
 * @buffer: OABUFFER
 * @timer: OAGLBCTXCTRL or CONTEXT_CONTROL
 * @trigger: MMIO trigger, 0 if there is none
 * @noa: RPM_CONFIG1 of the unit's GT
 * @boolean: registers of the boolean counters
 * @format_shift: shift of the format field in @control
 * @format: get the format selected by a value of @control, or NULL
 * @select: set the sources of all counters except B and C
 * @sees_contexts: the unit reports context switches
 * @large: @debug can select large buffers
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

#define GEN12_OA                                                              \
	.read = gen12_read, .written = gen12_written, .select = gen12_select, \
	.reasons = gen12_reasons

/* OAG's registers */
#define GEN12_OAG                                                                \
	.control = OAG_OACONTROL, .debug = OAG_OA_DEBUG, .status = OAG_OASTATUS, \
	.head = OAG_OAHEADPTR, .tail = OAG_OATAILPTR, .buffer = OAG_OABUFFER,    \
	.timer = OAG_OAGLBCTXCTRL, .noa = RPM_CONFIG1,                           \
	.boolean = { OAG_STARTTRIG2, OAG_STARTTRIG6, OAG_CEC0_0 },               \
	.format_shift = OAG_OACONTROL_FORMAT_SHIFT, .sees_contexts = true

#define OAG_STARTTRIG2 0xd904
#define OAG_STARTTRIG6 0xd914
#define OAG_REPORTTRIG2 0xd924
#define OAG_REPORTTRIG6 0xd934
#define OAG_CEC0_0 0xd940
#define OAG_COUNTER_A0 0xd980

/* Registers of an OA unit: all; those lost in power-down; those of the multiplexer */
#define OA SIM_REG_OA
#define LOST (SIM_REG_OA | SIM_REG_VOLATILE)
#define MUX (SIM_REG_OA | SIM_REG_MUX)
#define MASKED SIM_REG_MASKED

#define RCS_TIMESTAMP 0x2358
#define RCS_TIMESTAMP_UDW 0x235c

extern const struct sim_oa_ops sim_oag_gen12;
extern const struct sim_oa_ops sim_oag_mtl;
extern const struct sim_register_range sim_ranges_oag[];
extern const struct sim_register_range sim_ranges_oag_gen12_5[];
extern const struct sim_register_range sim_ranges_gen12[];
extern const struct sim_register_range sim_ranges_dg2[];
extern const struct sim_register_range sim_ranges_mtl[];

#endif /* _GEN12_OA_H */
