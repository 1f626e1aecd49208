/* SPDX-License-Identifier: MIT */
/*
 * row_table.h - print a table that has one row per interval, window or mark, and fits the
 * terminal's width
 */
#ifndef GPUOA_ROW_TABLE_H
#define GPUOA_ROW_TABLE_H

#include "common/scaling.h"

struct evaluation;

/* A column of the table, which shows a metric */
struct row_table_column {
	const struct column *column;
	struct scaling scaling;
	int width;
};

struct row_table {
	struct row_table_column *columns; /* NULL: no row printed yet */
	size_t count;
	/* number of metrics that are left out because the terminal is too narrow */
	size_t left_out;
	uint64_t start; /* GPU time that the table shows as 0, in ticks */
	uint64_t rows;
};

/* A row of the table. Times are in GPU ticks. */
struct row_table_row {
	uint64_t begin;
	uint64_t end;
	uint64_t covered; /* number of ticks in the row for which there are reports */
	/* value of the mark at the begin; NULL: the row does not begin at a mark */
	const uint64_t *mark;
	const union gpuoa_value *values;
};

/*
 * Print a row. The headings are printed before the first row and again after each screenful. Values
 * are levels: counts are printed per second.
 */
void row_table_print(struct row_table *table, const struct evaluation *evaluation,
		     const struct row_table_row *row);

/* Free the table, after printing a note about the number of metrics left out. */
void row_table_end(struct row_table *table, const struct tool *tool);

#endif /* GPUOA_ROW_TABLE_H */
