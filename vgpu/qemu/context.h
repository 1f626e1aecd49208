/* SPDX-License-Identifier: MIT */
/*
 * context.h - context images: saving and restoring the state of an engine's context.
 */
#ifndef VGPU_CONTEXT_H
#define VGPU_CONTEXT_H

#include "vgpu/model/env.h"

struct vgpu_engine;

/**
 * struct vgpu_context_range - registers that are saved with a context
 * @first: the first one; an offset from the engine's base with @relative
 * @last: the last one
 * @stride: bytes from one to the next
 * @relative: @first and @last are relative
 */
struct vgpu_context_range {
	u32 first;
	u32 last;
	u32 stride;
	bool relative;
};

/**
 * struct vgpu_context_block - position of registers in an image
 * @at: index of the first dword in the register state
 * @classes: bit n: the block exists for engines of enum vgpu_class n
 * @ranges: the registers, ends with {}
 */
struct vgpu_context_block {
	u32 at;
	u32 classes;
	const struct vgpu_context_range *ranges;
};

/**
 * struct vgpu_context_layout - layout of an image, except the part written by the driver
 * @state: bytes from the image's address to the register state
 * @blocks: ends with {}
 */
struct vgpu_context_layout {
	u32 state;
	const struct vgpu_context_block *blocks;
};

extern const struct vgpu_context_layout vgpu_layout_gen7;
extern const struct vgpu_context_layout vgpu_layout_gen8;
extern const struct vgpu_context_layout vgpu_layout_gen9;
extern const struct vgpu_context_layout vgpu_layout_gen11;
extern const struct vgpu_context_layout vgpu_layout_gen12;
extern const struct vgpu_context_layout vgpu_layout_xe;

int vgpu_context_restore(struct vgpu_engine *engine);
void vgpu_context_save(struct vgpu_engine *engine);
void vgpu_context_new_tail(struct vgpu_engine *engine);
void vgpu_context_switch(struct vgpu_engine *engine, u32 ccid, bool inhibit);

#endif /* VGPU_CONTEXT_H */
