/* SPDX-License-Identifier: MIT */
/*
 * diff.h - gpuoa report --diff: comparison of two recordings
 */
#ifndef GPUOA_REPORT_DIFF_H
#define GPUOA_REPORT_DIFF_H

#include "common/scaling.h"
#include "common/recording.h"
#include "report/report_options.h"
#include "report/statistics.h"

#define DIFF_BLOCKS 32

/* A metric that both recordings have */
struct diff_line {
	const struct column *column;
	struct scaling scaling;
	double a; /* level of the whole recording as one interval */
	double b;
	struct difference difference; /* of the means of blocks; .p is corrected */
	double p; /* p before the correction */
};

/* Compare two recordings. Returns an exit code. */
int report_diff(const struct tool *tool, const struct report_options *options);

/* Print the result on stdout. @recorded: both recordings */
void diff_print(const struct tool *tool, const struct recorded *const *recorded,
		const struct diff_line *lines, size_t count, bool metrics_asked);

#endif /* GPUOA_REPORT_DIFF_H */
