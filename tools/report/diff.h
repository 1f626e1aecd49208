/* SPDX-License-Identifier: MIT */
/*
 * diff.h - gpuoa report --diff: compare two recordings
 */
#ifndef GPUOA_TOOLS_REPORT_DIFF_H
#define GPUOA_TOOLS_REPORT_DIFF_H

#include "common/recording.h"
#include "common/scaling.h"
#include "report/report.h"
#include "report/statistics.h"

#define DIFF_BLOCKS 32

/* A metric that both recordings have */
struct diff_line {
	const struct column *column;
	struct scaling scaling;
	/* level in the first recording, evaluated as one interval; .b is that in the second */
	double a;
	double b;
	/* comparison of the means of blocks; .p is corrected for the number of metrics */
	struct difference difference;
	double p; /* p before the correction */
};

/* Compare two recordings. Returns an exit code. */
int report_diff(const struct tool *tool, const struct report_options *options);

#endif /* GPUOA_TOOLS_REPORT_DIFF_H */
