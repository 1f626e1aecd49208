/* SPDX-License-Identifier: MIT */
/*
 * terminal.h - properties of the terminal, and the progress shown on it
 */
#ifndef GPUOA_TOOLS_COMMON_TERMINAL_H
#define GPUOA_TOOLS_COMMON_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/tool.h"

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

/* A progress display; if zeroed, it is never shown. */
struct progress {
	bool shown; /* show it if the work takes long */
	bool drawn; /* progress is on the terminal */
	uint64_t total; /* bytes; 0: unknown */
	uint64_t done;
	uint64_t looked; /* bytes done when the clock was last read */
	double begin; /* start time, in s */
	double next; /* time of the next update, in s */
};

/*
 * Start a progress display. It appears after one second, if stderr is a terminal and -q is not set.
 *
 * @total: bytes to process; 0: unknown
 */
void progress_begin(struct progress *progress, const struct tool *tool, uint64_t total);

/* As progress_begin(), for reading the file at @path: its size is the total. */
void progress_begin_file(struct progress *progress, const struct tool *tool, const char *path);

/* Add @bytes to the bytes done. It is cheap; does nothing for NULL. */
void progress_add(struct progress *progress, uint64_t bytes);

/* Erase the progress, so that other text can be printed. Does nothing for NULL. */
void progress_end(struct progress *progress);

#endif /* GPUOA_TOOLS_COMMON_TERMINAL_H */
