// SPDX-License-Identifier: MIT
/* metric.c - metrics and information items */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-equation.h"
#include "igdmd.h"

/* ---- information items ---------------------------------------------------------------------- */

static void info_destroy(struct mdapi_info *base)
{
	(void)base; /* Do nothing: the set or group owns the metric. */
}

static struct mdapi_info_params *info_get_params(struct mdapi_info *base)
{
	return &((struct info *)base)->params;
}

static const IGDMD_TABLE(mdapi_info_table) info_functions = {
	.functions = {
		.destroy = info_destroy,
		.free = info_destroy,
		.get_params = info_get_params,
	},
};

const struct mdapi_info_table *const info_table = &info_functions.functions;

/* ---- metrics -------------------------------------------------------------------------------- */

/*
 * Size for the three strings of an equation; the longest equation of the library has some 2,000
 * characters.
 */
#define TEXT_MAX 16384

static struct mdapi_delta delta_of(const char *text)
{
	struct mdapi_delta delta = { .type = MDAPI_DELTA_NULL };

	if (!strcmp(text, "NS_TIME")) {
		delta.type = MDAPI_DELTA_TIME;
	} else if (sscanf(text, "DELTA %u", &delta.bits) == 1) {
		delta.type = MDAPI_DELTA_BITS;
	}
	return delta;
}

static struct mdapi_equation *keep(struct metric *metric, size_t index, const char *text)
{
	struct equation *equation =
		equation_new_text(text, device_has_symbol, metric->set->group->device);

	metric->equations[index] = equation;
	return equation ? &equation->base : NULL;
}

/* Store a normalization equation like keep(), but divide its result by the metric's divisor. */
static struct mdapi_equation *keep_divided(struct metric *metric, size_t index, const char *text)
{
	char divided[TEXT_MAX + 32];

	if (metric->divisor == 1)
		return keep(metric, index, text);
	snprintf(divided, sizeof(divided), "%s %u UDIV", *text ? text : "$Self", metric->divisor);
	return keep(metric, index, divided);
}

/* How the result of a read equation, or of a part of it, depends on the values that it reads */
enum shape {
	SHAPE_CONSTANT,
	/*
	 * a sum of multiples of the values: the same equation also applies to differences of values
	 */
	SHAPE_LINEAR,
	SHAPE_OTHER,
};

static enum shape combine(const char *operation, enum shape left, enum shape right)
{
	if (left == SHAPE_CONSTANT && right == SHAPE_CONSTANT)
		return SHAPE_CONSTANT;
	if (!strcmp(operation, "UADD") || !strcmp(operation, "USUB"))
		return left == SHAPE_LINEAR && right == SHAPE_LINEAR ? SHAPE_LINEAR : SHAPE_OTHER;
	if (!strcmp(operation, "UMUL") && left != SHAPE_OTHER && right != SHAPE_OTHER)
		return left == right ? SHAPE_OTHER : SHAPE_LINEAR;
	return SHAPE_OTHER;
}

/* Add and subtract as integers, because counters are integers that MDAPI's floats cannot hold. */
static void add_as_integers(char *read)
{
	for (char *word = read; (word = strstr(word, " F")); word++)
		if (!strncmp(word, " FADD", 5) || !strncmp(word, " FSUB", 5))
			word[1] = 'U';
}

/*
 * Check whether a read equation is linear. This matters because MDAPI evaluates the equation for
 * two reports and takes the difference of the results, but libgpuoa takes the difference of each
 * value that the equation reads.
 */
static bool is_linear(const char *read)
{
	enum shape stack[64] = { SHAPE_CONSTANT };
	char copy[TEXT_MAX], *position;
	size_t depth = 0;

	snprintf(copy, sizeof(copy), "%s", read);
	for (char *word = strtok_r(copy, " ", &position); word;
	     word = strtok_r(NULL, " ", &position)) {
		if (depth == sizeof(stack) / sizeof(stack[0]))
			return false;
		if (strchr(word, '@')) {
			stack[depth++] = SHAPE_LINEAR;
		} else if (strchr("$0123456789", *word)) {
			stack[depth++] = SHAPE_CONSTANT;
		} else if (depth >= 2) {
			depth--;
			stack[depth - 1] = combine(word, stack[depth - 1], stack[depth]);
		}
	}
	return !depth || stack[0] == SHAPE_LINEAR;
}

/*
 * Omit equations without an equivalent in MDAPI: those that combine several differences, possibly
 * with values of metrics. The values of these metrics are calculated nevertheless.
 */
static void make_value_equations(struct metric *metric, char *text)
{
	struct gpuoa_equation equation =
		gpuoa_metric_equation(metric->metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_mdapi_equation mdapi;

	if (gpuoa_equation_to_mdapi(&equation, &mdapi, text, TEXT_MAX, NULL, 0))
		return;
	add_as_integers((char *)mdapi.read);
	if (!is_linear(mdapi.read))
		return;
	metric->params.stream_read = keep(metric, 0, mdapi.read);
	metric->params.delta = delta_of(mdapi.delta);
	metric->params.norm = keep_divided(metric, 1, mdapi.norm);
}

static void make_max_equation(struct metric *metric, char *text)
{
	struct gpuoa_equation equation = gpuoa_metric_equation(metric->metric, GPUOA_EQUATION_MAX);
	struct gpuoa_mdapi_equation mdapi;

	if (!gpuoa_equation_to_mdapi(&equation, &mdapi, text, TEXT_MAX, NULL, 0) && !*mdapi.read)
		metric->params.max = keep_divided(metric, 2, mdapi.norm);
}

static void make_equations(struct metric *metric)
{
	char *text = malloc(TEXT_MAX);

	if (!text)
		return;
	make_value_equations(metric, text);
	make_max_equation(metric, text);
	free(text);
}

static void destroy(struct mdapi_metric *base)
{
	(void)base; /* the set owns it */
}

static struct mdapi_metric_params *get_params(struct mdapi_metric *base)
{
	struct metric *metric = (struct metric *)base;

	pthread_mutex_lock(&igdmd_lock);
	if (!metric->has_equations) {
		metric->has_equations = true;
		make_equations(metric);
	}
	pthread_mutex_unlock(&igdmd_lock);
	return &metric->params;
}

static const IGDMD_TABLE(mdapi_metric_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_params = get_params,
	},
};

static uint32_t usage_of(uint32_t usage)
{
	static const uint32_t map[] = {
		MDAPI_USAGE_OVERVIEW, MDAPI_USAGE_INDICATE, MDAPI_USAGE_CORRELATE,
		MDAPI_USAGE_SYSTEM,   MDAPI_USAGE_FRAME,    MDAPI_USAGE_BATCH,
		MDAPI_USAGE_DRAW,     MDAPI_USAGE_TIER_1,   MDAPI_USAGE_TIER_2,
		MDAPI_USAGE_TIER_3,   MDAPI_USAGE_TIER_4,   MDAPI_USAGE_GLASS_JAW,
	};
	uint32_t mask = 0;

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (usage & 1u << i)
			mask |= map[i];
	return mask;
}

static uint32_t apis_of(uint32_t apis)
{
	static const struct {
		enum gpuoa_api from;
		enum mdapi_api to;
	} map[] = {
		{ GPUOA_API_IO, MDAPI_API_STREAM },   { GPUOA_API_BB, MDAPI_API_BATCH },
		{ GPUOA_API_OGL, MDAPI_API_OGL },     { GPUOA_API_OGL4, MDAPI_API_OGL4 },
		{ GPUOA_API_OCL, MDAPI_API_OCL },     { GPUOA_API_VK, MDAPI_API_VULKAN },
		{ GPUOA_API_MEDIA, MDAPI_API_MEDIA },
	};
	uint32_t mask = 0;

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (apis & map[i].from)
			mask |= map[i].to;
	return mask;
}

enum mdapi_metric_type metric_type_of(enum gpuoa_semantic semantic)
{
	switch (semantic) {
	case GPUOA_SEMANTIC_DURATION:
		return MDAPI_METRIC_DURATION;
	case GPUOA_SEMANTIC_EVENT:
		return MDAPI_METRIC_EVENT;
	case GPUOA_SEMANTIC_THROUGHPUT:
		return MDAPI_METRIC_THROUGHPUT;
	case GPUOA_SEMANTIC_RATIO:
		return MDAPI_METRIC_RATIO;
	case GPUOA_SEMANTIC_TIMESTAMP:
		return MDAPI_METRIC_TIMESTAMP;
	case GPUOA_SEMANTIC_FLAG:
		return MDAPI_METRIC_FLAG;
	default:
		return MDAPI_METRIC_RAW;
	}
}

static enum mdapi_hw_unit hw_unit_of(const char *name)
{
	static const struct {
		const char *name;
		enum mdapi_hw_unit unit;
	} map[] = {
		{ "slice", MDAPI_UNIT_SLICE },
		{ "subslice", MDAPI_UNIT_SUBSLICE },
		{ "dualsubslice", MDAPI_UNIT_DUALSUBSLICE },
		{ "eu", MDAPI_UNIT_EU },
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (!strcmp(name, map[i].name))
			return map[i].unit;
	return MDAPI_UNIT_GPU;
}

/* Translate units to MDAPI's spelling, which programs print. */
const char *units_of(const char *units)
{
	static const struct {
		const char *units;
		const char *mdapi;
	} map[] = {
		{ "gbps", "GBpS" },
		{ "hz", "Hz" },
		{ "eu sends to l3 cache lines", "EU sends to L3 cache lines" },
		{ "eu requests to l3 cache lines", "EU requests to L3 cache lines" },
		{ "eu atomic requests to l3 cache lines", "EU atomic requests to L3 cache lines" },
		{ "eu bytes per l3 cache line", "EU bytes per L3 cache line" },
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (!strcmp(units, map[i].units))
			return map[i].mdapi;
	return units;
}

struct metric *metric_new(struct set *set, const struct gpuoa_metric *definition)
{
	struct metric *metric = igdmd_alloc(1, sizeof(*metric));
	struct mdapi_metric_params *params;
	struct gpuoa_metric_desc desc;

	if (!metric)
		return NULL;
	params = &metric->params;
	gpuoa_metric_describe(definition, &desc, sizeof(desc));
	*metric = (struct metric){
		.base.table = &table.functions,
		.metric = definition,
		.set = set,
		.divisor = 1,
		.has_max = *desc.max,
	};
	params->symbol = desc.symbol;
	params->name = desc.name;
	params->group = desc.group;
	params->description = desc.description;
	params->usage = usage_of(desc.usage);
	params->apis = apis_of(desc.apis ? desc.apis : set->desc.apis);
	params->result_type = desc.type == GPUOA_TYPE_FLOAT ? MDAPI_RESULT_FLOAT :
							      MDAPI_RESULT_UINT64;
	params->units = units_of(desc.units);
	params->type = metric_type_of(desc.semantic);
	if (desc.has_watermarks) {
		params->low_watermark = (uint64_t)desc.low;
		params->high_watermark = (uint64_t)desc.high;
	}
	params->hw_unit = hw_unit_of(desc.hw_unit);
	/*
	 * MDAPI's metric AvgGpuCoreFrequencyMHz is libgpuoa's metric AvgGpuCoreFrequency, which is
	 * in Hz.
	 */
	if (strstr(desc.alias, "MHz") && !strcmp(desc.units, "hz")) {
		params->symbol = desc.alias;
		params->units = "MHz";
		metric->divisor = 1000000;
	}
	return metric;
}

void metric_free(struct metric *metric)
{
	if (!metric)
		return;
	for (size_t i = 0; i < sizeof(metric->equations) / sizeof(metric->equations[0]); i++)
		equation_free(metric->equations[i]);
	free(metric);
}
