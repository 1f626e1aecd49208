/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - what the terminal can show, if there is one
 */
#ifndef GPUOA_TERMINAL_H
#define GPUOA_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal behind @file; without one, of $COLUMNS, or 80. */
int terminal_width(FILE *file);

/* Are colours wanted there? It is a terminal, and $NO_COLOR is not set. */
bool terminal_has_colours(FILE *file);

/* Does the user's locale have more than ASCII? */
bool terminal_is_utf8(void);

/*
 * Columns that a table may have: those of a terminal, or $COLUMNS if it is set; elsewhere there is
 * no limit, and it is INT_MAX.
 */
int terminal_limit(FILE *file);

#endif /* GPUOA_TERMINAL_H */
