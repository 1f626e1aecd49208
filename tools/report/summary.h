/* SPDX-License-Identifier: MIT */
/*
 * summary.h - summary of a recording: minimum, mean, 99th percentile and maximum of each metric
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
	uint64_t begin; /* begin of the first row, in ticks */
	uint64_t end;
	uint64_t covered; /* total length of all rows, in ticks */
	bool no_memory;
};

/* The statistics of a metric, as levels */
struct summary_line {
	double total; /* sum of the metric, in the level's units without "/s" */
	double least;
	double mean; /* mean over the whole recording as one interval; weighs ratios by clocks */
	double over_time; /* time average, for ratios only */
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

/* A ratio of clocks and its average over time */
struct over_time {
	const char *symbol;
	double percent;
};

struct summary_table {
	struct output output; /* used for CSV or JSON */
	enum output_format format;
	int symbol_width; /* widths in columns of the terminal */
	int unit_width;
	int bar_width; /* 0: no bars */
	int name_width; /* 0: no names */
	bool utf8;
	bool colours;
	const char **zeros; /* metrics that are always 0; NULL: print them like others */
	size_t zero_count;
	bool metrics_asked; /* the user named metrics by -m */
	struct over_time *over_time; /* averages over time, printed below the table */
	size_t over_time_count;
	bool estimated; /* a p99 that is not exact was printed */
};

#endif /* GPUOA_TOOLS_REPORT_SUMMARY_H */
