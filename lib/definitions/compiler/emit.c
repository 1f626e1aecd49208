// SPDX-License-Identifier: MIT
/* emit.c - compiles one equation to code: resolves names and determines types */
#include "definitions/compiler/emit.h"

#include "definitions/language/lexer.h"

enum kind {
	KIND_ERROR,
	KIND_INTEGER,
	KIND_REAL,
};

static enum kind emit(struct emitter *emitter, const struct expression *expression);

#define EMIT_FAIL(emitter, expression, ...)                                 \
	(diagnostic_set((emitter)->diagnostic, (emitter)->definition->file, \
			(expression)->location, __VA_ARGS__),               \
	 KIND_ERROR)

static bool put_words(struct emitter *emitter, const struct expression *expression,
		      const uint32_t *words, uint32_t count)
{
	if (emitter->length + count > CODE_WORDS_MAX)
		return EMIT_FAIL(emitter, expression, "this equation is too long");
	for (uint32_t i = 0; i < count; i++)
		emitter->words[1 + emitter->length++] = words[i];
	return true;
}

static enum kind put_operand(struct emitter *emitter, const struct expression *expression,
			     enum code_op op, uint32_t argument)
{
	uint32_t word = code_word(op, argument);

	if (++emitter->depth > CODE_DEPTH_MAX)
		return EMIT_FAIL(emitter, expression,
				 "this equation needs more than %d intermediate values",
				 CODE_DEPTH_MAX);
	if (emitter->depth > emitter->depth_max)
		emitter->depth_max = emitter->depth;
	if (!put_words(emitter, expression, &word, 1))
		return KIND_ERROR;
	return op == CODE_METRIC_REAL || op == CODE_REAL ? KIND_REAL : KIND_INTEGER;
}

static enum kind put_literal(struct emitter *emitter, const struct expression *expression,
			     enum code_op op, uint64_t literal)
{
	uint32_t words[] = { (uint32_t)literal, literal >> 32 };
	enum kind kind = put_operand(emitter, expression, op, 0);

	if (kind && !put_words(emitter, expression, words, 2))
		return KIND_ERROR;
	return kind;
}

static bool put_op(struct emitter *emitter, const struct expression *expression, enum code_op op)
{
	uint32_t word = code_word(op, 0);

	return put_words(emitter, expression, &word, 1);
}

static enum kind emit_integer(struct emitter *emitter, const struct expression *expression)
{
	if (expression->integer <= CODE_ARGUMENT_MAX)
		return put_operand(emitter, expression, CODE_INTEGER, expression->integer);
	return put_literal(emitter, expression, CODE_INTEGER_64, expression->integer);
}

static enum kind emit_real(struct emitter *emitter, const struct expression *expression)
{
	uint64_t bits;

	memcpy(&bits, &expression->real, sizeof(bits));
	return put_literal(emitter, expression, CODE_REAL, bits);
}

static enum kind emit_counter(struct emitter *emitter, const struct expression *expression)
{
	uint32_t counter = expression->integer;

	if (emitter->role == ROLE_CONDITION || emitter->role == ROLE_INFO)
		return EMIT_FAIL(emitter, expression, "counters are for metrics, not for %s",
				 emitter->role == ROLE_INFO ? "information items" : "conditions");
	if (counter / BANK_SIZE == BANK_PERFCNT) {
		if (!emitter->query_only)
			return EMIT_FAIL(
				emitter, expression,
				"%s exists in queries only: this metric needs 'if QueryMode'",
				expression->name);
	} else if (!format_counter(emitter->format, counter).bits) {
		return EMIT_FAIL(emitter, expression, "format %s of set %s has no counter %s",
				 emitter->format->name, emitter->set->symbol, expression->name);
	}
	return put_operand(emitter, expression, CODE_COUNTER, counter);
}

static enum kind emit_source(struct emitter *emitter, const struct expression *expression)
{
	bool good;

	switch (expression->op) {
	case CODE_TIMESTAMP:
		good = emitter->role != ROLE_CONDITION;
		break;
	case CODE_CLOCK:
		good = emitter->role != ROLE_CONDITION;
		if (good && emitter->format && !emitter->format->clock.bits)
			return EMIT_FAIL(emitter, expression, "reports of format %s have no clock",
					 emitter->format->name);
		break;
	case CODE_REPORT_ID:
	case CODE_CONTEXT_ID:
		good = emitter->role == ROLE_INFO;
		break;
	default:
		good = emitter->role == ROLE_CONDITION;
		break;
	}
	if (!good)
		return EMIT_FAIL(emitter, expression, "%s can't be used here", expression->name);
	return put_operand(emitter, expression, expression->op, 0);
}

static enum kind emit_metric(struct emitter *emitter, const struct expression *expression,
			     uint32_t number)
{
	const struct set_metric *metric = &emitter->metrics[number];

	if (metric->query_only && !emitter->query_only)
		return EMIT_FAIL(emitter, expression,
				 "%s exists in queries only: this metric needs 'if QueryMode'",
				 expression->name);
	return put_operand(emitter, expression,
			   metric->attributes.type == GPUOA_TYPE_FLOAT ? CODE_METRIC_REAL :
									 CODE_METRIC,
			   number);
}

/* Return the number of a constant. Constants are numbered in the order of their first use. */
static uint32_t constant_number(struct constant_numbers *constants,
				const struct constant_slot *constant)
{
	struct constant_slot *slot = &constants->all[constant - constants->all];

	if (!slot->number) {
		constants->used[constants->count] = slot->definition;
		slot->number = ++constants->count;
	}
	return slot->number - 1;
}

static enum kind emit_name(struct emitter *emitter, const struct expression *expression)
{
	uint32_t visible = emitter->role == ROLE_METRIC ? emitter->self :
			   emitter->role == ROLE_MAX	? emitter->metric_count :
							  0;
	const struct constant_slot *constant;
	uint32_t number = visible;

	if (visible)
		number = name_map_find_number(emitter->metric_names, expression->name, visible);
	if (number < visible)
		return emit_metric(emitter, expression, number);
	constant = name_map_find(&emitter->constants->slots, expression->name);
	if (constant)
		return put_operand(emitter, expression, CODE_CONSTANT,
				   constant_number(emitter->constants, constant));

	if (emitter->role != ROLE_METRIC && emitter->role != ROLE_MAX)
		return EMIT_FAIL(emitter, expression, "'%s' is not a constant", expression->name);
	return EMIT_FAIL(emitter, expression, "'%s' is neither a constant nor a metric of set %s",
			 expression->name, emitter->set->symbol);
}

static bool takes_reals(enum code_op op)
{
	return (op >= CODE_ADD && op <= CODE_MULTIPLY) || op == CODE_MINIMUM ||
	       op == CODE_MAXIMUM || op == CODE_REAL_DIVIDE;
}

static enum code_op real_form(enum code_op op)
{
	switch (op) {
	case CODE_ADD:
		return CODE_REAL_ADD;
	case CODE_SUBTRACT:
		return CODE_REAL_SUBTRACT;
	case CODE_MULTIPLY:
		return CODE_REAL_MULTIPLY;
	case CODE_MINIMUM:
		return CODE_REAL_MINIMUM;
	case CODE_MAXIMUM:
		return CODE_REAL_MAXIMUM;
	default:
		return op;
	}
}

static enum kind emit_binary(struct emitter *emitter, const struct expression *expression)
{
	enum kind left = emit(emitter, expression->left);
	enum kind right = left ? emit(emitter, expression->right) : KIND_ERROR;
	bool real = left == KIND_REAL || right == KIND_REAL || expression->op == CODE_REAL_DIVIDE;

	if (!right)
		return KIND_ERROR;
	if (real && !takes_reals(expression->op))
		return EMIT_FAIL(
			emitter, expression,
			expression->op == CODE_DIVIDE ?
				"'//' divides integers, and an operand is fractional; '/' divides those" :
				"both operands must be integers, and one is fractional");
	if (real && left == KIND_INTEGER && !put_op(emitter, expression, CODE_TO_REAL_BELOW))
		return KIND_ERROR;
	if (real && right == KIND_INTEGER && !put_op(emitter, expression, CODE_TO_REAL))
		return KIND_ERROR;
	emitter->depth--;
	if (!put_op(emitter, expression, real ? real_form(expression->op) : expression->op))
		return KIND_ERROR;
	return real ? KIND_REAL : KIND_INTEGER;
}

static enum kind emit_float(struct emitter *emitter, const struct expression *expression)
{
	enum kind kind = emit(emitter, expression->left);

	if (kind == KIND_INTEGER && !put_op(emitter, expression, CODE_TO_REAL))
		return KIND_ERROR;
	return kind ? KIND_REAL : KIND_ERROR;
}

static enum kind emit(struct emitter *emitter, const struct expression *expression)
{
	switch (expression->kind) {
	case EXPRESSION_INTEGER:
		return emit_integer(emitter, expression);
	case EXPRESSION_REAL:
		return emit_real(emitter, expression);
	case EXPRESSION_COUNTER:
		return emit_counter(emitter, expression);
	case EXPRESSION_NAME:
		return emit_name(emitter, expression);
	case EXPRESSION_SOURCE:
		return emit_source(emitter, expression);
	case EXPRESSION_UNARY:
		return emit_float(emitter, expression);
	default:
		return emit_binary(emitter, expression);
	}
}

static bool uses_query_mode(const struct expression *expression)
{
	if (!expression)
		return false;
	return (expression->kind == EXPRESSION_SOURCE && expression->op == CODE_QUERY_MODE) ||
	       uses_query_mode(expression->left) || uses_query_mode(expression->right);
}

bool emit_uses_query_mode(const struct equation *equation)
{
	return uses_query_mode(equation->root);
}

bool emit_equation(struct emitter *emitter, const struct equation *equation)
{
	enum kind kind;

	emitter->length = emitter->depth = emitter->depth_max = 0;
	kind = emit(emitter, equation->root);
	if (!kind)
		return false;
	if (kind == KIND_REAL && (emitter->role == ROLE_CONDITION || emitter->role == ROLE_INFO))
		return EMIT_FAIL(emitter, equation->root, "%s must be an integer",
				 emitter->role == ROLE_INFO ? "an information item" :
							      "a condition");
	emitter->words[0] = code_head(emitter->length, emitter->depth_max, kind == KIND_REAL);
	return true;
}
