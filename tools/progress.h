/* SPDX-License-Identifier: MIT */
/*
 * progress.h - how far long work is, on the terminal: part done, rate, time left
 */
#ifndef GPUOA_PROGRESS_H
#define GPUOA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tool.h"

/* Zero is a progress that nobody sees. */
struct progress {
	bool shown; /* to be shown once it takes long */
	bool drawn; /* something is on the terminal */
	uint64_t total; /* bytes; 0: unknown */
	uint64_t done;
	uint64_t looked; /* bytes when the clock was last read */
	double begin; /* s */
	double next; /* s: when to draw again */
};

/*
 * Begin. It is shown on stderr if that is a terminal, from the first second on, and not with -q.
 *
 * @total: bytes that there are to do; 0: nobody knows
 */
void progress_begin(struct progress *progress, const struct tool *tool, uint64_t total);

/* The same for a file. */
void progress_begin_file(struct progress *progress, const struct tool *tool, const char *path);

/* So many more bytes are done. It costs next to nothing; NULL is fine. */
void progress_add(struct progress *progress, uint64_t bytes);

/* Wipe it off the terminal; something else may be written there then. NULL is fine. */
void progress_end(struct progress *progress);

#endif /* GPUOA_PROGRESS_H */
