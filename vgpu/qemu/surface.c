// SPDX-License-Identifier: MIT
/*
 * surface.c - surfaces: which pixel is where, also in tiles.
 */
#include "engine.h"
#include "surface.h"
#include "vgpu.h"

/* Surface states; where gen7 has its own bits they are named so */
#define STATE_TYPE GENMASK(31, 29)
#define STATE_FORMAT GENMASK(26, 18)
#define STATE_TILES GENMASK(13, 12)
#define GEN7_STATE_TILED BIT(14)
#define GEN7_STATE_TILES_Y BIT(13)
#define STATE_HEIGHT GENMASK(29, 16)
#define STATE_WIDTH GENMASK(13, 0)
#define STATE_PITCH GENMASK(17, 0)
#define TYPE_2D 1

/* Tiles have 4 KiB: 8 lines of 512 bytes; or 8 columns of 32 lines of 16 bytes. */
#define TILE_X_WIDTH 512
#define TILE_X_HEIGHT 8
#define TILE_Y_WIDTH 128
#define TILE_Y_HEIGHT 32
#define TILE_Y_COLUMN 16

/* Bytes of a pixel: formats are in groups of 64 by their size. 0: not known */
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
 * vgpu_surface_read - read a surface state
 * @engine: whose address space it is in
 * @state: its address
 * @surface: gets what it says
 *
 * Return: 0; -EFAULT: nothing is there; -EINVAL: it is none of two dimensions and one sample whose
 * pixels can be found
 */
int vgpu_surface_read(struct vgpu_engine *engine, u64 state, struct vgpu_surface *surface)
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
 * vgpu_surface_pixel - find a pixel
 * @engine: whose address space the surface is in
 * @surface: the surface
 * @x: column
 * @y: line
 *
 * Return: its first byte; NULL: no memory is there
 */
u8 *vgpu_surface_pixel(struct vgpu_engine *engine, struct vgpu_surface *surface, u32 x, u32 y)
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
