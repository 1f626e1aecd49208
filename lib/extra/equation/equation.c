// SPDX-License-Identifier: MIT
/* equation.c - single equations: parsing, evaluation, deltas of counters */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "base/complaint.h"
#include "definitions/compiler/emit.h"
#include "definitions/language/infix.h"
#include "gpuoa-equation.h"
#include "metadata/equation_flags.h"
#include "metadata/evaluate.h"
#include "report/format.h"
#include "table/table.h"
#include "table/words.h"

const char *gpuoa_element_kind_name(enum gpuoa_element_kind kind)
{
	return word_of(WORD_ELEMENT, kind);
}

const char *gpuoa_operation_name(enum gpuoa_operation operation)
{
	return word_of(WORD_OPERATION, operation);
}

#define BITS_MAX 64

static int parse_bits(const char *text, uint32_t *bits)
{
	uint32_t value = 0;

	text += strspn(text, " ");
	if (!*text)
		return -EINVAL;
	for (; is_digit(*text) && value <= BITS_MAX; text++)
		value = value * 10 + (uint32_t)(*text - '0');
	if (*text || !value || value > BITS_MAX)
		return -EINVAL;
	*bits = value;
	return 0;
}

int gpuoa_delta_parse(const char *text, uint32_t timestamp_bits, struct gpuoa_delta *delta)
{
	static const struct {
		const char *word;
		enum gpuoa_delta_kind kind;
	} words[] = {
		{ "", GPUOA_DELTA_NONE },     { "OR", GPUOA_DELTA_OR },
		{ "XOR", GPUOA_DELTA_XOR },   { "PREV", GPUOA_DELTA_PREVIOUS },
		{ "LAST", GPUOA_DELTA_LAST }, { "NS_TIME", GPUOA_DELTA_TIME },
	};
	static const char bits[] = "DELTA";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i].word) != 0)
			continue;
		delta->kind = words[i].kind;
		delta->bits = words[i].kind == GPUOA_DELTA_TIME ? timestamp_bits : 0;
		return 0;
	}
	if (strncmp(text, bits, strlen(bits)) != 0 || parse_bits(text + strlen(bits), &delta->bits))
		return -EINVAL;
	delta->kind = GPUOA_DELTA_BITS;
	return 0;
}

uint64_t gpuoa_delta_value(struct gpuoa_delta delta, uint64_t previous, uint64_t last)
{
	switch (delta.kind) {
	case GPUOA_DELTA_BITS:
	case GPUOA_DELTA_TIME:
		if (!delta.bits || delta.bits > BITS_MAX)
			return 0;
		return (last - previous) & (UINT64_MAX >> (BITS_MAX - delta.bits));
	case GPUOA_DELTA_OR:
		return (last | previous) != 0;
	case GPUOA_DELTA_XOR:
		return last != previous;
	case GPUOA_DELTA_PREVIOUS:
		return previous;
	case GPUOA_DELTA_LAST:
		return last;
	default:
		return 0;
	}
}

/* Definitions of the names that equations of a set can use */
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

	scope->constants.all = arena_alloc(&scope->arena, count * sizeof(struct constant_slot));
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
	scope->metrics = arena_alloc(&scope->arena, set->metric_count * sizeof(*scope->metrics));
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

/* Copy the compiled equation to separately allocated memory. */
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

/* An equation that is being evaluated, and what it needs */
struct valuation {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	bool *needed; /* for each metric of the set: whether the equation needs its value */
	bool needs_reports;
	bool lacks; /* a constant has no value */
	bool needs_query; /* the equation uses counters that only queries have */
};

/* Record the operands that an equation uses. */
static void look_at(struct valuation *valuation, const uint32_t *code)
{
	const uint32_t *end = code + 1 + code_length(code);

	valuation->lacks |= evaluate_lacks_constants(code, valuation->constants, NULL);
	for (const uint32_t *word = code + 1; word < end; word += code_words(code_op(*word))) {
		switch (code_op(*word)) {
		case CODE_COUNTER:
			valuation->needs_query |= code_argument(*word) / BANK_SIZE == BANK_PERFCNT;
			valuation->needs_reports = true;
			break;
		case CODE_TIMESTAMP:
		case CODE_CLOCK:
		case CODE_REPORT_ID:
		case CODE_CONTEXT_ID:
			valuation->needs_reports = true;
			break;
		case CODE_METRIC:
		case CODE_METRIC_REAL:
			valuation->needed[code_argument(*word)] = true;
			break;
		default:
			break;
		}
	}
}

/*
 * Record the operands of needed metrics, from the last metric to the first, because a metric
 * depends only on preceding ones.
 */
static void look_at_metrics(struct valuation *valuation)
{
	for (uint32_t i = valuation->set->metric_count; i--;) {
		const struct gpuoa_metric *metric = &set_metrics(valuation->set)[i];
		const uint32_t *condition = table_follow(&metric->availability);
		const uint32_t *code = table_follow(&metric->equation);

		if (!valuation->needed[i] || !code)
			continue;
		look_at(valuation, code);
		if (condition)
			look_at(valuation, condition);
	}
}

static uint64_t difference(struct report_field field, const void *first, const void *last)
{
	const struct gpuoa_delta delta = { .kind = GPUOA_DELTA_BITS, .bits = field.bits };

	return gpuoa_delta_value(delta, report_read(first, field), report_read(last, field));
}

/* Read the differences of two reports; for information items, the values of the later report. */
static void read_reports(const struct report_format *format, const void *first, const void *last,
			 bool of_info, uint64_t *counters, struct evaluation *evaluation)
{
	for (uint32_t i = 0; i < COUNTER_COUNT; i++)
		counters[i] = difference(format_counter(format, i), first, last);
	evaluation->timestamp = of_info ? report_read(last, format->timestamp) :
					  difference(format->timestamp, first, last);
	evaluation->clock = of_info ? report_read(last, format->clock) :
				      difference(format->clock, first, last);
	evaluation->report_id = report_read(last, format->report_id);
	evaluation->context_id = report_read(last, format->context);
	evaluation->counters = counters;
}

static void evaluate_metrics(const struct valuation *valuation, const struct evaluation *evaluation,
			     union number *metrics)
{
	for (uint32_t i = 0; i < valuation->set->metric_count; i++) {
		const struct gpuoa_metric *metric = &set_metrics(valuation->set)[i];
		const uint32_t *condition = table_follow(&metric->availability);
		const uint32_t *code = table_follow(&metric->equation);

		if (!valuation->needed[i] || !code ||
		    (condition && evaluate_condition(condition, valuation->constants) <= 0))
			continue;
		metrics[i] = evaluate(code, evaluation, metric_definition(metric)->type);
	}
}

static struct gpuoa_typed_value value_of(const uint32_t *code, const struct evaluation *evaluation)
{
	struct gpuoa_typed_value value = {
		.type = code_is_real(code) ? GPUOA_TYPE_FLOAT : GPUOA_TYPE_UINT64,
	};
	const union number number = evaluate(code, evaluation, value.type);

	if (value.type == GPUOA_TYPE_FLOAT)
		value.value.f32 = real_to_float(number.real);
	else
		value.value.u64 = number.integer;
	return value;
}

static int check(const struct valuation *valuation, const struct report_format *format,
		 const void *first, const void *last)
{
	if (valuation->needs_query || (valuation->needs_reports && !format))
		return -EOPNOTSUPP;
	if (valuation->needs_reports && (!first || !last))
		return -EFAULT;
	return valuation->lacks ? -ENODATA : 0;
}

int gpuoa_equation_evaluate(const struct gpuoa_equation *equation,
			    const struct gpuoa_constants *constants, const void *first,
			    const void *last, struct gpuoa_typed_value *value)
{
	const struct gpuoa_set *set = equation->set;
	const struct report_format *format = format_get(set->format);
	struct valuation valuation = { .set = set, .constants = constants };
	struct evaluation evaluation = { .constants = constants };
	uint64_t counters[COUNTER_COUNT];
	union number *metrics;
	int err = -ENOMEM;

	if (!equation->code)
		return -ENOENT;
	if (equation->word != equation->code + 1)
		return -EALREADY;
	if (!constants_fit(constants, set_platform(set)))
		return -EINVAL;
	valuation.needed = calloc(set->metric_count + 1, sizeof(*valuation.needed));
	metrics = calloc(set->metric_count + 1, sizeof(*metrics));
	if (valuation.needed && metrics) {
		look_at(&valuation, equation->code);
		look_at_metrics(&valuation);
		err = check(&valuation, format, first, last);
	}
	if (!err) {
		if (valuation.needs_reports)
			read_reports(format, first, last, equation->flags & EQUATION_OF_INFO,
				     counters, &evaluation);
		evaluation.metrics = metrics;
		evaluate_metrics(&valuation, &evaluation, metrics);
		*value = value_of(equation->code, &evaluation);
	}
	free(valuation.needed);
	free(metrics);
	return err;
}

void gpuoa_equation_free(struct gpuoa_equation *equation)
{
	if (!equation)
		return;
	if (equation->flags & EQUATION_OWNS_CODE)
		free((void *)equation->code);
	*equation = (struct gpuoa_equation){ .set = equation->set };
}
