/* SPDX-License-Identifier: MIT */
/*
 * row_table.h - a table with a row for each interval, window or mark, as wide as the terminal
 */
#ifndef GPUOA_ROW_TABLE_H
#define GPUOA_ROW_TABLE_H

#include "level.h"

struct evaluation;

/* A column of it: a metric. */
struct row_table_column {
	const struct column *column;
	struct level level;
	int width;
};

struct row_table {
	struct row_table_column *columns; /* NULL: not begun */
	size_t count;
	size_t left_out; /* metrics that the terminal has no room for */
	uint64_t start; /* GPU time from which times count, ticks */
	uint64_t rows;
};

/* A row; times are ticks of the GPU. */
struct row_table_row {
	uint64_t begin;
	uint64_t end;
	uint64_t covered; /* time of it that the values are of */
	const uint64_t *mark; /* NULL: it begins at no mark */
	const union gpuoa_value *values;
};

/*
 * Print a row, and the headings if it is the first one or if these have left the screen. Values are
 * levels: what is counted is printed per second.
 */
void row_table_print(struct row_table *table, const struct evaluation *evaluation,
		     const struct row_table_row *row);

/* Free it. A note says how many metrics were left out. */
void row_table_end(struct row_table *table, const struct tool *tool);

#endif /* GPUOA_ROW_TABLE_H */
