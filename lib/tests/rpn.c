// SPDX-License-Identifier: MIT
/* rpn.c - A second, simple evaluator of equations, to compare the library with */
#include "rpn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKENS_MAX 128
#define STACK_MAX 32

static const char *const operations[] = {
	"UADD", "USUB", "UMUL", "UDIV", "UMIN", "UMAX", "FADD", "FSUB", "FMUL", "FDIV",
	"FMAX", "AND",	"<<",	">>",	"&&",	"ULT",	"UGT",	"UGTE", "ULTE",
};

struct token {
	enum {
		OPERATION,
		INTEGER,
		CONSTANT,
		METRIC,
		DIFFERENCE,
	} kind;
	size_t number; /* number of the operation, constant, metric or field, according to .kind */
	uint64_t integer;
};

struct rpn {
	size_t count;
	struct token tokens[];
};

/* Input of an evaluation */
struct input {
	const struct rpn_set *set;
	const struct rpn_constants *constants;
	const uint64_t *differences;
	rpn_rules rules;
};

static void give_up(const char *what, const char *text)
{
	printf("Bail out! %s: %s\n", what, text);
	exit(1);
}

/* ---- parsing: from text to tokens ---- */

/* Look up a name. An equation can use only the metrics with a number below @before. */
static struct token named(const struct rpn_set *set, const char *name, size_t before,
			  struct rpn_constants *constants)
{
	for (size_t i = 0; i < before; i++)
		if (!strcmp(set->facts->metrics[i]->symbol, name))
			return (struct token){ METRIC, i, 0 };
	/* QueryMode is 0, because reports of streams are evaluated, not those of queries. */
	if (!strcmp(name, "QueryMode"))
		return (struct token){ INTEGER, 0, 0 };
	for (size_t i = 0; i < constants->count; i++) {
		if (strcmp(constants->names[i], name))
			continue;
		constants->used[i] = true;
		return (struct token){ CONSTANT, i, 0 };
	}
	give_up("unknown name", name);
	return (struct token){ 0 };
}

static bool is_operation(const char *text, struct token *token)
{
	for (size_t i = 0; i < RPN_OPERATIONS; i++) {
		if (strcmp(operations[i], text))
			continue;
		*token = (struct token){ OPERATION, i, 0 };
		return true;
	}
	return false;
}

/* Parse a counter such as "A 7 READ". @rest: the text after the first word */
static bool is_read(const struct raw_format *format, const char *word, char **rest,
		    struct token *token)
{
	static const struct {
		const char *word;
		char bank;
	} banks[] = { { "A", 'A' },	   { "B", 'B' },	 { "C", 'C' },	  { "PEC", 'P' },
		      { "GPU_TIME", 't' }, { "GPU_CLOCK", 'k' }, { "PERFCNT", 0 } };
	const char *index;
	int field;

	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		if (strcmp(banks[i].word, word))
			continue;
		index = strsep(rest, " ");
		if (!index || !*rest || strncmp(*rest, "READ", 4))
			give_up("no index and READ behind", word);
		strsep(rest, " ");
		*token = (struct token){ INTEGER, 0, 0 };
		if (!banks[i].bank)
			return true; /* only in queries */
		field = raw_find(format, banks[i].bank, atoi(index));
		if (field < 0)
			give_up("the report has no such counter", word);
		*token = (struct token){ DIFFERENCE, field, 0 };
		return true;
	}
	return false;
}

static struct rpn *compile(const struct rpn_set *set, size_t before, const char *text,
			   struct rpn_constants *constants)
{
	struct rpn *rpn = malloc(sizeof(*rpn) + TOKENS_MAX * sizeof(rpn->tokens[0]));
	char copy[1024], *rest = copy, *word;

	if (!rpn || snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		give_up("too long", text);
	rpn->count = 0;
	while ((word = strsep(&rest, " "))) {
		struct token *token = &rpn->tokens[rpn->count++];

		if (rpn->count == TOKENS_MAX)
			give_up("too long", text);
		if (word[0] == '$')
			*token = named(set, word + 1, before, constants);
		else if (word[0] >= '0' && word[0] <= '9')
			*token = (struct token){ INTEGER, 0, strtoull(word, NULL, 0) };
		else if (!strcmp(word, "true"))
			*token = (struct token){ INTEGER, 0, 1 };
		else if (!is_operation(word, token) && !is_read(set->format, word, &rest, token))
			give_up("unknown word", word);
	}
	return realloc(rpn, sizeof(*rpn) + rpn->count * sizeof(rpn->tokens[0]));
}

void rpn_open(struct rpn_set *set, const struct facts_set *facts, const struct raw_format *format,
	      struct rpn_constants *constants)
{
	*set = (struct rpn_set){ .facts = facts, .format = format };
	for (size_t i = 0; i < facts->metric_count; i++) {
		const struct facts_metric *metric = facts->metrics[i];

		set->equation[i] = compile(set, i, metric->equation, constants);
		if (*metric->max)
			set->max[i] = compile(set, facts->metric_count, metric->max, constants);
		if (*metric->availability)
			set->availability[i] = compile(set, 0, metric->availability, constants);
	}
}

void rpn_close(struct rpn_set *set)
{
	for (size_t i = 0; i < set->facts->metric_count; i++) {
		free(set->equation[i]);
		free(set->max[i]);
		free(set->availability[i]);
	}
}

/* ---- evaluation: from tokens to a value ---- */

static struct rpn_value integer(unsigned __int128 value)
{
	return (struct rpn_value){ .integer = value };
}

static struct rpn_value real(double value)
{
	return (struct rpn_value){ .real = true, .number = value };
}

double rpn_number(struct rpn_value value)
{
	return value.real ? value.number : (double)value.integer;
}

static struct rpn_value apply_real(enum rpn_operation operation, double a, double b)
{
	switch (operation) {
	case UADD:
	case FADD:
		return real(a + b);
	case USUB:
	case FSUB:
		return real(a - b);
	case UMUL:
	case FMUL:
		return real(a * b);
	case UDIV:
	case FDIV:
		return real(b == 0 ? 0 : a / b);
	case UMIN:
		return real(a < b ? a : b);
	case UMAX:
	case FMAX:
		return real(a > b ? a : b);
	default:
		give_up("no operation of reals", operations[operation]);
		return real(0);
	}
}

/* Saturation value */
#define LARGEST (~(unsigned __int128)0)

static unsigned __int128 product(unsigned __int128 a, unsigned __int128 b)
{
	unsigned __int128 result;

	return __builtin_mul_overflow(a, b, &result) ? LARGEST : result;
}

static unsigned __int128 sum(unsigned __int128 a, unsigned __int128 b)
{
	return a + b < a ? LARGEST : a + b;
}

static unsigned __int128 quotient(unsigned __int128 a, unsigned __int128 b)
{
	if (!b)
		return 0;
	if (!(a >> 64) && !(b >> 64))
		return (uint64_t)a / (uint64_t)b;
	return a / b;
}

/* Shifts are of 64-bit words. */
static uint64_t left(uint64_t a, unsigned __int128 by)
{
	return by < 64 ? a << by : 0;
}

static uint64_t right(uint64_t a, unsigned __int128 by)
{
	return by < 64 ? a >> by : 0;
}

static struct rpn_value apply_integer(enum rpn_operation operation, unsigned __int128 a,
				      unsigned __int128 b)
{
	switch (operation) {
	case UADD:
		return integer(sum(a, b));
	case USUB:
		return integer(a < b ? 0 : a - b);
	case UMUL:
		return integer(product(a, b));
	case UDIV:
		return integer(quotient(a, b));
	case UMIN:
		return integer(a < b ? a : b);
	case UMAX:
		return integer(a > b ? a : b);
	case BITWISE_AND:
		return integer(a & b);
	case SHIFT_LEFT:
		return integer(left(a, b));
	case SHIFT_RIGHT:
		return integer(right(a, b));
	case LOGICAL_AND:
		return integer(a && b);
	case LESS:
		return integer(a < b);
	case GREATER:
		return integer(a > b);
	case GREATER_OR_EQUAL:
		return integer(a >= b);
	case LESS_OR_EQUAL:
		return integer(a <= b);
	default:
		return apply_real(operation, a, b);
	}
}

struct rpn_value rpn_total(enum rpn_operation operation, struct rpn_value a, struct rpn_value b)
{
	if (a.real || b.real)
		return apply_real(operation, rpn_number(a), rpn_number(b));
	return apply_integer(operation, a.integer, b.integer);
}

struct rpn_value rpn_row(enum rpn_operation operation, struct rpn_value a, struct rpn_value b)
{
	struct rpn_value result = rpn_total(operation, a, b);

	result.integer = (uint64_t)result.integer;
	return result;
}

static struct rpn_value operand(const struct token *token, const struct input *input)
{
	switch (token->kind) {
	case CONSTANT:
		return integer(input->constants->values[token->number]);
	case METRIC:
		return input->set->values[token->number];
	case DIFFERENCE:
		return integer(input->differences[token->number]);
	default:
		return integer(token->integer);
	}
}

static struct rpn_value evaluate(const struct rpn *rpn, const struct input *input)
{
	struct rpn_value stack[STACK_MAX];
	size_t depth = 0;

	for (size_t i = 0; i < rpn->count; i++) {
		const struct token *token = &rpn->tokens[i];

		if (token->kind != OPERATION) {
			if (depth == STACK_MAX)
				give_up("not an equation", "too deep");
			stack[depth++] = operand(token, input);
			continue;
		}
		if (depth < 2)
			give_up("not an equation", operations[token->number]);
		stack[depth - 2] = input->rules(token->number, stack[depth - 2], stack[depth - 1]);
		depth--;
	}
	if (depth != 1)
		give_up("not an equation", "something is left");
	return stack[0];
}

uint64_t rpn_integer(struct rpn_value value)
{
	if (!value.real)
		return value.integer >> 64 ? UINT64_MAX : value.integer;
	if (!(value.number > 0))
		return 0;
	return value.number >= 0x1p64 ? UINT64_MAX : (uint64_t)value.number;
}

/* Zero is always positive. */
float rpn_float(struct rpn_value value)
{
	float number = (float)rpn_number(value);

	return number == 0 ? 0 : number;
}

bool rpn_holds(const char *condition, struct rpn_constants *constants)
{
	const struct rpn_set nothing = { 0 };
	const struct input input = { &nothing, constants, NULL, rpn_total };
	struct rpn *rpn;
	bool holds;

	if (!*condition)
		return true;
	rpn = compile(&nothing, 0, condition, constants);
	holds = rpn_integer(evaluate(rpn, &input));
	free(rpn);
	return holds;
}

void rpn_choose(struct rpn_set *set, const struct rpn_constants *constants)
{
	const struct input input = { set, constants, NULL, rpn_total };

	for (size_t i = 0; i < set->facts->metric_count; i++)
		set->available[i] = !set->availability[i] ||
				    rpn_integer(evaluate(set->availability[i], &input));
}

static struct rpn_value convert(const struct rpn_set *set, size_t metric, struct rpn_value value)
{
	struct rpn_value result = integer(rpn_integer(value));

	if (set->facts->metrics[metric]->kind->type[0] == 'f')
		result = real(rpn_number(value));
	result.notes = value.notes;
	return result;
}

void rpn_evaluate_metric(struct rpn_set *set, size_t metric, const struct rpn_constants *constants,
			 const uint64_t *differences, rpn_rules rules)
{
	const struct input input = { set, constants, differences, rules };
	struct rpn_value value = integer(0);

	if (set->available[metric])
		value = evaluate(set->equation[metric], &input);
	set->values[metric] = convert(set, metric, value);
}

void rpn_evaluate(struct rpn_set *set, const struct rpn_constants *constants,
		  const uint64_t *differences, rpn_rules rules)
{
	for (size_t i = 0; i < set->facts->metric_count; i++)
		rpn_evaluate_metric(set, i, constants, differences, rules);
}

struct rpn_value rpn_maximum(const struct rpn_set *set, size_t metric,
			     const struct rpn_constants *constants, const uint64_t *differences,
			     rpn_rules rules)
{
	const struct input input = { set, constants, differences, rules };
	struct rpn_value value = integer(0);

	if (set->max[metric] && set->available[metric])
		value = evaluate(set->max[metric], &input);
	return convert(set, metric, value);
}
