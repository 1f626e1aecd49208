// SPDX-License-Identifier: MIT
/*
 * choose.c - order and display of metrics, derived from their metadata
 */
#include <string.h>

#include "top/choose.h"
#include "common/scaling.h"

uint64_t choose_rank(const struct gpuoa_metric_desc *metric)
{
	uint64_t depth = 0;

	for (const char *at = metric->group; (at = strchr(at, '/')); at++)
		depth++;
	return (uint64_t) !(metric->usage & GPUOA_USAGE_OVERVIEW) << 40 |
	       (uint64_t)(metric->tier ? metric->tier : 9) << 36 | (depth & 0xf) << 32 |
	       (metric->index & 0xffffffff);
}

bool choose_is_gauge(const struct gpuoa_metric_desc *metric)
{
	struct gpuoa_measure_desc units;

	gpuoa_measure_describe(metric->units, &units, sizeof(units));
	return units.quantity == GPUOA_QUANTITY_FREQUENCY ||
	       units.quantity == GPUOA_QUANTITY_BANDWIDTH ||
	       units.quantity == GPUOA_QUANTITY_DATA || role_is_share(metric) || *metric->max;
}

bool choose_is_rate(const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_measure_describe(desc.units, &units, sizeof(units));
	return units.quantity != GPUOA_QUANTITY_TIME && metric_is_count(metric);
}
