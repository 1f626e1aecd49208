// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_sample.c - content of samples: iovec and field mask of their reports. */
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "gpuoa_sample.h"

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

static bool thin_keeps(const struct gpuoa_thin *thin, u32 dword)
{
	return thin->dword_mask[dword / 64] & BIT_ULL(dword % 64);
}

static void thin_keep(struct gpuoa_thin *thin, u32 dword)
{
	thin->dword_mask[dword / 64] |= BIT_ULL(dword % 64);
	thin->size += sizeof(u32);
}

/* Add a dword if their number is odd; reports have an even number of dwords. */
static void thin_make_even(struct gpuoa_thin *thin)
{
	u32 i = 0;

	if (IS_ALIGNED(thin->size, 8))
		return;
	while (thin_keeps(thin, i))
		i++;
	thin_keep(thin, i);
}

static void thin_make_runs(struct gpuoa_thin *thin, u32 dwords)
{
	bool before = false;
	u32 i;

	for (i = 0; i < dwords; before = thin_keeps(thin, i), i++) {
		if (!thin_keeps(thin, i))
			continue;
		if (!before)
			thin->runs[thin->n_runs++].first = i;
		thin->runs[thin->n_runs - 1].count++;
	}
}

/**
 * gpuoa_thin_init() - Initialize a dword mask.
 * @thin: dword mask, output
 * @format: report format
 * @dword_mask: requested dwords, all within a report; all 0 for the whole report
 *
 * The header is always included, and one more dword if their number is odd.
 */
void gpuoa_thin_init(struct gpuoa_thin *thin, const struct gpuoa_format_desc *format,
		     const u64 *dword_mask)
{
	u32 dwords = format->size / sizeof(u32);
	u32 i;

	memset(thin, 0, sizeof(*thin));
	if (!memchr_inv(dword_mask, 0, sizeof(thin->dword_mask)))
		return;

	for (i = 0; i < dwords; i++)
		if (i < gpuoa_header_size(format->header) / sizeof(u32) ||
		    dword_mask[i / 64] & BIT_ULL(i % 64))
			thin_keep(thin, i);
	thin_make_even(thin);
	if (thin->size == format->size)
		memset(thin, 0, sizeof(*thin));
	else
		thin_make_runs(thin, dwords);
}

/**
 * gpuoa_thin_copy() - Copy the selected dwords of reports.
 * @thin: dword mask
 * @to: destination, with room for @n times &gpuoa_thin.size bytes
 * @reports: first report
 * @report_size: size of a report, bytes
 * @n: number of reports
 */
void gpuoa_thin_copy(const struct gpuoa_thin *thin, void *to, const void *reports, u32 report_size,
		     u32 n)
{
	const u32 *from = reports;
	u32 *out = to;
	u32 i, k;

	for (; n--; from += report_size / sizeof(u32))
		for (i = 0; i < thin->n_runs; i++)
			for (k = 0; k < thin->runs[i].count; k++)
				*out++ = from[thin->runs[i].first + k];
}
