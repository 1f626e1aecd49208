// SPDX-License-Identifier: MIT
/* rpn.c - a second, slow and plain, evaluator. */
#include "rpn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what, const char *text)
{
	printf("Bail out! %s: %s\n", what, text);
	exit(1);
}

/* "SYMBOL TYPE : equation : maximum : condition" */
static void read_metric(const char *line, struct rpn_metric *metric)
{
	char type[16];

	if (sscanf(line, "%63s %15s : %511[^:]: %511[^:]: %511[^\n]",
		   metric->symbol, type, metric->equation, metric->max,
		   metric->condition) != 5)
		give_up("not a metric", line);
	metric->is_float = !strcmp(type, "float");
}

bool rpn_read_set(void *file, struct rpn_set *set)
{
	char line[2048];
	long before = ftell(file);

	set->count = 0;
	set->symbol[0] = '\0';
	for (; fgets(line, sizeof(line), file); before = ftell(file)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (!strncmp(line, "set ", 4)) {
			if (set->symbol[0]) {
				fseek(file, before, SEEK_SET);
				return true;
			}
			if (sscanf(line, "set %63s %39s", set->symbol,
				   set->uuid) != 2)
				give_up("not a set", line);
			continue;
		}
		if (set->count == RPN_METRICS_MAX)
			give_up("too many metrics", line);
		read_metric(line, &set->metrics[set->count++]);
	}
	return set->symbol[0];
}

static struct rpn_value integer(uint64_t value)
{
	return (struct rpn_value){ .integer = value };
}

static struct rpn_value real(double value)
{
	return (struct rpn_value){ .real = true, .number = value };
}

static double number(struct rpn_value value)
{
	return value.real ? value.number : (double)value.integer;
}

static struct rpn_value apply(const char *op, struct rpn_value a,
			      struct rpn_value b)
{
	bool reals = op[0] == 'f' || a.real || b.real;

	if (!strcmp(op, "fmax"))
		return real(number(a) > number(b) ? number(a) : number(b));
	if (!strcmp(op, "&"))
		return integer(a.integer & b.integer);
	if (!strcmp(op, "and"))
		return integer(a.integer && b.integer);
	switch (op[1]) {
	case '+':
		return reals ? real(number(a) + number(b)) :
			       integer(a.integer + b.integer);
	case '-':
		if (reals)
			return real(number(a) - number(b));
		return integer(a.integer < b.integer ? 0 :
						       a.integer - b.integer);
	case '*':
		return reals ? real(number(a) * number(b)) :
			       integer(a.integer * b.integer);
	case '/':
		if (reals)
			return real(number(b) == 0 ? 0 : number(a) / number(b));
		return integer(b.integer ? a.integer / b.integer : 0);
	}
	give_up("unknown operator", op);
	return integer(0);
}

/* Difference of the 32-bit word at @offset. */
static struct rpn_value difference(const struct rpn_input *input, int offset)
{
	return integer(
		(uint32_t)(input->to[offset / 4] - input->from[offset / 4]));
}

static struct rpn_value named(const struct rpn_set *set, const char *name,
			      const struct rpn_input *input)
{
	uint64_t value;

	for (size_t i = 0; i < set->count; i++)
		if (!strcmp(set->metrics[i].symbol, name))
			return set->values[i];
	if (!strcmp(name, "QueryMode"))
		return integer(0);
	if (!input->constant(name, &value))
		give_up("unknown name", name);
	return integer(value);
}

/* Haswell's format A45_B8_C8 */
static bool operand(const struct rpn_set *set, const char *token,
		    const struct rpn_input *input, struct rpn_value *value)
{
	int index = atoi(token + 1);

	if (token[0] == '$')
		*value = named(set, token + 1, input);
	else if (!strcmp(token, "time"))
		*value = difference(input, 4);
	else if (!strncmp(token, "perfcnt", 7))
		*value = integer(0);
	else if (token[0] >= '0' && token[0] <= '9')
		*value = integer(strtoull(token, NULL, 0));
	else if (token[0] == 'a' && token[1] >= '0' && token[1] <= '9')
		*value = difference(input, 12 + 4 * index);
	else if (token[0] == 'b')
		*value = difference(input, 192 + 4 * index);
	else if (token[0] == 'c')
		*value = difference(input, 224 + 4 * index);
	else
		return false;
	return true;
}

struct rpn_value rpn_evaluate_text(const struct rpn_set *set, const char *text,
				   const struct rpn_input *input)
{
	struct rpn_value stack[64];
	char copy[512], *rest = copy, *token;
	size_t depth = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((token = strsep(&rest, " \n"))) {
		if (!*token)
			continue;
		if (depth < 64 && operand(set, token, input, &stack[depth])) {
			depth++;
			continue;
		}
		if (depth < 2)
			give_up("not an equation", text);
		stack[depth - 2] =
			apply(token, stack[depth - 2], stack[depth - 1]);
		depth--;
	}
	if (depth != 1)
		give_up("not an equation", text);
	return stack[0];
}

uint64_t rpn_integer(struct rpn_value value)
{
	if (!value.real)
		return value.integer;
	if (!(value.number > 0))
		return 0;
	return value.number >= 0x1p64 ? UINT64_MAX : (uint64_t)value.number;
}

float rpn_float(struct rpn_value value)
{
	return (float)number(value);
}

void rpn_evaluate(struct rpn_set *set, const struct rpn_input *input)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rpn_metric *metric = &set->metrics[i];
		struct rpn_value value = integer(1);

		if (metric->condition[0] != '-')
			value = rpn_evaluate_text(set, metric->condition,
						  input);
		if (rpn_integer(value))
			value = rpn_evaluate_text(set, metric->equation, input);
		else
			value = integer(0);
		set->values[i] = metric->is_float ? real(number(value)) :
						    integer(rpn_integer(value));
	}
}
