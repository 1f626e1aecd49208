/* SPDX-License-Identifier: MIT */
/*
 * render.h - a batch that copies pixels by the 3D pipeline.
 */
#ifndef SELFTESTS_I915_RENDER_H
#define SELFTESTS_I915_RENDER_H

#include "i915.h"

#define RENDER_LEFT 2
#define RENDER_TOP 1
#define RENDER_WIDTH 8
#define RENDER_HEIGHT 4

/*
 * Copy RENDER_WIDTH x RENDER_HEIGHT pixels of 32 bits, whose values count up from @value, to line
 * RENDER_TOP and column RENDER_LEFT of a surface in Y tiles at the beginning of the batch's target.
 */
void render_copy(struct i915_batch *batch, uint32_t value);
/* What it sets up for that, and the draw, which may come in a later batch of the same context */
void render_state(struct i915_batch *batch, uint32_t value);
void render_rectangle(struct i915_batch *batch);
/* The draw with some of @flags */
#define RENDER_INDIRECT (1U << 10) /* parameters stand in registers */
#define RENDER_PREDICATED (1U << 8) /* left out unless the predicate's result is 1 */
void render_rectangle_with(struct i915_batch *batch, uint32_t flags);
/* A pixel of that surface */
uint32_t render_pixel(const struct i915_batch *batch, unsigned int x, unsigned int y);

#endif /* SELFTESTS_I915_RENDER_H */
