// SPDX-License-Identifier: MIT
/* infix_text.c - prints an expression in infix notation */
#include "definitions/language/infix_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/decimal.h"
#include "definitions/language/infix.h"

/* Output buffer. Without a buffer, only the length is computed. */
struct output {
	char *to;
	size_t length;
};

static void put(struct output *text, const char *string)
{
	const size_t length = strlen(string);

	if (text->to)
		memcpy(text->to + text->length, string, length);
	text->length += length;
}

static void put_number(struct output *text, const struct expression *expression)
{
	char number[DECIMAL_SIZE];

	if (expression->kind == EXPRESSION_INTEGER)
		snprintf(number, sizeof(number), "%" PRIu64, expression->integer);
	else
		decimal_print(number, expression->real);
	put(text, number);
}

static void put_expression(struct output *text, const struct expression *expression);

/* Print an operand, in parentheses if its precedence is below @precedence. */
static void put_operand(struct output *text, const struct expression *operand, int precedence)
{
	const struct binary_operator *sign =
		operand->kind == EXPRESSION_BINARY ? infix_operator(operand->op) : NULL;
	const bool enclose = sign && sign->precedence < precedence;

	if (enclose)
		put(text, "(");
	put_expression(text, operand);
	if (enclose)
		put(text, ")");
}

static void put_binary(struct output *text, const struct expression *expression)
{
	const struct binary_operator *sign = infix_operator(expression->op);

	if (!sign) {
		put(text, expression->op == CODE_MINIMUM ? "min(" : "max(");
		put_expression(text, expression->left);
		put(text, ", ");
		put_expression(text, expression->right);
		put(text, ")");
		return;
	}
	put_operand(text, expression->left, sign->precedence + (sign->precedence == COMPARISON));
	put(text, " ");
	put(text, sign->text);
	put(text, " ");
	put_operand(text, expression->right, sign->precedence + 1);
}

static void put_expression(struct output *text, const struct expression *expression)
{
	switch (expression->kind) {
	case EXPRESSION_INTEGER:
	case EXPRESSION_REAL:
		put_number(text, expression);
		break;
	case EXPRESSION_UNARY:
		put(text, "float(");
		put_expression(text, expression->left);
		put(text, ")");
		break;
	case EXPRESSION_BINARY:
		put_binary(text, expression);
		break;
	default:
		put(text, expression->name);
	}
}

const char *infix_text(const struct expression *expression, struct arena *arena)
{
	struct output text = { 0 };

	put_expression(&text, expression);
	text.to = arena_alloc(arena, text.length + 1);
	text.length = 0;
	if (text.to)
		put_expression(&text, expression);
	return text.to;
}
