/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pieces.h - bytes that stand in several places, to be copied as if they were in one: pure logic,
 * no I/O, no locks.
 */
#ifndef _GPUOA_PIECES_H
#define _GPUOA_PIECES_H

#include <linux/types.h>

/* A sample that needs more is divided in two. */
#define GPUOA_PIECES_MAX 64

/**
 * struct gpuoa_piece - bytes in one place
 * @data: where
 * @size: how many
 */
struct gpuoa_piece {
	const void *data;
	u32 size;
};

/**
 * struct gpuoa_pieces - bytes in several places, in order
 * @size: how many in all
 * @count: how many of @list are used
 * @list: the places
 */
struct gpuoa_pieces {
	u32 size;
	u32 count;
	struct gpuoa_piece list[GPUOA_PIECES_MAX];
};

void gpuoa_pieces_clear(struct gpuoa_pieces *pieces);
bool gpuoa_pieces_full(const struct gpuoa_pieces *pieces);
void gpuoa_pieces_add(struct gpuoa_pieces *pieces, const void *data, u32 size);
void gpuoa_pieces_copy(const struct gpuoa_pieces *pieces, void *to, u32 offset, u32 size);

#endif /* _GPUOA_PIECES_H */
