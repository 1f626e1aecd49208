// SPDX-License-Identifier: MIT
/* calc.c - public functions that run the calculator: rows, columns and summaries */
#include <math.h>
#include <string.h>

#include "calc/calc.h"

/* Columns with more values than this leave the caches before the caller reads them. */
#define STREAM_VALUES (1024 * 1024)

size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
		      union gpuoa_value *values, struct gpuoa_interval *intervals, size_t max_rows,
		      size_t *used)
{
	const struct calc_sink sink = { .values = values, .intervals = intervals };

	return calc_run(calc, reports, count, &sink, max_rows, used);
}

/* True if the caller requests a column. Otherwise it only needs the sums for totals. */
static bool some_column(const struct gpuoa_calc *calc, void *const *columns)
{
	for (uint32_t i = 0; i < calc->program->output_count; i++)
		if (columns[i])
			return true;
	return false;
}

size_t gpuoa_calc_run_outputs(struct gpuoa_calc *calc, const void *reports, size_t count,
			      void *const *columns, struct gpuoa_interval *intervals,
			      size_t max_rows, size_t *used)
{
	const size_t rows = count < max_rows ? count : max_rows;
	const struct calc_sink sink = {
		.columns = some_column(calc, columns) ? columns : NULL,
		.intervals = intervals,
		.stream = rows * gpuoa_calc_output_count(calc) >= STREAM_VALUES,
	};

	return calc_run(calc, reports, count, &sink, max_rows, used);
}

static void clear_summary(struct column_summary *summary)
{
	for (size_t i = 0; i < COLUMN_LANES; i++) {
		summary->sums[i] = 0;
		summary->least[i] = INFINITY;
		summary->largest[i] = -INFINITY;
	}
}

static void add_summary(struct gpuoa_summary *to, const struct column_summary *from, size_t rows)
{
	if (!to->rows) {
		to->least = INFINITY;
		to->largest = -INFINITY;
	}
	to->rows += rows;
	for (size_t i = 0; i < COLUMN_LANES; i++) {
		to->sum += from->sums[i];
		if (from->least[i] < to->least)
			to->least = from->least[i];
		if (from->largest[i] > to->largest)
			to->largest = from->largest[i];
	}
}

/* Reset summaries, and the sums and bounds of the small-delta fast path. */
static void begin_summaries(struct gpuoa_calc *calc)
{
	const size_t lanes = calc->program->block_count * LANE_BLOCK;

	calc_settle(calc);
	memset(calc->small_delta_run.least, 0xff, lanes * sizeof(*calc->small_delta_run.least));
	memset(calc->small_delta_run.largest, 0, lanes * sizeof(*calc->small_delta_run.largest));
	for (uint32_t i = 0; i < calc->program->output_count; i++)
		clear_summary(&calc->summaries[i]);
	if (calc->small_delta[SMALL_DELTA_SUMMARIES])
		program_begin_linears(calc->small_delta[SMALL_DELTA_SUMMARIES]);
}

size_t gpuoa_calc_summarize(struct gpuoa_calc *calc, const void *reports, size_t count,
			    struct gpuoa_summary *summaries)
{
	const struct calc_sink sink = { .summaries = summaries };
	const uint32_t outputs = calc->program->output_count;
	size_t used, rows;

	begin_summaries(calc);
	rows = calc_run(calc, reports, count, &sink, SIZE_MAX, &used);
	if (calc->small_delta_batches)
		program_end_linears(calc->small_delta[SMALL_DELTA_SUMMARIES],
				    &calc->small_delta_run, calc->summaries);
	for (uint32_t i = 0; rows && i < outputs; i++) {
		if (calc->program->outputs[i].result == RESULT_NONE)
			calc->summaries[i].least[0] = calc->summaries[i].largest[0] = 0;
		add_summary(&summaries[i], &calc->summaries[i], rows);
	}
	return rows;
}
