/* SPDX-License-Identifier: MIT */
/*
 * progress.h - progress display on the terminal: part done, rate, time left
 */
#ifndef GPUOA_PROGRESS_H
#define GPUOA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/tool.h"

/* A zeroed struct is a progress that is never shown. */
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
 * Begin. Progress is shown after the first second if stderr is a terminal, and not with -q.
 *
 * @total: bytes to process; 0: unknown
 */
void progress_begin(struct progress *progress, const struct tool *tool, uint64_t total);

/* Begin, with the size of a file as the total. */
void progress_begin_file(struct progress *progress, const struct tool *tool, const char *path);

/* Add @bytes to the bytes done. It is cheap; does nothing for NULL. */
void progress_add(struct progress *progress, uint64_t bytes);

/* Erase it from the terminal, so that other text can be printed. Does nothing for NULL. */
void progress_end(struct progress *progress);

#endif /* GPUOA_PROGRESS_H */
