/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_sample.h - content of samples: iovec and field mask of their reports. */
#ifndef _GPUOA_SAMPLE_H
#define _GPUOA_SAMPLE_H

#include <linux/types.h>

#include "oa/gpuoa_report.h"
#include "uapi/gpuoa.h"

/* Maximum number of entries; a sample that needs more is split. */
#define GPUOA_IOVEC_MAX 64

/**
 * struct gpuoa_iovec_entry - range of an iovec
 * @data: address
 * @size: size, bytes
 */
struct gpuoa_iovec_entry {
	const void *data;
	u32 size;
};

/**
 * struct gpuoa_iovec - ranges of memory that form one sample
 * @size: total size, bytes
 * @count: number of used entries in @list
 * @list: entries, in order
 */
struct gpuoa_iovec {
	u32 size;
	u32 count;
	struct gpuoa_iovec_entry list[GPUOA_IOVEC_MAX];
};

void gpuoa_iovec_clear(struct gpuoa_iovec *iovec);
bool gpuoa_iovec_full(const struct gpuoa_iovec *iovec);
void gpuoa_iovec_add(struct gpuoa_iovec *iovec, const void *data, u32 size);
void gpuoa_iovec_copy(const struct gpuoa_iovec *iovec, void *to, u32 offset, u32 size);

/* Number of dwords in the largest report. */
#define GPUOA_REPORT_DWORDS (GPUOA_REPORT_MAX / sizeof(u32))

/**
 * struct gpuoa_dword_run - consecutive dwords
 * @first: index of the first dword
 * @count: number of dwords
 */
struct gpuoa_dword_run {
	u8 first;
	u8 count;
};

/**
 * struct gpuoa_dword_mask - dword mask
 * @size: size of the selected dwords, bytes; 0: the whole report
 * @n_runs: number of @runs
 * @runs: selected dwords, in order
 * @dword_mask: the same selection as in &gpuoa_record_dword_mask.dword_mask
 */
struct gpuoa_dword_mask {
	u32 size;
	u32 n_runs;
	struct gpuoa_dword_run runs[GPUOA_REPORT_DWORDS / 2];
	u64 dword_mask[GPUOA_ATTR_MASK_WORDS];
};

void gpuoa_dword_mask_init(struct gpuoa_dword_mask *mask, const struct gpuoa_format_desc *format,
			   const u64 *dword_mask);
void gpuoa_dword_mask_copy(const struct gpuoa_dword_mask *mask, void *to, const void *reports,
			   u32 report_size, u32 n);

#endif /* _GPUOA_SAMPLE_H */
