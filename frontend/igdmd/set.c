// SPDX-License-Identifier: MIT
/* set.c - metric sets */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-custom.h"
#include "gpuoa-equation.h"
#include "igdmd.h"

static struct set *set_of(struct mdapi_set *base)
{
	return (struct set *)base;
}

static void destroy(struct mdapi_set *base)
{
	(void)base; /* the group owns it */
}

/*
 * If a filter is set, return separate parameters, which have another address, as in Intel's
 * library.
 */
static struct mdapi_set_params *get_params(struct mdapi_set *base)
{
	struct set *set = set_of(base);

	return set->filtered ? &set->filtered_params : &set->params;
}

static struct mdapi_metric *get_metric(struct mdapi_set *base, uint32_t index)
{
	struct set *set = set_of(base);

	if (index >= get_params(base)->base.metric_count)
		return NULL;
	return set->filtered ? &set->filtered_metrics[index]->base : &set->metrics[index]->base;
}

static struct mdapi_info *get_info(struct mdapi_set *base, uint32_t index)
{
	struct set *set = set_of(base);

	if (index >= get_params(base)->base.info_count)
		return NULL;
	return set->filtered ? &set->filtered_infos[index]->base : &set->infos[index].base;
}

/* No set has complementary sets. */
static struct mdapi_set *get_complementary(struct mdapi_set *base, uint32_t index)
{
	(void)base, (void)index;
	return NULL;
}

/* ---- activation ----------------------------------------------------------------------------- */

/*
 * UUID of the register configuration for queries. Intel's libigdml and Mesa find the configuration
 * in the kernel by this UUID, for any set.
 */
static const char query_uuid[] = "2f01b241-7014-42a7-9eb6-a925cad3daba";

static enum mdapi_result deactivate(struct mdapi_set *base)
{
	struct set *set = set_of(base);
	int err;

	if (!set->config)
		return MDAPI_OK;
	err = gpuoa_unit_remove_config(set->group->unit, set->config);
	/* Another process or another set has replaced the configuration. */
	if (err == -ENOENT)
		err = 0;
	if (!err)
		set->config = set->params.base.ids.config = set->filtered_params.base.ids.config =
			0;
	return igdmd_result(err);
}

/* Remove the configuration that another set or process left under this UUID. */
static void remove_query_config(struct gpuoa_unit *unit)
{
	struct gpuoa_unit_config configs[512];
	int count = gpuoa_unit_configs(unit, configs, sizeof(configs[0]), 512);

	for (int i = 0; i < count && i < 512; i++)
		if (!strcmp(configs[i].uuid, query_uuid))
			gpuoa_unit_remove_config(unit, configs[i].id);
}

static int add_query_config(struct set *set)
{
	struct gpuoa_register_list lists[3] = { 0 };
	struct gpuoa_reg *registers = igdmd_alloc(set->desc.register_count, sizeof(*registers));
	size_t used = 0, list_count = 0;
	char error[256];
	int err = registers ? 0 : -ENOMEM;

	for (int kind = 0; kind < 3 && !err; kind++) {
		int count = gpuoa_set_registers(set->set, kind, set->constants, registers + used,
						set->desc.register_count - used);

		if (count < 0) {
			err = count;
		} else if (count) {
			lists[list_count++] = (struct gpuoa_register_list){
				.kind = kind, .registers = registers + used, .count = (size_t)count
			};
			used += (size_t)count;
		}
	}
	if (!err) {
		remove_query_config(set->group->unit);
		err = gpuoa_unit_add_config(set->group->unit, query_uuid, lists, list_count,
					    &set->config, error, sizeof(error));
		if (err)
			igdmd_log("%s: cannot activate: %s", set->desc.symbol, error);
	}
	free(registers);
	return err;
}

static enum mdapi_result activate(struct mdapi_set *base)
{
	struct set *set = set_of(base);
	int err;

	if (!set->group->unit)
		return MDAPI_NOT_SUPPORTED; /* an offline device has no hardware */
	if (!set->set || set->open)
		return MDAPI_GENERAL_ERROR;
	deactivate(base);
	err = add_query_config(set);
	if (err)
		set->config = 0;
	set->params.base.ids.config = set->filtered_params.base.ids.config = set->config;
	if (!err) {
		struct gpuoa_unit_desc unit;

		gpuoa_unit_describe(set->group->unit, &unit, sizeof(unit));
		igdml_select(&unit, set->params.base.symbol, set->flexible ? set : NULL);
	}
	return igdmd_result(err);
}

/* ---- filter --------------------------------------------------------------------------------- */

static bool filter_is_valid(uint32_t apis)
{
	const bool stream = apis & MDAPI_API_STREAM, queries = apis & MDAPI_API_QUERIES;

	return !apis || apis == MDAPI_API_ALL || stream != queries;
}

static void apply_filter(struct set *set, uint32_t apis)
{
	struct mdapi_set_params_1_0 *params = &set->filtered_params.base;

	set->filtered_params = set->params;
	params->apis = apis;
	params->metric_count = params->info_count = 0;
	for (uint32_t i = 0; i < set->params.base.metric_count; i++) {
		struct metric *metric = set->metrics[i];

		if (!(metric->params.apis & apis))
			continue;
		metric->params.index = params->metric_count;
		set->filtered_metrics[params->metric_count++] = metric;
	}
	for (uint32_t i = 0; i < set->params.base.info_count; i++) {
		struct info *info = &set->infos[i];

		if (!(info->params.apis & apis))
			continue;
		info->params.index = params->info_count;
		set->filtered_infos[params->info_count++] = info;
	}
}

static void remove_filter(struct set *set)
{
	for (uint32_t i = 0; i < set->params.base.metric_count; i++)
		set->metrics[i]->params.index = i;
	for (uint32_t i = 0; i < set->params.base.info_count; i++)
		set->infos[i].params.index = i;
}

/*
 * Values are calculated for the last filter that was set. Removing the filter changes neither that
 * nor the last report, so that calculation continues if the same filter is set again.
 */
static enum mdapi_result set_api_filter(struct mdapi_set *base, uint32_t apis)
{
	struct set *set = set_of(base);

	if (set->open)
		return MDAPI_GENERAL_ERROR;
	if (!filter_is_valid(apis))
		return MDAPI_INVALID_PARAMETER;
	set->filtered = apis && apis != MDAPI_API_ALL;
	if (!set->filtered) {
		remove_filter(set);
		return MDAPI_OK;
	}
	if (set->filtered_params.base.apis != apis) {
		calculation_free(set->calculation);
		set->calculation = NULL;
	}
	apply_filter(set, apis);
	return MDAPI_OK;
}

/* ---- calculation ---------------------------------------------------------------------------- */

static enum mdapi_result calculate(struct set *set, const struct calculation_buffers *buffers,
				   bool async)
{
	enum mdapi_result result;

	if (!set->filtered || !set->set) {
		igdmd_log("%s: cannot calculate: no API filter is set", set->desc.symbol);
		return MDAPI_GENERAL_ERROR;
	}
	if (!(set->filtered_params.base.apis & MDAPI_API_STREAM) &&
	    (!set->params.base.query_report_size || async)) {
		igdmd_log("%s: cannot calculate: %s", set->desc.symbol,
			  async ? "queries have no asynchronous reports" :
				  "the set has no queries");
		return MDAPI_NOT_SUPPORTED;
	}
	if (!buffers->reports || !buffers->values)
		return MDAPI_INVALID_PARAMETER;
	if (!set->calculation) {
		result = calculation_new(set, &set->calculation);
		if (result != MDAPI_OK)
			return result;
	}
	return calculation_run(set->calculation, buffers, async);
}

static enum mdapi_result calculate_1_5(struct mdapi_set *base, const uint8_t *reports,
				       uint32_t size, struct mdapi_value *values,
				       uint32_t values_size, uint32_t *row_count,
				       struct mdapi_value *maxima, uint32_t maxima_size)
{
	const struct calculation_buffers buffers = {
		reports, size, values, values_size, row_count, maxima, maxima_size,
	};

	return calculate(set_of(base), &buffers, false);
}

static enum mdapi_result calculate_1_1(struct mdapi_set *base, const uint8_t *reports,
				       uint32_t size, struct mdapi_value *values,
				       uint32_t values_size, uint32_t *row_count,
				       bool context_filter)
{
	if (context_filter)
		return MDAPI_NOT_SUPPORTED; /* as Intel's library */
	return calculate_1_5(base, reports, size, values, values_size, row_count, NULL, 0);
}

static enum mdapi_result calculate_async(struct mdapi_set *base, const uint8_t *reports,
					 uint32_t size, struct mdapi_value *values,
					 uint32_t values_size, uint32_t *row_count,
					 struct mdapi_value *maxima, uint32_t maxima_size)
{
	const struct calculation_buffers buffers = {
		reports, size, values, values_size, row_count, maxima, maxima_size,
	};

	return calculate(set_of(base), &buffers, true);
}

static enum mdapi_result calculate_stream_infos(struct mdapi_set *base, struct mdapi_value *values,
						uint32_t values_size)
{
	const struct group *group = set_of(base)->group;

	if (!values || values_size < STREAM_INFOS * sizeof(*values))
		return MDAPI_INVALID_PARAMETER;
	for (size_t i = 0; i < STREAM_INFOS; i++) {
		const uint64_t value = group->stream_infos[i].read->elements[0].integer;

		values[i] = (struct mdapi_value){ .type = MDAPI_VALUE_UINT64, .u64 = value };
		if (group->stream_infos[i].params.type == MDAPI_INFO_FLAG)
			values[i] =
				(struct mdapi_value){ .type = MDAPI_VALUE_BOOL, .boolean = value };
	}
	return MDAPI_OK;
}

/* ---- metrics of the program ----------------------------------------------------------------- */

/*
 * Add a metric. The names for DirectX, the arguments for queries, and the signal (which is only
 * documentation) are ignored.
 */
static struct mdapi_metric *
add_metric_1_13(struct mdapi_set *base, const char *symbol, const char *name, const char *group,
		const char *description, const char *dx_to_ogl, uint32_t usage, uint32_t apis,
		enum mdapi_result_type result_type, const char *units, enum mdapi_metric_type type,
		int64_t low, int64_t high, enum mdapi_hw_unit hw_unit, const char *stream_read,
		const char *delta, const char *query_read, const char *norm, const char *max,
		const char *signal, uint32_t query_modes)
{
	(void)dx_to_ogl, (void)query_read, (void)signal, (void)query_modes;
	return custom_add_metric(set_of(base), symbol, name, group, description, usage, apis,
				 result_type, units, type, low, high, hw_unit, stream_read, delta,
				 norm, max);
}

static struct mdapi_metric *
add_metric_1_0(struct mdapi_set *base, const char *symbol, const char *name, const char *group,
	       const char *description, const char *dx_to_ogl, uint32_t usage, uint32_t apis,
	       enum mdapi_result_type result_type, const char *units, enum mdapi_metric_type type,
	       int64_t low, int64_t high, enum mdapi_hw_unit hw_unit, const char *stream_read,
	       const char *delta, const char *query_read, const char *norm, const char *max,
	       const char *signal)
{
	return add_metric_1_13(base, symbol, name, group, description, dx_to_ogl, usage, apis,
			       result_type, units, type, low, high, hw_unit, stream_read, delta,
			       query_read, norm, max, signal, 0);
}

static const IGDMD_TABLE(mdapi_set_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_params = get_params,
		.get_metric = get_metric,
		.get_info = get_info,
		.get_complementary = get_complementary,
		.activate = activate,
		.deactivate = deactivate,
		.add_metric_1_0 = add_metric_1_0,
		.set_api_filter = set_api_filter,
		.calculate_1_1 = calculate_1_1,
		.calculate_stream_infos = calculate_stream_infos,
		.calculate_1_5 = calculate_1_5,
		.open = custom_open,
		.add_prototype = custom_add_prototype,
		.remove_prototype = custom_remove_prototype,
		.finalize = custom_finalize,
		.add_metric_1_13 = add_metric_1_13,
		.calculate_async = calculate_async,
	},
};

/* ---- construction --------------------------------------------------------------------------- */

static uint32_t categories_of(enum gpuoa_category category)
{
	switch (category) {
	case GPUOA_CATEGORY_RENDER:
		return MDAPI_CATEGORY_RENDER;
	case GPUOA_CATEGORY_COMPUTE:
		return MDAPI_CATEGORY_COMPUTE;
	case GPUOA_CATEGORY_MEDIA:
		return MDAPI_CATEGORY_MEDIA;
	default:
		return MDAPI_CATEGORY_GENERIC;
	}
}

/* All metrics of a group have the index of the group's first metric as group number. */
static uint32_t group_id_of(const struct set *set, const char *group)
{
	const uint32_t count = set->params.base.metric_count;

	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(set->metrics[i]->params.group, group))
			return set->metrics[i]->params.group_id;
	return count;
}

static struct metric *find_metric(const struct set *set, const struct gpuoa_metric *definition)
{
	struct gpuoa_metric_desc desc, other;

	gpuoa_metric_describe(definition, &desc, sizeof(desc));
	for (uint32_t i = 0; i < set->params.base.metric_count; i++) {
		gpuoa_metric_describe(set->metrics[i]->metric, &other, sizeof(other));
		if (!strcmp(other.symbol, desc.symbol))
			return set->metrics[i];
	}
	return NULL;
}

/* Do not move existing metric objects: the program may have pointers to them. */
static int add_metrics(struct set *set, bool exist)
{
	for (size_t i = 0; i < set->desc.metric_count; i++) {
		const struct gpuoa_metric *definition = gpuoa_set_get_metric(set->set, i);
		struct metric *metric = exist ? find_metric(set, definition) : NULL;
		const uint32_t count = set->params.base.metric_count;

		if (metric) {
			metric->metric = definition;
			continue;
		}
		if (gpuoa_metric_available(definition, set->constants, NULL, 0) != 1)
			continue;
		metric = metric_new(set, definition);
		if (!metric)
			return -ENOMEM;
		metric->params.index = count;
		metric->params.group_id = group_id_of(set, metric->params.group);
		set->metrics[count] = metric;
		set->params.base.metric_count = count + 1;
	}
	return 0;
}

static enum mdapi_info_type info_type_of(enum gpuoa_info_kind kind)
{
	switch (kind) {
	case GPUOA_INFO_FLAG:
		return MDAPI_INFO_FLAG;
	case GPUOA_INFO_TIMESTAMP:
		return MDAPI_INFO_TIMESTAMP;
	case GPUOA_INFO_REPORT_REASON:
		return MDAPI_INFO_REPORT_REASON;
	case GPUOA_INFO_CONTEXT_ID:
		return MDAPI_INFO_CONTEXT_ID;
	default:
		return MDAPI_INFO_VALUE;
	}
}

const struct info *set_find_info(const struct set *set, const char *symbol)
{
	for (size_t i = 0; i < set->desc.info_count; i++)
		if (!strcmp(set->infos[i].params.symbol, symbol))
			return &set->infos[i];
	return NULL;
}

/*
 * Add the information item PreviousContextId, the context at the begin of an interval. Only gen8 to
 * gen12.0 have it, because each of their reports has a context. On later GPUs, which have the item
 * SourceId, only reports of context switches have one.
 */
static int add_previous_context(struct set *set)
{
	struct info *info = &set->infos[set->params.base.info_count];

	if (!set_find_info(set, "ContextId") || set_find_info(set, "SourceId"))
		return 0;
	info->base.table = info_table;
	info->read = equation_new_info(PREVIOUS_CONTEXT_ID);
	if (!info->read)
		return -ENOMEM;
	info->params = (struct mdapi_info_params){
		.index = set->params.base.info_count++,
		.symbol = PREVIOUS_CONTEXT_ID,
		.name = "Previous Context ID",
		.group = "Report Meta Data",
		.description = "Context of the report that begins the interval.",
		.apis = MDAPI_API_STREAM,
		.type = MDAPI_INFO_CONTEXT_ID,
		.stream_read = &info->read->base,
	};
	return 0;
}

static int add_infos(struct set *set)
{
	for (uint32_t i = 0; i < set->desc.info_count; i++) {
		const struct gpuoa_info *item = gpuoa_set_get_info(set->set, i);
		struct info *info = &set->infos[i];
		struct gpuoa_info_desc desc;

		gpuoa_info_describe(item, &desc, sizeof(desc));
		info->base.table = info_table;
		info->read =
			equation_new_gpuoa(gpuoa_info_equation(set->set, item), set->desc.format);
		if (!info->read)
			return -ENOMEM;
		/* Reports of batches have no reason, and their id is the query's. */
		info->params = (struct mdapi_info_params){
			.index = i,
			.symbol = desc.symbol,
			.name = desc.name,
			.group = "Report Meta Data",
			.description = desc.description,
			.apis = desc.kind == GPUOA_INFO_TIMESTAMP ? MDAPI_API_STREAM | QUERY_APIS :
								    MDAPI_API_STREAM,
			.type = info_type_of(desc.kind),
			.units = desc.units,
			.stream_read = &info->read->base,
		};
	}
	set->params.base.info_count = (uint32_t)set->desc.info_count;
	return add_previous_context(set);
}

/* Return the availability condition of the set in MDAPI's notation, or NULL if there is none. */
static char *availability_of(const struct gpuoa_set *set)
{
	struct gpuoa_equation equation = gpuoa_set_equation(set);
	struct gpuoa_mdapi_equation mdapi;
	char text[4096];

	if (gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), NULL, 0))
		return NULL;
	return strdup(mdapi.norm);
}

/*
 * Set the number and the width in bits of the A or PEC counters in reports, as the API counts them.
 */
static void set_counters(struct mdapi_set_params *params, uint32_t format)
{
	struct gpuoa_field_desc desc;
	uint32_t count = 0;

	params->counter_size = 32;
	while (!gpuoa_report_field(format, GPUOA_FIELD_COUNTER_PEC, count, &desc, sizeof(desc))) {
		params->counter_size = desc.bits;
		count++;
	}
	params->counter_count = count ? count : 38;
}

/* Allocate space for the metrics and information items of the set's definition. */
static int grow(struct set *set)
{
	const size_t metrics = set->desc.metric_count + set->params.base.metric_count + 1;
	const size_t infos = set->desc.info_count + 1; /* PreviousContextId */
	void *grown;

	if (!(grown = realloc(set->metrics, metrics * sizeof(void *))))
		return -ENOMEM;
	set->metrics = grown;
	if (!(grown = realloc(set->filtered_metrics, metrics * sizeof(void *))))
		return -ENOMEM;
	set->filtered_metrics = grown;
	if (!(grown = realloc(set->filtered_infos, infos * sizeof(void *))))
		return -ENOMEM;
	set->filtered_infos = grown;
	if (set->infos)
		return 0;
	set->infos = igdmd_alloc(infos, sizeof(*set->infos));
	return set->infos ? 0 : -ENOMEM;
}

static bool has_queries(const struct set *set)
{
	return set->group->query_format == set->desc.format && !strcmp(set->desc.domain, "OA");
}

/* Set the properties of the set from its definition. @exist: the set had a definition before. */
static int define(struct set *set, const struct gpuoa_set *definition, bool exist)
{
	struct mdapi_set_params_1_0 *params = &set->params.base;
	int err;

	gpuoa_set_describe(definition, &set->desc, sizeof(set->desc));
	set->set = definition;
	err = grow(set);
	if (err)
		return err;
	if (!set->flexible) {
		params->symbol = set->desc.symbol;
		params->name = set->desc.name;
	}
	params->apis = MDAPI_API_STREAM;
	if (has_queries(set)) {
		params->apis |= QUERY_APIS;
		params->query_report_size = IGDML_REPORT_SIZE;
	}
	params->categories = categories_of(set->desc.category);
	params->report_size = (uint32_t)set->desc.report_size;
	set_counters(&set->params, set->desc.format);
	err = add_metrics(set, exist);
	if (!err && !params->info_count)
		err = add_infos(set);
	return err;
}

int set_new(struct group *group, const struct gpuoa_set *definition, struct set **result)
{
	struct set *set = igdmd_alloc(1, sizeof(*set));
	int err = 0;

	if (!set)
		return -ENOMEM;
	set->base.table = &table.functions;
	set->group = group;
	set->constants = group->device->constants;
	set->params.base.platforms = set->params.gts = UINT32_MAX;
	if (definition) {
		set->availability = availability_of(definition);
		set->params.availability = set->availability;
		err = define(set, definition, false);
	}
	if (err)
		set_free(set);
	else
		*result = set;
	return err;
}

int set_redefine(struct set *set, const struct gpuoa_set *definition,
		 struct set_definitions *definitions)
{
	const bool filtered = set->filtered;
	const uint32_t apis = set->filtered_params.base.apis;
	int err;

	definitions->older = set->definitions;
	set->definitions = definitions;
	set->constants = definitions->constants;
	calculation_free(set->calculation);
	set->calculation = NULL;
	err = define(set, definition, true);
	if (!err && filtered)
		apply_filter(set, apis);
	else
		set->filtered_params.base.apis = 0;
	return err;
}

void set_free(struct set *set)
{
	if (!set)
		return;
	if (set->config)
		deactivate(&set->base);
	if (set->flexible)
		igdml_forget(set);
	calculation_free(set->calculation);
	for (uint32_t i = 0; i < set->params.base.metric_count; i++)
		metric_free(set->metrics[i]);
	for (size_t i = 0; set->infos && i <= set->desc.info_count; i++)
		equation_free(set->infos[i].read);
	custom_free(set);
	while (set->definitions) {
		struct set_definitions *older = set->definitions->older;

		gpuoa_constants_free(set->definitions->constants);
		gpuoa_definitions_free(set->definitions->definitions);
		free(set->definitions);
		set->definitions = older;
	}
	free(set->metrics);
	free(set->infos);
	free(set->filtered_metrics);
	free(set->filtered_infos);
	free(set->availability);
	free(set->symbol);
	free(set->name);
	free(set);
}
