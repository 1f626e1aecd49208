/* SPDX-License-Identifier: MIT */
/*
 * default_metrics.h - default metrics: the columns to show if the user selected none
 */
#ifndef GPUOA_TOOLS_COMMON_DEFAULT_METRICS_H
#define GPUOA_TOOLS_COMMON_DEFAULT_METRICS_H

#include "common/timeseries.h"

/*
 * Rank a column by its metadata; a column of lower rank is shown first. The rank is
 * DEFAULT_METRICS_NEVER or more if the column is no metric or has no value.
 */
#define DEFAULT_METRICS_NEVER 1000
int default_metrics_rank(const struct column *column);

/*
 * Select the default columns from a series. Metrics of the whole GPU and of the lowest tiers come
 * first; among these, metrics that change.
 *
 * @chosen: receives at most @max column numbers, in the order of the columns
 *
 * Returns the number of columns selected.
 */
size_t default_metrics_select(const struct columns *columns, const struct series *series,
			      size_t *chosen, size_t max);

#endif /* GPUOA_TOOLS_COMMON_DEFAULT_METRICS_H */
