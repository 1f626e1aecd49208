// SPDX-License-Identifier: MIT
/* calc_run.c - calculate batch by batch: load reports, compute, write results */
#include <string.h>

#include "calc/calc_batch.h"

/* Sums in doubles are exact only for a limited number of batches: move them to integers. */
static void settle_batches(struct gpuoa_calc *calc)
{
	for (uint32_t i = 0; calc->batches && i < calc->program->input_count; i++) {
		double *lanes = calc->batch_sums[i].lanes;

		for (size_t lane = 0; lane < COLUMN_LANES; lane++)
			calc->sums[i] += (uint64_t)lanes[lane];
		memset(lanes, 0, sizeof(calc->batch_sums[i].lanes));
	}
	calc->batches = 0;
}

void calc_settle(struct gpuoa_calc *calc)
{
	const struct program *program = calc->program;

	settle_batches(calc);
	for (uint32_t i = 0; i < program->input_count; i++)
		if (!program->inputs[i].absolute)
			calc->sums[i] += calc->small_delta_run.sums[program->inputs[i].low];
	memset(calc->small_delta_run.sums, 0,
	       program->block_count * LANE_BLOCK * sizeof(*calc->small_delta_run.sums));
	calc->small_delta_batches = 0;
}

/* Record the first and last time of the rows, for totals. */
static void note_rows(struct gpuoa_calc *calc, const struct batch *batch)
{
	size_t last = batch->rows - 1;

	if (!calc->rows)
		calc->first = calc->ticks[0] - calc->lengths[0];
	calc->rows += batch->rows;
	calc->end = calc_header(calc->format, calc->constants, batch->reports[last]);
	calc->end.timestamp = calc->ticks[last];
}

/* Returns the number of rows. */
static size_t run_batch(struct gpuoa_calc *calc, struct batch *batch, const struct calc_sink *sink,
			size_t done)
{
	const char *last = batch->reports[batch->rows - 1];
	struct program_batch loaded = {
		.lanes = calc->lanes,
		.reports = batch->reports,
		.rows = calc_fill_up(batch),
		.ticks = calc->times,
		.sums = calc->batch_sums,
		.wide_sums = calc->sums,
		.next = last + calc->format->size,
		.next_end = last + (1 + COLUMN_ROWS) * calc->format->size,
	};
	struct results results = { .calc = calc, .sink = sink, .done = done };
	struct program *small_delta =
		calc_load_small_delta(calc, batch, calc_purpose(sink), &loaded);

	if (small_delta)
		calc_note_small_delta(calc, calc_purpose(sink),
				      sink->intervals || calc->selection.infos);
	else
		calc_load_any(calc, batch, &loaded);
	if (batch->rows) {
		results.rows = batch->rows;
		calc_put_results(&results, &loaded, small_delta);
		note_rows(calc, batch);
		if (!small_delta && ++calc->batches == COLUMN_SUMS_BATCHES)
			settle_batches(calc);
	}
	memcpy(calc->last_report, last, calc->format->size);
	return batch->rows;
}

/*
 * Collect the next reports that pass the filter. Returns the number of reports that were examined.
 */
static size_t filter_batch(struct gpuoa_calc *calc, struct batch *batch, const char *reports,
			   size_t count, size_t max)
{
	size_t i;

	batch->rows = 0;
	for (i = 0; i < count && batch->rows < max; i++, reports += calc->format->size) {
		if (calc->filter.context)
			calc->in_context = filter_keeps(&calc->filter, calc->format,
							calc->constants, reports, calc->in_context);
		if (calc->filter.reason &&
		    !filter_takes(&calc->filter, calc->format, calc->constants, reports))
			continue;
		batch->keeps[batch->rows] = calc->in_context;
		batch->reports[batch->rows++] = reports;
	}
	return i;
}

/* The same without a filter; the context is not needed then. */
static size_t next_batch(struct gpuoa_calc *calc, struct batch *batch, const char *reports,
			 size_t count, size_t max)
{
	const size_t rows = count < max ? count : max, size = calc->format->size;

	if (calc->filter.context || calc->filter.reason)
		return filter_batch(calc, batch, reports, count, max);
	for (size_t i = 0; i < rows; i++)
		batch->reports[i] = reports + i * size;
	batch->keeps[0] = false;
	batch->rows = rows;
	return rows;
}

size_t calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
		const struct calc_sink *sink, size_t max_rows, size_t *used)
{
	const char *report = reports;
	size_t rows = 0;

	for (*used = 0; *used < count;) {
		size_t max = calc->has_last ? max_rows - rows : 1;
		struct batch batch;
		size_t taken;

		if (!max)
			break;
		taken = next_batch(calc, &batch, report, count - *used,
				   max < COLUMN_ROWS ? max : COLUMN_ROWS);
		report += taken * calc->format->size;
		*used += taken;
		if (!batch.rows)
			continue;
		if (calc->has_last)
			rows += run_batch(calc, &batch, sink, rows);
		else
			calc_load_first(calc, &batch);
	}
	if (sink->stream)
		calc->program->vector->stream_end();
	return rows;
}

/* The intervals between pairs are also computed, and dropped in the same way as by a filter. */
static void run_pairs(struct gpuoa_calc *calc, const char *reports, size_t pairs, uint64_t near,
		      const struct calc_sink *sink, size_t done)
{
	struct batch batch = { .rows = 2 * pairs };
	struct program_batch loaded = {
		.lanes = calc->lanes,
		.reports = batch.reports,
		.ticks = calc->times,
		.sums = calc->batch_sums,
		.wide_sums = calc->sums,
		.next = reports,
		.next_end = reports,
		.kept = calc->kept,
		.kept_count = pairs,
	};
	struct results results = { .calc = calc, .sink = sink, .done = done, .rows = pairs };

	for (size_t row = 0; row < batch.rows; row++)
		batch.reports[row] = reports + row * calc->format->size;
	for (size_t i = 0; i < pairs; i++)
		calc->kept[i] = (uint16_t)(2 * i + 1);
	loaded.rows = calc_fill_up(&batch);
	calc_load_pairs(calc, &batch, &loaded, near);
	calc_put_results(&results, &loaded, NULL);
}

void calc_run_pairs(struct gpuoa_calc *calc, const void *reports, size_t pairs, uint64_t near,
		    const struct calc_sink *sink)
{
	const size_t most = COLUMN_ROWS / 2;

	for (size_t done = 0; done < pairs; done += most)
		run_pairs(calc, (const char *)reports + 2 * done * calc->format->size,
			  pairs - done < most ? pairs - done : most, near, sink, done);
	gpuoa_calc_discontinuity(calc);
}
