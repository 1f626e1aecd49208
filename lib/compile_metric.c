// SPDX-License-Identifier: MIT
/* compile_metric.c - the metrics of a set: lists and bundles resolved, what sets share put once. */
#include <stdlib.h>
#include <string.h>

#include "compiler.h"

const struct metric_definition *find_metric(const struct definition *definition,
					    const char *symbol)
{
	const struct metric_definition *metric = definition->metrics;

	while (metric && strcmp(metric->symbol, symbol))
		metric = metric->next;
	return metric;
}

const struct bundle_definition *find_bundle(const struct definition *definition,
					    const char *name,
					    const struct bundle_definition *end)
{
	const struct bundle_definition *bundle = definition->bundles;

	while (bundle != end && strcmp(bundle->name, name))
		bundle = bundle->next;
	return bundle == end ? NULL : bundle;
}

struct metric_list {
	struct set_metric *metrics;
	uint32_t count;
	uint32_t room;
};

static struct set_metric *list_add(struct metric_list *list)
{
	if (list->count == list->room) {
		uint32_t room = list->room ? 2 * list->room : 64;
		struct set_metric *metrics =
			realloc(list->metrics, room * sizeof(*metrics));

		if (!metrics)
			return NULL;
		list->metrics = metrics;
		list->room = room;
	}
	return &list->metrics[list->count++];
}

static bool add_metric(struct compiler *compiler, struct metric_list *list,
		       const struct metric_use *use,
		       const struct attributes *changes)
{
	const struct metric_definition *definition =
		find_metric(compiler->definition, use->symbol);
	struct set_metric *metric;

	if (!definition)
		return FAIL(compiler, use->location, "there is no metric '%s'",
			    use->symbol);
	for (uint32_t i = 0; i < list->count; i++)
		if (!strcmp(list->metrics[i].symbol, use->symbol))
			return FAIL(compiler, use->location,
				    "the set has %s already, from line %u",
				    use->symbol,
				    list->metrics[i].location.line);
	if (list->count == INDEX_MAX)
		return FAIL(compiler, use->location,
			    "a set has %d metrics at most", INDEX_MAX);
	metric = list_add(list);
	if (!metric) {
		compiler->blob->failed = true;
		return false;
	}
	metric->symbol = use->symbol;
	metric->location = use->location;
	metric->attributes = definition->attributes;
	attributes_apply(&metric->attributes, &use->changes);
	if (changes)
		attributes_apply(&metric->attributes, changes);
	metric->query_only =
		equation_uses_query_mode(&metric->attributes.availability);
	return true;
}

/* Bundles are flat lists of metrics and of bundles before them, so this ends. */
static bool add_uses(struct compiler *compiler, struct metric_list *list,
		     const struct metric_use *use,
		     const struct attributes *changes,
		     const struct bundle_definition *end)
{
	for (; use; use = use->next) {
		const struct bundle_definition *bundle;
		struct attributes merged = use->changes;

		if (!use->is_bundle) {
			if (!add_metric(compiler, list, use, changes))
				return false;
			continue;
		}
		bundle = find_bundle(compiler->definition, use->symbol, end);
		if (!bundle)
			return FAIL(compiler, use->location,
				    "there is no bundle '%s' before this line",
				    use->symbol);
		if (changes)
			attributes_apply(&merged, changes);
		if (!add_uses(compiler, list, bundle->uses, &merged, bundle))
			return false;
	}
	return true;
}

/* What makes two struct table_metric the same. Strings are pooled: their offsets stand for them. */
struct metric_key {
	uint64_t strings[9];
	double low, high;
	uint32_t apis, usage, type, semantic, tier, query_only, has_watermarks,
		reserved;
};

static void fill_metric(struct compiler *compiler, size_t record,
			const struct metric_key *key)
{
	struct blob *blob = compiler->blob;
	struct table_metric *metric = blob_at(blob, record);

	if (!metric)
		return;
	metric->apis = key->apis;
	metric->usage = key->usage;
	metric->type = key->type;
	metric->semantic = key->semantic;
	metric->tier = key->tier;
	metric->query_only = key->query_only;
	metric->has_watermarks = key->has_watermarks;
	metric->low = key->low;
	metric->high = key->high;
	LINK(blob, record, struct table_metric, symbol, key->strings[0]);
	LINK(blob, record, struct table_metric, name, key->strings[1]);
	LINK(blob, record, struct table_metric, description, key->strings[2]);
	LINK(blob, record, struct table_metric, group, key->strings[3]);
	LINK(blob, record, struct table_metric, units, key->strings[4]);
	LINK(blob, record, struct table_metric, hw_unit, key->strings[5]);
	LINK(blob, record, struct table_metric, equation, key->strings[6]);
	LINK(blob, record, struct table_metric, max, key->strings[7]);
	LINK(blob, record, struct table_metric, availability, key->strings[8]);
}

/* The struct table_metric of a metric, shared with those that are the same. Returns its offset. */
static size_t put_metric_definition(struct compiler *compiler,
				    const struct set_metric *metric)
{
	const struct attributes *a = &metric->attributes;
	struct blob *blob = compiler->blob;
	struct metric_key key = {
		.strings = { blob_string(blob, metric->symbol),
			     blob_string(blob, a->name),
			     blob_string(blob, a->description),
			     blob_string(blob, a->group),
			     blob_string(blob, a->units),
			     blob_string(blob, a->hw_unit),
			     blob_string(blob, a->equation.text),
			     blob_string(blob, a->max.text),
			     blob_string(blob, a->availability.text) },
		.low = a->low,
		.high = a->high,
		.apis = a->apis,
		.usage = a->usage,
		.type = a->type,
		.semantic = a->semantic,
		.tier = a->tier,
		.query_only = metric->query_only,
		.has_watermarks = !!(a->given & ATTRIBUTE_WATERMARKS),
	};
	size_t before = compiler->metric_keys.size;
	size_t number = blob_pool(&compiler->metric_keys, &key, sizeof(key),
				  _Alignof(struct metric_key)) /
			sizeof(key);
	size_t *records;

	if (compiler->metric_keys.failed) {
		blob->failed = true;
		return 0;
	}
	if (compiler->metric_keys.size == before)
		return compiler->metric_records[number];
	records = realloc(compiler->metric_records,
			  (number + 1) * sizeof(*records));
	if (!records) {
		blob->failed = true;
		return 0;
	}
	compiler->metric_records = records;
	records[number] = blob_reserve(blob, sizeof(struct table_metric),
				       _Alignof(struct table_metric));
	fill_metric(compiler, records[number], &key);
	return records[number];
}

static bool put_metric(struct compiler *compiler,
		       const struct set_metric *metric, size_t set,
		       size_t record)
{
	const struct attributes *a = &metric->attributes;
	struct emitter *emitter = &compiler->emitter;

	emitter->query_only = metric->query_only;
	LINK(compiler->blob, record, struct gpuoa_metric, set, set);
	LINK(compiler->blob, record, struct gpuoa_metric, definition,
	     put_metric_definition(compiler, metric));
	return put_equation(compiler, &a->equation, ROLE_METRIC,
			    record + offsetof(struct gpuoa_metric, equation)) &&
	       put_equation(compiler, &a->max, ROLE_MAX,
			    record + offsetof(struct gpuoa_metric, max)) &&
	       put_equation(compiler, &a->availability, ROLE_CONDITION,
			    record + offsetof(struct gpuoa_metric,
					      availability));
}

static size_t put_metric_index(struct blob *blob,
			       const struct metric_list *list)
{
	const char **names = malloc(list->count * sizeof(*names));
	size_t index;

	if (!names) {
		blob->failed = true;
		return 0;
	}
	for (uint32_t i = 0; i < list->count; i++)
		names[i] = list->metrics[i].symbol;
	index = put_index(blob, names, list->count);
	free(names);
	return index;
}

static bool put_metrics(struct compiler *compiler,
			const struct metric_list *list, size_t set)
{
	struct blob *blob = compiler->blob;
	size_t metrics = blob_reserve(blob,
				      list->count * sizeof(struct gpuoa_metric),
				      _Alignof(struct gpuoa_metric));
	struct gpuoa_set *record = blob_at(blob, set);

	if (!record)
		return false;
	record->metric_count = list->count;
	compiler->emitter.metrics = list->metrics;
	compiler->emitter.metric_count = list->count;
	LINK(blob, set, struct gpuoa_set, metrics, metrics);
	LINK(blob, set, struct gpuoa_set, metric_symbols,
	     put_metric_index(blob, list));
	for (uint32_t i = 0; i < list->count; i++) {
		compiler->emitter.self = i;
		if (!put_metric(compiler, &list->metrics[i], set,
				metrics + i * sizeof(struct gpuoa_metric)))
			return false;
	}
	return true;
}

bool put_set_metrics(struct compiler *compiler,
		     const struct set_definition *set, size_t record)
{
	struct metric_list list = { 0 };
	bool good = add_uses(compiler, &list, set->uses, NULL, NULL) &&
		    put_metrics(compiler, &list, record);

	free(list.metrics);
	return good;
}
