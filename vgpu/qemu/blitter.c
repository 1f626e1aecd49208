// SPDX-License-Identifier: MIT
/*
 * blitter.c - the blitter's fills and copies: they move the bytes.
 */
#include "commands.h"
#include "engine.h"
#include "vgpu.h"

/*
 * A rectangle is given by its corners in pixels, and by the bytes of a line. Surfaces are linear:
 * of those that are tiled the lines are moved as if they were, which is right where both have the
 * same tiles and whole surfaces are moved; that is logged once.
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
 * struct surface - where pixels are
 * @address: of the context's own address space
 * @pitch: bytes from line to line
 * @x: of the first pixel
 * @y: likewise
 */
struct surface {
	u64 address;
	s32 pitch;
	u32 x;
	u32 y;
};

/**
 * struct blit - a fill or a copy
 * @engine: who does it
 * @to: where to
 * @from: where from; @fill: from nowhere
 * @bytes: of a pixel
 * @width: in pixels
 * @height: in lines
 * @fill: write @color everywhere
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

static u8 *blit_byte(const struct blit *blit, const struct surface *surface, u32 line, u32 byte)
{
	u64 at = surface->address + (s64)surface->pitch * (surface->y + line) +
		 surface->x * blit->bytes + byte;
	u32 *dword = vgpu_engine_memory(blit->engine, at & ~3ULL, false);

	return dword ? (u8 *)dword + at % 4 : NULL;
}

static int blit_line(const struct blit *blit, u32 line)
{
	u32 i;

	for (i = 0; i < blit->width * blit->bytes; i++) {
		const u8 *from = NULL;
		u8 *to = blit_byte(blit, &blit->to, line, i);

		if (!blit->fill)
			from = blit_byte(blit, &blit->from, line, i);
		if (!to || (!blit->fill && !from))
			return -EFAULT;
		*to = from ? *from : blit->color >> 8 * (i % blit->bytes);
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

/* The rectangle in dwords 2 and 3, and the address behind it; returns the dword that follows. */
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

/**
 * vgpu_blit - do a command of the blitter
 * @cs: the command
 *
 * Return: 0, or -EFAULT: memory is not there
 */
int vgpu_blit(struct sim_cs *cs)
{
	struct blit blit = { .engine = vgpu_engine_of(cs) };
	u32 opcode = FIELD_GET(BLIT_OPCODE, cs->command[0]);
	bool fast = opcode == XY_FAST_COPY;
	unsigned int rest;

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
