/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - reports for one context only: pure logic.
 */
#ifndef _GPUOA_FILTER_H
#define _GPUOA_FILTER_H

#include <linux/types.h>

#include "report.h"

struct gpuoa_hw;

/* What the context id of a report becomes while the filter's context does not run. */
#define GPUOA_CONTEXT_NOBODY (~0U)

/**
 * struct gpuoa_filter - which reports may be seen, and how
 * @hw: the unit: format, context, and how to tell that it runs
 * @based: @base holds what the first report showed; for units that filter themselves
 * @inside: at the last report, the context ran alone
 * @ours: sources of reports on which the context runs; for units that tell of switches only
 * @others: sources of reports on which others run
 * @base: counters as the hardware showed them, less what the filter showed
 * @last: counters as the filter showed them last
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

/* For &gpuoa_oa_ops.context_runs */
bool gpuoa_filter_by_report(struct gpuoa_filter *filter, const void *report);
bool gpuoa_filter_by_switch(struct gpuoa_filter *filter, const void *report);

#endif /* _GPUOA_FILTER_H */
