// SPDX-License-Identifier: GPL-2.0-only
/* pieces.c - iovec of a sample, copied as one range. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "pieces.h"

/**
 * gpuoa_pieces_clear() - Remove all pieces.
 * @pieces: iovec
 */
void gpuoa_pieces_clear(struct gpuoa_pieces *pieces)
{
	pieces->size = 0;
	pieces->count = 0;
}

/**
 * gpuoa_pieces_full() - Check whether there is room for two more pieces.
 * @pieces: iovec
 *
 * Return: true if gpuoa_pieces_add() must not be called twice more
 */
bool gpuoa_pieces_full(const struct gpuoa_pieces *pieces)
{
	return pieces->count + 2 > GPUOA_PIECES_MAX;
}

/**
 * gpuoa_pieces_add() - Append a piece.
 * @pieces: iovec with room for one more piece
 * @data: address; must stay valid until copied
 * @size: size, bytes
 */
void gpuoa_pieces_add(struct gpuoa_pieces *pieces, const void *data, u32 size)
{
	struct gpuoa_piece *last = pieces->list + pieces->count;

	pieces->size += size;
	/* Merge with an adjacent last piece. */
	if (pieces->count && last[-1].data + last[-1].size == data) {
		last[-1].size += size;
		return;
	}
	*last = (struct gpuoa_piece){ .data = data, .size = size };
	pieces->count++;
}

/**
 * gpuoa_pieces_copy() - Copy a range of bytes.
 * @pieces: iovec
 * @to: destination
 * @offset: offset of the first byte
 * @size: number of bytes; @offset + @size is at most &gpuoa_pieces.size
 */
void gpuoa_pieces_copy(const struct gpuoa_pieces *pieces, void *to, u32 offset, u32 size)
{
	const struct gpuoa_piece *piece = pieces->list;
	u32 n;

	for (; size; piece++) {
		if (offset >= piece->size) {
			offset -= piece->size;
			continue;
		}
		n = min(size, piece->size - offset);
		memcpy(to, piece->data + offset, n);
		to += n;
		size -= n;
		offset = 0;
	}
}
