/* SPDX-License-Identifier: MIT */
/*
 * choose.h - what of a set a person looks at first, told by what its metadata says
 */
#ifndef GPUOA_TOP_CHOOSE_H
#define GPUOA_TOP_CHOOSE_H

#include "roles.h"
#include "tool.h"

/* The metric that all sets have: how long an interval was, ns. */
#define CHOOSE_TIME "GpuTime"

/*
 * The order in which metrics that have no role are looked at: what is meant for an overview first,
 * then by tier, by how deep the group is, and by place in the set. Less comes first.
 */
uint64_t choose_rank(const struct gpuoa_metric_desc *metric);

/* Can it be told as a part of something, or per second? Lengths of time and plain counts can't. */
bool choose_is_gauge(const struct gpuoa_metric_desc *metric);

/* Is it counted up, so that per second says more than the sum? */
bool choose_is_rate(const struct gpuoa_metric *metric);

#endif /* GPUOA_TOP_CHOOSE_H */
