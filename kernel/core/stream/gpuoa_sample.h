/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_sample.h - content of samples: iovec and field mask of their reports. */
#ifndef _GPUOA_SAMPLE_H
#define _GPUOA_SAMPLE_H

#include <linux/types.h>

#include "oa/gpuoa_report.h"
#include "uapi/gpuoa.h"

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

/* Number of dwords in the largest report. */
#define GPUOA_REPORT_DWORDS (GPUOA_REPORT_MAX / sizeof(u32))

/**
 * struct gpuoa_thin_run - consecutive dwords
 * @first: index of the first dword
 * @count: number of dwords
 */
struct gpuoa_thin_run {
	u8 first;
	u8 count;
};

/**
 * struct gpuoa_thin - dword mask
 * @size: size of the selected dwords, bytes; 0: the whole report
 * @n_runs: number of @runs
 * @runs: selected dwords, in order
 * @dword_mask: the same selection as in &gpuoa_record_dword_mask.dword_mask
 */
struct gpuoa_thin {
	u32 size;
	u32 n_runs;
	struct gpuoa_thin_run runs[GPUOA_REPORT_DWORDS / 2];
	u64 dword_mask[GPUOA_ATTR_MASK_WORDS];
};

void gpuoa_thin_init(struct gpuoa_thin *thin, const struct gpuoa_format_desc *format,
		     const u64 *dword_mask);
void gpuoa_thin_copy(const struct gpuoa_thin *thin, void *to, const void *reports, u32 report_size,
		     u32 n);

#endif /* _GPUOA_SAMPLE_H */
