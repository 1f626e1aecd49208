// SPDX-License-Identifier: GPL-2.0-only
/*
 * thin.c - some dwords of each report: pure logic, no I/O, no locks.
 */
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/string.h>

#include "thin.h"

static bool thin_keeps(const struct gpuoa_thin *thin, u32 dword)
{
	return thin->keep[dword / 64] & BIT_ULL(dword % 64);
}

static void thin_keep(struct gpuoa_thin *thin, u32 dword)
{
	thin->keep[dword / 64] |= BIT_ULL(dword % 64);
	thin->size += sizeof(u32);
}

/* One dword more if they are odd in number; a report has an even number of them. */
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
 * gpuoa_thin_init - choose dwords
 * @thin: what is left
 * @format: format of the reports
 * @keep: dwords that are asked for, all of them in a report; none: all of them
 *
 * The header is always taken, and one more dword if there were an odd number of them.
 */
void gpuoa_thin_init(struct gpuoa_thin *thin, const struct gpuoa_format_desc *format,
		     const u64 *keep)
{
	u32 dwords = format->size / sizeof(u32);
	u32 i;

	memset(thin, 0, sizeof(*thin));
	if (!memchr_inv(keep, 0, sizeof(thin->keep)))
		return;

	for (i = 0; i < dwords; i++)
		if (i < gpuoa_header_size(format->header) / sizeof(u32) ||
		    keep[i / 64] & BIT_ULL(i % 64))
			thin_keep(thin, i);
	thin_make_even(thin);
	if (thin->size == format->size)
		memset(thin, 0, sizeof(*thin));
	else
		thin_make_runs(thin, dwords);
}

/**
 * gpuoa_thin_copy - copy what is left of reports
 * @thin: what is left
 * @to: room for @n times &gpuoa_thin.size bytes
 * @reports: the first report
 * @report_size: bytes of each
 * @n: how many
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
