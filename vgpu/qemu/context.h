/* SPDX-License-Identifier: MIT */
/*
 * context.h - images of contexts: what an engine keeps of a context while another one runs.
 */
#ifndef VGPU_CONTEXT_H
#define VGPU_CONTEXT_H

#include "vgpu/model/env.h"

struct vgpu_engine;

/**
 * struct vgpu_context_range - registers that belong to contexts
 * @first: the first; with @relative, by its offset in the engine
 * @last: the last
 * @stride: bytes from one to the next
 * @relative: see @first
 */
struct vgpu_context_range {
	u32 first;
	u32 last;
	u32 stride;
	bool relative;
};

/**
 * struct vgpu_context_block - where in an image registers are
 * @at: dword from the start of the register state
 * @classes: bit n: engines of enum vgpu_class n have it
 * @ranges: the registers, ends with {}
 */
struct vgpu_context_block {
	u32 at;
	u32 classes;
	const struct vgpu_context_range *ranges;
};

/**
 * struct vgpu_context_layout - what an image holds besides what the driver itself puts at its start
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

int vgpu_context_restore(struct vgpu_engine *engine);
void vgpu_context_save(struct vgpu_engine *engine);
void vgpu_context_new_tail(struct vgpu_engine *engine);
void vgpu_context_switch(struct vgpu_engine *engine, u32 ccid, bool inhibit);

#endif /* VGPU_CONTEXT_H */
