/* SPDX-License-Identifier: MIT */
/*
 * diff.h - gpuoa report --diff: two recordings side by side
 */
#ifndef GPUOA_REPORT_DIFF_H
#define GPUOA_REPORT_DIFF_H

#include "level.h"
#include "recorded.h"
#include "report/report_options.h"
#include "report/statistics.h"

#define DIFF_BLOCKS 32

/* A metric that both have. */
struct diff_line {
	const struct column *column;
	struct level level;
	double a; /* levels, of everything taken as one interval */
	double b;
	struct difference difference; /* of the means of blocks; p is corrected */
	double p; /* as it is */
};

/* Exit code. */
int report_diff(const struct tool *tool, const struct report_options *options);

/* On stdout. @recorded: both of them */
void diff_print(const struct tool *tool, const struct recorded *const *recorded,
		const struct diff_line *lines, size_t count, bool metrics_asked);

#endif /* GPUOA_REPORT_DIFF_H */
