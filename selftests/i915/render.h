/* SPDX-License-Identifier: MIT */
/*
 * render.h - a batch that copies pixels with the 3D pipeline.
 */
#ifndef SELFTESTS_I915_RENDER_H
#define SELFTESTS_I915_RENDER_H

#include "i915.h"

#define RENDER_LEFT 2
#define RENDER_TOP 1
#define RENDER_WIDTH 8
#define RENDER_HEIGHT 4

/*
 * Copy RENDER_WIDTH x RENDER_HEIGHT 32-bit pixels, with values counting up from @value, to line
 * RENDER_TOP and column RENDER_LEFT of a Y-tiled surface at the start of the batch's target.
 */
void render_copy(struct i915_batch *batch, uint32_t value);
/*
 * Emit the state for the copy, or the draw. The draw may be in a later batch of the same context.
 */
void render_state(struct i915_batch *batch, uint32_t value);
void render_rectangle(struct i915_batch *batch);
/* The draw, with flags */
#define RENDER_INDIRECT (1U << 10) /* parameters are in registers */
#define RENDER_PREDICATED (1U << 8) /* skip the draw unless the predicate's result is 1 */
void render_rectangle_with(struct i915_batch *batch, uint32_t flags);
/* Pixel of the target surface */
uint32_t render_pixel(const struct i915_batch *batch, unsigned int x, unsigned int y);

#endif /* SELFTESTS_I915_RENDER_H */
