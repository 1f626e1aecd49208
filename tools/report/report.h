/* SPDX-License-Identifier: MIT */
/*
 * report.h - gpuoa report: print metrics of a recording
 */
#ifndef GPUOA_TOOLS_REPORT_REPORT_H
#define GPUOA_TOOLS_REPORT_REPORT_H

#include "common/recording_options.h"

enum report_mode {
	REPORT_SUMMARY, /* summary: the minimum, mean and maximum of each metric */
	REPORT_ROWS, /* a row for each interval */
	REPORT_TOTAL, /* total: the whole recording evaluated as one interval */
	REPORT_WINDOWS,
	REPORT_MARKS,
	REPORT_CONTEXTS,
	REPORT_DIFF,
	REPORT_HTML,
};

struct report_options {
	struct recording_options recording;
	const char *other; /* second file of --diff */
	const char *output; /* output file of --html */
	enum report_mode mode;
	bool mode_given;
	uint64_t window_ns;
	unsigned int jobs; /* number of threads; 0: depends on the size of the file */
};

#endif /* GPUOA_TOOLS_REPORT_REPORT_H */
