// SPDX-License-Identifier: MIT
/* calc_run.c - computes tile by tile: reports become columns, columns become results. */
#include <string.h>

#include "base/ticks.h"
#include "calc/calc.h"

/* time */

/* Extended time of the next report. */
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
 * Extended times of all reports: an anchor is for the first one, the others follow from the
 * differences.
 */
static void load_times(struct gpuoa_calc *calc, const void *first, size_t rows)
{
	calc->ticks[0] = next_ticks(calc, first);
	for (size_t row = 1; row < rows; row++)
		calc->ticks[row] = calc->ticks[row - 1] + calc->lengths[row];
	calc->last_ticks = calc->ticks[rows - 1];
}

/* inputs */

/* Group by group, so that a report's cache lines are fetched one after the other. */
static void load_lanes(struct gpuoa_calc *calc, const struct tile *tile, size_t rows)
{
	const struct program *program = calc->program;

	for (size_t row = 0; row < rows; row += COLUMN_GROUP)
		for (uint32_t i = 0; i < program->block_count; i++)
			program->vector->load_lanes(tile->reports + row,
						    program->blocks[i] * LANE_BLOCK_BYTES,
						    calc->lanes + i * LANE_BLOCK, LANE_FIRST + row);
}

/* The report before the tile, to where the lanes have it. */
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
 * Fill up the last group with the last report. The interval between a report and itself is empty,
 * so that all values there are 0.
 */
static size_t fill_up(struct tile *tile)
{
	size_t rows = column_round(tile->rows);

	for (size_t row = tile->rows; row < rows; row++)
		tile->reports[row] = tile->reports[tile->rows - 1];
	return rows;
}

/* what the filter leaves */

static size_t choose_rows(struct gpuoa_calc *calc, const struct tile *tile)
{
	size_t kept = 0;

	for (size_t row = 0; row < tile->rows; row++) {
		if (calc->keeps_next)
			calc->kept[kept++] = row;
		calc->keeps_next = tile->keeps[row];
	}
	return kept;
}

/* Move the rows that are kept together: their columns follow when they are loaded. */
static void compact(struct gpuoa_calc *calc, struct tile *tile, size_t kept)
{
	for (size_t row = 0; row < kept; row++) {
		tile->reports[row] = tile->reports[calc->kept[row]];
		calc->ticks[row] = calc->ticks[calc->kept[row]];
		calc->lengths[row] = calc->lengths[calc->kept[row]];
	}
	tile->rows = kept;
}

/* results */

/* The place of a tile's results. */
struct results {
	struct gpuoa_calc *calc;
	const struct calc_sink *sink;
	size_t done; /* rows before */
	size_t rows;
};

static const struct vector_ops *vector_of(const struct gpuoa_calc *calc)
{
	return calc->program->vector;
}

static bool is_float(const struct gpuoa_calc *calc, uint32_t number)
{
	return calc->program->outputs[number].result == RESULT_FLOAT;
}

/* Eight-byte values, until all of a row are there. */
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

/* Only whole cache lines can be written past the caches. */
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

/* Metrics that are not available are 0. */
static void put_missing_columns(const struct results *results)
{
	const struct gpuoa_calc *calc = results->calc;

	for (uint32_t i = 0; i < calc->program->output_count; i++) {
		char *out = results->sink->columns[i];
		size_t size;

		if (!out || calc->program->outputs[i].result != RESULT_NONE)
			continue;
		size = gpuoa_calc_column_type(calc, i) == GPUOA_TYPE_FLOAT ? sizeof(float) :
									     sizeof(uint64_t);
		memset(out + results->done * size, 0, results->rows * size);
	}
}

/* The library's own summaries have lanes; they are brought together at the end of a run. */
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

/* Where a calm tile's columns go. */
static void place_slots(const struct results *results, struct program *program)
{
	for (uint32_t i = 0; i < program->output_count; i++) {
		const size_t size = is_float(results->calc, i) ? sizeof(float) : sizeof(uint64_t);
		struct chain_slot *slot = &program->calm.slots[i];
		char *out = results->sink->columns[i];

		slot->values = out ? out + results->done * size : NULL;
		slot->stream = out && can_stream(results, slot->values, COLUMN_ROWS * size);
	}
}

static enum calm_purpose purpose_of(const struct calc_sink *sink)
{
	return sink->values    ? CALM_ROWS :
	       sink->columns   ? CALM_COLUMNS :
	       sink->summaries ? CALM_SUMMARIES :
				 CALM_SUMS;
}

static void put_results(struct results *results, struct program_tile *tile, struct program *calm)
{
	const struct calc_sink *sink = results->sink;
	struct gpuoa_calc *calc = results->calc;

	tile->context = results;
	if (sink->values)
		tile->output = put_words;
	else if (sink->columns)
		tile->output = put_column;
	else if (sink->summaries)
		tile->output = put_summary;
	if (calm && sink->columns)
		place_slots(results, calm);
	if (calm)
		program_run_calm(calm, tile);
	else
		program_run(calc->program, tile);
	if (sink->values)
		put_rows(results);
	else if (sink->columns)
		put_missing_columns(results);
	if (sink->intervals)
		put_intervals(results);
}

/* tiles */

/* Begin with this report. No row ends here, for there is no report before it. */
static void take_first(struct gpuoa_calc *calc, struct tile *tile)
{
	memcpy(calc->last_report, tile->reports[0], calc->format->size);
	next_ticks(calc, tile->reports[0]);
	calc->keeps_next = tile->keeps[0];
	calc->has_last = true;
}

/* Sums of doubles are exact for some tiles. */
static void settle_tiles(struct gpuoa_calc *calc)
{
	for (uint32_t i = 0; calc->tiles && i < calc->program->input_count; i++) {
		double *lanes = calc->tile_sums[i].lanes;

		for (size_t lane = 0; lane < COLUMN_LANES; lane++)
			calc->sums[i] += (uint64_t)lanes[lane];
		memset(lanes, 0, sizeof(calc->tile_sums[i].lanes));
	}
	calc->tiles = 0;
}

void calc_settle(struct gpuoa_calc *calc)
{
	const struct program *program = calc->program;

	settle_tiles(calc);
	for (uint32_t i = 0; i < program->input_count; i++)
		if (!program->inputs[i].absolute)
			calc->sums[i] += calc->calm_run.sums[program->inputs[i].low];
	memset(calc->calm_run.sums, 0,
	       program->block_count * LANE_BLOCK * sizeof(*calc->calm_run.sums));
	calc->calm_tiles = 0;
}

/* What totals must know of the rows. */
static void note_rows(struct gpuoa_calc *calc, const struct tile *tile)
{
	size_t last = tile->rows - 1;

	if (!calc->rows)
		calc->first = calc->ticks[0] - calc->lengths[0];
	calc->rows += tile->rows;
	calc->end = calc_header(calc->format, calc->constants, tile->reports[last]);
	calc->end.timestamp = calc->ticks[last];
}

/* Reports in lanes, and what a filter leaves of them. */
static void load_any(struct gpuoa_calc *calc, struct tile *tile, struct program_tile *loaded)
{
	load_last(calc);
	load_lanes(calc, tile, loaded->rows);
	program_load_lengths(calc->program, loaded, calc->lengths);
	load_times(calc, tile->reports[0], loaded->rows);
	memcpy(calc->times, calc->ticks, sizeof(calc->times));
	if (calc->filter.context) {
		loaded->kept = calc->kept;
		loaded->kept_count = choose_rows(calc, tile);
		compact(calc, tile, loaded->kept_count);
	}
}

/* Returns the number of rows. */
static size_t run_tile(struct gpuoa_calc *calc, struct tile *tile, const struct calc_sink *sink,
		       size_t done)
{
	const char *last = tile->reports[tile->rows - 1];
	struct program_tile loaded = {
		.lanes = calc->lanes,
		.reports = tile->reports,
		.rows = fill_up(tile),
		.ticks = calc->times,
		.sums = calc->tile_sums,
		.wide_sums = calc->sums,
		.next = last + calc->format->size,
		.next_end = last + (1 + COLUMN_ROWS) * calc->format->size,
	};
	struct results results = { .calc = calc, .sink = sink, .done = done };
	struct program *calm = calc_load_calm(calc, tile, purpose_of(sink), &loaded);

	if (calm)
		calc_note_calm(calc, purpose_of(sink), sink->intervals || calc->selection.infos);
	else
		load_any(calc, tile, &loaded);
	if (tile->rows) {
		results.rows = tile->rows;
		put_results(&results, &loaded, calm);
		note_rows(calc, tile);
		if (!calm && ++calc->tiles == COLUMN_SUMS_TILES)
			settle_tiles(calc);
	}
	memcpy(calc->last_report, last, calc->format->size);
	return tile->rows;
}

/* Collect the next reports that the filter takes. Returns how many were looked at. */
static size_t filter_tile(struct gpuoa_calc *calc, struct tile *tile, const char *reports,
			  size_t count, size_t max)
{
	size_t i;

	tile->rows = 0;
	for (i = 0; i < count && tile->rows < max; i++, reports += calc->format->size) {
		if (calc->filter.context)
			calc->in_context = filter_keeps(&calc->filter, calc->format,
							calc->constants, reports, calc->in_context);
		if (calc->filter.reason &&
		    !filter_takes(&calc->filter, calc->format, calc->constants, reports))
			continue;
		tile->keeps[tile->rows] = calc->in_context;
		tile->reports[tile->rows++] = reports;
	}
	return i;
}

/* The same without a filter. Nobody asks then what the context is. */
static size_t next_tile(struct gpuoa_calc *calc, struct tile *tile, const char *reports,
			size_t count, size_t max)
{
	const size_t rows = count < max ? count : max, size = calc->format->size;

	if (calc->filter.context || calc->filter.reason)
		return filter_tile(calc, tile, reports, count, max);
	for (size_t i = 0; i < rows; i++)
		tile->reports[i] = reports + i * size;
	tile->keeps[0] = false;
	tile->rows = rows;
	return rows;
}

size_t calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
		const struct calc_sink *sink, size_t max_rows, size_t *used)
{
	const char *report = reports;
	size_t rows = 0;

	for (*used = 0; *used < count;) {
		size_t max = calc->has_last ? max_rows - rows : 1;
		struct tile tile;
		size_t taken;

		if (!max)
			break;
		taken = next_tile(calc, &tile, report, count - *used,
				  max < COLUMN_ROWS ? max : COLUMN_ROWS);
		report += taken * calc->format->size;
		*used += taken;
		if (!tile.rows)
			continue;
		if (calc->has_last)
			rows += run_tile(calc, &tile, sink, rows);
		else
			take_first(calc, &tile);
	}
	if (sink->stream)
		calc->program->vector->stream_end();
	return rows;
}

/* pairs */

/* Times of the reports in the lanes, each pair's for itself. */
static void load_pair_times(struct gpuoa_calc *calc, const struct tile *tile, size_t rows,
			    uint64_t near)
{
	const struct report_field field = calc->format->timestamp;

	for (size_t row = 0; row < rows; row += 2) {
		const uint64_t begin = report_read(tile->reports[row], field);

		calc->ticks[row] = near ? ticks_near(near, begin, field_mask(field)) : begin;
		calc->ticks[row + 1] = calc->ticks[row] + calc->lengths[row + 1];
	}
	memcpy(calc->times, calc->ticks, sizeof(calc->times));
}

/* What lies between two pairs is computed as a difference, too, and left out as by a filter. */
static void run_pairs(struct gpuoa_calc *calc, const char *reports, size_t pairs, uint64_t near,
		      const struct calc_sink *sink, size_t done)
{
	struct tile tile = { .rows = 2 * pairs };
	struct program_tile loaded = {
		.lanes = calc->lanes,
		.reports = tile.reports,
		.ticks = calc->times,
		.sums = calc->tile_sums,
		.wide_sums = calc->sums,
		.next = reports,
		.next_end = reports,
		.kept = calc->kept,
		.kept_count = pairs,
	};
	struct results results = { .calc = calc, .sink = sink, .done = done, .rows = pairs };

	for (size_t row = 0; row < tile.rows; row++)
		tile.reports[row] = reports + row * calc->format->size;
	for (size_t i = 0; i < pairs; i++)
		calc->kept[i] = (uint16_t)(2 * i + 1);
	loaded.rows = fill_up(&tile);
	memcpy(calc->last_report, reports, calc->format->size);
	load_last(calc);
	load_lanes(calc, &tile, loaded.rows);
	program_load_lengths(calc->program, &loaded, calc->lengths);
	load_pair_times(calc, &tile, loaded.rows, near);
	compact(calc, &tile, pairs);
	put_results(&results, &loaded, NULL);
}

void calc_run_pairs(struct gpuoa_calc *calc, const void *reports, size_t pairs, uint64_t near,
		    const struct calc_sink *sink)
{
	const size_t most = COLUMN_ROWS / 2;

	for (size_t done = 0; done < pairs; done += most)
		run_pairs(calc, (const char *)reports + 2 * done * calc->format->size,
			  pairs - done < most ? pairs - done : most, near, sink, done);
	gpuoa_calc_gap(calc);
}
