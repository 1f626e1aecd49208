/* SPDX-License-Identifier: MIT */
/*
 * mmio.h - MMIO registers, including display, reset and power management.
 */
#ifndef _VGPU_MMIO_H
#define _VGPU_MMIO_H

#include "vgpu/model/env.h"

struct vgpu;
struct vgpu_rule;

/**
 * struct vgpu_behaviour - handlers of register accesses
 * @read: get the value to read; NULL to read the stored value
 * @write: handle a write; NULL to store the value
 */
struct vgpu_behaviour {
	u32 (*read)(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg);
	void (*write)(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value);
};

/**
 * struct vgpu_rule - registers with the same behaviour
 * @first: MMIO offset of the first one
 * @last: MMIO offset of the last one
 * @is: the behaviour
 * @value: parameter of the behaviour
 */
struct vgpu_rule {
	u32 first;
	u32 last;
	const struct vgpu_behaviour *is;
	u32 value;
};

/* The written value is stored. */
extern const struct vgpu_behaviour vgpu_plain;
/* Reads always return &vgpu_rule.value. */
extern const struct vgpu_behaviour vgpu_constant;
/* Bits 31:16 of the written value enable bits 15:0. */
extern const struct vgpu_behaviour vgpu_masked;
/* Bits written as 1 are cleared. */
extern const struct vgpu_behaviour vgpu_write_1_clears;
/*
 * A write starts an operation that completes at once: the register reads as 0, "not busy".
 */
extern const struct vgpu_behaviour vgpu_done_at_once;
/*
 * Request bits, selected by &vgpu_rule.value, and their state bits, each one position lower: a
 * state bit is set as soon as its request bit is.
 */
extern const struct vgpu_behaviour vgpu_state_below;
/*
 * A register with this behaviour acknowledges the requests in another register, which is
 * &vgpu_rule.value bytes away: reads return bits 15:0 of that register.
 */
extern const struct vgpu_behaviour vgpu_acknowledges;

/* Each GT of a GPU with a media GT has these registers, and those in vgpu_registers_stored. */
extern const struct vgpu_rule vgpu_registers_gt[];

int vgpu_mmio_init(struct vgpu *vgpu);
int vgpu_mmio_add_table(struct vgpu *vgpu, const struct vgpu_rule *table);
int vgpu_mmio_add(struct vgpu *vgpu, const struct vgpu_rule *rule);
u32 vgpu_mmio_read(struct vgpu *vgpu, u32 reg);
void vgpu_mmio_write(struct vgpu *vgpu, u32 reg, u32 value);
bool vgpu_mmio_is(const struct vgpu *vgpu, u32 reg, const struct vgpu_behaviour *behaviour);

void vgpu_power_update(struct vgpu *vgpu);

/* RC6 residency */
extern const struct vgpu_behaviour vgpu_residency;

extern const struct vgpu_behaviour vgpu_gdrst;

extern const struct vgpu_rule vgpu_registers_stored[];
extern const struct vgpu_rule vgpu_registers_all[];
extern const struct vgpu_rule vgpu_registers_gen7[];
extern const struct vgpu_rule vgpu_registers_gen8[];
extern const struct vgpu_rule vgpu_registers_display[];
extern const struct vgpu_rule vgpu_registers_gen9[];
extern const struct vgpu_rule vgpu_registers_gen11[];
extern const struct vgpu_rule vgpu_registers_gen12[];
extern const struct vgpu_rule vgpu_registers_dg2[];
extern const struct vgpu_rule vgpu_registers_xe[];
extern const struct vgpu_rule vgpu_registers_mtl[];
extern const struct vgpu_rule vgpu_registers_lnl[];
extern const struct vgpu_rule vgpu_registers_bmg[];
extern const struct vgpu_rule vgpu_registers_ptl[];

#endif /* _VGPU_MMIO_H */
