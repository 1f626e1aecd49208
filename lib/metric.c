// SPDX-License-Identifier: MIT
/* metric.c - what metrics and information items are. */
#include "describe.h"
#include "evaluate.h"
#include "gpuoa.h"
#include "table.h"

void gpuoa_metric_describe(const struct gpuoa_metric *metric,
			   struct gpuoa_metric_desc *desc, size_t size)
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
	};

	describe(desc, size, &known, sizeof(known));
}

int gpuoa_metric_available(const struct gpuoa_metric *metric,
			   const struct gpuoa_constants *constants)
{
	const uint32_t *condition = table_follow(&metric->availability);

	if (metric_definition(metric)->query_only)
		return 0;
	return condition ? evaluate_condition(condition, constants) : 1;
}

void gpuoa_info_describe(const struct gpuoa_info *info,
			 struct gpuoa_info_desc *desc, size_t size)
{
	const struct gpuoa_info_desc known = {
		.symbol = table_string(&info->symbol),
		.name = table_string(&info->name),
		.description = table_string(&info->description),
		.units = table_string(&info->units),
		.semantic = info->semantic,
	};

	describe(desc, size, &known, sizeof(known));
}
