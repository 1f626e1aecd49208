/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - clocks of the CPU as users call them
 */
#ifndef GPUOA_CLOCKS_H
#define GPUOA_CLOCKS_H

#include "gpuoa-time.h"
#include "tool.h"

/* A clock, which a user chose: no name stands for the GPU's own. */
struct clock_choice {
	const char *name; /* static */
	int id;
};

/* --clock. Returns an exit code; what is wrong has been said. */
int clocks_parse(const struct tool *tool, const char *text, struct clock_choice *clock);

/*
 * What a recording knows of the clock that was asked for; *time is NULL if none was. Likewise.
 */
int clocks_find(const struct clock_choice *clock, const char *file, struct gpuoa_source *source,
		const struct gpuoa_time **time);

#endif /* GPUOA_CLOCKS_H */
