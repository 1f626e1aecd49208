// SPDX-License-Identifier: GPL-2.0-only
/*
 * pieces.c - bytes that stand in several places, to be copied as if they were in one: pure logic,
 * no I/O, no locks.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "pieces.h"

/**
 * gpuoa_pieces_clear - begin anew, with nothing
 * @pieces: the bytes
 */
void gpuoa_pieces_clear(struct gpuoa_pieces *pieces)
{
	pieces->size = 0;
	pieces->count = 0;
}

/**
 * gpuoa_pieces_full - is there no room for two more places?
 * @pieces: the bytes
 *
 * Return: true if gpuoa_pieces_add() must not be called twice more
 */
bool gpuoa_pieces_full(const struct gpuoa_pieces *pieces)
{
	return pieces->count + 2 > GPUOA_PIECES_MAX;
}

/**
 * gpuoa_pieces_add - add bytes at the end
 * @pieces: the bytes, with room for one more place
 * @data: where the new ones are, and stay until they are copied
 * @size: how many
 */
void gpuoa_pieces_add(struct gpuoa_pieces *pieces, const void *data, u32 size)
{
	struct gpuoa_piece *last = pieces->list + pieces->count;

	pieces->size += size;
	/* What follows on what was added before is one place with that. */
	if (pieces->count && last[-1].data + last[-1].size == data) {
		last[-1].size += size;
		return;
	}
	*last = (struct gpuoa_piece){ .data = data, .size = size };
	pieces->count++;
}

/**
 * gpuoa_pieces_copy - copy some of the bytes
 * @pieces: the bytes
 * @to: where to
 * @offset: of the first one to copy
 * @size: how many; @offset + @size is at most &gpuoa_pieces.size
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
