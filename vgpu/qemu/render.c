// SPDX-License-Identifier: MIT
/*
 * render.c - the subset of the 3D pipeline and the blitter that driver tests need.
 */
#include "commands.h"
#include "engine.h"
#include "execlists.h"
#include "registers.h"
#include "render.h"
#include "vgpu.h"
#include "vgpu/model/workload.h"

/* Surface states; GEN7_ bits are those that differ on gen7 */
#define STATE_TYPE GENMASK(31, 29)
#define STATE_FORMAT GENMASK(26, 18)
#define STATE_TILES GENMASK(13, 12)
#define GEN7_STATE_TILED BIT(14)
#define GEN7_STATE_TILES_Y BIT(13)
#define STATE_HEIGHT GENMASK(29, 16)
#define STATE_WIDTH GENMASK(13, 0)
#define STATE_PITCH GENMASK(17, 0)
#define TYPE_2D 1

/*
 * Tiles have 4 KiB: X tiles have 8 lines of 512 bytes, Y tiles 8 columns of 32 lines of 16 bytes.
 */
#define TILE_X_WIDTH 512
#define TILE_X_HEIGHT 8
#define TILE_Y_WIDTH 128
#define TILE_Y_HEIGHT 32
#define TILE_Y_COLUMN 16

/*
 * Get the bytes per pixel of a format, or 0 if it is unknown. Formats of the same size are in a
 * group of 64.
 */
static u32 format_bytes(u32 format)
{
	static const u8 bytes[] = { 16, 12, 8, 4, 2, 1 };

	return format / 64 < ARRAY_SIZE(bytes) ? bytes[format / 64] : 0;
}

static u32 gen7_tiles(u32 header)
{
	if (!(header & GEN7_STATE_TILED))
		return VGPU_LINEAR;

	return header & GEN7_STATE_TILES_Y ? VGPU_TILES_Y : VGPU_TILES_X;
}

/**
 * vgpu_surface_read() - Parse a surface state.
 * @engine: engine with the address space
 * @state: address of the surface state
 * @surface: set to its contents
 *
 * Return: 0, -EFAULT if it is not mapped, -EINVAL unless it is a single-sampled 2D surface with a
 * supported format and tiling
 */
static int vgpu_surface_read(struct vgpu_engine *engine, u64 state, struct vgpu_surface *surface)
{
	const u32 *dword = vgpu_engine_memory(engine, state, false);
	bool wide = engine->vgpu->platform->gen >= 8;

	if (!dword)
		return -EFAULT;
	*surface = (struct vgpu_surface){
		.address = wide ? dword[8] | (u64)dword[9] << 32 : dword[1],
		.width = FIELD_GET(STATE_WIDTH, dword[2]) + 1,
		.height = FIELD_GET(STATE_HEIGHT, dword[2]) + 1,
		.pitch = FIELD_GET(STATE_PITCH, dword[3]) + 1,
		.bytes = format_bytes(FIELD_GET(STATE_FORMAT, dword[0])),
		.tiles = wide ? FIELD_GET(STATE_TILES, dword[0]) : gen7_tiles(dword[0]),
	};
	if (FIELD_GET(STATE_TYPE, dword[0]) != TYPE_2D || !surface->bytes ||
	    surface->tiles == VGPU_TILES_W)
		return -EINVAL;

	return 0;
}

static u64 tiled(const struct vgpu_surface *surface, u32 byte, u32 y, u32 width, u32 height)
{
	return ((u64)(y / height) * (surface->pitch / width) + byte / width) * SZ_4K;
}

static u64 offset(const struct vgpu_surface *surface, u32 byte, u32 y)
{
	switch (surface->tiles) {
	case VGPU_TILES_X:
		return tiled(surface, byte, y, TILE_X_WIDTH, TILE_X_HEIGHT) +
		       y % TILE_X_HEIGHT * TILE_X_WIDTH + byte % TILE_X_WIDTH;
	case VGPU_TILES_Y:
		return tiled(surface, byte, y, TILE_Y_WIDTH, TILE_Y_HEIGHT) +
		       byte % TILE_Y_WIDTH / TILE_Y_COLUMN * TILE_Y_COLUMN * TILE_Y_HEIGHT +
		       y % TILE_Y_HEIGHT * TILE_Y_COLUMN + byte % TILE_Y_COLUMN;
	default:
		return (u64)y * surface->pitch + byte;
	}
}

/**
 * vgpu_surface_pixel() - Get the address of a pixel.
 * @engine: engine with the address space
 * @surface: the surface
 * @x: column
 * @y: line
 *
 * Return: address in this process, or NULL if it is not mapped
 */
static u8 *vgpu_surface_pixel(struct vgpu_engine *engine, struct vgpu_surface *surface, u32 x,
			      u32 y)
{
	u64 at = surface->address + offset(surface, x * surface->bytes, y);

	if (!surface->memory || surface->page != at / SZ_4K) {
		surface->page = at / SZ_4K;
		surface->memory = (u8 *)vgpu_engine_memory(engine, surface->page * SZ_4K, false);
		if (!surface->memory)
			return NULL;
	}

	return surface->memory + at % SZ_4K;
}

#define COMMAND GENMASK(31, 16)
#define STATE_BASE_ADDRESS 0x6101
#define BINDING_TABLE_POINTERS_PS 0x782a
#define BINDING_TABLE_POOL_ALLOC 0x7919
#define VERTEX_BUFFERS 0x7808
#define VERTEX_ELEMENTS 0x7809
#define VF_TOPOLOGY 0x784b

#define BASE_MODIFIES BIT(0)
#define BASE_INSTRUCTIONS 10 /* index of the dword, gen8 and later */
#define POOL_ENABLE BIT(11)
#define TOPOLOGY GENMASK(5, 0)
#define RECTLIST 0xf
#define BUFFER_INDEX GENMASK(31, 26)
#define BUFFER_PITCH GENMASK(11, 0)
#define ELEMENT_FORMAT GENMASK(24, 16)
#define ELEMENT_OFFSET GENMASK(11, 0)
#define VERTICES 3

/* Indices of vertex elements; the first one is the header */
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
	if (cs->model->address_bits > 32 && cs->n > BASE_INSTRUCTIONS + 1 &&
	    cs->command[BASE_INSTRUCTIONS] & BASE_MODIFIES)
		state->instructions = sim_cs_address(cs, BASE_INSTRUCTIONS) & ~(u64)(SZ_4K - 1);
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

/* Store those parts of the pipeline state that are needed to copy pixels. */
static void vgpu_draw_take_state(struct sim_cs *cs)
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
 * @x: first component
 * @y: second component
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

/* Read an element of a rectangle's three vertices. Buffers with a pitch of 0 are not supported. */
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
 * @engine: the engine
 * @to: the render target
 * @from: the texture
 * @corner: positions of the corners: bottom right, bottom left, top left
 * @texel: texture coordinates of the corners, normalized
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

/* Interpolate the texture coordinates at the pixel's center, and copy the texel. */
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

/* Copy the pixels with their center in the rectangle. Return the number of pixels copied. */
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

/* Read the surface states of the render target and the texture. */
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

/*
 * Draw the rectangle of three vertices that begins at @first, by copying pixels of the texture.
 * @topology is that of the command, on Haswell only. Return the number of pixels copied; 0 if the
 * primitive is not supported.
 */
static u32 vgpu_draw(struct vgpu_engine *engine, u32 topology, u32 vertices, u32 first)
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

#define PRIMITIVE 0x7b00
#define GPGPU_WALKER 0x7105
#define COMPUTE_WALKER 0x7208
#define INDIRECT BIT(10)
#define PREDICATED BIT(8)

/* Parameter registers of the engine */
#define PRIMITIVE_FIRST_VERTEX 0x430
#define PRIMITIVE_VERTICES 0x434
#define PRIMITIVE_INSTANCES 0x438
#define DISPATCH_X 0x500
#define DISPATCH_Y 0x504
#define DISPATCH_Z 0x508

/*
 * Duration of work in clocks: a constant part, a part per vertex and a part per thread group, and
 * the maximum of the sum
 */
#define CLOCKS_BEGIN 2000
#define CLOCKS_VERTEX 16
#define CLOCKS_GROUP 500
#define CLOCKS_MOST 20000000ULL

#define IA_VERTICES 0x2310
#define IA_PRIMITIVES 0x2318
#define VS_INVOCATIONS 0x2320
#define CL_INVOCATIONS 0x2338
#define CL_PRIMITIVES 0x2340
#define PS_INVOCATIONS 0x2348
#define PS_DEPTH 0x2350
#define CS_INVOCATIONS 0x2290

static void count(struct vgpu *vgpu, u32 reg, u64 n)
{
	u32 *low = vgpu_reg(vgpu, reg), *high = vgpu_reg(vgpu, reg + 4);
	u64 value = (*low | (u64)*high << 32) + n;

	*low = lower_32_bits(value);
	*high = upper_32_bits(value);
}

static u64 clocks(u64 n, u64 each)
{
	return min(CLOCKS_BEGIN + n * each, CLOCKS_MOST);
}

/*
 * On gen8 and later, counter A26 (samples written) advances by one per pixel of a copy: tests that
 * pass on hardware expect it, although metric equations take it for a count of four samples.
 */
static unsigned int samples_of_pixel(const struct vgpu *vgpu)
{
	return vgpu->platform->gen < 8 ? 1 : 4;
}

/* Get a parameter of a draw or walker, from its command or from a register. */
static u32 parameter(struct vgpu_engine *engine, const u32 *command, unsigned int i, u32 offset)
{
	return command[0] & INDIRECT ? *vgpu_engine_reg(engine, offset) : command[i];
}

static void draw(struct vgpu_engine *engine, const u32 *command)
{
	u32 vertices_each = parameter(engine, command, 2, PRIMITIVE_VERTICES);
	u32 first = parameter(engine, command, 3, PRIMITIVE_FIRST_VERTEX);
	u64 vertices = (u64)vertices_each * parameter(engine, command, 4, PRIMITIVE_INSTANCES);
	u64 primitives = vertices / 3;
	struct vgpu *vgpu = engine->vgpu;
	u32 pixels = vgpu_draw(engine, command[1], vertices_each, first);

	count(vgpu, IA_VERTICES, vertices);
	count(vgpu, VS_INVOCATIONS, vertices);
	count(vgpu, IA_PRIMITIVES, primitives);
	count(vgpu, CL_INVOCATIONS, primitives);
	count(vgpu, CL_PRIMITIVES, primitives);
	if (pixels) {
		count(vgpu, PS_INVOCATIONS, pixels);
		count(vgpu, PS_DEPTH, pixels);
		vgpu_engine_draws(engine, pixels * samples_of_pixel(vgpu));
	} else {
		vgpu_engine_works(engine, SIM_WORKLOAD_STEADY, clocks(vertices, CLOCKS_VERTEX));
	}
}

/*
 * Dispatch thread groups. @x, @y and @z are the indices in the command of the number of groups in
 * each direction.
 */
static void dispatch(struct vgpu_engine *engine, const u32 *command, unsigned int x, unsigned int y,
		     unsigned int z)
{
	u64 groups = (u64)parameter(engine, command, x, DISPATCH_X) *
		     parameter(engine, command, y, DISPATCH_Y) *
		     parameter(engine, command, z, DISPATCH_Z);

	count(engine->vgpu, CS_INVOCATIONS, groups);
	vgpu_engine_works(engine, SIM_WORKLOAD_COMPUTE, clocks(groups, CLOCKS_GROUP));
}

/*
 * Index of the first dword of the interface descriptor in COMPUTE_WALKER on Xe2, which begins with
 * the kernel's offset from the instruction base
 */
#define WALKER_DESCRIPTOR 19
#define KERNEL_LOW GENMASK(31, 6)
#define KERNEL_HIGH GENMASK(15, 0)

static void walk(struct vgpu_engine *engine, const u32 *command)
{
	const u32 *kernel = command + WALKER_DESCRIPTOR;
	u64 groups = (u64)parameter(engine, command, 7, DISPATCH_X) *
		     parameter(engine, command, 8, DISPATCH_Y) *
		     parameter(engine, command, 9, DISPATCH_Z);

	dispatch(engine, command, 7, 8, 9);
	if (engine->vgpu->platform->version >= 2000)
		vgpu_eu_stall_begin(engine,
				    (kernel[0] & KERNEL_LOW) | (u64)(kernel[1] & KERNEL_HIGH) << 32,
				    groups, clocks(groups, CLOCKS_GROUP));
}

static bool is_left_out(struct vgpu_engine *engine, const u32 *command)
{
	return command[0] & PREDICATED &&
	       !(*vgpu_engine_reg(engine, RING_PREDICATE_RESULT) & BIT(0));
}

/**
 * vgpu_pipeline() - Execute a command of the 3D or compute pipeline.
 * @cs: the command
 *
 * State that is not needed for copies is ignored.
 *
 * Return: 0
 */
int vgpu_pipeline(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	const u32 *command = cs->command;

	switch (FIELD_GET(COMMAND, command[0])) {
	case PRIMITIVE:
		if (!is_left_out(engine, command))
			draw(engine, command);
		break;
	case GPGPU_WALKER:
		if (is_left_out(engine, command))
			break;
		if (cs->model->address_bits > 32)
			dispatch(engine, command, 7, 10, 12);
		else
			dispatch(engine, command, 4, 6, 8);
		break;
	case COMPUTE_WALKER:
		if (!is_left_out(engine, command))
			walk(engine, command);
		break;
	default:
		vgpu_draw_take_state(cs);
	}

	return 0;
}

/*
 * A rectangle has its corners in pixels, and a pitch in bytes. Surfaces are treated as linear. For
 * tiled surfaces, which are logged once, that is correct if both have the same tiling and are
 * copied as a whole.
 */
#define BLIT_OPCODE GENMASK(28, 22)
#define XY_FAST_COPY 0x42
#define XY_COLOR 0x50
#define XY_SRC_COPY 0x53

#define BR13_PITCH GENMASK(15, 0)
#define BR13_DEPTH GENMASK(25, 24)
#define FAST_COPY_DEPTH GENMASK(26, 24)

#define HEADER_TILED (BIT(15) | BIT(11))
#define FAST_COPY_TILED (GENMASK(21, 20) | GENMASK(14, 13))

/**
 * struct surface - location of pixels
 * @address: address in the context's address space
 * @pitch: bytes per line
 * @x: column of the first pixel
 * @y: line of the first pixel
 */
struct surface {
	u64 address;
	s32 pitch;
	u32 x;
	u32 y;
};

/**
 * struct blit - a fill or a copy
 * @engine: the engine
 * @to: the destination
 * @from: the source, unused with @fill
 * @bytes: bytes per pixel
 * @width: width in pixels
 * @height: height in lines
 * @fill: fill with @color
 * @color: see @fill
 */
struct blit {
	struct vgpu_engine *engine;
	struct surface to;
	struct surface from;
	unsigned int bytes;
	u32 width;
	u32 height;
	bool fill;
	u32 color;
};

/* Get the number of bytes from byte @byte of a line to the end of the page that it is in. */
static u32 left_in_page(const struct blit *blit, const struct surface *surface, u32 line, u32 byte)
{
	u64 at = surface->address + (s64)surface->pitch * (surface->y + line) +
		 surface->x * blit->bytes + byte;

	return SZ_4K - at % SZ_4K;
}

static u8 *blit_byte(const struct blit *blit, const struct surface *surface, u32 line, u32 byte)
{
	u64 at = surface->address + (s64)surface->pitch * (surface->y + line) +
		 surface->x * blit->bytes + byte;
	u32 *dword = vgpu_engine_memory(blit->engine, at & ~3ULL, false);

	return dword ? (u8 *)dword + at % 4 : NULL;
}

static int blit_line(const struct blit *blit, u32 line)
{
	u32 i, j, n, size = blit->width * blit->bytes;

	for (i = 0; i < size; i += n) {
		const u8 *from = NULL;
		u8 *to = blit_byte(blit, &blit->to, line, i);

		n = min(size - i, left_in_page(blit, &blit->to, line, i));
		if (!blit->fill) {
			from = blit_byte(blit, &blit->from, line, i);
			n = min(n, left_in_page(blit, &blit->from, line, i));
		}
		if (!to || (!blit->fill && !from))
			return -EFAULT;
		if (from)
			memmove(to, from, n);
		else
			for (j = 0; j < n; j++)
				to[j] = blit->color >> 8 * ((i + j) % blit->bytes);
	}

	return 0;
}

static int blit_run(const struct blit *blit)
{
	u32 line;
	int ret = 0;

	for (line = 0; line < blit->height && !ret; line++)
		ret = blit_line(blit, line);

	return ret;
}

static bool wide(const struct sim_cs *cs)
{
	return cs->model->address_bits > 32;
}

/*
 * Parse the rectangle in dwords 2 and 3, and the address after it. Return the index of the next
 * dword.
 */
static unsigned int blit_to(const struct sim_cs *cs, struct blit *blit)
{
	u32 from = cs->command[2], to = cs->command[3];

	blit->to.pitch = (s16)FIELD_GET(BR13_PITCH, cs->command[1]);
	blit->to.x = from & 0xffff;
	blit->to.y = from >> 16;
	blit->width = (to & 0xffff) > blit->to.x ? (to & 0xffff) - blit->to.x : 0;
	blit->height = to >> 16 > blit->to.y ? (to >> 16) - blit->to.y : 0;
	blit->to.address = sim_cs_address(cs, 4);

	return wide(cs) ? 6 : 5;
}

static void blit_from(const struct sim_cs *cs, struct blit *blit, unsigned int i)
{
	blit->from.x = cs->command[i] & 0xffff;
	blit->from.y = cs->command[i] >> 16;
	blit->from.pitch = (s16)cs->command[i + 1];
	blit->from.address = sim_cs_address(cs, i + 2);
}

static void blit_depth(const struct sim_cs *cs, struct blit *blit, bool fast)
{
	static const u8 bytes[] = { 1, 2, 2, 4 };
	static const u8 fast_bytes[] = { 1, 2, 2, 4, 8, 16, 4, 4 };
	u32 br13 = cs->command[1];

	blit->bytes = fast ? fast_bytes[FIELD_GET(FAST_COPY_DEPTH, br13)] :
			     bytes[FIELD_GET(BR13_DEPTH, br13)];
}

/* ---- commands of Xe_HP and later ---------------------------------------------------------- */

#define XY_BLOCK_COPY 0x41
#define XY_FAST_COLOR 0x44
#define XY_CTRL_SURF_COPY 0x48
#define MEM_COPY 0x5a
#define MEM_SET 0x5b

#define BLOCK_DEPTH GENMASK(21, 19)
#define BLOCK_PITCH GENMASK(17, 0) /* in dwords if tiled */
#define BLOCK_TILES GENMASK(31, 30)
#define MEM_MATRIX BIT(17)
#define MEM_PAGES BIT(19) /* the width is in units of 256 bytes */

static u32 block_pitch(u32 dword)
{
	return (FIELD_GET(BLOCK_PITCH, dword) + 1) * (dword & BLOCK_TILES ? 4 : 1);
}

static void block_rectangle(const struct sim_cs *cs, struct blit *blit)
{
	static const u8 bytes[] = { 1, 2, 4, 8, 12, 16, 4, 4 };
	u32 from = cs->command[2], to = cs->command[3];

	blit->bytes = bytes[FIELD_GET(BLOCK_DEPTH, cs->command[0])];
	blit->to.pitch = block_pitch(cs->command[1]);
	blit->to.x = from & 0xffff;
	blit->to.y = from >> 16;
	blit->width = (to & 0xffff) > blit->to.x ? (to & 0xffff) - blit->to.x : 0;
	blit->height = to >> 16 > blit->to.y ? (to >> 16) - blit->to.y : 0;
	blit->to.address = sim_cs_address(cs, 4);
}

static int block_copy(struct sim_cs *cs, struct blit *blit)
{
	block_rectangle(cs, blit);
	blit->from.x = cs->command[7] & 0xffff;
	blit->from.y = cs->command[7] >> 16;
	blit->from.pitch = block_pitch(cs->command[8]);
	blit->from.address = sim_cs_address(cs, 9);
	if ((cs->command[1] | cs->command[8]) & BLOCK_TILES)
		vgpu_log(blit->engine->vgpu, "XY_BLOCK_COPY: tiles are taken as lines\n");

	return blit_run(blit);
}

static int fast_color(struct sim_cs *cs, struct blit *blit)
{
	block_rectangle(cs, blit);
	blit->fill = true;
	blit->color = cs->command[7];

	return blit_run(blit);
}

static int mem_set(struct sim_cs *cs, struct blit *blit)
{
	blit->bytes = 1;
	blit->width = cs->command[1] + 1;
	blit->height = cs->command[0] & MEM_MATRIX ? cs->command[2] + 1 : 1;
	blit->to.pitch = cs->command[3] + 1;
	blit->to.address = sim_cs_address(cs, 4);
	blit->fill = true;
	blit->color = cs->command[6] >> 24;

	return blit_run(blit);
}

static int mem_copy(struct sim_cs *cs, struct blit *blit)
{
	blit->bytes = 1;
	blit->width = (cs->command[1] + 1) * (cs->command[0] & MEM_PAGES ? 256 : 1);
	blit->height = cs->command[0] & MEM_MATRIX ? cs->command[2] + 1 : 1;
	blit->from.pitch = cs->command[3] + 1;
	blit->to.pitch = cs->command[4] + 1;
	blit->from.address = sim_cs_address(cs, 5);
	blit->to.address = sim_cs_address(cs, 7);

	return blit_run(blit);
}

/**
 * vgpu_blit() - Execute a blitter command.
 * @cs: the command
 *
 * Return: 0, or -EFAULT if memory is not mapped
 */
int vgpu_blit(struct sim_cs *cs)
{
	struct blit blit = { .engine = vgpu_engine_of(cs) };
	u32 opcode = FIELD_GET(BLIT_OPCODE, cs->command[0]);
	bool fast = opcode == XY_FAST_COPY;
	unsigned int rest;

	switch (opcode) {
	case XY_BLOCK_COPY:
		return block_copy(cs, &blit);
	case XY_FAST_COLOR:
		return fast_color(cs, &blit);
	case XY_CTRL_SURF_COPY:
		return 0; /* there is no compression */
	case MEM_SET:
		return mem_set(cs, &blit);
	case MEM_COPY:
		return mem_copy(cs, &blit);
	}
	if (opcode != XY_COLOR && opcode != XY_SRC_COPY && !fast) {
		vgpu_log(blit.engine->vgpu, "blitter command %#x moves nothing\n", opcode);
		return 0;
	}
	if (cs->command[0] & (fast ? FAST_COPY_TILED : HEADER_TILED))
		vgpu_log(blit.engine->vgpu, "blitter command %#x: tiles are taken as lines\n",
			 opcode);
	blit_depth(cs, &blit, fast);
	rest = blit_to(cs, &blit);
	if (opcode == XY_COLOR) {
		blit.fill = true;
		blit.color = cs->command[rest];
	} else {
		blit_from(cs, &blit, rest);
	}

	return blit_run(&blit);
}
