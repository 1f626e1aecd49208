/* SPDX-License-Identifier: MIT */
/*
 * report_options.h - what the user wants of gpuoa report
 */
#ifndef GPUOA_REPORT_OPTIONS_H
#define GPUOA_REPORT_OPTIONS_H

#include "clocks.h"
#include "tool.h"

enum report_mode {
	REPORT_SUMMARY, /* least, mean, largest of each metric */
	REPORT_ROWS, /* each interval */
	REPORT_TOTAL, /* everything as one interval */
	REPORT_WINDOWS,
	REPORT_MARKS,
	REPORT_CONTEXTS,
	REPORT_DIFF,
	REPORT_HTML,
};

struct report_options {
	const char *file;
	const char *other; /* of --diff */
	const char *output; /* of --html */
	const char *set;
	const char *metrics;
	enum report_mode mode;
	uint64_t window_ns;
	struct clock_choice clock;
	bool part;
	uint64_t begin_tick;
	uint64_t end_tick;
};

/* EXIT_OK, or TOOL_EXIT with *exit_code set. */
int report_options_parse(struct report_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code);

#endif /* GPUOA_REPORT_OPTIONS_H */
