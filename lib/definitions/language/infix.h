/* SPDX-License-Identifier: MIT */
/* infix.h - an expression as text. */
#ifndef GPUOA_INFIX_H
#define GPUOA_INFIX_H

#include "definitions/language/definition.h"

/*
 * Text that reads as @expression, with no more parentheses than that takes; from the arena, NULL if
 * it has no room.
 */
const char *infix(const struct expression *expression, struct arena *arena);

#endif /* GPUOA_INFIX_H */
