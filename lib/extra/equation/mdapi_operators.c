// SPDX-License-Identifier: MIT
/*
 * mdapi_operators.c - translate MDAPI operators to operators of this library's equations
 *
 * U... operators convert their operands to integers, which is not possible here for fractions; F...
 * operators convert to floats. Bit operations have the same results, since integers have 64 bits in
 * both languages.
 */
#include <errno.h>
#include <string.h>

#include "extra/equation/mdapi_operators.h"

#define NODES_MAX 512 /* as in this library's equations */

enum family {
	FAMILY_INTEGER,
	FAMILY_REAL,
	FAMILY_TRUTH, /* on integers, yields 0 or 1 */
	FAMILY_BITS, /* has no equivalent: composed of other operators */
	FAMILY_NONE,
};

static const struct mdapi_operation {
	const char *name;
	enum family family;
	enum code_op op;
} operations[] = {
	{ "UADD", FAMILY_INTEGER, CODE_ADD },
	{ "USUB", FAMILY_INTEGER, CODE_SUBTRACT },
	{ "UMUL", FAMILY_INTEGER, CODE_MULTIPLY },
	{ "UDIV", FAMILY_INTEGER, CODE_DIVIDE },
	{ "UMIN", FAMILY_INTEGER, CODE_MINIMUM },
	{ "UMAX", FAMILY_INTEGER, CODE_MAXIMUM },
	{ "AND", FAMILY_INTEGER, CODE_BIT_AND },
	{ "<<", FAMILY_INTEGER, CODE_SHIFT_LEFT },
	{ ">>", FAMILY_INTEGER, CODE_SHIFT_RIGHT },
	{ "FADD", FAMILY_REAL, CODE_ADD },
	{ "FSUB", FAMILY_REAL, CODE_SUBTRACT },
	{ "FMUL", FAMILY_REAL, CODE_MULTIPLY },
	{ "FDIV", FAMILY_REAL, CODE_REAL_DIVIDE },
	{ "FMIN", FAMILY_REAL, CODE_MINIMUM },
	{ "FMAX", FAMILY_REAL, CODE_MAXIMUM },
	{ "==", FAMILY_TRUTH, CODE_EQUAL },
	{ "&&", FAMILY_TRUTH, CODE_AND },
	{ "ULT", FAMILY_TRUTH, CODE_LESS },
	{ "ULTE", FAMILY_TRUTH, CODE_LESS_EQUAL },
	{ "UGT", FAMILY_TRUTH, CODE_GREATER },
	{ "UGTE", FAMILY_TRUTH, CODE_GREATER_EQUAL },
	{ "OR", FAMILY_BITS, CODE_OR },
	{ "XOR", FAMILY_BITS, CODE_NOT_EQUAL },
	{ "XNOR", FAMILY_BITS, CODE_EQUAL },
	{ "FGT", FAMILY_NONE, 0 },
	{ "FLT", FAMILY_NONE, 0 },
	{ "FGTE", FAMILY_NONE, 0 },
	{ "FLTE", FAMILY_NONE, 0 },
};

const struct mdapi_operation *mdapi_find_operation(const char *word)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(operations[i].name, word))
			return &operations[i];
	return NULL;
}

/* Operands without an expression follow an error, which has been recorded. */
static struct operand binary(struct mdapi_reader *reader, enum code_op op, struct operand left,
			     struct operand right)
{
	struct operand result = { .nodes = left.nodes + right.nodes + 1 };

	if (!left.expression || !right.expression)
		return result;
	if (result.nodes > NODES_MAX) {
		mdapi_fail(reader, -EINVAL, "this equation has more than %d operands and operators",
			   NODES_MAX);
		return result;
	}
	result.expression = mdapi_expression(reader, EXPRESSION_BINARY);
	if (result.expression) {
		result.expression->op = op;
		result.expression->left = left.expression;
		result.expression->right = right.expression;
	}
	return result;
}

static struct operand real_of(struct mdapi_reader *reader, struct operand operand)
{
	struct operand result = { .nodes = operand.nodes + 1, .real = true };

	result.expression = mdapi_expression(reader, EXPRESSION_UNARY);
	if (result.expression) {
		result.expression->op = CODE_TO_REAL;
		result.expression->left = operand.expression;
	}
	return result;
}

/* @left & ~@right. There is no borrow, so nothing wraps. */
static struct operand bits_without(struct mdapi_reader *reader, struct operand left,
				   struct operand right)
{
	return binary(reader, CODE_SUBTRACT, left, binary(reader, CODE_BIT_AND, left, right));
}

/* a | b = (a & ~b) + b, a ^ b = (a & ~b) + (b & ~a) */
static struct operand combine_bits(struct mdapi_reader *reader, enum code_op op,
				   struct operand left, struct operand right)
{
	struct operand all = { .expression = mdapi_expression(reader, EXPRESSION_INTEGER),
			       .nodes = 1 };
	struct operand sum;

	if (left.truth && right.truth && op == CODE_OR) {
		sum = binary(reader, CODE_OR, left, right);
		sum.truth = true;
		return sum;
	}
	sum = binary(reader, CODE_ADD, bits_without(reader, left, right),
		     op == CODE_OR ? right : bits_without(reader, right, left));
	if (op != CODE_EQUAL || !all.expression)
		return sum;
	all.expression->integer = UINT64_MAX;
	return binary(reader, CODE_SUBTRACT, all, sum);
}

bool mdapi_apply(struct mdapi_reader *reader, const struct mdapi_operation *operation)
{
	struct operand left, right, result;

	if (reader->depth < 2)
		return mdapi_fail(reader, -EINVAL, "%s lacks an operand", operation->name);
	right = reader->stack[--reader->depth];
	left = reader->stack[--reader->depth];
	if (operation->family == FAMILY_NONE)
		return mdapi_fail(reader, -EOPNOTSUPP, "%s: only integers are compared",
				  operation->name);
	if (operation->family != FAMILY_REAL && (left.real || right.real))
		return mdapi_fail(reader, -EOPNOTSUPP, "%s cuts the fraction of an operand off",
				  operation->name);
	if (operation->family == FAMILY_REAL && operation->op != CODE_REAL_DIVIDE && !left.real &&
	    !right.real)
		left = real_of(reader, left);
	result = operation->family == FAMILY_BITS ?
			 combine_bits(reader, operation->op, left, right) :
			 binary(reader, operation->op, left, right);
	result.real = operation->family == FAMILY_REAL;
	result.truth |= operation->family == FAMILY_TRUTH;
	return !reader->err && mdapi_push(reader, result);
}
