/* SPDX-License-Identifier: MIT */
/*
 * summary.h - print a summary of a recording: the minimum, mean, 99th percentile and maximum of
 * each metric
 */
#ifndef GPUOA_TOOLS_REPORT_SUMMARY_H
#define GPUOA_TOOLS_REPORT_SUMMARY_H

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
	uint64_t begin; /* time at which the first row begins, in ticks */
	uint64_t end;
	uint64_t covered; /* sum of the lengths of all rows, in ticks */
	bool no_memory;
};

/* The statistics of a metric. Values are levels. */
struct summary_line {
	double total; /* sum of the metric over all rows, in the unit of the level without "/s" */
	double least;
	/*
	 * mean: the level of the whole recording as one interval, in which ratios are weighed by
	 * clocks
	 */
	double mean;
	double over_time; /* time average, for ratios only */
	double p99;
	double largest;
	double limit; /* largest possible value */
	bool has_limit;
	bool is_share; /* over_time is valid */
	/* the metric has the role busy, active, stalled or occupied in the set */
	bool answers_role;
	bool is_exact; /* p99 is exact */
};

/* Receive rows from the evaluation (evaluation_sink.take). @context: the summary */
void summary_take(void *context, const struct evaluation *evaluation, void *const *columns,
		  const struct gpuoa_interval *intervals, size_t count);

/* Print the summary, after the last row was received. Returns an exit code. */
int summary_print(struct summary *summary, struct evaluation *evaluation);

void summary_free(struct summary *summary);

/* A ratio of clocks, and its average over time */
struct over_time {
	const char *symbol;
	double percent;
};

struct summary_table {
	struct output output; /* used for CSV or JSON */
	enum output_format format;
	int symbol_width; /* widths of the table's parts, in characters */
	int unit_width;
	int bar_width; /* 0: no bars */
	int name_width; /* 0: no names */
	bool utf8;
	bool colours;
	/* symbols of metrics that are always 0; NULL: such metrics are printed like others */
	const char **zeros;
	size_t zero_count;
	bool metrics_asked; /* the user selected metrics with -m */
	struct over_time *over_time; /* averages over time, which are printed below the table */
	size_t over_time_count;
	bool estimated; /* at least one p99 that was printed is an estimate */
};

#endif /* GPUOA_TOOLS_REPORT_SUMMARY_H */
