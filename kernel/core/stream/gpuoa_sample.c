// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_sample.c - content of samples: iovec and field mask of their reports. */
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "gpuoa_sample.h"

/**
 * gpuoa_iovec_clear() - Remove all entries.
 * @iovec: iovec
 */
void gpuoa_iovec_clear(struct gpuoa_iovec *iovec)
{
	iovec->size = 0;
	iovec->count = 0;
}

/**
 * gpuoa_iovec_full() - Check whether there is room for two more entries.
 * @iovec: iovec
 *
 * Return: true if gpuoa_iovec_add() must not be called twice more
 */
bool gpuoa_iovec_full(const struct gpuoa_iovec *iovec)
{
	return iovec->count + 2 > GPUOA_IOVEC_MAX;
}

/**
 * gpuoa_iovec_add() - Append an entry.
 * @iovec: iovec with room for one more entry
 * @data: address; must stay valid until copied
 * @size: size, bytes
 */
void gpuoa_iovec_add(struct gpuoa_iovec *iovec, const void *data, u32 size)
{
	struct gpuoa_iovec_entry *last = iovec->list + iovec->count;

	iovec->size += size;
	/* Merge with an adjacent last entry. */
	if (iovec->count && last[-1].data + last[-1].size == data) {
		last[-1].size += size;
		return;
	}
	*last = (struct gpuoa_iovec_entry){ .data = data, .size = size };
	iovec->count++;
}

/**
 * gpuoa_iovec_copy() - Copy a range of bytes.
 * @iovec: iovec
 * @to: destination
 * @offset: offset of the first byte
 * @size: number of bytes; @offset + @size is at most &gpuoa_iovec.size
 */
void gpuoa_iovec_copy(const struct gpuoa_iovec *iovec, void *to, u32 offset, u32 size)
{
	const struct gpuoa_iovec_entry *entry = iovec->list;
	u32 n;

	for (; size; entry++) {
		if (offset >= entry->size) {
			offset -= entry->size;
			continue;
		}
		n = min(size, entry->size - offset);
		memcpy(to, entry->data + offset, n);
		to += n;
		size -= n;
		offset = 0;
	}
}

static bool mask_has(const struct gpuoa_dword_mask *mask, u32 dword)
{
	return mask->dword_mask[dword / 64] & BIT_ULL(dword % 64);
}

static void mask_add(struct gpuoa_dword_mask *mask, u32 dword)
{
	mask->dword_mask[dword / 64] |= BIT_ULL(dword % 64);
	mask->size += sizeof(u32);
}

/*
 * Select one more dword if the number of selected dwords is odd. There is always one left, because
 * reports have an even number of dwords.
 */
static void mask_make_even(struct gpuoa_dword_mask *mask)
{
	u32 i = 0;

	if (IS_ALIGNED(mask->size, 8))
		return;
	while (mask_has(mask, i))
		i++;
	mask_add(mask, i);
}

static void mask_make_runs(struct gpuoa_dword_mask *mask, u32 dwords)
{
	bool before = false;
	u32 i;

	for (i = 0; i < dwords; before = mask_has(mask, i), i++) {
		if (!mask_has(mask, i))
			continue;
		if (!before)
			mask->runs[mask->n_runs++].first = i;
		mask->runs[mask->n_runs - 1].count++;
	}
}

/**
 * gpuoa_dword_mask_init() - Initialize a dword mask.
 * @mask: dword mask, output
 * @format: report format
 * @dword_mask: requested dwords, all within a report; all 0 for the whole report
 *
 * The header is always included, and one more dword if their number is odd.
 */
void gpuoa_dword_mask_init(struct gpuoa_dword_mask *mask, const struct gpuoa_format_desc *format,
			   const u64 *dword_mask)
{
	u32 dwords = format->size / sizeof(u32);
	u32 i;

	memset(mask, 0, sizeof(*mask));
	if (!memchr_inv(dword_mask, 0, sizeof(mask->dword_mask)))
		return;

	for (i = 0; i < dwords; i++)
		if (i < gpuoa_header_size(format->header) / sizeof(u32) ||
		    dword_mask[i / 64] & BIT_ULL(i % 64))
			mask_add(mask, i);
	mask_make_even(mask);
	if (mask->size == format->size)
		memset(mask, 0, sizeof(*mask));
	else
		mask_make_runs(mask, dwords);
}

/**
 * gpuoa_dword_mask_copy() - Copy the selected dwords of reports.
 * @mask: dword mask
 * @to: destination, with room for @n times &gpuoa_dword_mask.size bytes
 * @reports: first report
 * @report_size: size of a report, bytes
 * @n: number of reports
 */
void gpuoa_dword_mask_copy(const struct gpuoa_dword_mask *mask, void *to, const void *reports,
			   u32 report_size, u32 n)
{
	const u32 *from = reports;
	u32 *out = to;
	u32 i, k;

	for (; n--; from += report_size / sizeof(u32))
		for (i = 0; i < mask->n_runs; i++)
			for (k = 0; k < mask->runs[i].count; k++)
				*out++ = from[mask->runs[i].first + k];
}
