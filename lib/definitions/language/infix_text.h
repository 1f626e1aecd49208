/* SPDX-License-Identifier: MIT */
/* infix_text.h - an expression as text. */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H

#include "definitions/language/definition.h"

/*
 * Text that reads as @expression, with no more parentheses than that takes; from the arena, NULL if
 * it has no room.
 */
const char *infix_text(const struct expression *expression, struct arena *arena);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INFIX_TEXT_H */
