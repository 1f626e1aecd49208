// SPDX-License-Identifier: MIT
/* calc_run.c - calculate batch by batch: load reports, compute, write results */
#include <string.h>

#include "base/ticks.h"
#include "calc/calc.h"

/* A batch of reports, with space for copies of its last report, which pad the last group of rows */
struct batch {
	const char *reports[COLUMN_ROWS];
	bool keeps[COLUMN_ROWS]; /* for each report: the filter's context runs after it */
	size_t rows;
};

/* Destination of a batch's results. */
struct results {
	struct gpuoa_calc *calc;
	const struct calc_sink *sink;
	size_t done; /* number of previous rows */
	size_t rows;
};

/* Return the time of the next report, extended to 64 bits. */
static uint64_t next_ticks(struct gpuoa_calc *calc, const void *report)
{
	uint64_t timestamp = report_read(report, calc->format->timestamp);
	uint64_t mask = field_mask(calc->format->timestamp);

	if (calc->has_anchor)
		calc->last_ticks = ticks_near(calc->anchor, timestamp, mask);
	else if (calc->has_ticks)
		calc->last_ticks = ticks_after(calc->last_ticks, timestamp, mask);
	else
		calc->last_ticks = timestamp;
	calc->has_anchor = false;
	calc->has_ticks = true;
	return calc->last_ticks;
}

/*
 * Compute the times of all reports, extended to 64 bits. A time base applies to the first report;
 * the other times follow from the deltas of timestamps.
 */
static void load_times(struct gpuoa_calc *calc, const void *first, size_t rows)
{
	calc->ticks[0] = next_ticks(calc, first);
	for (size_t row = 1; row < rows; row++)
		calc->ticks[row] = calc->ticks[row - 1] + calc->lengths[row];
	calc->last_ticks = calc->ticks[rows - 1];
}

/* Load the reports in groups, so that the cache lines of a report are fetched consecutively. */
static void load_lanes(struct gpuoa_calc *calc, const struct batch *batch, size_t rows)
{
	const struct program *program = calc->program;

	for (size_t row = 0; row < rows; row += COLUMN_GROUP)
		for (uint32_t i = 0; i < program->block_count; i++)
			program->vector->load_lanes(batch->reports + row,
						    program->blocks[i] * LANE_BLOCK_BYTES,
						    calc->lanes + i * LANE_BLOCK, LANE_FIRST + row);
}

/* Load the last report of the previous batch. */
static void load_last(struct gpuoa_calc *calc)
{
	const struct program *program = calc->program;

	for (uint32_t i = 0; i < program->block_count * LANE_BLOCK; i++) {
		size_t offset = program->blocks[i / LANE_BLOCK] * LANE_BLOCK_BYTES;

		calc->lanes[i].dwords[LANE_FIRST - 1] =
			report_dword(calc->last_report, offset + i % LANE_BLOCK * 4);
	}
}

/*
 * Pad the last group of rows with copies of the last report. Returns the number of rows. The
 * interval between two copies is empty, so that all its values are 0.
 */
static size_t calc_fill_up(struct batch *batch)
{
	size_t rows = column_round(batch->rows);

	for (size_t row = batch->rows; row < rows; row++)
		batch->reports[row] = batch->reports[batch->rows - 1];
	return rows;
}

static size_t choose_rows(struct gpuoa_calc *calc, const struct batch *batch)
{
	size_t kept = 0;

	for (size_t row = 0; row < batch->rows; row++) {
		if (calc->keeps_next)
			calc->kept[kept++] = row;
		calc->keeps_next = batch->keeps[row];
	}
	return kept;
}

/*
 * Move the rows that the filter keeps to the front. Only these rows are loaded to columns, later.
 */
static void compact(struct gpuoa_calc *calc, struct batch *batch, size_t kept)
{
	for (size_t row = 0; row < kept; row++) {
		batch->reports[row] = batch->reports[calc->kept[row]];
		calc->ticks[row] = calc->ticks[calc->kept[row]];
		calc->lengths[row] = calc->lengths[calc->kept[row]];
	}
	batch->rows = kept;
}

/* Load the dwords of a batch's reports, and apply the context filter. */
static void calc_load_any(struct gpuoa_calc *calc, struct batch *batch,
			  struct program_batch *loaded)
{
	load_last(calc);
	load_lanes(calc, batch, loaded->rows);
	program_load_lengths(calc->program, loaded, calc->lengths);
	load_times(calc, batch->reports[0], loaded->rows);
	memcpy(calc->times, calc->ticks, sizeof(calc->times));
	if (calc->filter.context) {
		loaded->kept = calc->kept;
		loaded->kept_count = choose_rows(calc, batch);
		compact(calc, batch, loaded->kept_count);
	}
}

/* Start with this report. It ends no row, because there is no preceding report. */
static void calc_load_first(struct gpuoa_calc *calc, struct batch *batch)
{
	memcpy(calc->last_report, batch->reports[0], calc->format->size);
	next_ticks(calc, batch->reports[0]);
	calc->keeps_next = batch->keeps[0];
	calc->has_last = true;
}

void gpuoa_calc_discontinuity(struct gpuoa_calc *calc)
{
	if (!calc->across_gaps)
		calc->has_last = false;
	calc->in_context = false;
}

void gpuoa_calc_set_time_base(struct gpuoa_calc *calc, uint64_t gpu_ticks)
{
	calc->anchor = gpu_ticks;
	calc->has_anchor = true;
}

/* Compute the times of the reports of each pair, independently of other pairs. */
static void load_pair_times(struct gpuoa_calc *calc, const struct batch *batch, size_t rows,
			    uint64_t near)
{
	const struct report_field field = calc->format->timestamp;

	for (size_t row = 0; row < rows; row += 2) {
		const uint64_t begin = report_read(batch->reports[row], field);

		calc->times[row] = near ? ticks_near(near, begin, field_mask(field)) : begin;
		calc->times[row + 1] = calc->times[row] + calc->lengths[row + 1];
	}
}

/*
 * Load pairs of reports, of which calc->last_report is the first. The times of each pair are
 * extended independently, to the times nearest to @near, if that is not 0.
 */
static void calc_load_pairs(struct gpuoa_calc *calc, const struct batch *batch,
			    const struct program_batch *loaded, uint64_t near)
{
	load_last(calc);
	load_lanes(calc, batch, loaded->rows);
	program_load_lengths(calc->program, loaded, calc->lengths);
	load_pair_times(calc, batch, loaded->rows, near);
}

/*
 * After two consecutive batches with large deltas, more are likely: skip this number of batches
 * before the next attempt.
 */
#define COLD_BATCHES 16

/* The vector code needs contiguous reports: copy reports that are not contiguous. */
static const char *in_a_row(const struct gpuoa_calc *calc, const struct batch *batch)
{
	const size_t size = calc->format->size;

	if (batch->reports[COLUMN_ROWS - 1] == batch->reports[0] + (COLUMN_ROWS - 1) * size)
		return batch->reports[0];
	for (size_t row = 0; row < COLUMN_ROWS; row++)
		memcpy(calc->apart + row * size, batch->reports[row], size);
	return calc->apart;
}

/* Load the dwords of reports that @program needs. Returns false if the batch has large deltas. */
static bool load_quads(struct gpuoa_calc *calc, const struct program *program, const char *reports,
		       struct program_batch *loaded)
{
	const struct small_delta_ops *ops = calc->program->vector->small_delta;
	bool small_delta;
	struct small_delta_reports batch = {
		.first = reports,
		.before = calc->last_report,
		.next = loaded->next,
		.size = calc->format->size,
	};
	const struct small_delta_request request = {
		.quads = program->quads,
		.quad_count = program->quad_count,
		.rules = program->rules,
		.lanes = calc->lanes,
		.batch = calc->small_delta_batch,
	};

	small_delta = program->small_delta.purpose == SMALL_DELTA_SUMMARIES ?
			      ops->load_bounds(&request, &batch) :
			      ops->load(&request, &batch);
	loaded->next = batch.next;
	return small_delta;
}

/* Build the fast-path program when the first batch with small deltas occurs. */
static struct program *try_small_delta(struct gpuoa_calc *calc, const char *reports,
				       enum small_delta_purpose purpose,
				       struct program_batch *loaded)
{
	if (!calc->small_delta[purpose] && (!load_quads(calc, calc->program, reports, loaded) ||
					    !calc_make_small_delta(calc, purpose)))
		return NULL;
	return load_quads(calc, calc->small_delta[purpose], reports, loaded) ?
		       calc->small_delta[purpose] :
		       NULL;
}

/*
 * Load the dwords of a batch with small deltas, and advance the prefetch position in @loaded.
 * Returns the fast-path program, or NULL if the deltas are large.
 */
static struct program *calc_load_small_delta(struct gpuoa_calc *calc, const struct batch *batch,
					     enum small_delta_purpose purpose,
					     struct program_batch *loaded)
{
	struct program *small_delta;

	if (batch->rows < COLUMN_ROWS || calc->filter.context || calc->has_anchor)
		return NULL;
	if (calc->cold) {
		calc->cold--;
		return NULL;
	}
	small_delta = try_small_delta(calc, in_a_row(calc, batch), purpose, loaded);
	if (!small_delta)
		calc->cold = calc->missed ? COLD_BATCHES : 0;
	calc->missed = !small_delta;
	return small_delta;
}

/* The time of each report is needed only if intervals or information items are requested. */
static void load_small_delta_times(struct gpuoa_calc *calc, const struct lane *lengths, bool each)
{
	const size_t last = COLUMN_ROWS - 1;
	uint64_t ticks = calc->last_ticks;

	calc->last_ticks += calc->small_delta_batch.totals[calc->program->inputs[INPUT_TICKS].low];
	for (size_t row = 0; row < (each ? COLUMN_ROWS : 1); row++) {
		calc->lengths[row] = lengths->dwords[LANE_FIRST + row];
		calc->times[row] = calc->ticks[row] = ticks += calc->lengths[row];
	}
	calc->ticks[last] = calc->last_ticks;
}

/* Update sums and times from the deltas of a fast-path batch. */
static void calc_note_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose,
				  bool each_time)
{
	const struct program *program = calc->program;
	struct small_delta_run run = calc->small_delta_run;

	if (purpose != SMALL_DELTA_SUMMARIES)
		run.least = NULL;
	program->vector->small_delta->add(&run, &calc->small_delta_batch,
					  program->block_count * LANE_BLOCK);
	calc->small_delta_batches++;
	load_small_delta_times(calc, &calc->lanes[program->inputs[INPUT_TICKS].low], each_time);
}

static const struct vector_ops *vector_of(const struct gpuoa_calc *calc)
{
	return calc->program->vector;
}

static bool is_float(const struct gpuoa_calc *calc, uint32_t number)
{
	return calc->program->outputs[number].result == RESULT_FLOAT;
}

/* Store the values of a column in a buffer until all outputs of the rows are complete. */
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

/* The values of outputs that are not available are 0. */
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

/*
 * Combine the parallel sums of the internal summaries into the caller's summaries, at the end of a
 * run.
 */
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

/* Set the addresses to which the fast path writes the values of each output. */
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

static enum small_delta_purpose calc_purpose(const struct calc_sink *sink)
{
	return sink->values    ? SMALL_DELTA_ROWS :
	       sink->columns   ? SMALL_DELTA_COLUMNS :
	       sink->summaries ? SMALL_DELTA_SUMMARIES :
				 SMALL_DELTA_SUMS;
}

/*
 * Compute a loaded batch with the fast-path program @small_delta, or if it is NULL with the normal
 * one.
 */
static void calc_put_results(struct results *results, struct program_batch *batch,
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

/*
 * Sums in doubles are exact only for a limited number of batches: add them to integer sums before
 * that.
 */
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

/* Record the begin of the first row and the end of the last one, for totals. */
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
 * Collect the next batch of reports that pass the filter. Returns the number of examined reports.
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

/*
 * Collect the next batch of reports. The context of each report is needed only if there is a
 * filter.
 */
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

/*
 * The batch also has a row for the interval from each pair to the next. These rows are dropped like
 * rows that a filter does not keep.
 */
static void run_pairs(struct gpuoa_calc *calc, const char *reports, size_t pairs, uint64_t near,
		      union gpuoa_value *values)
{
	const struct calc_sink sink = { .values = values };
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
	struct results results = { .calc = calc, .sink = &sink, .rows = pairs };

	for (size_t row = 0; row < batch.rows; row++)
		batch.reports[row] = reports + row * calc->format->size;
	for (size_t i = 0; i < pairs; i++)
		calc->kept[i] = (uint16_t)(2 * i + 1);
	loaded.rows = calc_fill_up(&batch);
	memcpy(calc->last_report, reports, calc->format->size);
	calc_load_pairs(calc, &batch, &loaded, near);
	calc_put_results(&results, &loaded, NULL);
}

void calc_run_pairs(struct gpuoa_calc *calc, const void *reports, size_t pairs, uint64_t near,
		    union gpuoa_value *values)
{
	const size_t most = COLUMN_ROWS / 2;

	for (size_t done = 0; done < pairs; done += most)
		run_pairs(calc, (const char *)reports + 2 * done * calc->format->size,
			  pairs - done < most ? pairs - done : most, near,
			  values + done * calc->program->output_count);
	gpuoa_calc_discontinuity(calc);
}
