// SPDX-License-Identifier: MIT
/* parse.c - compile an equation for an existing set */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "definitions/compiler/emit.h"
#include "definitions/language/infix.h"
#include "gpuoa-equation.h"
#include "metadata/equation_flags.h"
#include "table/table.h"

/* The names that equations of the set can use. */
struct scope {
	struct arena arena;
	struct definition definition;
	struct set_definition set;
	struct constant_numbers constants;
	struct name_map metric_names;
	struct set_metric *metrics;
	struct diagnostic diagnostic;
	struct emitter emitter;
};

static bool name_constants(struct scope *scope, const struct gpuoa_platform *platform)
{
	const struct table_constant *constants = table_follow(&platform->constants);
	const uint32_t count = platform->constant_count;

	scope->constants.all =
		arena_alloc(&scope->arena, (count + 1) * sizeof(struct constant_slot));
	for (uint32_t i = 0; scope->constants.all && i < count; i++) {
		scope->constants.all[i].number = i + 1;
		if (!name_map_add(&scope->constants.slots, table_string(&constants[i].name),
				  &scope->constants.all[i]))
			return false;
	}
	return scope->constants.all;
}

static bool name_metrics(struct scope *scope, const struct gpuoa_set *set)
{
	scope->metrics =
		arena_alloc(&scope->arena, (set->metric_count + 1) * sizeof(*scope->metrics));
	for (uint32_t i = 0; scope->metrics && i < set->metric_count; i++) {
		const struct table_metric *metric = metric_definition(&set_metrics(set)[i]);

		scope->metrics[i].symbol = table_string(&metric->symbol);
		scope->metrics[i].attributes.type = metric->type;
		scope->metrics[i].query_only = metric->query_only;
		if (!name_map_add_number(&scope->metric_names, scope->metrics[i].symbol, i))
			return false;
	}
	return scope->metrics;
}

static bool open_scope(struct scope *scope, const struct gpuoa_set *set)
{
	scope->definition.file = "equation";
	scope->set.symbol = table_string(&set->symbol);
	scope->emitter = (struct emitter){
		.definition = &scope->definition,
		.constants = &scope->constants,
		.set = &scope->set,
		.format = format_get(set->format),
		.metric_count = set->metric_count,
		.metric_names = &scope->metric_names,
		.diagnostic = &scope->diagnostic,
		.self = set->metric_count,
	};
	if (!name_constants(scope, set_platform(set)) || !name_metrics(scope, set))
		return false;
	scope->emitter.metrics = scope->metrics;
	return scope->emitter.format;
}

static void close_scope(struct scope *scope)
{
	name_map_free(&scope->constants.slots);
	name_map_free(&scope->metric_names);
	arena_free(&scope->arena);
}

static int compile(struct scope *scope, const char *text, enum equation_role role)
{
	static const struct source_file source = { .path = "equation" };
	struct parser parser = { .arena = &scope->arena };
	struct equation equation;

	lexer_init(&parser.lexer, &source, text, strlen(text), &scope->diagnostic);
	scope->emitter.role = role;
	if (parse_equation(&parser, &equation) &&
	    (parser.lexer.token.kind == TOKEN_END ||
	     parser_expected(&parser, "an operator or the end of the equation")) &&
	    emit_equation(&scope->emitter, &equation))
		return 0;
	return parser.no_memory ? -ENOMEM : -EINVAL;
}

/* Copy the code to separately allocated memory. */
static int dword_mask(const struct scope *scope, const struct gpuoa_set *set,
		      struct gpuoa_equation *equation)
{
	const size_t words = 1 + scope->emitter.length;
	uint32_t *code = malloc(words * sizeof(*code));

	if (!code)
		return -ENOMEM;
	memcpy(code, scope->emitter.words, words * sizeof(*code));
	*equation = (struct gpuoa_equation){
		.word = code + 1,
		.end = code + words,
		.set = set,
		.code = code,
		.flags = EQUATION_OWNS_CODE,
	};
	return 0;
}

int gpuoa_equation_parse(const struct gpuoa_set *set, const char *text,
			 enum gpuoa_equation_role role, struct gpuoa_equation *equation,
			 char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct scope *scope = calloc(1, sizeof(*scope));
	int err = -ENOMEM;

	if (!scope)
		return complaint_end(&complaint, err);
	if (open_scope(scope, set))
		err = compile(scope, text,
			      role == GPUOA_EQUATION_AVAILABILITY ? ROLE_CONDITION :
			      role == GPUOA_EQUATION_MAX	  ? ROLE_MAX :
								    ROLE_METRIC);
	if (!err)
		err = dword_mask(scope, set, equation);
	if (err)
		diagnostic_complain(&complaint, err, "equation", &scope->diagnostic);
	close_scope(scope);
	free(scope);
	return err;
}
