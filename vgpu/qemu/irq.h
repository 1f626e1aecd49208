/* SPDX-License-Identifier: MIT */
/*
 * irq.h - interrupts of engines, and the interrupt registers of each generation.
 */
#ifndef VGPU_IRQ_H
#define VGPU_IRQ_H

#include "mmio.h"

struct vgpu_engine;

/**
 * struct vgpu_irq_ops - interrupts of a generation
 * @raise: raise interrupts of an engine (VGPU_IRQ_*)
 * @asserted: check whether an enabled interrupt is raised
 * @rules: interrupt registers; ends with {}
 */
struct vgpu_irq_ops {
	void (*raise)(struct vgpu_engine *engine, u32 bits);
	bool (*asserted)(struct vgpu *vgpu);
	const struct vgpu_rule *rules;
};

extern const struct vgpu_irq_ops vgpu_irq_gen7;
extern const struct vgpu_irq_ops vgpu_irq_gen8;
extern const struct vgpu_irq_ops vgpu_irq_gen11;
extern const struct vgpu_irq_ops vgpu_irq_xe;

int vgpu_irq_init(struct vgpu *vgpu);
void vgpu_irq_engine(struct vgpu_engine *engine, u32 bits);
void vgpu_irq_guc(struct vgpu *vgpu, unsigned int gt);
void vgpu_irq_update(struct vgpu *vgpu);

#endif /* VGPU_IRQ_H */
