/* SPDX-License-Identifier: MIT */
/*
 * mmio.h - registers of the device, display, reset and power included.
 */
#ifndef _VGPU_MMIO_H
#define _VGPU_MMIO_H

#include "vgpu/model/env.h"

struct vgpu;
struct vgpu_rule;

/**
 * struct vgpu_behaviour - what an access does
 * @read: value that is read; NULL: what is stored
 * @write: NULL: it is stored
 */
struct vgpu_behaviour {
	u32 (*read)(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg);
	void (*write)(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value);
};

/**
 * struct vgpu_rule - registers that behave alike
 * @first: the first
 * @last: the last
 * @is: what an access does
 * @value: the behaviour's own
 */
struct vgpu_rule {
	u32 first;
	u32 last;
	const struct vgpu_behaviour *is;
	u32 value;
};

/* Stored */
extern const struct vgpu_behaviour vgpu_plain;
/* Always &vgpu_rule.value */
extern const struct vgpu_behaviour vgpu_constant;
/* Bits 31:16 of what is written enable writes to bits 15:0. */
extern const struct vgpu_behaviour vgpu_masked;
/* Bits that are written as 1 become 0. */
extern const struct vgpu_behaviour vgpu_write_1_clears;
/* What is asked for is done at once: 0 again. */
extern const struct vgpu_behaviour vgpu_done_at_once;
/* Bit &vgpu_rule.value is set as soon as the one above it is. */
extern const struct vgpu_behaviour vgpu_state_below;
/* The lower half of the register &vgpu_rule.value bytes away: it acknowledges requests. */
extern const struct vgpu_behaviour vgpu_acknowledges;

int vgpu_mmio_init(struct vgpu *vgpu);
int vgpu_mmio_add_table(struct vgpu *vgpu, const struct vgpu_rule *table);
int vgpu_mmio_add(struct vgpu *vgpu, const struct vgpu_rule *rule);
u32 vgpu_mmio_read(struct vgpu *vgpu, u32 reg);
void vgpu_mmio_write(struct vgpu *vgpu, u32 reg, u32 value);
bool vgpu_mmio_is(const struct vgpu *vgpu, u32 reg, const struct vgpu_behaviour *behaviour);

void vgpu_power_update(struct vgpu *vgpu);

/* RC6's residency */
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

#endif /* _VGPU_MMIO_H */
