/* SPDX-License-Identifier: MIT */
/* catalog.h - consecutive numbers for the sets and metrics of several platforms */
#ifndef GPUOA_LIB_EXTRA_CATALOG_CATALOG_H
#define GPUOA_LIB_EXTRA_CATALOG_CATALOG_H

#include "gpuoa-catalog.h"

struct catalog_source {
	const struct gpuoa_platform *platform;
	uint32_t first_set;
	uint32_t first_metric;
	uint32_t base; /* member that this one extends, or itself */
};

struct catalog_set {
	const struct gpuoa_set *set;
	uint32_t source;
	uint32_t first_metric;
};

struct gpuoa_catalog {
	struct catalog_source *sources;
	struct catalog_set *sets; /* in ascending order of first_metric */
	uint32_t source_count;
	uint32_t set_count;
	uint32_t metric_count;
};

#endif /* GPUOA_LIB_EXTRA_CATALOG_CATALOG_H */
