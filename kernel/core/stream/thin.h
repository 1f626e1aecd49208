/* SPDX-License-Identifier: GPL-2.0-only */
/* thin.h - dword mask: selection of dwords from each report. */
#ifndef _GPUOA_THIN_H
#define _GPUOA_THIN_H

#include <linux/types.h>

#include "oa/gpuoa_report.h"
#include "uapi/gpuoa.h"

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
 * @dword_mask: the same selection as in &gpuoa_record_dword_mask.keep
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

#endif /* _GPUOA_THIN_H */
