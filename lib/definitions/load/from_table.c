// SPDX-License-Identifier: MIT
/*
 * from_table.c - converts tables back to definitions, to compile them again
 *
 * Metrics are converted per set, because sets may define a metric differently.
 */
#include "definitions/load/from_table.h"

#include <string.h>

#include "definitions/language/infix.h"

void *from_table_alloc(struct from_table *from, size_t size)
{
	void *memory = arena_alloc(from->arena, size);

	if (!memory)
		from->no_memory = true;
	return memory;
}

/*
 * Errors are reported at the statement that uses the built-in object, because the built-in
 * equations themselves are valid.
 */
static void relocate(struct expression *expression, struct location location)
{
	if (!expression)
		return;
	expression->location = location;
	relocate(expression->left, location);
	relocate(expression->right, location);
}

bool from_table_equation(struct from_table *from, const struct table_link *text,
			 struct equation *equation)
{
	const char *string = table_string(text);
	struct parser parser = { .arena = from->arena };

	if (!*string)
		return true;
	lexer_init(&parser.lexer, from->source, string, strlen(string), from->diagnostic);
	if (parse_equation(&parser, equation)) {
		relocate(equation->root, from->location);
		return true;
	}
	from->no_memory |= parser.no_memory;
	return false;
}

bool from_table_attributes(struct from_table *from, const struct table_metric *metric,
			   struct attributes *attributes)
{
	*attributes = (struct attributes){
		.given = ATTRIBUTES_COMPLETE | (metric->has_watermarks ? ATTRIBUTE_WATERMARKS : 0),
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
		.alias = table_string(&metric->alias),
	};
	return from_table_equation(from, &metric->equation, &attributes->equation) &&
	       from_table_equation(from, &metric->max, &attributes->max) &&
	       from_table_equation(from, &metric->availability, &attributes->availability);
}

static bool uses_of(struct from_table *from, const struct gpuoa_set *base, struct metric_use **tail)
{
	for (uint32_t i = 0; i < base->metric_count; i++) {
		const struct table_metric *metric = metric_definition(&set_metrics(base)[i]);
		struct metric_use *use = from_table_alloc(from, sizeof(*use));

		if (!use || !from_table_attributes(from, metric, &use->changes))
			return false;
		use->location = from->location;
		use->symbol = table_string(&metric->symbol);
		use->is_whole = true;
		*tail = use;
		tail = &use->next;
	}
	return true;
}

static bool registers_of(struct from_table *from, const struct gpuoa_set *base,
			 struct register_list **tail)
{
	const struct table_registers *lists = table_follow(&base->register_lists);

	for (uint32_t i = 0; i < base->register_list_count; i++) {
		const struct gpuoa_reg *registers = table_follow(&lists[i].registers);
		struct register_list *list = from_table_alloc(from, sizeof(*list));

		if (!list || !from_table_equation(from, &lists[i].condition_text, &list->condition))
			return false;
		list->location = from->location;
		list->kind = lists[i].kind;
		list->count = lists[i].count;
		list->registers = from_table_alloc(from, list->count * sizeof(*list->registers));
		if (!list->registers)
			return false;
		if (list->count)
			memcpy(list->registers, registers, list->count * sizeof(*registers));
		*tail = list;
		tail = &list->next;
	}
	return true;
}

struct set_definition *from_table_set(struct from_table *from, const struct gpuoa_set *base)
{
	struct set_definition *set = from_table_alloc(from, sizeof(*set));

	if (!set || !from_table_equation(from, &base->availability_text, &set->availability))
		return NULL;
	set->location = from->location;
	set->unit = table_string(&base->unit);
	set->symbol = table_string(&base->symbol);
	set->name = table_string(&base->name);
	set->remark = table_follow(&base->remark);
	set->uuid = table_string(&base->uuid);
	set->apis = base->apis;
	set->format = base->format;
	return registers_of(from, base, &set->registers) && uses_of(from, base, &set->uses) ? set :
											      NULL;
}
