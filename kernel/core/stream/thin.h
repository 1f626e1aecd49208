/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * thin.h - some dwords of each report: pure logic, no I/O, no locks.
 */
#ifndef _GPUOA_THIN_H
#define _GPUOA_THIN_H

#include <linux/types.h>

#include "oa/report.h"
#include "uapi/gpuoa.h"

/* Dwords of the longest report. */
#define GPUOA_REPORT_DWORDS (GPUOA_REPORT_MAX / sizeof(u32))

/**
 * struct gpuoa_thin_run - dwords that stand in a row
 * @first: number of the first
 * @count: how many
 */
struct gpuoa_thin_run {
	u8 first;
	u8 count;
};

/**
 * struct gpuoa_thin - what is left of a report
 * @size: bytes; 0: all of it
 * @n_runs: number of @runs
 * @runs: the dwords that are left, in order
 * @keep: the same, as &gpuoa_record_thin.keep
 */
struct gpuoa_thin {
	u32 size;
	u32 n_runs;
	struct gpuoa_thin_run runs[GPUOA_REPORT_DWORDS / 2];
	u64 keep[GPUOA_KEEP_WORDS];
};

void gpuoa_thin_init(struct gpuoa_thin *thin, const struct gpuoa_format_desc *format,
		     const u64 *keep);
void gpuoa_thin_copy(const struct gpuoa_thin *thin, void *to, const void *reports, u32 report_size,
		     u32 n);

#endif /* _GPUOA_THIN_H */
