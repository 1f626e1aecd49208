/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - get properties of the terminal, and show the progress of work on it
 */
#ifndef GPUOA_TOOLS_COMMON_TERMINAL_H
#define GPUOA_TOOLS_COMMON_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/tool.h"

/*
 * Return the width of the terminal that @file is. If @file is no terminal, return $COLUMNS, or 80.
 */
int terminal_width(FILE *file);

/*
 * Return whether to use colours: @file must be a terminal that has colours, and $NO_COLOR must not
 * be set.
 */
bool terminal_has_colours(FILE *file);

/* Return whether the user's locale is UTF-8. */
bool terminal_is_utf8(void);

/*
 * Return the maximum width of a table: the width of the terminal, otherwise $COLUMNS. If there is
 * neither, return INT_MAX.
 */
int terminal_limit(FILE *file);

/* A progress display. A zeroed struct is a display that is never shown. */
struct progress {
	bool shown; /* the progress is shown if the work takes long */
	bool drawn; /* progress is on the terminal */
	uint64_t total; /* bytes; 0: unknown */
	uint64_t done;
	uint64_t looked; /* number of bytes done when the clock was last read */
	double begin; /* start time, in s */
	double next; /* time of the next update, in s */
};

/*
 * Start a progress display. It appears after one second, if stderr is a terminal and -q is not set.
 *
 * @total: bytes to process; 0: unknown
 */
void progress_begin(struct progress *progress, const struct tool *tool, uint64_t total);

/*
 * Start a progress display for reading the file at @path. The total number of bytes is the size of
 * the file.
 */
void progress_begin_file(struct progress *progress, const struct tool *tool, const char *path);

/* Add @bytes to the number of bytes done. This is cheap; NULL does nothing. */
void progress_add(struct progress *progress, uint64_t bytes);

/* Erase the progress display, so that other text can be printed. Does nothing for NULL. */
void progress_end(struct progress *progress);

#endif /* GPUOA_TOOLS_COMMON_TERMINAL_H */
