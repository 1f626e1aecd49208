// SPDX-License-Identifier: MIT
/* compile.c - definitions to tables: resolves names across a file and lays the records out. */
#include "compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "lexer.h"
#include "table.h"

struct compiler {
	const struct definition *definition;
	struct blob *blob;
	struct blob
		metric_keys; /* struct metric_key of every struct table_metric, pooled */
	size_t *metric_records; /* its offset, by position of the key */
	struct diagnostic *diagnostic;
	size_t platform; /* offset of the record */
	size_t infos;
	uint32_t info_count;
	struct emitter emitter;
};

#define FAIL(compiler, location, ...)                                         \
	(diagnostic_set((compiler)->diagnostic, (compiler)->definition->file, \
			location, __VA_ARGS__),                               \
	 false)

#define LINK(blob, record, type, member, target) \
	blob_link(blob, (record) + offsetof(type, member), target)

#define PLATFORM_RECORD(compiler, member, target)                           \
	LINK((compiler)->blob, (compiler)->platform, struct gpuoa_platform, \
	     member, target)

/* ---- indices ------------------------------------------------------------------------------------- */

#define INDEX_MAX 32767

/* A struct table_index of @count names. Returns its offset. */
static size_t put_index(struct blob *blob, const char *const *names,
			uint32_t count)
{
	uint32_t slots = 2;
	struct table_index *index;
	size_t offset;

	while (slots <= 2 * count)
		slots *= 2;
	offset = blob_reserve(blob,
			      sizeof(*index) + slots * sizeof(index->slots[0]),
			      _Alignof(uint32_t));
	index = blob_at(blob, offset);
	if (!index)
		return 0;
	index->mask = slots - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = table_hash(names[i]) & index->mask;

		while (index->slots[slot])
			slot = (slot + 1) & index->mask;
		index->slots[slot] = i + 1;
	}
	return offset;
}

/* ---- equations ----------------------------------------------------------------------------------- */

/* Compile an equation for the link at @link. */
static bool put_equation(struct compiler *compiler,
			 const struct equation *equation,
			 enum equation_role role, size_t link)
{
	struct emitter *emitter = &compiler->emitter;

	if (!equation->root)
		return true;
	emitter->role = role;
	if (!emit_equation(emitter, equation))
		return false;
	blob_link(compiler->blob, link,
		  blob_pool(compiler->blob, emitter->words,
			    (1 + emitter->length) * sizeof(uint32_t),
			    _Alignof(uint32_t)));
	return true;
}

/* ---- metrics of a set ---------------------------------------------------------------------------- */

static const struct metric_definition *
find_metric(const struct definition *definition, const char *symbol)
{
	const struct metric_definition *metric = definition->metrics;

	while (metric && strcmp(metric->symbol, symbol))
		metric = metric->next;
	return metric;
}

/* A bundle that was defined before @end: so bundles cannot contain themselves. */
static const struct bundle_definition *
find_bundle(const struct definition *definition, const char *name,
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

/* ---- sets ---------------------------------------------------------------------------------------- */

static bool put_registers(struct compiler *compiler,
			  const struct set_definition *set, size_t set_record)
{
	struct blob *blob = compiler->blob;
	const struct register_list *list;
	struct gpuoa_set *record;
	uint32_t count = 0;
	size_t lists;

	for (list = set->registers; list; list = list->next)
		count++;
	if (!count)
		return true;
	lists = blob_reserve(blob, count * sizeof(struct table_registers),
			     _Alignof(struct table_registers));
	record = blob_at(blob, set_record);
	if (!record)
		return false;
	record->register_list_count = count;
	LINK(blob, set_record, struct gpuoa_set, register_lists, lists);

	compiler->emitter.query_only = false;
	for (list = set->registers; list;
	     list = list->next, lists += sizeof(struct table_registers)) {
		struct table_registers *registers = blob_at(blob, lists);

		if (equation_uses_query_mode(&list->condition))
			return FAIL(
				compiler, list->condition.root->location,
				"registers are written for queries and streams alike");
		registers->kind = list->kind;
		registers->count = list->count;
		if (list->count)
			LINK(blob, lists, struct table_registers, registers,
			     blob_pool(blob, list->registers,
				       list->count * sizeof(struct gpuoa_reg),
				       _Alignof(struct gpuoa_reg)));
		if (!put_equation(compiler, &list->condition, ROLE_CONDITION,
				  lists + offsetof(struct table_registers,
						   condition)) ||
		    blob->failed)
			return false;
	}
	return true;
}

static bool check_set(struct compiler *compiler,
		      const struct set_definition *set)
{
	const struct set_definition *other = compiler->definition->sets;

	for (; other != set; other = other->next) {
		if (!strcmp(other->symbol, set->symbol))
			return FAIL(compiler, set->location,
				    "set %s is there already, in line %u",
				    set->symbol, other->location.line);
		if (!strcmp(other->uuid, set->uuid))
			return FAIL(compiler, set->location,
				    "set %s has the same uuid as set %s",
				    set->symbol, other->symbol);
	}
	return true;
}

static bool put_set(struct compiler *compiler, const struct set_definition *set,
		    size_t record)
{
	struct blob *blob = compiler->blob;
	struct metric_list list = { 0 };
	struct gpuoa_set *fixed = blob_at(blob, record);
	bool good;

	if (!fixed || !check_set(compiler, set))
		return false;
	fixed->apis = set->apis;
	fixed->format = set->format;
	fixed->info_count = compiler->info_count;
	LINK(blob, record, struct gpuoa_set, platform, compiler->platform);
	LINK(blob, record, struct gpuoa_set, symbol,
	     blob_string(blob, set->symbol));
	LINK(blob, record, struct gpuoa_set, name,
	     blob_string(blob, set->name));
	LINK(blob, record, struct gpuoa_set, uuid,
	     blob_string(blob, set->uuid));
	LINK(blob, record, struct gpuoa_set, infos, compiler->infos);

	compiler->emitter.set = set;
	compiler->emitter.format = format_get(set->format);
	good = add_uses(compiler, &list, set->uses, NULL, NULL) &&
	       put_metrics(compiler, &list, record) &&
	       put_registers(compiler, set, record);
	free(list.metrics);
	return good;
}

static bool put_set_indices(struct compiler *compiler, uint32_t count)
{
	const char **names = malloc((count + 1) * sizeof(*names));
	const struct set_definition *set;
	uint32_t i;

	if (!names) {
		compiler->blob->failed = true;
		return false;
	}
	for (i = 0, set = compiler->definition->sets; set; set = set->next)
		names[i++] = set->symbol;
	PLATFORM_RECORD(compiler, set_symbols,
			put_index(compiler->blob, names, count));
	for (i = 0, set = compiler->definition->sets; set; set = set->next)
		names[i++] = set->uuid;
	PLATFORM_RECORD(compiler, set_uuids,
			put_index(compiler->blob, names, count));
	free(names);
	return true;
}

static bool put_sets(struct compiler *compiler)
{
	struct blob *blob = compiler->blob;
	const struct set_definition *set;
	struct gpuoa_platform *platform;
	uint32_t count = 0;
	size_t sets;

	for (set = compiler->definition->sets; set; set = set->next)
		if (++count > INDEX_MAX)
			return FAIL(compiler, set->location,
				    "a platform has %d sets at most",
				    INDEX_MAX);
	sets = blob_reserve(blob, count * sizeof(struct gpuoa_set),
			    _Alignof(struct gpuoa_set));
	platform = blob_at(blob, compiler->platform);
	if (!platform)
		return false;
	platform->set_count = count;
	PLATFORM_RECORD(compiler, sets, count ? sets : 0);
	for (set = compiler->definition->sets; set;
	     set = set->next, sets += sizeof(struct gpuoa_set))
		if (!put_set(compiler, set, sets))
			return false;
	return put_set_indices(compiler, count);
}

/* ---- constants, information items ---------------------------------------------------------------- */

static bool put_constants(struct compiler *compiler)
{
	struct blob *blob = compiler->blob;
	const struct constant_definition *constant, *other;
	struct gpuoa_platform *platform;
	uint32_t count = 0;
	size_t record;

	for (constant = compiler->definition->constants; constant;
	     constant = constant->next, count++)
		for (other = compiler->definition->constants; other != constant;
		     other = other->next)
			if (!strcmp(other->name, constant->name))
				return FAIL(compiler, constant->location,
					    "%s is there already, in line %u",
					    constant->name,
					    other->location.line);
	record = blob_reserve(blob, count * sizeof(struct table_constant),
			      _Alignof(struct table_constant));
	platform = blob_at(blob, compiler->platform);
	if (!platform)
		return false;
	platform->constant_count = count;
	PLATFORM_RECORD(compiler, constants, count ? record : 0);
	constant = compiler->definition->constants;
	for (; constant; constant = constant->next,
			 record += sizeof(struct table_constant)) {
		LINK(blob, record, struct table_constant, name,
		     blob_string(blob, constant->name));
		LINK(blob, record, struct table_constant, description,
		     blob_string(blob, constant->description));
	}
	return true;
}

static bool put_info(struct compiler *compiler,
		     const struct metric_definition *definition, size_t record)
{
	const struct attributes *a = &definition->attributes;
	struct blob *blob = compiler->blob;
	struct gpuoa_info *info = blob_at(blob, record);

	if (!info)
		return false;
	if (a->type != GPUOA_UINT64)
		return FAIL(compiler, definition->location,
			    "information items are uint64");
	info->semantic = a->semantic;
	LINK(blob, record, struct gpuoa_info, symbol,
	     blob_string(blob, definition->symbol));
	LINK(blob, record, struct gpuoa_info, name, blob_string(blob, a->name));
	LINK(blob, record, struct gpuoa_info, description,
	     blob_string(blob, a->description));
	LINK(blob, record, struct gpuoa_info, units,
	     blob_string(blob, a->units));
	return put_equation(compiler, &a->equation, ROLE_INFO,
			    record + offsetof(struct gpuoa_info, equation));
}

static bool put_infos(struct compiler *compiler)
{
	struct blob *blob = compiler->blob;
	const struct metric_definition *info, *other;
	size_t record;

	for (info = compiler->definition->infos; info;
	     info = info->next, compiler->info_count++)
		for (other = compiler->definition->infos; other != info;
		     other = other->next)
			if (!strcmp(other->symbol, info->symbol))
				return FAIL(compiler, info->location,
					    "%s is there already, in line %u",
					    info->symbol, other->location.line);
	if (!compiler->info_count)
		return true;
	record = compiler->infos = blob_reserve(
		blob, compiler->info_count * sizeof(struct gpuoa_info),
		_Alignof(struct gpuoa_info));
	for (info = compiler->definition->infos; info;
	     info = info->next, record += sizeof(struct gpuoa_info))
		if (!put_info(compiler, info, record))
			return false;
	return true;
}

/* ---- platforms ----------------------------------------------------------------------------------- */

static bool check_names(struct compiler *compiler)
{
	const struct definition *definition = compiler->definition;
	const struct constant_definition *constant;
	const struct bundle_definition *bundle;
	const struct metric_definition *metric;

	for (metric = definition->metrics; metric; metric = metric->next) {
		const struct metric_definition *first =
			find_metric(definition, metric->symbol);

		if (first != metric)
			return FAIL(compiler, metric->location,
				    "%s is there already, in line %u",
				    metric->symbol, first->location.line);
		for (constant = definition->constants; constant;
		     constant = constant->next)
			if (!strcmp(constant->name, metric->symbol))
				return FAIL(
					compiler, metric->location,
					"%s is the name of a constant, in line %u",
					metric->symbol,
					constant->location.line);
	}
	for (bundle = definition->bundles; bundle; bundle = bundle->next)
		if (find_bundle(definition, bundle->name, bundle))
			return FAIL(compiler, bundle->location,
				    "there is a bundle %s already",
				    bundle->name);
	return true;
}

static bool put_platform(struct compiler *compiler)
{
	const struct definition *definition = compiler->definition;

	PLATFORM_RECORD(compiler, name,
			blob_string(compiler->blob, definition->name));
	PLATFORM_RECORD(compiler, title,
			blob_string(compiler->blob, definition->title));
	compiler->emitter.definition = definition;
	compiler->emitter.diagnostic = compiler->diagnostic;
	return check_names(compiler) && put_constants(compiler) &&
	       put_infos(compiler) && put_sets(compiler);
}

static bool check_platforms(const struct definition *const *definitions,
			    size_t count, struct diagnostic *diagnostic)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (!strcmp(definitions[i]->name,
				    definitions[j]->name)) {
				diagnostic_set(diagnostic, definitions[i]->file,
					       (struct location){ 1, 1 },
					       "platform %s is in %s already",
					       definitions[i]->name,
					       definitions[j]->file);
				return false;
			}
		}
	}
	return true;
}

int definition_compile(const struct definition *const *definitions,
		       size_t count, struct blob *blob,
		       struct diagnostic *diagnostic)
{
	size_t root = blob_reserve(blob, sizeof(struct table_root), 8);
	size_t platforms = blob_reserve(blob,
					count * sizeof(struct gpuoa_platform),
					_Alignof(struct gpuoa_platform));
	bool good = check_platforms(definitions, count, diagnostic);
	struct table_root *head;

	LINK(blob, root, struct table_root, platforms, count ? platforms : 0);
	for (size_t i = 0; good && i < count; i++) {
		struct compiler compiler = {
			.definition = definitions[i],
			.blob = blob,
			.diagnostic = diagnostic,
			.platform =
				platforms + i * sizeof(struct gpuoa_platform),
		};

		good = put_platform(&compiler);
		blob_free(&compiler.metric_keys);
		free(compiler.metric_records);
	}
	blob_reserve(blob, 0, 8);
	head = blob_at(blob, root);
	if (!head)
		return -ENOMEM;
	if (!good)
		return -EINVAL;
	*head = (struct table_root){
		.magic = TABLE_MAGIC,
		.version = TABLE_VERSION,
		.size = blob->size,
		.platform_count = count,
		.platforms = head->platforms,
	};
	return 0;
}
