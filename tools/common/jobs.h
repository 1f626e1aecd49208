/* SPDX-License-Identifier: MIT */
/*
 * jobs.h - option -j: number of threads that compute rows
 */
#ifndef GPUOA_JOBS_H
#define GPUOA_JOBS_H

#include "common/tool.h"

#define JOBS_HELP                                                                                    \
	"  -j, --jobs N           threads that compute rows (default: one for each CPU if the file " \
	"is big, else 1)\n"
#define JOBS_LONG                                    \
	{                                            \
		"jobs", required_argument, NULL, 'j' \
	}

/* Parse the argument of -j. Returns an exit code; prints any error. */
int jobs_parse(const struct tool *tool, const char *text, unsigned int *jobs);

/* Return @asked, or if that is 0, a number of threads that fits the file's size. */
unsigned int jobs_for(unsigned int asked, const char *path);

#endif /* GPUOA_JOBS_H */
