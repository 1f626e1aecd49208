/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - properties of the terminal
 */
#ifndef GPUOA_TERMINAL_H
#define GPUOA_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Return the width of the terminal of @file; if it is none, $COLUMNS or 80. */
int terminal_width(FILE *file);

/* Return whether to use colours: @file is a terminal, and $NO_COLOR is not set. */
bool terminal_has_colours(FILE *file);

/* Return whether the user's locale is UTF-8. */
bool terminal_is_utf8(void);

/*
 * Return the maximum width of a table: that of the terminal, or $COLUMNS if it is set, else
 * INT_MAX.
 */
int terminal_limit(FILE *file);

#endif /* GPUOA_TERMINAL_H */
