// SPDX-License-Identifier: MIT
/*
 * extend.c - adds the contents of a built-in platform to a definition
 *
 * Tables contain complete definitions, including the text of equations. Therefore a built-in
 * platform is converted back to a definition, and compiled together with the additions. Metrics are
 * converted per set, because sets may define a metric differently.
 */
#include "definitions/load/extend.h"

#include <errno.h>
#include <string.h>

#include "definitions/compiler/compiler.h"
#include "definitions/load/from_table.h"
#include "table/table.h"

struct extension {
	struct definition *definition;
	const struct gpuoa_platform *base;
	/* converts built-in objects; .location is the statement that uses the current one */
	struct from_table from;
	struct name_map metrics; /* maps a symbol to the metric of the definition */
};

#define EXTEND_FAIL(extension, location, ...)                                                  \
	(diagnostic_set((extension)->from.diagnostic, (extension)->definition->file, location, \
			__VA_ARGS__),                                                          \
	 false)

/* built-in objects that sets of the definition use */

static const struct table_metric *find_in(const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);

	return metric ? metric_definition(metric) : NULL;
}

/* Returns whether two metrics have the same value in equations. */
static bool same_value(const struct table_metric *a, const struct table_metric *b)
{
	return a == b || (a->type == b->type &&
			  !strcmp(table_string(&a->equation), table_string(&b->equation)) &&
			  !strcmp(table_string(&a->availability), table_string(&b->availability)));
}

/*
 * Find a metric in the sets of the built-in platform. Returns NULL if no set has it. Sets
 * *ambiguous if sets define it differently.
 */
static const struct table_metric *find_in_sets(const struct extension *extension,
					       const char *symbol, bool *ambiguous)
{
	const struct table_metric *first = NULL;
	size_t count = gpuoa_platform_set_count(extension->base);

	*ambiguous = false;
	for (size_t i = 0; i < count; i++) {
		const struct table_metric *metric =
			find_in(gpuoa_platform_get_set(extension->base, i), symbol);

		if (!first)
			first = metric;
		else if (metric && !same_value(first, metric))
			*ambiguous = true;
	}
	return first;
}

/*
 * Copy a metric that the definition uses but does not have from the built-in platform. If no set of
 * the platform has it, the compiler reports an error.
 */
static bool complete_use(struct extension *extension, struct metric_use *use)
{
	struct attributes attributes;
	bool ambiguous;
	const struct table_metric *metric = find_in_sets(extension, use->symbol, &ambiguous);

	if (!metric)
		return true;
	if (ambiguous && !(use->changes.given & ATTRIBUTE_EQUATION))
		return EXTEND_FAIL(
			extension, use->location,
			"sets of %s have different metrics of the name %s: take after one of them, or give it an equation",
			gpuoa_platform_name(extension->base), use->symbol);
	extension->from.location = use->location;
	if (!from_table_attributes(&extension->from, metric, &attributes))
		return false;
	extension->from.location = extension->definition->location;
	attributes_apply(&attributes, &use->changes);
	use->changes = attributes;
	use->is_whole = true;
	return true;
}

static bool complete_uses(struct extension *extension, struct metric_use *use)
{
	for (; use; use = use->next)
		if (!use->is_bundle && !use->is_whole &&
		    !name_map_find(&extension->metrics, use->symbol) &&
		    !complete_use(extension, use))
			return false;
	return true;
}

/* Use a built-in set as template: copy the properties that the set does not define. */
static bool take_after(struct extension *extension, struct set_definition *set,
		       const struct set_definition *like)
{
	struct register_list **tail;

	if (set->registers && !set->uuid)
		return EXTEND_FAIL(extension, set->location,
				   "set %s has registers of its own: it needs a uuid of its own",
				   set->symbol);
	set->like = like;
	if (!set->uuid) {
		set->uuid = like->uuid;
		set->shares_uuid = true;
	}
	if (!set->name)
		set->name = set->symbol;
	if (!set->unit)
		set->unit = like->unit;
	if (!set->format)
		set->format = like->format;
	if (!set->apis)
		set->apis = like->apis;
	if (!set->availability.root)
		set->availability = like->availability;
	if (!set->remark)
		set->remark = like->remark;
	/* Insert the registers of the template before those of the set. */
	for (tail = (struct register_list **)&like->registers; *tail;)
		tail = &(*tail)->next;
	*tail = set->registers;
	set->registers = like->registers;
	return true;
}

static bool complete_set(struct extension *extension, struct set_definition *set)
{
	const struct gpuoa_set *base;
	struct set_definition *like;

	if (!complete_uses(extension, set->uses))
		return false;
	if (!set->like_builtin)
		return true;
	base = gpuoa_platform_find_set(extension->base, set->like_builtin, NULL, NULL);
	if (!base)
		return EXTEND_FAIL(
			extension, set->like_location,
			"there is no template '%s' before this line, and %s has no such set",
			set->like_builtin, gpuoa_platform_name(extension->base));
	extension->from.location = set->like_location;
	like = from_table_set(&extension->from, base);
	extension->from.location = extension->definition->location;
	return like && take_after(extension, set, like);
}

static bool name_metrics(struct extension *extension)
{
	const struct metric_definition *metric = extension->definition->metrics;

	for (; metric; metric = metric->next)
		if (!name_map_add(&extension->metrics, metric->symbol, metric)) {
			extension->from.no_memory = true;
			return false;
		}
	return true;
}

static bool complete_own(struct extension *extension)
{
	struct bundle_definition *bundle = extension->definition->bundles;
	struct set_definition *template = extension->definition->templates;
	struct set_definition *set = extension->definition->sets;

	for (; bundle; bundle = bundle->next)
		if (!complete_uses(extension, bundle->uses))
			return false;
	for (; template; template = template->next)
		if (!complete_uses(extension, template->uses))
			return false;
	for (; set; set = set->next)
		if (!complete_set(extension, set))
			return false;
	return true;
}

/* Other objects of the built-in platform, which are placed before those of the definition */

static bool add_constants(struct extension *extension)
{
	const struct gpuoa_platform *base = extension->base;
	const struct table_constant *constants = table_follow(&base->constants);
	const struct metric_definition *metric;
	struct constant_definition *own = extension->definition->constants,
				   **tail = &extension->definition->constants;

	for (uint32_t i = 0; i < base->constant_count; i++) {
		const char *name = table_string(&constants[i].name);
		struct constant_definition *other = own, *constant;

		while (other && strcmp(other->name, name))
			other = other->next;
		if (other)
			continue;
		metric = name_map_find(&extension->metrics, name);
		if (metric)
			return EXTEND_FAIL(extension, metric->location,
					   "%s is the name of a constant of %s", name,
					   gpuoa_platform_name(base));
		constant = from_table_alloc(&extension->from, sizeof(*constant));
		if (!constant)
			return false;
		constant->location = extension->from.location;
		constant->name = name;
		constant->description = table_string(&constants[i].description);
		*tail = constant;
		tail = &constant->next;
	}
	*tail = own;
	return true;
}

static bool add_info(struct extension *extension, const struct gpuoa_info *base,
		     struct metric_definition ***tail)
{
	struct metric_definition *info = from_table_alloc(&extension->from, sizeof(*info));

	if (!info)
		return false;
	info->location = extension->from.location;
	info->symbol = table_string(&base->symbol);
	info->attributes = (struct attributes){
		.name = table_string(&base->name),
		.description = table_string(&base->description),
		.units = table_string(&base->units),
		.semantic = base->semantic,
	};
	**tail = info;
	*tail = &info->next;
	return from_table_equation(&extension->from, &base->equation_text,
				   &info->attributes.equation);
}

/*
 * Add the information items of the built-in platform's first set; all its sets have the same items.
 */
static bool add_infos(struct extension *extension)
{
	const struct gpuoa_set *set = gpuoa_platform_get_set(extension->base, 0);
	struct metric_definition *own = extension->definition->infos,
				 **tail = &extension->definition->infos;
	bool good = true;

	for (uint32_t i = 0; set && good && i < set->info_count; i++) {
		const struct gpuoa_info *info = &set_infos(set)[i];
		struct metric_definition *other = own;

		while (other && strcmp(other->symbol, table_string(&info->symbol)))
			other = other->next;
		if (!other)
			good = add_info(extension, info, &tail);
	}
	*tail = own;
	return good;
}

/*
 * True if a set of the definition replaces this built-in set: they have the same symbol and unit,
 * or the same UUID, unless the UUID is marked as shared.
 */
static bool replaces(const struct set_definition *own, const struct gpuoa_set *base)
{
	for (; own; own = own->next)
		if ((!strcmp(own->symbol, table_string(&base->symbol)) &&
		     !strcmp(own->unit, table_string(&base->unit))) ||
		    (!strcmp(own->uuid, table_string(&base->uuid)) && !own->shares_uuid))
			return true;
	return false;
}

/*
 * Returns whether a set is one of the built-in platform. In loaded platforms, these sets come
 * first.
 */
static bool is_inherited(const struct extension *extension, size_t number)
{
	const struct gpuoa_platform *base = extension->base;

	return base == gpuoa_platform_find(gpuoa_platform_name(base)) || number < base->inherited;
}

static bool add_sets(struct extension *extension)
{
	struct set_definition *own = extension->definition->sets,
			      **tail = &extension->definition->sets;
	size_t count = gpuoa_platform_set_count(extension->base);

	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set *base = gpuoa_platform_get_set(extension->base, i);

		if (replaces(own, base))
			continue;
		*tail = from_table_set(&extension->from, base);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
		if (is_inherited(extension, i))
			extension->definition->inherited++;
	}
	*tail = own;
	return true;
}

int definition_extend(struct definition *definition, const struct gpuoa_platform *base,
		      struct arena *arena, struct diagnostic *diagnostic)
{
	const struct source_file source = { .path = gpuoa_platform_name(base) };
	struct extension extension = {
		.definition = definition,
		.base = base,
		.from = { .arena = arena,
			  .source = &source,
			  .location = definition->location,
			  .diagnostic = diagnostic },
	};
	bool good = name_metrics(&extension) && complete_own(&extension) &&
		    add_constants(&extension) && add_infos(&extension) && add_sets(&extension);

	name_map_free(&extension.metrics);
	if (good)
		return 0;
	return extension.from.no_memory ? -ENOMEM : -EINVAL;
}
