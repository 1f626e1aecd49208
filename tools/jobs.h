/* SPDX-License-Identifier: MIT */
/*
 * jobs.h - how many threads compute: -j
 */
#ifndef GPUOA_JOBS_H
#define GPUOA_JOBS_H

#include "tool.h"

#define JOBS_HELP                                                                                    \
	"  -j, --jobs N           threads that compute rows (default: one for each CPU if the file " \
	"is big, else 1)\n"
#define JOBS_LONG                                    \
	{                                            \
		"jobs", required_argument, NULL, 'j' \
	}

/* Of the option's text. An exit code; what is wrong has been said. */
int jobs_parse(const struct tool *tool, const char *text, unsigned int *jobs);

/* As many as the user asked for, or if that is 0, as a file is worth. */
unsigned int jobs_for(unsigned int asked, const char *path);

#endif /* GPUOA_JOBS_H */
