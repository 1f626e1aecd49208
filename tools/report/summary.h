/* SPDX-License-Identifier: MIT */
/*
 * summary.h - what all intervals of a recording have in common: least, mean, 99th percentile,
 * largest
 */
#ifndef GPUOA_SUMMARY_H
#define GPUOA_SUMMARY_H

#include "evaluation.h"
#include "level.h"
#include "report/quantile.h"

/* Zero at first. */
struct summary {
	size_t count; /* columns */
	struct level *levels;
	struct quantile *quantiles; /* of levels */
	double *integrals; /* of shares, over time: value times ticks */
	uint64_t rows;
	uint64_t gaps;
	uint64_t begin; /* ticks */
	uint64_t end;
	uint64_t covered; /* ticks of all rows */
	bool no_memory;
};

/* A metric's, as levels. */
struct summary_line {
	double total; /* of the metric, in the level's units without "/s" */
	double least;
	double mean; /* of everything taken as one interval: shares are weighted by clocks */
	double over_time; /* mean over time, of a share */
	double p99;
	double largest;
	double limit; /* largest possible one */
	bool has_limit;
	bool is_share; /* over_time is known */
	bool answers_role; /* it is the set's share of busy, active, stalled or occupied */
	bool is_exact; /* p99 */
};

/* An evaluation_sink's take(); @context is the summary. */
void summary_take(void *context, const struct evaluation *evaluation, void *const *columns,
		  const struct gpuoa_interval *intervals, size_t count);

/* Once all has been taken. Exit code. */
int summary_print(struct summary *summary, struct evaluation *evaluation);

void summary_free(struct summary *summary);

#endif /* GPUOA_SUMMARY_H */
