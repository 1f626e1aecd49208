// SPDX-License-Identifier: MIT
/*
 * calc_calm.c - small-delta fast path: detect batches with small deltas, and update sums and times
 */
#include <string.h>

#include "calc/calc_tile.h"

/*
 * After two consecutive batches with large deltas, more are likely: skip this number of batches
 * before the next attempt.
 */
#define UNTRIED_TILES 16

/* Vector code needs contiguous reports: copy them if they are not. */
static const char *in_a_row(const struct gpuoa_calc *calc, const struct tile *tile)
{
	const size_t size = calc->format->size;

	if (tile->reports[COLUMN_ROWS - 1] == tile->reports[0] + (COLUMN_ROWS - 1) * size)
		return tile->reports[0];
	for (size_t row = 0; row < COLUMN_ROWS; row++)
		memcpy(calc->apart + row * size, tile->reports[row], size);
	return calc->apart;
}

/* Load the lanes that @program needs. Returns false if the batch has large deltas. */
static bool load_quads(struct gpuoa_calc *calc, const struct program *program, const char *reports,
		       struct program_tile *loaded)
{
	const struct calm_ops *ops = calc->program->vector->calm;
	bool calm;
	struct calm_reports tile = {
		.first = reports,
		.before = calc->last_report,
		.next = loaded->next,
		.size = calc->format->size,
	};
	const struct calm_request request = {
		.quads = program->quads,
		.quad_count = program->quad_count,
		.rules = program->rules,
		.lanes = calc->lanes,
		.tile = calc->calm_tile,
	};

	calm = program->calm.purpose == CALM_SUMMARIES ? ops->load_bounds(&request, &tile) :
							 ops->load(&request, &tile);
	loaded->next = tile.next;
	return calm;
}

/* Build the fast-path program when the first batch with small deltas occurs. */
static struct program *try_calm(struct gpuoa_calc *calc, const char *reports,
				enum calm_purpose purpose, struct program_tile *loaded)
{
	if (!calc->calm[purpose] &&
	    (!load_quads(calc, calc->program, reports, loaded) || !calc_make_calm(calc, purpose)))
		return NULL;
	return load_quads(calc, calc->calm[purpose], reports, loaded) ? calc->calm[purpose] : NULL;
}

struct program *calc_load_calm(struct gpuoa_calc *calc, const struct tile *tile,
			       enum calm_purpose purpose, struct program_tile *loaded)
{
	struct program *calm;

	if (tile->rows < COLUMN_ROWS || calc->filter.context || calc->has_anchor)
		return NULL;
	if (calc->untried) {
		calc->untried--;
		return NULL;
	}
	calm = try_calm(calc, in_a_row(calc, tile), purpose, loaded);
	if (!calm)
		calc->untried = calc->missed ? UNTRIED_TILES : 0;
	calc->missed = !calm;
	return calm;
}

/* Only intervals and information items need the time of each report. */
static void load_calm_times(struct gpuoa_calc *calc, const struct lane *lengths, bool each)
{
	const size_t last = COLUMN_ROWS - 1;
	uint64_t ticks = calc->last_ticks;

	calc->last_ticks += calc->calm_tile.totals[calc->program->inputs[INPUT_TICKS].low];
	for (size_t row = 0; row < (each ? COLUMN_ROWS : 1); row++) {
		calc->lengths[row] = lengths->dwords[LANE_FIRST + row];
		calc->times[row] = calc->ticks[row] = ticks += calc->lengths[row];
	}
	calc->ticks[last] = calc->last_ticks;
}

void calc_note_calm(struct gpuoa_calc *calc, enum calm_purpose purpose, bool each_time)
{
	const struct program *program = calc->program;
	struct calm_run run = calc->calm_run;

	if (purpose != CALM_SUMMARIES)
		run.least = NULL;
	program->vector->calm->add(&run, &calc->calm_tile, program->block_count * LANE_BLOCK);
	calc->calm_tiles++;
	load_calm_times(calc, &calc->lanes[program->inputs[INPUT_TICKS].low], each_time);
}
