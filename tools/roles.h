/* SPDX-License-Identifier: MIT */
/*
 * roles.h - which metric of a set answers the questions that are asked of any GPU
 */
#ifndef GPUOA_ROLES_H
#define GPUOA_ROLES_H

#include "gpuoa.h"

/* A metric answers at most one of these questions, a set as many as it can. */
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

/*
 * Return how well a metric answers a question: 0 if it does not, more is better. Its units of
 * measure and its semantic decide whether it can; the words of its symbol say what it counts.
 */
unsigned int role_fit(const struct gpuoa_metric_desc *metric, enum role role);

/* Return whether a metric is a share of clocks, such as busy clocks of all clocks. */
bool role_is_share(const struct gpuoa_metric_desc *metric);

#define ROLES_NO_METRIC SIZE_MAX

/*
 * Find the metric of each role in a set, or ROLES_NO_METRIC.
 *
 * @available: for each metric of the set, whether the GPU has it
 */
void roles_find(const struct gpuoa_set *set, const bool *available, size_t roles[ROLE_COUNT]);

/*
 * Return the set of @domain that answers most questions on a GPU with @constants; of several, the
 * first. NULL: the platform has none that the timer can sample.
 */
const struct gpuoa_set *roles_find_set(const struct gpuoa_platform *platform, const char *domain,
				       const struct gpuoa_constants *constants);

#endif /* GPUOA_ROLES_H */
