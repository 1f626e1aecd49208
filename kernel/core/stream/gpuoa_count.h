/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_count.h - extension of report counters to 64 bits. */
#ifndef _GPUOA_COUNT_H
#define _GPUOA_COUNT_H

#include <linux/list.h>
#include <linux/types.h>

#include "oa/gpuoa_report.h"

struct gpuoa_unit_info;

/* Longest timer period if a unit is used by counting events only, ns. */
#define GPUOA_COUNT_PERIOD_NS 250000

/**
 * struct gpuoa_count - 64-bit sum of a counter
 * @node: entry in a list of counts that are updated together
 * @place: position of the counter in a report
 * @based: @last is valid
 * @last: value in the last report
 * @value: sum
 */
struct gpuoa_count {
	struct list_head node;
	struct gpuoa_counter_place place;
	bool based;
	u64 last;
	u64 value;
};

void gpuoa_count_take(struct gpuoa_count *count, const void *report);
void gpuoa_counts_take(struct list_head *counts, const void *reports, u32 report_size, u32 n,
		       u32 stride);
void gpuoa_counts_rebase(struct list_head *counts);

u64 gpuoa_count_period_max(const struct gpuoa_unit_info *info);
u32 gpuoa_count_stride(const struct gpuoa_unit_info *info, u64 period_ns);

#endif /* _GPUOA_COUNT_H */
