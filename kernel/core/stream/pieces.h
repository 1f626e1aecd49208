/* SPDX-License-Identifier: GPL-2.0-only */
/* pieces.h - iovec of a sample, copied as one range. */
#ifndef _GPUOA_PIECES_H
#define _GPUOA_PIECES_H

#include <linux/types.h>

/* Maximum number of pieces; a sample that needs more is split. */
#define GPUOA_PIECES_MAX 64

/**
 * struct gpuoa_piece - contiguous bytes
 * @data: address
 * @size: size, bytes
 */
struct gpuoa_piece {
	const void *data;
	u32 size;
};

/**
 * struct gpuoa_pieces - iovec
 * @size: total size, bytes
 * @count: number of used entries in @list
 * @list: pieces, in order
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
