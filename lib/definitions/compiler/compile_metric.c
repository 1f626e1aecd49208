// SPDX-License-Identifier: MIT
/*
 * compile_metric.c - metrics of a set: expands lists and bundles, and shares equal metrics of sets
 */
#include <stdlib.h>
#include <string.h>

#include "definitions/compiler/compiler.h"

struct metric_list {
	struct set_metric *metrics;
	uint32_t count;
	uint32_t room;
	uint32_t nesting; /* depth of nested bundles */
};

#define BUNDLE_NESTING_MAX 32

static struct set_metric *list_add(struct metric_list *list)
{
	if (list->count == list->room) {
		uint32_t room = list->room ? 2 * list->room : 64;
		struct set_metric *metrics = realloc(list->metrics, room * sizeof(*metrics));

		if (!metrics)
			return NULL;
		list->metrics = metrics;
		list->room = room;
	}
	return &list->metrics[list->count++];
}

static bool add_metric(struct compiler *compiler, struct metric_list *list,
		       const struct metric_use *use, const struct attributes *changes)
{
	const struct metric_definition *definition =
		use->is_whole ? NULL : name_map_find(&compiler->metrics, use->symbol);
	struct set_metric *metric;
	uint32_t known;

	if (!definition && !use->is_whole)
		return COMPILE_FAIL(compiler, use->location, "there is no metric '%s'",
				    use->symbol);
	known = name_map_find_number(&compiler->set_metrics, use->symbol, list->count);
	if (known < list->count)
		return COMPILE_FAIL(compiler, use->location, "the set has %s already, from %s",
				    use->symbol,
				    lexer_place(list->metrics[known].location, use->location).text);
	if (list->count == TABLE_INDEX_MAX)
		return COMPILE_FAIL(compiler, use->location, "a set has %d metrics at most",
				    TABLE_INDEX_MAX);
	if (++compiler->metric_count > PLATFORM_METRICS_MAX)
		return COMPILE_FAIL(compiler, use->location,
				    "all sets of a platform have %d metrics at most",
				    PLATFORM_METRICS_MAX);
	metric = list_add(list);
	if (!metric || !name_map_add_number(&compiler->set_metrics, use->symbol, list->count - 1)) {
		compiler->blob->failed = true;
		return false;
	}
	metric->symbol = use->symbol;
	metric->location = use->location;
	metric->attributes = definition ? definition->attributes : (struct attributes){ 0 };
	attributes_apply(&metric->attributes, &use->changes);
	if (changes)
		attributes_apply(&metric->attributes, changes);
	return true;
}

/* Apply the changes that a set makes to metrics of its lists. */
static bool change_metrics(struct compiler *compiler, struct metric_list *list,
			   const struct metric_use *change)
{
	for (; change; change = change->next) {
		uint32_t number =
			name_map_find_number(&compiler->set_metrics, change->symbol, list->count);

		if (change->is_bundle || number == list->count)
			return COMPILE_FAIL(compiler, change->location,
					    "the set's lists have no metric '%s'", change->symbol);
		attributes_apply(&list->metrics[number].attributes, &change->changes);
	}
	return true;
}

static bool add_uses(struct compiler *compiler, struct metric_list *list,
		     const struct metric_use *use, const struct attributes *changes, uint32_t end);

static bool add_bundle(struct compiler *compiler, struct metric_list *list,
		       const struct metric_use *use, const struct attributes *changes, uint32_t end)
{
	const struct bundle_definition *bundle = name_map_find(&compiler->bundles, use->symbol);
	struct attributes merged = use->changes;
	bool good;

	if (!bundle || bundle->number >= end)
		return COMPILE_FAIL(compiler, use->location,
				    "there is no bundle '%s' before this line", use->symbol);
	if (list->nesting == BUNDLE_NESTING_MAX)
		return COMPILE_FAIL(compiler, use->location, "bundles are nested more than %d deep",
				    BUNDLE_NESTING_MAX);
	if (changes)
		attributes_apply(&merged, changes);
	list->nesting++;
	good = add_uses(compiler, list, bundle->uses, &merged, bundle->number);
	list->nesting--;
	return good;
}

/*
 * Add the metrics of a list, and of the bundles in it. The recursion terminates because a bundle
 * contains only bundles with lower numbers. @end: number of the bundle to which the list belongs
 */
static bool add_uses(struct compiler *compiler, struct metric_list *list,
		     const struct metric_use *use, const struct attributes *changes, uint32_t end)
{
	for (; use; use = use->next)
		if (use->is_bundle ? !add_bundle(compiler, list, use, changes, end) :
				     !add_metric(compiler, list, use, changes))
			return false;
	return true;
}

/* Add the metrics of a set after those of its template. TEMPLATES_MAX limits the recursion. */
static bool add_set_metrics(struct compiler *compiler, struct metric_list *list,
			    const struct set_definition *set)
{
	if (set->like && !add_set_metrics(compiler, list, set->like))
		return false;
	return add_uses(compiler, list, set->uses, NULL, UINT32_MAX) &&
	       change_metrics(compiler, list, set->changes);
}

/*
 * Attributes that identify a metric: metrics with equal keys share one struct table_metric. Strings
 * are stored as offsets, which are equal for equal strings.
 */
struct metric_key {
	uint64_t strings[10];
	double low, high;
	uint32_t apis, usage, type, semantic, tier, query_only, has_watermarks, reserved;
};

static void fill_metric(struct compiler *compiler, size_t record, const struct metric_key *key)
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
	LINK(blob, record, struct table_metric, alias, key->strings[9]);
}

/* Allocate space for the offset of the record of key @number. */
static bool grow_pool(struct metric_pool *pool, size_t number)
{
	const size_t room = 2 * number + 256;
	size_t *records = realloc(pool->records, room * sizeof(*records));

	if (!records)
		return false;
	pool->records = records;
	pool->room = room;
	return true;
}

/* Return the offset of a metric's struct table_metric, shared with equal metrics. */
static size_t put_metric_definition(struct compiler *compiler, const struct set_metric *metric)
{
	const struct attributes *a = &metric->attributes;
	struct blob *blob = compiler->blob;
	struct metric_key key = {
		.strings = { blob_string(blob, metric->symbol), blob_string(blob, a->name),
			     blob_string(blob, a->description), blob_string(blob, a->group),
			     blob_string(blob, a->units), blob_string(blob, a->hw_unit),
			     blob_string(blob, a->equation.text), blob_string(blob, a->max.text),
			     blob_string(blob, a->availability.text), blob_string(blob, a->alias) },
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
	struct metric_pool *pool = compiler->metric_pool;
	size_t before = pool->keys.size;
	size_t number = blob_pool(&pool->keys, &key, sizeof(key), _Alignof(struct metric_key)) /
			sizeof(key);

	if (pool->keys.failed || (number >= pool->room && !grow_pool(pool, number))) {
		blob->failed = true;
		return 0;
	}
	if (pool->keys.size == before)
		return pool->records[number];
	pool->records[number] =
		blob_reserve(blob, sizeof(struct table_metric), _Alignof(struct table_metric));
	fill_metric(compiler, pool->records[number], &key);
	return pool->records[number];
}

static bool put_metric(struct compiler *compiler, const struct set_metric *metric, size_t set,
		       size_t record)
{
	const struct attributes *a = &metric->attributes;
	struct emitter *emitter = &compiler->emitter;

	emitter->query_only = metric->query_only;
	LINK(compiler->blob, record, struct gpuoa_metric, set, set);
	LINK(compiler->blob, record, struct gpuoa_metric, definition,
	     put_metric_definition(compiler, metric));
	return compile_equation(compiler, &a->equation, ROLE_METRIC,
				record + offsetof(struct gpuoa_metric, equation)) &&
	       compile_equation(compiler, &a->max, ROLE_MAX,
				record + offsetof(struct gpuoa_metric, max)) &&
	       compile_equation(compiler, &a->availability, ROLE_CONDITION,
				record + offsetof(struct gpuoa_metric, availability));
}

static size_t put_metric_index(struct blob *blob, const struct metric_list *list)
{
	const char **names = malloc(list->count * sizeof(*names));
	size_t index;

	if (!names) {
		blob->failed = true;
		return 0;
	}
	for (uint32_t i = 0; i < list->count; i++)
		names[i] = list->metrics[i].symbol;
	index = compile_index(blob, names, list->count);
	free(names);
	return index;
}

static bool put_metrics(struct compiler *compiler, const struct metric_list *list, size_t set)
{
	struct blob *blob = compiler->blob;
	size_t metrics = blob_reserve(blob, list->count * sizeof(struct gpuoa_metric),
				      _Alignof(struct gpuoa_metric));
	struct gpuoa_set *record = blob_at(blob, set);

	if (!record)
		return false;
	record->metric_count = list->count;
	compiler->emitter.metrics = list->metrics;
	compiler->emitter.metric_count = list->count;
	compiler->emitter.metric_names = &compiler->set_metrics;
	LINK(blob, set, struct gpuoa_set, metrics, metrics);
	LINK(blob, set, struct gpuoa_set, metric_symbols, put_metric_index(blob, list));
	for (uint32_t i = 0; i < list->count; i++) {
		compiler->emitter.self = i;
		if (!put_metric(compiler, &list->metrics[i], set,
				metrics + i * sizeof(struct gpuoa_metric)))
			return false;
	}
	return true;
}

bool compile_set_metrics(struct compiler *compiler, const struct set_definition *set, size_t record)
{
	struct metric_list list = { 0 };
	bool good;

	name_map_clear(&compiler->set_metrics);
	good = add_set_metrics(compiler, &list, set);
	for (uint32_t i = 0; good && i < list.count; i++)
		list.metrics[i].query_only =
			emit_uses_query_mode(&list.metrics[i].attributes.availability);
	good = good && compile_order(compiler, list.metrics, list.count) &&
	       put_metrics(compiler, &list, record);
	free(list.metrics);
	return good;
}
