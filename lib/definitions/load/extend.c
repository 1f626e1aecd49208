// SPDX-License-Identifier: MIT
/*
 * extend.c - continues the definition of a built-in platform.
 *
 * The tables hold all that a definition says, including the texts of equations: so what is built in
 * becomes a definition again, and is compiled anew together with what is added. Metrics come with
 * the set that has them, not by themselves: sets may define a metric differently.
 */
#include "definitions/load/extend.h"

#include <errno.h>
#include <string.h>

#include "definitions/compiler/compiler.h"
#include "definitions/language/parser.h"
#include "table/table.h"

struct extension {
	struct definition *definition;
	const struct gpuoa_platform *base;
	struct source_file source; /* of the platform's texts */
	struct arena *arena;
	struct diagnostic *diagnostic;
	struct name_map metrics; /* of the definition */
	bool no_memory;
	struct location location; /* of the statement that takes something over */
};

#define EXTEND_FAIL(extension, location, ...)                                             \
	(diagnostic_set((extension)->diagnostic, (extension)->definition->file, location, \
			__VA_ARGS__),                                                     \
	 false)

static void *extension_alloc(struct extension *extension, size_t size)
{
	void *memory = arena_alloc(extension->arena, size);

	if (!memory)
		extension->no_memory = true;
	return memory;
}

/* from tables to definitions */

/* An equation can be wrong only where it is taken over: built-in ones are right where they stand.
 */
static void relocate(struct expression *expression, struct location location)
{
	if (!expression)
		return;
	expression->location = location;
	relocate(expression->left, location);
	relocate(expression->right, location);
}

static bool equation_of(struct extension *extension, const struct table_link *text,
			struct equation *equation)
{
	const char *string = table_string(text);
	struct parser parser = { .arena = extension->arena };

	if (!*string)
		return true;
	lexer_init(&parser.lexer, &extension->source, string, strlen(string),
		   extension->diagnostic);
	if (parse_equation(&parser, equation)) {
		relocate(equation->root, extension->location);
		return true;
	}
	extension->no_memory |= parser.no_memory;
	return false;
}

/* The attributes of a built-in metric, all of them. */
static bool attributes_of(struct extension *extension, const struct table_metric *metric,
			  struct attributes *attributes)
{
	*attributes = (struct attributes){
		.given = ATTRIBUTE_NAME | ATTRIBUTE_DESCRIPTION | ATTRIBUTE_GROUP |
			 ATTRIBUTE_EQUATION | ATTRIBUTE_MAX | ATTRIBUTE_AVAILABILITY |
			 ATTRIBUTE_VALUE | ATTRIBUTE_HW_UNIT | ATTRIBUTE_USAGE | ATTRIBUTE_APIS |
			 (metric->has_watermarks ? ATTRIBUTE_WATERMARKS : 0),
		.name = table_string(&metric->name),
		.description = table_string(&metric->description),
		.group = table_string(&metric->group),
		.type = metric->type,
		.units = table_string(&metric->units),
		.semantic = metric->semantic,
		.hw_unit = table_string(&metric->hw_unit),
		.usage = metric->usage,
		.tier = metric->tier,
		.apis = metric->apis,
		.low = metric->low,
		.high = metric->high,
	};
	return equation_of(extension, &metric->equation, &attributes->equation) &&
	       equation_of(extension, &metric->max, &attributes->max) &&
	       equation_of(extension, &metric->availability, &attributes->availability);
}

static bool uses_of(struct extension *extension, const struct gpuoa_set *base,
		    struct metric_use **tail)
{
	for (uint32_t i = 0; i < base->metric_count; i++) {
		const struct table_metric *metric = metric_definition(&set_metrics(base)[i]);
		struct metric_use *use = extension_alloc(extension, sizeof(*use));

		if (!use || !attributes_of(extension, metric, &use->changes))
			return false;
		use->location = extension->location;
		use->symbol = table_string(&metric->symbol);
		use->is_whole = true;
		*tail = use;
		tail = &use->next;
	}
	return true;
}

static bool registers_of(struct extension *extension, const struct gpuoa_set *base,
			 struct register_list **tail)
{
	const struct table_registers *lists = table_follow(&base->register_lists);

	for (uint32_t i = 0; i < base->register_list_count; i++) {
		const struct gpuoa_reg *registers = table_follow(&lists[i].registers);
		struct register_list *list = extension_alloc(extension, sizeof(*list));

		if (!list || !equation_of(extension, &lists[i].condition_text, &list->condition))
			return false;
		list->location = extension->location;
		list->kind = lists[i].kind;
		list->count = lists[i].count;
		list->registers =
			extension_alloc(extension, list->count * sizeof(*list->registers));
		if (!list->registers)
			return false;
		if (list->count)
			memcpy(list->registers, registers, list->count * sizeof(*registers));
		*tail = list;
		tail = &list->next;
	}
	return true;
}

static struct set_definition *set_of(struct extension *extension, const struct gpuoa_set *base)
{
	struct set_definition *set = extension_alloc(extension, sizeof(*set));

	if (!set || !equation_of(extension, &base->availability_text, &set->availability))
		return NULL;
	set->location = extension->location;
	set->unit = table_string(&base->unit);
	set->symbol = table_string(&base->symbol);
	set->name = table_string(&base->name);
	set->uuid = table_string(&base->uuid);
	set->apis = base->apis;
	set->format = base->format;
	return registers_of(extension, base, &set->registers) &&
			       uses_of(extension, base, &set->uses) ?
		       set :
		       NULL;
}

/* what the definition's own sets take from the platform */

static const struct table_metric *find_in(const struct gpuoa_set *set, const char *symbol)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);

	return metric ? metric_definition(metric) : NULL;
}

/* Do both give the same value to equations that use them? */
static bool same_value(const struct table_metric *a, const struct table_metric *b)
{
	return a == b || (a->type == b->type &&
			  !strcmp(table_string(&a->equation), table_string(&b->equation)) &&
			  !strcmp(table_string(&a->availability), table_string(&b->availability)));
}

/* NULL: no set has it. *ambiguous: sets have different ones. */
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
 * A metric that the definition does not define is the platform's. If no set of the platform has it,
 * the compiler will complain.
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
	extension->location = use->location;
	if (!attributes_of(extension, metric, &attributes))
		return false;
	extension->location = extension->definition->location;
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

/* Use a built-in set as a template: fill in what the set does not say itself. */
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
	/* The template's registers first. */
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
	extension->location = set->like_location;
	like = set_of(extension, base);
	extension->location = extension->definition->location;
	return like && take_after(extension, set, like);
}

static bool name_metrics(struct extension *extension)
{
	const struct metric_definition *metric = extension->definition->metrics;

	for (; metric; metric = metric->next)
		if (!name_map_add(&extension->metrics, metric->symbol, metric)) {
			extension->no_memory = true;
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

/* what the platform has beside: in front of the definition's own */

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
		constant = extension_alloc(extension, sizeof(*constant));
		if (!constant)
			return false;
		constant->location = extension->location;
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
	struct metric_definition *info = extension_alloc(extension, sizeof(*info));

	if (!info)
		return false;
	info->location = extension->location;
	info->symbol = table_string(&base->symbol);
	info->attributes = (struct attributes){
		.name = table_string(&base->name),
		.description = table_string(&base->description),
		.units = table_string(&base->units),
		.semantic = base->semantic,
	};
	**tail = info;
	*tail = &info->next;
	return equation_of(extension, &base->equation_text, &info->attributes.equation);
}

/* All sets of a platform have the same information items: take those of the first one. */
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
 * A set of the same symbol and unit replaces a built-in one, and so does one of the same UUID that
 * does not say so.
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

static bool add_sets(struct extension *extension)
{
	struct set_definition *own = extension->definition->sets,
			      **tail = &extension->definition->sets;
	size_t count = gpuoa_platform_set_count(extension->base);

	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_set *base = gpuoa_platform_get_set(extension->base, i);

		if (replaces(own, base))
			continue;
		*tail = set_of(extension, base);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
	}
	*tail = own;
	return true;
}

int definition_extend(struct definition *definition, const struct gpuoa_platform *base,
		      struct arena *arena, struct diagnostic *diagnostic)
{
	struct extension extension = {
		.definition = definition,
		.base = base,
		.source = { .path = gpuoa_platform_name(base) },
		.location = definition->location,
		.arena = arena,
		.diagnostic = diagnostic,
	};
	bool good = name_metrics(&extension) && complete_own(&extension) &&
		    add_constants(&extension) && add_infos(&extension) && add_sets(&extension);

	name_map_free(&extension.metrics);
	if (good)
		return 0;
	return extension.no_memory ? -ENOMEM : -EINVAL;
}
