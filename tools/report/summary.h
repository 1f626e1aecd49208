/* SPDX-License-Identifier: MIT */
/*
 * summary.h - statistics of all intervals of a recording: minimum, mean, 99th percentile, maximum
 */
#ifndef GPUOA_SUMMARY_H
#define GPUOA_SUMMARY_H

#include "common/evaluation.h"
#include "common/scaling.h"
#include "report/statistics.h"

/* Zero-initialize. */
struct summary {
	size_t count; /* number of columns */
	struct scaling *scalings;
	struct quantile *quantiles; /* quantiles of the levels */
	double *integrals; /* integrals of ratios over ticks */
	uint64_t rows;
	uint64_t gaps;
	uint64_t begin; /* begin of the first row, in ticks */
	uint64_t end;
	uint64_t covered; /* total length of all rows, in ticks */
	bool no_memory;
};

/* The statistics of a metric, as levels */
struct summary_line {
	double total; /* sum of the metric, in the level's units without "/s" */
	double least;
	double mean; /* of the whole recording as one interval: ratios are weighted by clocks */
	double over_time; /* average over time, of a ratio */
	double p99;
	double largest;
	double limit; /* largest possible value */
	bool has_limit;
	bool is_share; /* over_time is valid */
	bool answers_role; /* the set's metric for busy, active, stalled or occupied */
	bool is_exact; /* p99 is exact */
};

/* Implement evaluation_sink.take(); @context is the summary. */
void summary_take(void *context, const struct evaluation *evaluation, void *const *columns,
		  const struct gpuoa_interval *intervals, size_t count);

/* Print the summary after the last row. Returns an exit code. */
int summary_print(struct summary *summary, struct evaluation *evaluation);

void summary_free(struct summary *summary);

#endif /* GPUOA_SUMMARY_H */
