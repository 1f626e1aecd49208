// SPDX-License-Identifier: MIT
/* calc_run.c - calculate batch by batch: load reports, compute, write results */
#include <string.h>

#include "calc/calc_tile.h"

/* Sums in doubles are exact only for a limited number of batches: move them to integers. */
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

/* Record the first and last time of the rows, for totals. */
static void note_rows(struct gpuoa_calc *calc, const struct tile *tile)
{
	size_t last = tile->rows - 1;

	if (!calc->rows)
		calc->first = calc->ticks[0] - calc->lengths[0];
	calc->rows += tile->rows;
	calc->end = calc_header(calc->format, calc->constants, tile->reports[last]);
	calc->end.timestamp = calc->ticks[last];
}

/* Returns the number of rows. */
static size_t run_tile(struct gpuoa_calc *calc, struct tile *tile, const struct calc_sink *sink,
		       size_t done)
{
	const char *last = tile->reports[tile->rows - 1];
	struct program_tile loaded = {
		.lanes = calc->lanes,
		.reports = tile->reports,
		.rows = calc_fill_up(tile),
		.ticks = calc->times,
		.sums = calc->tile_sums,
		.wide_sums = calc->sums,
		.next = last + calc->format->size,
		.next_end = last + (1 + COLUMN_ROWS) * calc->format->size,
	};
	struct results results = { .calc = calc, .sink = sink, .done = done };
	struct program *calm = calc_load_calm(calc, tile, calc_purpose(sink), &loaded);

	if (calm)
		calc_note_calm(calc, calc_purpose(sink), sink->intervals || calc->selection.infos);
	else
		calc_load_any(calc, tile, &loaded);
	if (tile->rows) {
		results.rows = tile->rows;
		calc_put_results(&results, &loaded, calm);
		note_rows(calc, tile);
		if (!calm && ++calc->tiles == COLUMN_SUMS_TILES)
			settle_tiles(calc);
	}
	memcpy(calc->last_report, last, calc->format->size);
	return tile->rows;
}

/*
 * Collect the next reports that pass the filter. Returns the number of reports that were examined.
 */
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

/* The same without a filter; the context is not needed then. */
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
			calc_load_first(calc, &tile);
	}
	if (sink->stream)
		calc->program->vector->stream_end();
	return rows;
}

/* The intervals between pairs are also computed, and dropped in the same way as by a filter. */
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
	loaded.rows = calc_fill_up(&tile);
	calc_load_pairs(calc, &tile, &loaded, near);
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
