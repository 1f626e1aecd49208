/* SPDX-License-Identifier: MIT */
/*
 * default_metrics.h - default metrics: which columns to show if the user selected none
 */
#ifndef GPUOA_TOOLS_COMMON_DEFAULT_METRICS_H
#define GPUOA_TOOLS_COMMON_DEFAULT_METRICS_H

#include "common/timeseries.h"

/*
 * Rank a column by its metadata; a lower rank is shown first. DEFAULT_METRICS_NEVER or more: not a
 * metric, or without a value.
 */
#define DEFAULT_METRICS_NEVER 1000
int default_metrics_rank(const struct column *column);

/*
 * Select the default columns: by metadata, metrics of the whole GPU and of the lowest tiers first;
 * among these, metrics whose value changes.
 *
 * @chosen: array of @max column numbers; filled in column order
 *
 * Returns the number of columns selected.
 */
size_t default_metrics_select(const struct columns *columns, const struct series *series,
			      size_t *chosen, size_t max);

#endif /* GPUOA_TOOLS_COMMON_DEFAULT_METRICS_H */
