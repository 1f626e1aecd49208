/* SPDX-License-Identifier: MIT */
/* infix.h - reads equations of our own language */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_H

#include "definitions/language/parser.h"

bool parse_equation(struct parser *parser, struct equation *equation);

/* How an operator is written. Operators group to the left. */
struct binary_operator {
	const char *text;
	int precedence;
	enum code_op op;
};

/* Comparisons do not chain. */
#define COMPARISON 3

/* NULL: @op is written as a call, as min(). */
const struct binary_operator *infix_operator(enum code_op op);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_H */
