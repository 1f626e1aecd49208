/* SPDX-License-Identifier: GPL-2.0-only */
/* filter.h - software filter that restricts a stream to the reports of one context. */
#ifndef _GPUOA_FILTER_H
#define _GPUOA_FILTER_H

#include <linux/types.h>

#include "report.h"

struct gpuoa_hw;

/* Context id in filtered reports that begin an interval of another context. */
#define GPUOA_CONTEXT_NOBODY (~0U)

/**
 * struct gpuoa_filter - state of a context filter
 * @hw: OA unit, with its format and the context to filter for
 * @based: @base is set from the first report; used if the hardware filters
 * @inside: only the filter's context was running after the last report
 * @ours: bit mask of report sources (engines) that run the context; used if only switch reports
 *	carry a context id
 * @others: bit mask of report sources that run other contexts
 * @base: hardware counters minus filtered counters
 * @last: filtered counters of the last report
 */
struct gpuoa_filter {
	const struct gpuoa_hw *hw;
	bool based;
	bool inside;
	u64 ours;
	u64 others;
	u64 base[GPUOA_REPORT_MAX / sizeof(u64)];
	u64 last[GPUOA_REPORT_MAX / sizeof(u64)];
};

void gpuoa_filter_init(struct gpuoa_filter *filter, const struct gpuoa_hw *hw);
void gpuoa_filter_gap(struct gpuoa_filter *filter);
bool gpuoa_filter_report(struct gpuoa_filter *filter, void *report);

/* Implementations of &gpuoa_oa_ops.context_runs */
bool gpuoa_filter_by_report(struct gpuoa_filter *filter, const void *report);
bool gpuoa_filter_by_switch(struct gpuoa_filter *filter, const void *report);

#endif /* _GPUOA_FILTER_H */
