/* SPDX-License-Identifier: MIT */
/* infix_text.h - writes an expression as text of our own language. */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H

#include "definitions/language/definition.h"

/*
 * Text that reads as @expression, with no more parentheses than needed. It belongs to the arena;
 * NULL if there is no memory.
 */
const char *infix_text(const struct expression *expression, struct arena *arena);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H */
