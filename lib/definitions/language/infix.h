/* SPDX-License-Identifier: MIT */
/* infix.h - parser for equations in infix notation */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_H

#include "definitions/language/definition.h"
#include "definitions/language/parser.h"

bool parse_equation(struct parser *parser, struct equation *equation);

/* Notation of an operator. Operators are left-associative. */
struct binary_operator {
	const char *text;
	int precedence;
	enum code_op op;
};

/* Precedence of comparisons, which cannot be chained. */
#define COMPARISON 3

/* Return the notation of an operator; NULL if it is written as a call, such as min(). */
const struct binary_operator *infix_operator(enum code_op op);

/*
 * Return @expression as text, with parentheses only where they are necessary. The text is allocated
 * from the arena. Returns NULL if out of memory.
 */
const char *infix_text(const struct expression *expression, struct arena *arena);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_H */
