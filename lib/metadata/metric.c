// SPDX-License-Identifier: MIT
/* metric.c - metrics and information items: descriptions, units of measure, dword masks, lookup */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/sized.h"
#include "gpuoa.h"
#include "report/dword_mask.h"
#include "report/format.h"
#include "table/code.h"
#include "table/table.h"

static const struct {
	const char *units;
	struct gpuoa_measure_desc desc;
} known_units[] = {
	{ "percent", { GPUOA_QUANTITY_RATIO, 0.01, "", true } },
	{ "utilization", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu requests to l3 cache lines", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu sends to l3 cache lines", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu atomic requests to l3 cache lines", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "eu bytes per l3 cache line", { GPUOA_QUANTITY_RATIO, 1, "", false } },
	{ "ns", { GPUOA_QUANTITY_TIME, 1e-9, "s", false } },
	{ "us", { GPUOA_QUANTITY_TIME, 1e-6, "s", false } },
	{ "ms", { GPUOA_QUANTITY_TIME, 1e-3, "s", false } },
	{ "s", { GPUOA_QUANTITY_TIME, 1, "s", false } },
	{ "hz", { GPUOA_QUANTITY_FREQUENCY, 1, "Hz", false } },
	{ "mhz", { GPUOA_QUANTITY_FREQUENCY, 1e6, "Hz", false } },
	{ "bytes", { GPUOA_QUANTITY_DATA, 1, "B", false } },
	{ "gbps", { GPUOA_QUANTITY_BANDWIDTH, 1e9, "B/s", false } },
};

void gpuoa_measure_describe(const char *units, struct gpuoa_measure_desc *desc, size_t size)
{
	struct gpuoa_measure_desc known = { GPUOA_QUANTITY_COUNT, 1, "", false };

	for (size_t i = 0; i < sizeof(known_units) / sizeof(known_units[0]); i++)
		if (!strcasecmp(known_units[i].units, units))
			known = known_units[i].desc;
	sized_give(desc, size, &known, sizeof(known));
}

double gpuoa_value_to_double(enum gpuoa_value_type type, union gpuoa_value value)
{
	return type == GPUOA_TYPE_FLOAT ? (double)value.f32 : (double)value.u64;
}

static int add_metric(uint64_t *dword_mask, const struct gpuoa_metric *metric,
		      const struct report_format *format);

static int add_word(uint64_t *dword_mask, uint32_t word, const struct gpuoa_set *set,
		    const struct report_format *format)
{
	struct report_field field;

	switch (code_op(word)) {
	case CODE_COUNTER:
		field = format_counter(format, code_argument(word));
		if (!field.bits)
			return -ENOENT;
		dword_mask_add_field(dword_mask, field);
		return 0;
	case CODE_METRIC:
	case CODE_METRIC_REAL:
		return add_metric(dword_mask, set_metrics(set) + code_argument(word), format);
	default:
		/* All other operands are in the report header, which every dword mask includes. */
		return 0;
	}
}

static int add_code(uint64_t *dword_mask, const uint32_t *code, const struct gpuoa_set *set,
		    const struct report_format *format)
{
	const uint32_t *word, *end;
	int err = 0;

	if (!code)
		return 0;
	end = code + 1 + code_length(code);
	for (word = code + 1; word < end && !err; word += code_words(code_op(*word)))
		err = add_word(dword_mask, *word, set, format);
	return err;
}

static int add_metric(uint64_t *dword_mask, const struct gpuoa_metric *metric,
		      const struct report_format *format)
{
	const struct gpuoa_set *set = table_follow(&metric->set);
	int err = add_code(dword_mask, table_follow(&metric->equation), set, format);

	return err ? err : add_code(dword_mask, table_follow(&metric->max), set, format);
}

int gpuoa_metric_dword_mask(const struct gpuoa_metric *metric, uint32_t id, uint64_t *dword_mask)
{
	const struct report_format *format = format_get(id);
	uint64_t needed[GPUOA_DWORD_MASK_WORDS];
	int err;

	if (!format)
		return -EINVAL;
	memcpy(needed, dword_mask, sizeof(needed));
	dword_mask_add_header(needed, format);
	err = add_metric(needed, metric, format);
	if (err)
		return err;
	dword_mask_complete(needed, format);
	memcpy(dword_mask, needed, sizeof(needed));
	return 0;
}

bool gpuoa_metric_in_dword_mask(const struct gpuoa_metric *metric, uint32_t id,
				const uint64_t *dword_mask)
{
	uint64_t needed[GPUOA_DWORD_MASK_WORDS] = { 0 };
	const struct report_format *format = format_get(id);

	if (!format || add_metric(needed, metric, format))
		return false;
	if (dword_mask_is_whole(dword_mask))
		return true;
	for (size_t i = 0; i < GPUOA_DWORD_MASK_WORDS; i++)
		if (needed[i] & ~dword_mask[i])
			return false;
	return true;
}

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

/* Search linearly: a set has few items, so that this is faster than a hash. */
const struct gpuoa_info *gpuoa_set_find_info(const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_info *infos = set_infos(set);

	for (uint32_t i = 0; i < set->info_count; i++)
		if (!strcmp(table_string(&infos[i].symbol), symbol))
			return &infos[i];
	return NULL;
}

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

/* Size of a buffer for the unit and symbol of a set, which are much shorter in all definitions */
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
