/* SPDX-License-Identifier: MIT */
/* infix_text.h - prints an expression in infix notation */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H

#include "definitions/language/definition.h"

/*
 * Return @expression as text, with the necessary parentheses only. The arena owns it. NULL if out
 * of memory.
 */
const char *infix_text(const struct expression *expression, struct arena *arena);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H */
