// SPDX-License-Identifier: MIT
/* equation.c - compiled equations as data, and as text in postfix order. */
#include <stdio.h>

#include "base/decimal.h"
#include "base/sized.h"
#include "gpu/constants.h"
#include "gpuoa.h"
#include "metadata/equation_flags.h"
#include "report/format.h"
#include "table/code.h"
#include "table/table.h"

static struct gpuoa_equation equation_of(const struct table_link *link, const struct gpuoa_set *set)
{
	const uint32_t *code = table_follow(link);

	if (!code)
		return (struct gpuoa_equation){ .set = set };
	return (struct gpuoa_equation){
		.word = code + 1,
		.end = code + 1 + code_length(code),
		.set = set,
		.code = code,
	};
}

struct gpuoa_equation gpuoa_metric_equation(const struct gpuoa_metric *metric,
					    enum gpuoa_equation_role role)
{
	const struct gpuoa_set *set = metric_set(metric);

	switch (role) {
	case GPUOA_EQUATION_VALUE:
		return equation_of(&metric->equation, set);
	case GPUOA_EQUATION_MAX:
		return equation_of(&metric->max, set);
	case GPUOA_EQUATION_AVAILABILITY:
		return equation_of(&metric->availability, set);
	}
	return (struct gpuoa_equation){ .set = set };
}

struct gpuoa_equation gpuoa_set_equation(const struct gpuoa_set *set)
{
	return equation_of(&set->availability, set);
}

struct gpuoa_equation gpuoa_info_equation(const struct gpuoa_set *set,
					  const struct gpuoa_info *info)
{
	struct gpuoa_equation equation = equation_of(&info->equation, set);

	equation.flags = EQUATION_OF_INFO;
	return equation;
}

static const struct {
	enum gpuoa_operation operation;
	bool is_real;
	char text[6];
} operators[] = {
	[CODE_ADD] = { GPUOA_OPERATION_ADD, false, "+" },
	[CODE_SUBTRACT] = { GPUOA_OPERATION_SUBTRACT, false, "-" },
	[CODE_MULTIPLY] = { GPUOA_OPERATION_MULTIPLY, false, "*" },
	[CODE_DIVIDE] = { GPUOA_OPERATION_DIVIDE, false, "//" },
	[CODE_MINIMUM] = { GPUOA_OPERATION_MINIMUM, false, "min" },
	[CODE_MAXIMUM] = { GPUOA_OPERATION_MAXIMUM, false, "max" },
	[CODE_BIT_AND] = { GPUOA_OPERATION_BIT_AND, false, "&" },
	[CODE_SHIFT_LEFT] = { GPUOA_OPERATION_SHIFT_LEFT, false, "<<" },
	[CODE_SHIFT_RIGHT] = { GPUOA_OPERATION_SHIFT_RIGHT, false, ">>" },
	[CODE_EQUAL] = { GPUOA_OPERATION_EQUAL, false, "==" },
	[CODE_NOT_EQUAL] = { GPUOA_OPERATION_NOT_EQUAL, false, "!=" },
	[CODE_LESS] = { GPUOA_OPERATION_LESS, false, "<" },
	[CODE_LESS_EQUAL] = { GPUOA_OPERATION_LESS_EQUAL, false, "<=" },
	[CODE_GREATER] = { GPUOA_OPERATION_GREATER, false, ">" },
	[CODE_GREATER_EQUAL] = { GPUOA_OPERATION_GREATER_EQUAL, false, ">=" },
	[CODE_AND] = { GPUOA_OPERATION_AND, false, "&&" },
	[CODE_OR] = { GPUOA_OPERATION_OR, false, "||" },
	[CODE_REAL_ADD] = { GPUOA_OPERATION_ADD, true, "+." },
	[CODE_REAL_SUBTRACT] = { GPUOA_OPERATION_SUBTRACT, true, "-." },
	[CODE_REAL_MULTIPLY] = { GPUOA_OPERATION_MULTIPLY, true, "*." },
	[CODE_REAL_DIVIDE] = { GPUOA_OPERATION_DIVIDE, true, "/" },
	[CODE_REAL_MINIMUM] = { GPUOA_OPERATION_MINIMUM, true, "min." },
	[CODE_REAL_MAXIMUM] = { GPUOA_OPERATION_MAXIMUM, true, "max." },
};

static struct gpuoa_equation_element counter_element(const struct gpuoa_set *set, uint32_t counter)
{
	static const char banks[] = {
		[BANK_A] = 'A',	  [BANK_B] = 'B',	[BANK_C] = 'C',
		[BANK_PEC] = 'P', [BANK_PERFCNT] = 'Q',
	};
	return (struct gpuoa_equation_element){
		.kind = GPUOA_ELEMENT_COUNTER,
		.bank = banks[counter / BANK_SIZE],
		.index = counter % BANK_SIZE,
		.bits = format_counter(format_get(set->format), counter).bits,
	};
}

static struct gpuoa_equation_element metric_element(const struct gpuoa_set *set, uint32_t number,
						    bool is_real)
{
	const struct gpuoa_metric *metric = &set_metrics(set)[number];

	return (struct gpuoa_equation_element){
		.kind = GPUOA_ELEMENT_METRIC,
		.index = number,
		.is_real = is_real,
		.name = table_string(&metric_definition(metric)->symbol),
	};
}

static struct gpuoa_equation_element plain_element(enum gpuoa_element_kind kind)
{
	return (struct gpuoa_equation_element){ .kind = kind };
}

static struct gpuoa_equation_element operand_element(const struct gpuoa_set *set,
						     const uint32_t *word)
{
	uint32_t argument = code_argument(*word);
	struct gpuoa_equation_element element = { .index = argument };

	switch (code_op(*word)) {
	case CODE_INTEGER:
		element = plain_element(GPUOA_ELEMENT_INTEGER);
		element.integer = argument;
		return element;
	case CODE_INTEGER_64:
		element = plain_element(GPUOA_ELEMENT_INTEGER);
		element.integer = code_literal(word);
		return element;
	case CODE_REAL:
		element = plain_element(GPUOA_ELEMENT_REAL);
		element.is_real = true;
		element.real = code_real(code_literal(word));
		return element;
	case CODE_COUNTER:
		return counter_element(set, argument);
	case CODE_TIMESTAMP:
		return plain_element(GPUOA_ELEMENT_TIMESTAMP);
	case CODE_CLOCK:
		return plain_element(GPUOA_ELEMENT_CLOCK);
	case CODE_REPORT_ID:
		return plain_element(GPUOA_ELEMENT_REPORT_ID);
	case CODE_CONTEXT_ID:
		return plain_element(GPUOA_ELEMENT_CONTEXT_ID);
	case CODE_CONSTANT:
		element.kind = GPUOA_ELEMENT_CONSTANT;
		element.name = platform_constant_name(set_platform(set), argument);
		return element;
	case CODE_METRIC:
		return metric_element(set, argument, false);
	case CODE_METRIC_REAL:
		return metric_element(set, argument, true);
	default: /* CODE_QUERY_MODE */
		return plain_element(GPUOA_ELEMENT_QUERY_MODE);
	}
}

/*
 * True for conversions. They are not returned to callers, because an operator on doubles implies
 * them.
 */
static bool is_conversion(enum code_op op)
{
	return op == CODE_TO_REAL || op == CODE_TO_REAL_BELOW;
}

/* Return the next word of the code that is not a conversion, or NULL at the end. */
static const uint32_t *next_word(struct gpuoa_equation *equation)
{
	const uint32_t *word;

	while (equation->word != equation->end) {
		word = equation->word;
		equation->word += code_words(code_op(*word));
		if (!is_conversion(code_op(*word)))
			return word;
	}
	return NULL;
}

bool gpuoa_equation_next(struct gpuoa_equation *equation, struct gpuoa_equation_element *element,
			 size_t size)
{
	const uint32_t *word = next_word(equation);
	struct gpuoa_equation_element known;

	if (!word)
		return false;
	if (code_op(*word) < CODE_ADD)
		known = operand_element(equation->set, word);
	else
		known = (struct gpuoa_equation_element){
			.kind = GPUOA_ELEMENT_OPERATOR,
			.operation = operators[code_op(*word)].operation,
			.is_real = operators[code_op(*word)].is_real,
		};
	sized_give(element, size, &known, sizeof(known));
	return true;
}

static int print_counter(const struct gpuoa_equation_element *element, char *text, size_t size)
{
	const char bank[] = { element->bank, '\0' };

	return snprintf(text, size, "%s%zu",
			element->bank == 'P' ? "PEC" :
			element->bank == 'Q' ? "PERFCNT" :
					       bank,
			element->index);
}

static int print_operand(const struct gpuoa_equation_element *element, char *text, size_t size)
{
	char decimal[DECIMAL_SIZE];

	switch (element->kind) {
	case GPUOA_ELEMENT_INTEGER:
		return snprintf(text, size, "%llu", (unsigned long long)element->integer);
	case GPUOA_ELEMENT_REAL:
		decimal_print(decimal, element->real);
		return snprintf(text, size, "%s", decimal);
	case GPUOA_ELEMENT_COUNTER:
		return print_counter(element, text, size);
	case GPUOA_ELEMENT_TIMESTAMP:
		return snprintf(text, size, "TIMESTAMP");
	case GPUOA_ELEMENT_CLOCK:
		return snprintf(text, size, "CLOCK");
	case GPUOA_ELEMENT_REPORT_ID:
		return snprintf(text, size, "REPORT_ID");
	case GPUOA_ELEMENT_CONTEXT_ID:
		return snprintf(text, size, "CONTEXT_ID");
	case GPUOA_ELEMENT_QUERY_MODE:
		return snprintf(text, size, "QueryMode");
	default: /* constants and metrics */
		return snprintf(text, size, "%s", element->name);
	}
}

int gpuoa_equation_text(struct gpuoa_equation equation, char *text, size_t size)
{
	struct gpuoa_equation_element element;
	const uint32_t *word;
	size_t length = 0;

	if (size)
		text[0] = '\0';
	while ((word = next_word(&equation))) {
		char *at = length < size ? text + length : NULL;
		size_t room = at ? size - length : 0;
		int written;

		if (code_op(*word) < CODE_ADD) {
			element = operand_element(equation.set, word);
			written = snprintf(at, room, "%s", length ? " " : "");
			length += (size_t)written;
			at = length < size ? text + length : NULL;
			room = at ? size - length : 0;
			written = print_operand(&element, at, room);
		} else {
			written = snprintf(at, room, " %s", operators[code_op(*word)].text);
		}
		length += (size_t)written;
	}
	return (int)length;
}
