// SPDX-License-Identifier: MIT
/*
 * row_table.c - print a table that has one row per interval, window or mark
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/default_metrics.h"
#include "common/evaluation.h"
#include "common/row_table.h"
#include "common/terminal.h"

#define TIME_WIDTH 10
#define CLOCK_WIDTH 17
#define COVERED_WIDTH 8
#define MARK_WIDTH 6
#define VALUE_WIDTH 6
#define SCREEN_ROWS 20 /* number of rows after which the headings are printed again */

/* Return whether rows show the covered part of their time, as those of windows and marks do. */
static bool has_covered(const struct evaluation *evaluation)
{
	return evaluation->windows;
}

/* Return the width of times. A time of day has more digits than a time since the first report. */
static int time_width(const struct evaluation *evaluation)
{
	return evaluation->request.time ? CLOCK_WIDTH : TIME_WIDTH;
}

static int head_width(const struct evaluation *evaluation)
{
	return time_width(evaluation) + (has_covered(evaluation) ? 1 + COVERED_WIDTH : 0) +
	       (evaluation->request.marks ? 1 + MARK_WIDTH : 0);
}

/* Numbers of the table's columns, sorted by rank */
struct candidate {
	size_t number;
	int rank;
};

static int by_rank(const void *a, const void *b)
{
	const struct candidate *left = a, *right = b;

	if (left->rank != right->rank)
		return left->rank - right->rank;
	return left->number < right->number ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
	const struct row_table_column *left = a, *right = b;

	return (left->column > right->column) - (left->column < right->column);
}

static struct row_table_column column_of(const struct column *column)
{
	struct row_table_column result = { .column = column, .scaling = scaling_of(column) };
	const size_t symbol = strlen(column->symbol), unit = strlen(result.scaling.unit);

	result.width = (int)(symbol > unit ? symbol : unit);
	if (result.width < VALUE_WIDTH)
		result.width = VALUE_WIDTH;
	return result;
}

/*
 * Choose the metrics to show. Metrics that the user named are in the user's order; otherwise show
 * as many as fit, of the best ranks.
 */
static void choose(struct row_table *table, const struct evaluation *evaluation,
		   struct candidate *candidates)
{
	const struct columns *columns = &evaluation->columns;
	int left = terminal_limit(stdout) - head_width(evaluation);

	for (size_t i = 0; i < columns->count; i++) {
		const int rank =
			evaluation->request.metrics ? 0 : default_metrics_rank(&columns->list[i]);

		candidates[i] = (struct candidate){ i, rank };
	}
	qsort(candidates, columns->count, sizeof(*candidates), by_rank);
	for (size_t i = 0; i < columns->count; i++) {
		const struct row_table_column column =
			column_of(&columns->list[candidates[i].number]);

		if (column.width + 1 > left && table->count) {
			table->left_out++;
			continue;
		}
		left -= column.width + 1;
		table->columns[table->count++] = column;
	}
	if (table->count)
		qsort(table->columns, table->count, sizeof(*table->columns), by_number);
}

static bool begin(struct row_table *table, const struct evaluation *evaluation, uint64_t start)
{
	struct candidate *candidates = calloc(evaluation->columns.count + 1, sizeof(*candidates));

	table->columns = calloc(evaluation->columns.count + 1, sizeof(*table->columns));
	table->start = start;
	if (!candidates) {
		free(table->columns);
		table->columns = NULL;
	}
	if (table->columns)
		choose(table, evaluation, candidates);
	free(candidates);
	return table->columns;
}

static void print_headings(const struct row_table *table, const struct evaluation *evaluation)
{
	const bool stretches = has_covered(evaluation);

	printf("%*s", time_width(evaluation), stretches ? "BEGIN" : "TIME");
	if (evaluation->request.marks)
		printf(" %*s", MARK_WIDTH, "MARK");
	if (stretches)
		printf(" %*s", COVERED_WIDTH, "MEASURED");
	for (size_t i = 0; i < table->count; i++)
		printf(" %*s", table->columns[i].width, table->columns[i].column->symbol);
	printf("\n%*s", time_width(evaluation), "s");
	if (evaluation->request.marks)
		printf(" %*s", MARK_WIDTH, "");
	if (stretches)
		printf(" %*s", COVERED_WIDTH, "s");
	for (size_t i = 0; i < table->count; i++)
		printf(" %*s", table->columns[i].width, table->columns[i].scaling.unit);
	puts("");
}

/*
 * Return a time in seconds: on the clock that the user selected, otherwise since the start of the
 * table.
 */
static double seconds(const struct row_table *table, const struct evaluation *evaluation,
		      uint64_t ticks)
{
	if (evaluation->request.time)
		return (double)row_ns(evaluation, ticks) / NSEC_PER_SEC;
	return ((double)ticks - (double)table->start) / (double)evaluation->frequency;
}

static void print_value(const struct row_table_column *shown, const struct row_table_row *row,
			double duration)
{
	const struct column *column = shown->column;
	char text[SCALING_TEXT] = "-";

	if (!column->absent && row->covered)
		scaling_text(scaling_value(&shown->scaling,
					   gpuoa_value_to_double(column->type,
								 row->values[column->index]),
					   duration),
			     &shown->scaling, text);
	printf(" %*s", shown->width, text);
}

static void print_row(const struct row_table *table, const struct evaluation *evaluation,
		      const struct row_table_row *row)
{
	const double duration = (double)row->covered / (double)evaluation->frequency;
	char text[SCALING_TEXT] = "";

	printf("%*.6f", time_width(evaluation),
	       seconds(table, evaluation, has_covered(evaluation) ? row->begin : row->end));
	if (row->mark)
		snprintf(text, sizeof(text), "%" PRIu64, *row->mark);
	if (evaluation->request.marks)
		printf(" %*s", MARK_WIDTH, text);
	if (has_covered(evaluation))
		printf(" %*.6f", COVERED_WIDTH, duration);
	for (size_t i = 0; i < table->count; i++)
		print_value(&table->columns[i], row, duration);
	puts("");
}

void row_table_print(struct row_table *table, const struct evaluation *evaluation,
		     const struct row_table_row *row)
{
	if (!table->columns && !begin(table, evaluation, row->begin))
		return;
	if (!(table->rows % SCREEN_ROWS) && (!table->rows || isatty(STDOUT_FILENO)))
		print_headings(table, evaluation);
	print_row(table, evaluation, row);
	table->rows++;
}

void row_table_end(struct row_table *table, const struct tool *tool)
{
	if (table->left_out)
		note(tool,
		     "%zu more metrics do not fit; select some with -m, or print all with --csv",
		     table->left_out);
	free(table->columns);
	*table = (struct row_table){ 0 };
}
