/* SPDX-License-Identifier: MIT */
/*
 * choose.h - what of a set a person looks at first, told by what its metadata says
 */
#ifndef GPUOA_TOP_CHOOSE_H
#define GPUOA_TOP_CHOOSE_H

#include "tool.h"

/* Questions that everybody has first. A metric answers at most one, a set as many as it can. */
enum role {
	ROLE_BUSY, /* has the GPU, or the engine that is watched, work? */
	ROLE_ACTIVE, /* do EUs execute? */
	ROLE_STALL, /* do they wait? */
	ROLE_OCCUPANCY, /* have they threads? */
	ROLE_FREQUENCY, /* how fast is the clock? */
	ROLE_READ, /* how much is read from memory ... */
	ROLE_WRITE, /* ... and written? */
	ROLE_COUNT,
	ROLE_NONE = ROLE_COUNT,
};

/* The metric that all sets have: how long an interval was, ns. */
#define CHOOSE_TIME "GpuTime"

/*
 * How well does a metric answer a question? 0: not at all; more is better. Units of measure and
 * what kind of number it is decide whether it can, words of its symbol and its group what it is
 * about.
 */
unsigned int choose_fit(const struct gpuoa_metric_desc *metric, enum role role);

/*
 * The order in which metrics that have no role are looked at: what is meant for an overview first,
 * then by tier, by how deep the group is, and by place in the set. Less comes first.
 */
uint64_t choose_rank(const struct gpuoa_metric_desc *metric);

/* Can it be told as a part of something, or per second? Lengths of time and plain counts can't. */
bool choose_is_gauge(const struct gpuoa_metric_desc *metric);

/* Is it counted up, so that per second says more than the sum? */
bool choose_is_rate(const struct gpuoa_metric_desc *metric);

/*
 * The set of @domain that answers most questions on a GPU with @constants; of several, the first.
 * NULL: the platform has none.
 */
const struct gpuoa_set *choose_set(const struct gpuoa_platform *platform, const char *domain,
				   const struct gpuoa_constants *constants);

#endif /* GPUOA_TOP_CHOOSE_H */
