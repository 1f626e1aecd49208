// SPDX-License-Identifier: MIT
/*
 * custom.c - metrics and sets that the program defines
 *
 * When something is added to a set, the set is compiled again, with separate definitions.
 * A prototype of the API is an event descriptor of libgpuoa. When a set is finalized, each of its
 * prototypes becomes an instance of the event.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-equation.h"
#include "gpuoa-programmable.h"
#include "igdmd.h"

#define OPTIONS_MAX 8
#define SYMBOL_SIZE 256

struct prototype {
	struct mdapi_prototype base;
	struct mdapi_prototype_params params;
	struct enumerator *enumerator;
	size_t event;
	struct gpuoa_event_desc desc;
	struct mdapi_option_params options[OPTIONS_MAX];
	enum gpuoa_option option_of[OPTIONS_MAX];
	/* options that are set */
	struct gpuoa_option_value values[OPTIONS_MAX];
	size_t value_count;
	char *names[4]; /* symbol, name, description, units: NULL if not changed */
	bool is_clone;
	uint32_t users; /* sets that contain it */
};

struct enumerator {
	struct mdapi_enumerator base;
	struct group *group;
	struct gpuoa_custom *custom; /* descriptions of events */
	struct prototype *prototypes;
	uint32_t count;
	struct prototype **clones;
	uint32_t clone_count;
};

/* ---- symbols of the program ----------------------------------------------------------------- */

/*
 * Symbols of the API can be any text. Those of libgpuoa are identifiers that begin with a capital
 * letter: make one of @text. @symbol has SYMBOL_SIZE bytes.
 */
static const char *make_symbol(char *symbol, const char *text)
{
	const bool is_capital = *text >= 'A' && *text <= 'Z';

	snprintf(symbol, SYMBOL_SIZE, "%s%s", is_capital ? "" : "Program_", text);
	for (char *c = symbol; *c; c++)
		if (!(*c >= 'A' && *c <= 'Z') && !(*c >= 'a' && *c <= 'z') &&
		    !(*c >= '0' && *c <= '9'))
			*c = '_';
	return symbol;
}

/* Give metrics of prototypes the symbols that the program has chosen. */
static void restore_symbols(struct set *set)
{
	char symbol[SYMBOL_SIZE];

	for (uint32_t i = 0; i < set->prototype_count; i++) {
		const char *name = set->prototypes[i]->names[0];

		for (uint32_t j = 0; name && j < set->params.base.metric_count; j++)
			if (!strcmp(set->metrics[j]->params.symbol, make_symbol(symbol, name)))
				set->metrics[j]->params.symbol = name;
	}
}

/* ---- definitions of a set ------------------------------------------------------------------- */

/*
 * Build the definitions of @custom, and replace the definition of @set by the one with the same
 * symbol.
 */
static int rebuild(struct set *set, struct gpuoa_custom *custom, const char *symbol, char *error,
		   size_t error_size)
{
	struct set_definitions *own = igdmd_alloc(1, sizeof(*own));
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *definition = NULL;
	int err = own ? gpuoa_custom_build(custom, &own->definitions, error, error_size) : -ENOMEM;

	if (err) {
		free(own);
		return err;
	}
	platform = gpuoa_definitions_get_platform(own->definitions, 0);
	err = gpuoa_constants_new(platform, &own->constants);
	if (!err) {
		gpuoa_constants_transfer(own->constants, set->group->device->constants);
		definition =
			gpuoa_platform_find_set(platform, symbol, set->group->params.symbol, NULL);
		err = definition ? set_redefine(set, definition, own) : -ENOENT;
	}
	if (!err)
		restore_symbols(set);
	if (err && set->definitions != own) {
		gpuoa_constants_free(own->constants);
		gpuoa_definitions_free(own->definitions);
		free(own);
	}
	return err;
}

/* ---- metrics from equations ----------------------------------------------------------------- */

#define EQUATION_MAX 8192

static enum gpuoa_semantic semantic_of(enum mdapi_metric_type type)
{
	switch (type) {
	case MDAPI_METRIC_DURATION:
		return GPUOA_SEMANTIC_DURATION;
	case MDAPI_METRIC_EVENT:
	case MDAPI_METRIC_EVENT_WITH_RANGE:
		return GPUOA_SEMANTIC_EVENT;
	case MDAPI_METRIC_THROUGHPUT:
		return GPUOA_SEMANTIC_THROUGHPUT;
	case MDAPI_METRIC_TIMESTAMP:
		return GPUOA_SEMANTIC_TIMESTAMP;
	case MDAPI_METRIC_FLAG:
		return GPUOA_SEMANTIC_FLAG;
	case MDAPI_METRIC_RATIO:
		return GPUOA_SEMANTIC_RATIO;
	default:
		return GPUOA_SEMANTIC_RAW;
	}
}

static const char *hw_unit_name(enum mdapi_hw_unit unit)
{
	switch (unit) {
	case MDAPI_UNIT_SLICE:
		return "slice";
	case MDAPI_UNIT_SUBSLICE:
	case MDAPI_UNIT_SUBSLICE_BANK:
		return "subslice";
	case MDAPI_UNIT_DUALSUBSLICE:
		return "dualsubslice";
	case MDAPI_UNIT_EU:
		return "eu";
	default:
		return "gpu";
	}
}

static uint32_t gpuoa_usage_of(uint32_t usage)
{
	static const uint32_t map[] = {
		MDAPI_USAGE_OVERVIEW, MDAPI_USAGE_INDICATE, MDAPI_USAGE_CORRELATE,
		MDAPI_USAGE_SYSTEM,   MDAPI_USAGE_FRAME,    MDAPI_USAGE_BATCH,
		MDAPI_USAGE_DRAW,     MDAPI_USAGE_TIER_1,   MDAPI_USAGE_TIER_2,
		MDAPI_USAGE_TIER_3,   MDAPI_USAGE_TIER_4,   MDAPI_USAGE_GLASS_JAW,
	};
	uint32_t mask = 0;

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (usage & map[i])
			mask |= 1u << i;
	return mask;
}

/* Add a metric to the set's builder, which is created for the first metric, and compile the set. */
static int add_metric(struct set *set, const struct gpuoa_metric_desc *desc)
{
	char name[128], error[512] = "";
	int err = 0;

	if (!set->custom)
		err = gpuoa_custom_new(set->desc.platform, &set->custom);
	snprintf(name, sizeof(name), "%s/%s", set->desc.domain, set->desc.symbol);
	if (!err)
		err = gpuoa_custom_add_metric(set->custom, name, desc, sizeof(*desc), error,
					      sizeof(error));
	if (err) {
		igdmd_log("%s: cannot add %s: %s", set->desc.symbol, desc->symbol, error);
		return err;
	}
	err = rebuild(set, set->custom, set->desc.symbol, error, sizeof(error));
	if (!err)
		return 0;
	igdmd_log("%s: cannot add %s: %s", set->desc.symbol, desc->symbol, error);
	gpuoa_custom_remove(set->custom, name, desc->symbol);
	return err;
}

static struct mdapi_metric *find_added(struct set *set, const char *symbol)
{
	for (uint32_t i = 0; i < set->params.base.metric_count; i++)
		if (!strcmp(set->metrics[i]->params.symbol, symbol))
			return &set->metrics[i]->base;
	return NULL;
}

/* Translate an equation to @text; NULL if it is empty. Returns 0 or a negative errno. */
static int translate(const struct set *set, const char *read, const char *delta, const char *norm,
		     char *text)
{
	const struct gpuoa_mdapi_equation mdapi = { read, delta, norm };
	char error[256];
	int length;

	*text = '\0';
	if ((!read || !*read) && (!norm || !*norm))
		return 0;
	length = gpuoa_equation_from_mdapi(set->set, &mdapi, text, EQUATION_MAX, error,
					   sizeof(error));
	if (length < 0)
		igdmd_log("%s: cannot add a metric: %s", set->desc.symbol, error);
	return length < 0 ? length : length >= EQUATION_MAX ? -E2BIG : 0;
}

struct mdapi_metric *custom_add_metric(struct set *set, const char *symbol, const char *name,
				       const char *group, const char *description, uint32_t usage,
				       uint32_t apis, enum mdapi_result_type result_type,
				       const char *units, enum mdapi_metric_type type, int64_t low,
				       int64_t high, enum mdapi_hw_unit hw_unit,
				       const char *stream_read, const char *delta, const char *norm,
				       const char *max)
{
	char *value_text, *max_text;
	struct mdapi_metric *metric = NULL;

	/* Check the arguments in the same way as Intel's library. Queries are not supported. */
	if (!symbol || !name || !group || !description || !usage || !set->set || set->open ||
	    !(apis & MDAPI_API_STREAM))
		return NULL;
	value_text = malloc(2 * EQUATION_MAX);
	if (!value_text)
		return NULL;
	max_text = value_text + EQUATION_MAX;
	if (!translate(set, stream_read, delta, norm, value_text) &&
	    !translate(set, NULL, NULL, max, max_text)) {
		const struct gpuoa_metric_desc desc = {
			.symbol = symbol,
			.name = name,
			.description = description,
			.group = group,
			.units = units && *units ? units : "number",
			.hw_unit = hw_unit_name(hw_unit),
			.equation = value_text,
			.max = max_text,
			.type = result_type == MDAPI_RESULT_FLOAT ? GPUOA_TYPE_FLOAT :
								    GPUOA_TYPE_UINT64,
			.semantic = semantic_of(type),
			.usage = gpuoa_usage_of(usage),
			.has_watermarks = low || high,
			.low = (double)low,
			.high = (double)high,
		};

		if (!add_metric(set, &desc))
			metric = find_added(set, symbol);
	}
	free(value_text);
	return metric;
}

/* ---- prototypes ----------------------------------------------------------------------------- */

static struct prototype *prototype_of(const struct mdapi_prototype *base)
{
	return (struct prototype *)base;
}

static void prototype_destroy(struct mdapi_prototype *base)
{
	(void)base; /* the enumerator owns it */
}

static const struct mdapi_prototype_params *prototype_get_params(const struct mdapi_prototype *base)
{
	return &prototype_of(base)->params;
}

static const struct mdapi_option_params *get_option(const struct mdapi_prototype *base,
						    uint32_t index)
{
	const struct prototype *prototype = prototype_of(base);

	return index < prototype->params.option_count ? &prototype->options[index] : NULL;
}

static bool value_is_valid(const struct mdapi_option_params *option, uint64_t value)
{
	for (uint32_t i = 0; i < option->value_count; i++)
		if (option->values[i].u32 == value)
			return true;
	return false;
}

/*
 * libgpuoa numbers the parts of a GPU from 1, since 0 means all of them; the API numbers them from
 * 0.
 */
static uint64_t first_part(enum mdapi_option option)
{
	return option == MDAPI_OPTION_DISAGGREGATION;
}

/*
 * Set an option of a prototype. This fails if the event does not have it, or if an option that was
 * set before excludes it.
 */
static enum mdapi_result set_option(struct mdapi_prototype *base, enum mdapi_option option,
				    const struct mdapi_value *value)
{
	struct prototype *prototype = prototype_of(base);
	uint64_t number;

	if (!value || prototype->users)
		return MDAPI_GENERAL_ERROR;
	number = value->type == MDAPI_VALUE_UINT32 ? value->u32 : value->u64;
	if (value->type != MDAPI_VALUE_UINT32 && value->type != MDAPI_VALUE_UINT64)
		return MDAPI_INVALID_PARAMETER;
	for (uint32_t i = 0; i < prototype->params.option_count; i++) {
		if (prototype->options[i].type != option)
			continue;
		if (!value_is_valid(&prototype->options[i], number))
			return MDAPI_INVALID_PARAMETER;
		for (size_t j = 0; j < prototype->value_count; j++)
			if (prototype->values[j].option == prototype->option_of[i])
				return MDAPI_GENERAL_ERROR; /* each can be set once */
		prototype->values[prototype->value_count++] =
			(struct gpuoa_option_value){ prototype->option_of[i],
						     number + first_part(option) };
		return MDAPI_OK;
	}
	return MDAPI_INVALID_PARAMETER;
}

static bool change_name(char **copy, const char **param, const char *name)
{
	char *changed;

	if (!name)
		return true;
	changed = strdup(name);
	if (!changed)
		return false;
	free(*copy);
	*copy = changed;
	*param = changed;
	return true;
}

static enum mdapi_result change_names(struct mdapi_prototype *base, const char *symbol,
				      const char *name, const char *description, const char *units)
{
	struct prototype *prototype = prototype_of(base);
	struct mdapi_prototype_params *params = &prototype->params;

	if (prototype->users)
		return MDAPI_GENERAL_ERROR;
	return change_name(&prototype->names[0], &params->symbol, symbol) &&
			       change_name(&prototype->names[1], &params->name, name) &&
			       change_name(&prototype->names[2], &params->description,
					   description) &&
			       change_name(&prototype->names[3], &params->units, units) ?
		       MDAPI_OK :
		       MDAPI_NO_MEMORY;
}

static struct mdapi_prototype *clone(struct mdapi_prototype *base);

static const IGDMD_TABLE(mdapi_prototype_table) prototype_table = {
	.functions = {
		.destroy = prototype_destroy,
		.free = prototype_destroy,
		.get_params = prototype_get_params,
		.clone = clone,
		.get_option = get_option,
		.set_option = set_option,
		.change_names = change_names,
	},
};

static void prototype_deinit(struct prototype *prototype)
{
	for (size_t i = 0; i < sizeof(prototype->names) / sizeof(prototype->names[0]); i++)
		free(prototype->names[i]);
	if (prototype->is_clone)
		return;
	for (uint32_t i = 0; i < prototype->params.option_count; i++)
		free(prototype->options[i].values);
}

/* Create a prototype with the current options and names of another one. */
static struct mdapi_prototype *clone(struct mdapi_prototype *base)
{
	struct prototype *original = prototype_of(base);
	struct enumerator *enumerator = original->enumerator;
	struct prototype *copy = igdmd_alloc(1, sizeof(*copy));
	struct prototype **clones =
		realloc(enumerator->clones, (enumerator->clone_count + 1) * sizeof(*clones));

	if (clones)
		enumerator->clones = clones;
	if (!copy || !clones) {
		free(copy);
		return NULL;
	}
	*copy = *original;
	copy->is_clone = true;
	copy->users = 0;
	memset(copy->names, 0, sizeof(copy->names));
	if (change_names(&copy->base, original->names[0], original->names[1], original->names[2],
			 original->names[3]) != MDAPI_OK) {
		prototype_deinit(copy);
		free(copy);
		return NULL;
	}
	clones[enumerator->clone_count++] = copy;
	return &copy->base;
}

/* The API has no options for threads, rows, EUs and instructions: they keep their defaults. */
static bool option_of(enum gpuoa_option option, enum mdapi_option *result)
{
	switch (option) {
	case GPUOA_OPTION_DISAGGREGATION:
		*result = MDAPI_OPTION_DISAGGREGATION;
		return true;
	case GPUOA_OPTION_UTILIZATION:
		*result = MDAPI_OPTION_UTILIZATION;
		return true;
	case GPUOA_OPTION_AVERAGE:
		*result = MDAPI_OPTION_AVERAGE;
		return true;
	case GPUOA_OPTION_RATE:
		*result = MDAPI_OPTION_RATE;
		return true;
	case GPUOA_OPTION_BYTE:
		*result = MDAPI_OPTION_BYTE;
		return true;
	default:
		return false;
	}
}

/*
 * Add an option and its values except the default. A normalization has the value 1; otherwise the
 * values are the numbers of the parts of the GPU.
 */
static int add_option(struct prototype *prototype, const struct gpuoa_option_desc *desc,
		      enum mdapi_option type)
{
	static const char *const symbols[] = {
		[MDAPI_OPTION_DISAGGREGATION] = "Disaggregation",
		[MDAPI_OPTION_UTILIZATION] = "Normalization_utilization",
		[MDAPI_OPTION_AVERAGE] = "Normalization_average",
		[MDAPI_OPTION_RATE] = "Normalization_rate",
		[MDAPI_OPTION_BYTE] = "Normalization_byte",
	};
	struct mdapi_option_params *option = &prototype->options[prototype->params.option_count];

	if (prototype->params.option_count == OPTIONS_MAX)
		return 0;
	option->values = igdmd_alloc(desc->choice_count, sizeof(*option->values));
	if (!option->values)
		return -ENOMEM;
	option->type = type;
	option->symbol = symbols[type];
	for (size_t i = 0; i < desc->choice_count; i++) {
		if (desc->choices[i].value == desc->default_value)
			continue;
		option->values[option->value_count].type = MDAPI_VALUE_UINT32;
		option->values[option->value_count++].u32 =
			(uint32_t)(desc->choices[i].value - first_part(type));
	}
	prototype->option_of[prototype->params.option_count++] = desc->option;
	return 0;
}

/*
 * Determine which kind of part (slice, Xe core, ...) an option selects, from the symbols of its
 * choices.
 */
static enum mdapi_disaggregation disaggregation_of(const struct gpuoa_option_desc *desc)
{
	static const struct {
		const char *prefix;
		enum mdapi_disaggregation kind;
	} map[] = {
		{ "xecore", MDAPI_DISAGGREGATION_XE_CORE },
		{ "l3bank", MDAPI_DISAGGREGATION_L3_BANK },
		{ "slice", MDAPI_DISAGGREGATION_SLICE },
		{ "sqidi", MDAPI_DISAGGREGATION_SQIDI },
		{ "l3node", MDAPI_DISAGGREGATION_L3_NODE },
		{ "copyengine", MDAPI_DISAGGREGATION_COPY_ENGINE },
	};

	for (size_t i = 0; i < desc->choice_count; i++)
		for (size_t j = 0; j < sizeof(map) / sizeof(map[0]); j++)
			if (!strncmp(desc->choices[i].symbol, map[j].prefix, strlen(map[j].prefix)))
				return map[j].kind;
	return MDAPI_DISAGGREGATION_NONE;
}

static int prototype_init(struct prototype *prototype, struct enumerator *enumerator, size_t event)
{
	struct gpuoa_option_desc option;
	enum mdapi_option type;
	int err = 0;

	prototype->base.table = &prototype_table.functions;
	prototype->enumerator = enumerator;
	prototype->event = event;
	gpuoa_custom_describe_event(enumerator->custom, event, &prototype->desc,
				    sizeof(prototype->desc));
	prototype->params = (struct mdapi_prototype_params){
		.symbol = prototype->desc.symbol,
		.name = prototype->desc.name,
		.group = prototype->desc.group,
		.description = prototype->desc.description,
		.usage = MDAPI_USAGE_OVERVIEW,
		.apis = prototype->desc.reports & 1u << GPUOA_QUERY_NONE ? MDAPI_API_STREAM : 0,
		.query_modes = prototype->desc.reports >> 1,
		.result_type = prototype->desc.type == GPUOA_TYPE_FLOAT ? MDAPI_RESULT_FLOAT :
									  MDAPI_RESULT_UINT64,
		.units = units_of(prototype->desc.units),
		.type = metric_type_of(prototype->desc.semantic),
		.hw_unit = !strcmp(prototype->desc.hw_unit, "eu")	? MDAPI_UNIT_EU :
			   !strcmp(prototype->desc.hw_unit, "slice")	? MDAPI_UNIT_SLICE :
			   !strcmp(prototype->desc.hw_unit, "subslice") ? MDAPI_UNIT_SUBSLICE :
									  MDAPI_UNIT_GPU,
	};
	if (prototype->params.apis && enumerator->group->query_format)
		prototype->params.apis |= QUERY_APIS;
	for (size_t i = 0; i < prototype->desc.option_count && !err; i++) {
		gpuoa_custom_describe_option(enumerator->custom, event, i, &option, sizeof(option));
		if (!option_of(option.option, &type))
			continue;
		if (type == MDAPI_OPTION_DISAGGREGATION)
			prototype->params.disaggregation = disaggregation_of(&option);
		err = add_option(prototype, &option, type);
	}
	return err;
}

/* ---- enumerators ---------------------------------------------------------------------------- */

static struct enumerator *enumerator_of(struct mdapi_enumerator *base)
{
	return (struct enumerator *)base;
}

static void enumerator_destroy(struct mdapi_enumerator *base)
{
	(void)base; /* the group owns it */
}

static uint32_t get_prototype_count(struct mdapi_enumerator *base)
{
	return enumerator_of(base)->count;
}

static struct mdapi_prototype *get_prototype(struct mdapi_enumerator *base, uint32_t index)
{
	struct enumerator *enumerator = enumerator_of(base);

	return index < enumerator->count ? &enumerator->prototypes[index].base : NULL;
}

static enum mdapi_result get_prototypes(struct mdapi_enumerator *base, uint32_t index,
					uint32_t *count, struct mdapi_prototype **prototypes)
{
	const uint32_t total = enumerator_of(base)->count;

	if (!count || !prototypes || index >= total)
		return MDAPI_INVALID_PARAMETER;
	if (*count > total - index)
		*count = total - index;
	for (uint32_t i = 0; i < *count; i++)
		prototypes[i] = get_prototype(base, index + i);
	return MDAPI_OK;
}

static enum mdapi_result remove_clone(struct mdapi_enumerator *base, struct mdapi_prototype *clone)
{
	struct enumerator *enumerator = enumerator_of(base);

	for (uint32_t i = 0; i < enumerator->clone_count; i++) {
		struct prototype *prototype = enumerator->clones[i];

		if (&prototype->base != clone)
			continue;
		if (prototype->users)
			return MDAPI_GENERAL_ERROR;
		prototype_deinit(prototype);
		free(prototype);
		enumerator->clones[i] = enumerator->clones[--enumerator->clone_count];
		return MDAPI_OK;
	}
	return MDAPI_INVALID_PARAMETER;
}

static const IGDMD_TABLE(mdapi_enumerator_table) enumerator_table = {
	.functions = {
		.destroy = enumerator_destroy,
		.free = enumerator_destroy,
		.get_prototype_count = get_prototype_count,
		.get_prototype = get_prototype,
		.get_prototypes = get_prototypes,
		.remove_clone = remove_clone,
	},
};

struct mdapi_enumerator *enumerator_interface(struct enumerator *enumerator)
{
	return &enumerator->base;
}

void enumerator_free(struct enumerator *enumerator)
{
	if (!enumerator)
		return;
	for (uint32_t i = 0; i < enumerator->clone_count; i++) {
		prototype_deinit(enumerator->clones[i]);
		free(enumerator->clones[i]);
	}
	for (uint32_t i = 0; enumerator->prototypes && i < enumerator->count; i++)
		prototype_deinit(&enumerator->prototypes[i]);
	gpuoa_custom_free(enumerator->custom);
	free(enumerator->prototypes);
	free(enumerator->clones);
	free(enumerator);
}

/* Create a prototype for each event that the counters of the group's unit support. */
static int add_prototypes(struct enumerator *enumerator)
{
	const size_t count = gpuoa_custom_event_count(enumerator->custom);
	int err = 0;

	enumerator->prototypes = igdmd_alloc(count, sizeof(*enumerator->prototypes));
	if (!enumerator->prototypes)
		return -ENOMEM;
	for (size_t i = 0; i < count && !err; i++) {
		struct gpuoa_event_desc desc;

		gpuoa_custom_describe_event(enumerator->custom, i, &desc, sizeof(desc));
		if (strcmp(desc.domain, enumerator->group->params.symbol))
			continue;
		err = prototype_init(&enumerator->prototypes[enumerator->count++], enumerator, i);
	}
	return err ? err : enumerator->count ? 0 : -ENOENT;
}

struct enumerator *enumerator_new(struct group *group)
{
	struct enumerator *enumerator = igdmd_alloc(1, sizeof(*enumerator));
	int err;

	if (!enumerator)
		return NULL;
	enumerator->base.table = &enumerator_table.functions;
	enumerator->group = group;
	err = gpuoa_custom_new(group->device->platform, &enumerator->custom);
	if (!err)
		err = gpuoa_custom_use_constants(enumerator->custom, group->device->constants);
	if (!err)
		err = add_prototypes(enumerator);
	if (!err)
		return enumerator;
	enumerator_free(enumerator);
	return NULL;
}

/* ---- flexible sets -------------------------------------------------------------------------- */

static struct set *set_of(struct mdapi_set *base)
{
	return (struct set *)base;
}

/* Free the metrics and information items of a set. */
static void clear(struct set *set)
{
	for (uint32_t i = 0; i < set->params.base.metric_count; i++)
		metric_free(set->metrics[i]);
	for (uint32_t i = 0; i < set->params.base.info_count; i++)
		equation_free(set->infos[i].read);
	free(set->infos);
	set->infos = NULL;
	set->set = NULL;
	set->params.base.metric_count = set->params.base.info_count = 0;
	set->params.base.query_report_size = 0;
	set->params.base.apis = MDAPI_API_STREAM;
	set->desc = (struct gpuoa_set_desc){ .symbol = set->symbol };
	set->filtered = false;
	set->filtered_params.base.apis = 0;
	calculation_free(set->calculation);
	set->calculation = NULL;
}

enum mdapi_result custom_open(struct mdapi_set *base)
{
	struct set *set = set_of(base);

	if (!set->flexible)
		return MDAPI_NOT_SUPPORTED;
	if (set == set->group->streamed)
		return MDAPI_GENERAL_ERROR;
	if (!set->open)
		clear(set);
	set->open = true;
	return MDAPI_OK;
}

enum mdapi_result custom_add_prototype(struct mdapi_set *base, struct mdapi_prototype *added)
{
	struct set *set = set_of(base);
	struct prototype *prototype = prototype_of(added);
	struct prototype **prototypes;

	if (!set->flexible)
		return MDAPI_NOT_SUPPORTED;
	if (!added || prototype->enumerator != set->group->enumerator)
		return MDAPI_INVALID_PARAMETER;
	if (!set->open)
		return MDAPI_GENERAL_ERROR;
	for (uint32_t i = 0; i < set->prototype_count; i++)
		if (set->prototypes[i] == prototype)
			return MDAPI_ALREADY_INITIALIZED;
	prototypes = realloc(set->prototypes, (set->prototype_count + 1) * sizeof(*prototypes));
	if (!prototypes)
		return MDAPI_NO_MEMORY;
	set->prototypes = prototypes;
	prototypes[set->prototype_count++] = prototype;
	prototype->users++;
	return MDAPI_OK;
}

enum mdapi_result custom_remove_prototype(struct mdapi_set *base, struct mdapi_prototype *removed)
{
	struct set *set = set_of(base);

	if (!set->flexible)
		return MDAPI_NOT_SUPPORTED;
	if (!removed)
		return MDAPI_INVALID_PARAMETER;
	if (!set->open)
		return MDAPI_GENERAL_ERROR;
	for (uint32_t i = 0; i < set->prototype_count; i++) {
		if (&set->prototypes[i]->base != removed)
			continue;
		set->prototypes[i]->users--;
		set->prototype_count--;
		memmove(&set->prototypes[i], &set->prototypes[i + 1],
			(set->prototype_count - i) * sizeof(*set->prototypes));
		return MDAPI_OK;
	}
	return MDAPI_INVALID_PARAMETER;
}

static int instantiate(struct gpuoa_custom *custom, const struct set *set,
		       const struct prototype *prototype, char *error, size_t error_size)
{
	char symbol[SYMBOL_SIZE], set_symbol[SYMBOL_SIZE];
	const char *name = prototype->names[0];
	const struct gpuoa_instance instance = {
		.size = sizeof(instance),
		.symbol = name ? make_symbol(symbol, name) : NULL,
		.name = prototype->names[1],
		.description = prototype->names[2],
		.units = prototype->names[3],
		.options = prototype->values,
		.option_count = prototype->value_count,
	};
	uint64_t id;
	int err = gpuoa_custom_instantiate(custom, prototype->event, &instance, &id, error,
					   error_size);

	return err ? err :
		     gpuoa_custom_assign(custom, id, make_symbol(set_symbol, set->symbol), error,
					 error_size);
}

static int build(struct set *set, char *error, size_t error_size)
{
	char symbol[SYMBOL_SIZE];
	struct gpuoa_custom *custom;
	int err = gpuoa_custom_new(set->group->device->platform, &custom);

	if (err)
		return err;
	err = gpuoa_custom_use_constants(custom, set->group->device->constants);
	for (uint32_t i = 0; i < set->prototype_count && !err; i++)
		err = instantiate(custom, set, set->prototypes[i], error, error_size);
	if (!err)
		err = rebuild(set, custom, make_symbol(symbol, set->symbol), error, error_size);
	gpuoa_custom_free(custom);
	return err;
}

enum mdapi_result custom_finalize(struct mdapi_set *base)
{
	struct set *set = set_of(base);
	char error[512] = "out of memory";
	int err;

	if (!set->flexible)
		return MDAPI_NOT_SUPPORTED;
	if (!set->open || !set->prototype_count) {
		set->open = false;
		return MDAPI_GENERAL_ERROR;
	}
	err = build(set, error, sizeof(error));
	if (err) {
		igdmd_log("%s: cannot finalize: %s", set->symbol, error);
		clear(set);
	}
	set->open = false;
	return err == -ENOMEM ? MDAPI_NO_MEMORY : err ? MDAPI_GENERAL_ERROR : MDAPI_OK;
}

void custom_free(struct set *set)
{
	for (uint32_t i = 0; i < set->prototype_count; i++)
		set->prototypes[i]->users--;
	free(set->prototypes);
	gpuoa_custom_free(set->custom);
}
