/* SPDX-License-Identifier: MIT */
/*
 * choose.h - order and display of metrics, derived from their metadata
 */
#ifndef GPUOA_TOP_CHOOSE_H
#define GPUOA_TOP_CHOOSE_H

#include "common/roles.h"
#include "common/tool.h"

/* Metric that all sets have: length of the interval, in ns */
#define CHOOSE_TIME "GpuTime"

/*
 * Return the sort key of a metric without a role: overview metrics first, then by tier, by depth of
 * the group, and by position in the set. Lower keys come first.
 */
uint64_t choose_rank(const struct gpuoa_metric_desc *metric);

/* Return whether a metric has a scale: it is a ratio, a frequency or a rate, or has a maximum. */
bool choose_is_gauge(const struct gpuoa_metric_desc *metric);

/* Return whether a metric is a count, which is shown per second. */
bool choose_is_rate(const struct gpuoa_metric *metric);

#endif /* GPUOA_TOP_CHOOSE_H */
