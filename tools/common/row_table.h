/* SPDX-License-Identifier: MIT */
/*
 * row_table.h - table with a row per interval, window or mark, fitted to the terminal's width
 */
#ifndef GPUOA_ROW_TABLE_H
#define GPUOA_ROW_TABLE_H

#include "common/scaling.h"

struct evaluation;

/* A column of the table: a metric */
struct row_table_column {
	const struct column *column;
	struct scaling scaling;
	int width;
};

struct row_table {
	struct row_table_column *columns; /* NULL: no row printed yet */
	size_t count;
	size_t left_out; /* metrics left out because the terminal is too narrow */
	uint64_t start; /* GPU time at time 0 of the table, in ticks */
	uint64_t rows;
};

/* A row; times are GPU ticks */
struct row_table_row {
	uint64_t begin;
	uint64_t end;
	uint64_t covered; /* ticks of the row covered by reports */
	const uint64_t *mark; /* NULL: it does not begin at a mark */
	const union gpuoa_value *values;
};

/*
 * Print a row; print the headings before the first one and after each screenful. Values are levels:
 * counts are printed per second.
 */
void row_table_print(struct row_table *table, const struct evaluation *evaluation,
		     const struct row_table_row *row);

/* Free it, after a note about the number of metrics left out. */
void row_table_end(struct row_table *table, const struct tool *tool);

#endif /* GPUOA_ROW_TABLE_H */
