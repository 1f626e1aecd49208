// SPDX-License-Identifier: MIT
/* calc_results.c - compute a batch and write its results to the sink */
#include <string.h>

#include "calc/calc_batch.h"

static const struct vector_ops *vector_of(const struct gpuoa_calc *calc)
{
	return calc->program->vector;
}

static bool is_float(const struct gpuoa_calc *calc, uint32_t number)
{
	return calc->program->outputs[number].result == RESULT_FLOAT;
}

/* Collect eight-byte values until all outputs of the rows are complete. */
static void put_words(void *context, uint32_t number, const union column *column, bool wide)
{
	const struct results *results = context;
	struct gpuoa_calc *calc = results->calc;
	uint64_t *words = calc->results + number * COLUMN_ROWS;
	size_t rows = column_round(results->rows);

	if (is_float(calc, number))
		vector_of(calc)->to_float_words(words, column, rows);
	else
		column_words(vector_of(calc), column, wide, words, rows);
}

static void put_rows(const struct results *results)
{
	struct gpuoa_calc *calc = results->calc;
	const uint32_t columns = calc->program->output_count;

	vector_of(calc)->to_rows((uint64_t *)results->sink->values + results->done * columns,
				 columns, calc->results, columns, results->rows);
}

/* Non-temporal stores are possible only for whole cache lines. */
static bool can_stream(const struct results *results, const void *out, size_t bytes)
{
	return results->sink->stream &&
	       !((uintptr_t)out % LANE_BLOCK_BYTES || bytes % LANE_BLOCK_BYTES);
}

static void put_floats(const struct results *results, float *out, const union column *column)
{
	const size_t bytes = results->rows * sizeof(*out);
	float floats[COLUMN_ROWS];

	if (can_stream(results, out, bytes)) {
		vector_of(results->calc)->stream_floats(out, column, results->rows);
		return;
	}
	vector_of(results->calc)->to_floats(floats, column, column_round(results->rows));
	memcpy(out, floats, bytes);
}

static void put_integers(const struct results *results, uint64_t *out, const union column *column,
			 bool wide)
{
	const size_t bytes = results->rows * sizeof(*out);
	uint64_t words[COLUMN_ROWS];

	if (can_stream(results, out, bytes)) {
		if (wide)
			vector_of(results->calc)->stream(out, column->wide, bytes);
		else
			vector_of(results->calc)->stream_integers(out, column, results->rows);
		return;
	}
	column_words(vector_of(results->calc), column, wide, words, column_round(results->rows));
	memcpy(out, words, bytes);
}

static void put_column(void *context, uint32_t number, const union column *column, bool wide)
{
	const struct results *results = context;
	void *out = results->sink->columns[number];

	if (!out)
		return;
	if (is_float(results->calc, number))
		put_floats(results, (float *)out + results->done, column);
	else
		put_integers(results, (uint64_t *)out + results->done, column, wide);
}

/* Outputs that are not available are 0. */
static void put_missing_columns(const struct results *results)
{
	const struct gpuoa_calc *calc = results->calc;

	for (uint32_t i = 0; i < calc->program->output_count; i++) {
		char *out = results->sink->columns[i];
		size_t size;

		if (!out || calc->program->outputs[i].result != RESULT_NONE)
			continue;
		size = gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT ? sizeof(float) :
									     sizeof(uint64_t);
		memset(out + results->done * size, 0, results->rows * size);
	}
}

/* Internal summaries have several lanes, which are combined at the end of a run. */
static void put_summary(void *context, uint32_t number, const union column *column, bool wide)
{
	const struct results *results = context;
	struct gpuoa_calc *calc = results->calc;
	union column reals;

	for (size_t row = 0; wide && row < results->rows; row++)
		reals.reals[row] = (double)column->wide[row];
	vector_of(calc)->summarize(&calc->summaries[number], wide ? &reals : column, results->rows);
}

static void put_intervals(const struct results *results)
{
	const struct gpuoa_calc *calc = results->calc;

	for (size_t row = 0; row < results->rows; row++)
		results->sink->intervals[results->done + row] = (struct gpuoa_interval){
			.begin = calc->ticks[row] - calc->lengths[row],
			.end = calc->ticks[row],
		};
}

/* Set the destinations of the fast path's columns. */
static void place_slots(const struct results *results, struct program *program)
{
	for (uint32_t i = 0; i < program->output_count; i++) {
		const size_t size = is_float(results->calc, i) ? sizeof(float) : sizeof(uint64_t);
		struct op_chain_slot *slot = &program->small_delta.slots[i];
		char *out = results->sink->columns[i];

		slot->values = out ? out + results->done * size : NULL;
		slot->stream = out && can_stream(results, slot->values, COLUMN_ROWS * size);
	}
}

enum small_delta_purpose calc_purpose(const struct calc_sink *sink)
{
	return sink->values    ? SMALL_DELTA_ROWS :
	       sink->columns   ? SMALL_DELTA_COLUMNS :
	       sink->summaries ? SMALL_DELTA_SUMMARIES :
				 SMALL_DELTA_SUMS;
}

void calc_put_results(struct results *results, struct program_batch *batch,
		      struct program *small_delta)
{
	const struct calc_sink *sink = results->sink;
	struct gpuoa_calc *calc = results->calc;

	batch->context = results;
	if (sink->values)
		batch->output = put_words;
	else if (sink->columns)
		batch->output = put_column;
	else if (sink->summaries)
		batch->output = put_summary;
	if (small_delta && sink->columns)
		place_slots(results, small_delta);
	if (small_delta)
		program_run_small_delta(small_delta, batch);
	else
		program_run(calc->program, batch);
	if (sink->values)
		put_rows(results);
	else if (sink->columns)
		put_missing_columns(results);
	if (sink->intervals)
		put_intervals(results);
}
