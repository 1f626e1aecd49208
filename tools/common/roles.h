/* SPDX-License-Identifier: MIT */
/*
 * roles.h - find the common metrics of a set, such as busyness or memory traffic, on any GPU
 */
#ifndef GPUOA_ROLES_H
#define GPUOA_ROLES_H

#include "gpuoa.h"

/* Roles of metrics. A metric has at most one role. */
enum role {
	ROLE_BUSY, /* busyness of the GPU, or of the selected engine */
	ROLE_ACTIVE, /* share of time in which EUs execute */
	ROLE_STALL, /* share of time in which EUs wait */
	ROLE_OCCUPANCY, /* occupancy of the EUs' thread slots */
	ROLE_FREQUENCY, /* GPU clock */
	ROLE_READ, /* data read from memory */
	ROLE_WRITE, /* data written to memory */
	ROLE_COUNT,
	ROLE_NONE = ROLE_COUNT,
};

/*
 * Return how well a metric fits a role; 0: not at all. Whether it fits depends on its units and
 * semantic type; how well it fits depends on the words of its symbol.
 */
unsigned int role_fit(const struct gpuoa_metric_desc *metric, enum role role);

/* Return whether a metric is a ratio of clocks, such as busy clocks divided by all clocks. */
bool role_is_share(const struct gpuoa_metric_desc *metric);

#define ROLES_NO_METRIC SIZE_MAX

/*
 * Find the metric of each role in a set; it is ROLES_NO_METRIC if the set has none.
 *
 * @available: for each metric of the set, whether the GPU has it
 */
void roles_find(const struct gpuoa_set *set, const bool *available, size_t roles[ROLE_COUNT]);

/*
 * Return the set of @domain that has the most roles on a GPU with @constants. If several sets have
 * the same number, return the first one. NULL: the platform has no set for periodic sampling.
 */
const struct gpuoa_set *roles_find_set(const struct gpuoa_platform *platform, const char *domain,
				       const struct gpuoa_constants *constants);

#endif /* GPUOA_ROLES_H */
