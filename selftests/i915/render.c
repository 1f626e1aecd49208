// SPDX-License-Identifier: MIT
/*
 * render.c - a batch that copies pixels with the 3D pipeline, and its state.
 */
#include <string.h>

#include "render.h"

#define COMMAND(opcode) ((uint32_t)(opcode) << 16)
#define STATE_BASE_ADDRESS COMMAND(0x6101)
#define VERTEX_BUFFERS COMMAND(0x7808)
#define VERTEX_ELEMENTS COMMAND(0x7809)
#define BINDING_TABLE_POINTERS_PS COMMAND(0x782a)
#define VF_TOPOLOGY COMMAND(0x784b)
#define PRIMITIVE COMMAND(0x7b00)
#define RECTLIST 0xf

#define SURFACE_2D (1U << 29)
#define B8G8R8A8_UNORM (0xc0U << 18)
#define TILES_Y (3U << 12)
#define GEN7_TILES_Y (3U << 13)
#define R16G16_SSCALED (0xf6U << 16)
#define R32G32_FLOAT (0x85U << 16)
#define ELEMENT_VALID (1U << 25)
#define MODIFY 1
#define BUFFER_MODIFY (1U << 14)

/* Offsets in the page of the batch, bytes */
#define TABLE 2048
#define TO 2112
#define FROM 2176
#define VERTICES 2304
#define PIXELS 3072

/* Render target: a row of Y tiles is 128 bytes wide, in columns of 16 bytes and 32 lines. */
#define TO_WIDTH 32
#define TO_HEIGHT 8
#define TO_PITCH 128
#define TILE_COLUMN 16
#define TILE_HEIGHT 32

struct vertex {
	int16_t x;
	int16_t y;
	float u;
	float v;
};

static void emit_surface(struct i915_batch *batch, uint32_t at, uint32_t target, uint32_t offset,
			 uint32_t tiles, uint32_t width, uint32_t height, uint32_t pitch)
{
	unsigned int n = batch->n;

	memset(batch->dwords + at / 4, 0, 64);
	batch->n = at / 4;
	batch_emit(batch, SURFACE_2D | B8G8R8A8_UNORM | tiles);
	if (!batch->gpu->wide)
		batch_address(batch, target, offset);
	else
		batch_emit(batch, 0);
	batch_emit(batch, (height - 1) << 16 | (width - 1));
	batch_emit(batch, pitch - 1);
	if (batch->gpu->wide) {
		batch->n = at / 4 + 8;
		batch_address(batch, target, offset);
	}
	batch->n = n;
}

static void emit_data(struct i915_batch *batch, uint32_t value)
{
	const int16_t right = RENDER_LEFT + RENDER_WIDTH, bottom = RENDER_TOP + RENDER_HEIGHT;
	const struct vertex vertices[] = {
		{ right, bottom, 1, 1 },
		{ RENDER_LEFT, bottom, 0, 1 },
		{ RENDER_LEFT, RENDER_TOP, 0, 0 },
	};
	unsigned int i;

	batch->dwords[TABLE / 4] = TO;
	batch->dwords[TABLE / 4 + 1] = FROM;
	emit_surface(batch, TO, batch->target, 0, batch->gpu->wide ? TILES_Y : GEN7_TILES_Y,
		     TO_WIDTH, TO_HEIGHT, TO_PITCH);
	emit_surface(batch, FROM, batch->handle, PIXELS, 0, RENDER_WIDTH, RENDER_HEIGHT,
		     RENDER_WIDTH * 4);
	memcpy(batch->dwords + VERTICES / 4, vertices, sizeof(vertices));
	for (i = 0; i < RENDER_WIDTH * RENDER_HEIGHT; i++)
		batch->dwords[PIXELS / 4 + i] = value + i;
}

/* Surface states are relative to the batch. */
static void emit_base(struct i915_batch *batch)
{
	const unsigned int n = batch->gpu->gen < 8  ? 10 :
			       batch->gpu->gen < 9  ? 16 :
			       batch->gpu->gen < 11 ? 19 :
						      22;
	const unsigned int begin = batch->n;

	batch_emit(batch, STATE_BASE_ADDRESS | (n - 2));
	batch_emit(batch, 0);
	if (batch->gpu->wide) {
		batch_emit(batch, 0);
		batch_emit(batch, 0);
	}
	batch_address(batch, batch->handle, MODIFY);
	while (batch->n < begin + n)
		batch_emit(batch, 0);
}

static void emit_vertices(struct i915_batch *batch)
{
	batch_emit(batch, VERTEX_BUFFERS | 3);
	batch_emit(batch, BUFFER_MODIFY | sizeof(struct vertex));
	batch_address(batch, batch->handle, VERTICES);
	if (!batch->gpu->wide)
		batch_address(batch, batch->handle, VERTICES + 3 * sizeof(struct vertex) - 1);
	batch_emit(batch, batch->gpu->wide ? 3 * sizeof(struct vertex) : 0);
	batch_emit(batch, VERTEX_ELEMENTS | 5);
	batch_emit(batch, ELEMENT_VALID);
	batch_emit(batch, 0x22220000);
	batch_emit(batch, ELEMENT_VALID | R16G16_SSCALED);
	batch_emit(batch, 0x11230000);
	batch_emit(batch, ELEMENT_VALID | R32G32_FLOAT | 4);
	batch_emit(batch, 0x11230000);
}

void render_state(struct i915_batch *batch, uint32_t value)
{
	emit_data(batch, value);
	emit_base(batch);
	batch_emit(batch, BINDING_TABLE_POINTERS_PS);
	batch_emit(batch, TABLE);
	emit_vertices(batch);
	if (batch->gpu->wide) {
		batch_emit(batch, VF_TOPOLOGY);
		batch_emit(batch, RECTLIST);
	}
}

void render_rectangle_with(struct i915_batch *batch, uint32_t flags)
{
	bool direct = !(flags & RENDER_INDIRECT);

	batch_emit(batch, PRIMITIVE | flags | 5);
	batch_emit(batch, batch->gpu->wide ? 0 : RECTLIST);
	batch_emit(batch, direct ? 3 : 0);
	batch_emit(batch, 0);
	batch_emit(batch, direct ? 1 : 0);
	batch_emit(batch, 0);
	batch_emit(batch, 0);
}

void render_rectangle(struct i915_batch *batch)
{
	render_rectangle_with(batch, 0);
}

void render_copy(struct i915_batch *batch, uint32_t value)
{
	render_state(batch, value);
	render_rectangle(batch);
}

uint32_t render_pixel(const struct i915_batch *batch, unsigned int x, unsigned int y)
{
	unsigned int byte = x * 4;

	return batch->data[(byte / TILE_COLUMN * TILE_COLUMN * TILE_HEIGHT + y * TILE_COLUMN +
			    byte % TILE_COLUMN) /
			   4];
}
