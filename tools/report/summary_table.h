/* SPDX-License-Identifier: MIT */
/*
 * summary_table.h - output of a summary on stdout: one line per metric, as a table, CSV or JSON
 */
#ifndef GPUOA_REPORT_SUMMARY_TABLE_H
#define GPUOA_REPORT_SUMMARY_TABLE_H

#include "report/summary.h"

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

void summary_table_begin(struct summary_table *table, const struct summary *summary,
			 const struct evaluation *evaluation);
void summary_table_line(struct summary_table *table, const struct column *column,
			const struct scaling *scaling, const struct summary_line *line);
void summary_table_end(struct summary_table *table);

#endif /* GPUOA_REPORT_SUMMARY_TABLE_H */
