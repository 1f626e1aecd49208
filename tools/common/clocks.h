/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - names of the CPU clocks
 */
#ifndef GPUOA_CLOCKS_H
#define GPUOA_CLOCKS_H

#include "gpuoa-time.h"
#include "common/tool.h"

/* The clock selected by the user; no name: GPU time */
struct clock_choice {
	const char *name; /* name of the clock, a static string */
	int id;
};

/* Parse the argument of --clock. Returns an exit code; prints any error. */
int clocks_parse(const struct tool *tool, const char *text, struct clock_choice *clock);

/*
 * Find the time base that the recording has for the selected clock; *@time is NULL if no clock was
 * selected. Returns an exit code; prints any error.
 */
int clocks_find(const struct clock_choice *clock, const char *file, struct gpuoa_reader *reader,
		const struct gpuoa_time **time);

#endif /* GPUOA_CLOCKS_H */
