// SPDX-License-Identifier: MIT
/*
 * draw.c - draws that copy: a rectangle of one texture to one render target.
 *
 * No shader runs. A rectangle whose vertices have a position and a place in a texture, and whose
 * pixel shader has a render target and a texture in the first two places of its binding table, is
 * taken for a copy by the nearest texel: so is written what moves pixels in tests of i915. All
 * other draws leave memory alone.
 */
#include "commands.h"
#include "draw.h"
#include "engine.h"
#include "surface.h"
#include "vgpu.h"

#define COMMAND GENMASK(31, 16)
#define STATE_BASE_ADDRESS 0x6101
#define BINDING_TABLE_POINTERS_PS 0x782a
#define BINDING_TABLE_POOL_ALLOC 0x7919
#define VERTEX_BUFFERS 0x7808
#define VERTEX_ELEMENTS 0x7809
#define VF_TOPOLOGY 0x784b

#define BASE_MODIFIES BIT(0)
#define POOL_ENABLE BIT(11)
#define TOPOLOGY GENMASK(5, 0)
#define RECTLIST 0xf
#define BUFFER_INDEX GENMASK(31, 26)
#define BUFFER_PITCH GENMASK(11, 0)
#define ELEMENT_FORMAT GENMASK(24, 16)
#define ELEMENT_OFFSET GENMASK(11, 0)
#define VERTICES 3

/* Elements: a header, the position, the place in the texture */
#define ELEMENT_POSITION 1
#define ELEMENT_TEXEL 2

#define FORMAT_R32G32B32A32_FLOAT 0x000
#define FORMAT_R32G32B32_FLOAT 0x040
#define FORMAT_R32G32_FLOAT 0x085
#define FORMAT_R16G16_SSCALED 0x0f6

/* ---- state -------------------------------------------------------------------------------- */

static void take_base(struct sim_cs *cs, struct vgpu_draw_state *state)
{
	unsigned int i = cs->model->address_bits > 32 ? 4 : 2;

	if (cs->command[i] & BASE_MODIFIES)
		state->surfaces = sim_cs_address(cs, i) & ~(u64)(SZ_4K - 1);
}

static void take_buffers(struct sim_cs *cs, struct vgpu_draw_state *state)
{
	unsigned int i, n;

	for (i = 1; i + 3 < cs->n; i += 4) {
		n = FIELD_GET(BUFFER_INDEX, cs->command[i]);
		if (n >= VGPU_VERTEX_BUFFERS)
			continue;
		state->buffer[n].pitch = FIELD_GET(BUFFER_PITCH, cs->command[i]);
		state->buffer[n].address = sim_cs_address(cs, i + 1);
	}
}

static void take_elements(struct sim_cs *cs, struct vgpu_draw_state *state)
{
	unsigned int i;

	state->n_elements = (cs->n - 1) / 2;
	for (i = 0; i < min(state->n_elements, (unsigned int)VGPU_VERTEX_ELEMENTS); i++)
		state->element[i] = cs->command[1 + 2 * i];
}

void vgpu_draw_take_state(struct sim_cs *cs)
{
	struct vgpu_draw_state *state = &vgpu_engine_of(cs)->state;

	switch (FIELD_GET(COMMAND, cs->command[0])) {
	case STATE_BASE_ADDRESS:
		take_base(cs, state);
		break;
	case BINDING_TABLE_POINTERS_PS:
		state->bindings = cs->command[1];
		break;
	case BINDING_TABLE_POOL_ALLOC:
		state->pool = cs->command[1] & POOL_ENABLE;
		break;
	case VERTEX_BUFFERS:
		take_buffers(cs, state);
		break;
	case VERTEX_ELEMENTS:
		take_elements(cs, state);
		break;
	case VF_TOPOLOGY:
		state->topology = FIELD_GET(TOPOLOGY, cs->command[1]);
		break;
	}
}

/* ---- vertices ----------------------------------------------------------------------------- */

/**
 * struct point - two components of a vertex element
 * @x: the first
 * @y: the second
 */
struct point {
	float x;
	float y;
};

static int read_float(struct vgpu_engine *engine, u64 address, float *value)
{
	const u32 *dword = vgpu_engine_memory(engine, address & ~3ULL, false);

	if (!dword)
		return -EFAULT;
	memcpy(value, dword, sizeof(*value));

	return 0;
}

static int read_point(struct vgpu_engine *engine, u32 format, u64 address, struct point *point)
{
	const s16 *halves;
	int ret;

	switch (format) {
	case FORMAT_R32G32B32A32_FLOAT:
	case FORMAT_R32G32B32_FLOAT:
	case FORMAT_R32G32_FLOAT:
		ret = read_float(engine, address, &point->x);
		return ret ?: read_float(engine, address + sizeof(float), &point->y);
	case FORMAT_R16G16_SSCALED:
		halves = (const s16 *)vgpu_engine_memory(engine, address & ~3ULL, false);
		if (!halves)
			return -EFAULT;
		point->x = halves[0];
		point->y = halves[1];
		return 0;
	default:
		return -EINVAL;
	}
}

/* An element of the three vertices of a rectangle; those of a buffer without pitch are all the
 * same. */
static int read_element(struct vgpu_engine *engine, unsigned int which, u32 first,
			struct point *points)
{
	const struct vgpu_draw_state *state = &engine->state;
	u32 element = state->element[which], buffer = FIELD_GET(BUFFER_INDEX, element), i;
	int ret = 0;

	if (buffer >= VGPU_VERTEX_BUFFERS || !state->buffer[buffer].pitch)
		return -EINVAL;
	for (i = 0; i < VERTICES && !ret; i++)
		ret = read_point(engine, FIELD_GET(ELEMENT_FORMAT, element),
				 state->buffer[buffer].address +
					 (u64)(first + i) * state->buffer[buffer].pitch +
					 FIELD_GET(ELEMENT_OFFSET, element),
				 &points[i]);

	return ret;
}

/* ---- copies ------------------------------------------------------------------------------- */

/**
 * struct copy - a rectangle
 * @engine: who draws it
 * @to: the render target
 * @from: the texture
 * @corner: positions of its corners: right below, left below, left above
 * @texel: places in the texture that belong to them, as parts of its size
 */
struct copy {
	struct vgpu_engine *engine;
	struct vgpu_surface to;
	struct vgpu_surface from;
	struct point corner[VERTICES];
	struct point texel[VERTICES];
};

static u32 limited(float value, u32 limit)
{
	if (!(value > 0))
		return 0;

	return value < limit ? (u32)value : limit;
}

/* Where a pixel's middle is between the corners leads to the texel. */
static bool copy_pixel(struct copy *copy, u32 x, u32 y)
{
	const struct point *corner = copy->corner, *texel = copy->texel;
	float right = (x + 0.5f - corner[2].x) / (corner[0].x - corner[2].x);
	float down = (y + 0.5f - corner[2].y) / (corner[0].y - corner[2].y);
	float u = texel[2].x + right * (texel[0].x - texel[1].x) + down * (texel[1].x - texel[2].x);
	float v = texel[2].y + right * (texel[0].y - texel[1].y) + down * (texel[1].y - texel[2].y);
	const u8 *from = vgpu_surface_pixel(copy->engine, &copy->from,
					    limited(u * copy->from.width, copy->from.width - 1),
					    limited(v * copy->from.height, copy->from.height - 1));
	u8 *to = vgpu_surface_pixel(copy->engine, &copy->to, x, y);

	if (!from || !to)
		return false;
	memcpy(to, from, copy->to.bytes);

	return true;
}

/* Pixels whose middle is in the rectangle; returns how many have been copied. */
static u32 copy_pixels(struct copy *copy)
{
	const struct point *corner = copy->corner;
	u32 left = limited(corner[2].x + 0.5f, copy->to.width), x;
	u32 right = limited(corner[0].x + 0.5f, copy->to.width);
	u32 top = limited(corner[2].y + 0.5f, copy->to.height), y;
	u32 bottom = limited(corner[0].y + 0.5f, copy->to.height), n = 0;

	for (y = top; y < bottom; y++)
		for (x = left; x < right; x++, n++)
			if (!copy_pixel(copy, x, y))
				return n;

	return n;
}

/* The render target, then the texture */
static int read_surfaces(struct vgpu_engine *engine, struct copy *copy)
{
	u64 base = engine->state.surfaces;
	const u32 *table = vgpu_engine_memory(engine, base + engine->state.bindings, false);
	int ret;

	if (!table)
		return -EFAULT;
	ret = vgpu_surface_read(engine, base + table[0], &copy->to);
	ret = ret ?: vgpu_surface_read(engine, base + table[1], &copy->from);
	if (!ret && copy->to.bytes != copy->from.bytes)
		ret = -EINVAL;

	return ret;
}

u32 vgpu_draw(struct vgpu_engine *engine, u32 topology, u32 vertices, u32 first)
{
	const struct vgpu_draw_state *state = &engine->state;
	u32 shape = engine->vgpu->platform->gen < 8 ? FIELD_GET(TOPOLOGY, topology) :
						      state->topology;
	struct copy copy = { .engine = engine };

	if (shape != RECTLIST || vertices != VERTICES || state->pool ||
	    state->n_elements != VGPU_VERTEX_ELEMENTS)
		return 0;
	if (read_element(engine, ELEMENT_POSITION, first, copy.corner) ||
	    read_element(engine, ELEMENT_TEXEL, first, copy.texel) || read_surfaces(engine, &copy))
		return 0;

	return copy_pixels(&copy);
}
