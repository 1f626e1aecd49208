// SPDX-License-Identifier: MIT
/* metric.c - descriptions of metrics, and lookup by name */
#include <string.h>

#include "base/sized.h"
#include "gpuoa.h"
#include "table/table.h"

void gpuoa_metric_describe(const struct gpuoa_metric *metric, struct gpuoa_metric_desc *desc,
			   size_t size)
{
	const struct table_metric *definition = metric_definition(metric);
	const struct gpuoa_metric_desc known = {
		.symbol = table_string(&definition->symbol),
		.name = table_string(&definition->name),
		.description = table_string(&definition->description),
		.group = table_string(&definition->group),
		.units = table_string(&definition->units),
		.hw_unit = table_string(&definition->hw_unit),
		.equation = table_string(&definition->equation),
		.max = table_string(&definition->max),
		.availability = table_string(&definition->availability),
		.type = definition->type,
		.semantic = definition->semantic,
		.usage = definition->usage,
		.apis = definition->apis,
		.tier = definition->tier,
		.query_only = definition->query_only,
		.has_watermarks = definition->has_watermarks,
		.low = definition->low,
		.high = definition->high,
		.set = metric_set(metric),
		.index = metric_index(metric),
		.alias = table_string(&definition->alias),
	};

	sized_give(desc, size, &known, sizeof(known));
}

enum gpuoa_watermark_level gpuoa_metric_classify(const struct gpuoa_metric *metric, double value)
{
	const struct table_metric *definition = metric_definition(metric);

	if (!definition->has_watermarks || value != value)
		return GPUOA_WATERMARK_NONE;
	if (value >= definition->high)
		return GPUOA_WATERMARK_HIGH;
	return value >= definition->low ? GPUOA_WATERMARK_MEDIUM : GPUOA_WATERMARK_LOW;
}

/* Symbols of sets, units and metrics are much shorter. */
#define SET_NAME_SIZE 128

const struct gpuoa_metric *gpuoa_platform_find_metric(const struct gpuoa_platform *platform,
						      const char *name,
						      const struct gpuoa_constants *constants)
{
	const char *dot = strchr(name, '.');
	size_t length = dot ? (size_t)(dot - name) : 0;
	const struct gpuoa_set *set;
	char set_name[SET_NAME_SIZE];

	if (!dot || length >= sizeof(set_name))
		return NULL;
	memcpy(set_name, name, length);
	set_name[length] = '\0';
	set = gpuoa_platform_find_set(platform, set_name, NULL, constants);
	return set ? gpuoa_set_find_metric(set, dot + 1) : NULL;
}
