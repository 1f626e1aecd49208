// SPDX-License-Identifier: MIT
/* info.c - information items: properties of single reports */
#include <string.h>

#include "base/sized.h"
#include "gpuoa.h"
#include "table/table.h"

static enum gpuoa_info_kind info_kind(const struct gpuoa_info *info)
{
	const char *symbol = table_string(&info->symbol);

	if (!strcmp(symbol, "ReportReason"))
		return GPUOA_INFO_REPORT_REASON;
	if (!strcmp(symbol, "ContextId"))
		return GPUOA_INFO_CONTEXT_ID;
	switch ((enum gpuoa_semantic)info->semantic) {
	case GPUOA_SEMANTIC_TIMESTAMP:
		return GPUOA_INFO_TIMESTAMP;
	case GPUOA_SEMANTIC_FLAG:
		return GPUOA_INFO_FLAG;
	default:
		return GPUOA_INFO_VALUE;
	}
}

void gpuoa_info_describe(const struct gpuoa_info *info, struct gpuoa_info_desc *desc, size_t size)
{
	const struct gpuoa_info_desc known = {
		.symbol = table_string(&info->symbol),
		.name = table_string(&info->name),
		.description = table_string(&info->description),
		.units = table_string(&info->units),
		.semantic = info->semantic,
		.kind = info_kind(info),
	};

	sized_give(desc, size, &known, sizeof(known));
}

const struct gpuoa_info *gpuoa_set_get_info(const struct gpuoa_set *set, size_t index)
{
	return index < set->info_count ? &set_infos(set)[index] : NULL;
}

/* A set has few items: a linear search is faster than a hash. */
const struct gpuoa_info *gpuoa_set_find_info(const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_info *infos = set_infos(set);

	for (uint32_t i = 0; i < set->info_count; i++)
		if (!strcmp(table_string(&infos[i].symbol), symbol))
			return &infos[i];
	return NULL;
}
