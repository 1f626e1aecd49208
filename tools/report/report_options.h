/* SPDX-License-Identifier: MIT */
/*
 * report_options.h - what the user wants of gpuoa report
 */
#ifndef GPUOA_REPORT_OPTIONS_H
#define GPUOA_REPORT_OPTIONS_H

#include "wanted.h"

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
	struct wanted wanted;
	const char *other; /* of --diff */
	const char *output; /* of --html */
	enum report_mode mode;
	bool mode_given;
	uint64_t window_ns;
	unsigned int jobs; /* 0: as many as the file is worth */
};

/* EXIT_OK, or TOOL_EXIT with *exit_code set. */
int report_options_parse(struct report_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code);

#endif /* GPUOA_REPORT_OPTIONS_H */
