// SPDX-License-Identifier: MIT
/*
 * calc_small_delta.c - small-delta fast path: detect batches with small deltas, and update sums and
 * times
 */
#include <string.h>

#include "calc/calc_batch.h"

/*
 * After two consecutive batches with large deltas, more are likely: skip this number of batches
 * before the next attempt.
 */
#define COLD_BATCHES 16

/* Vector code needs contiguous reports: copy them if they are not. */
static const char *in_a_row(const struct gpuoa_calc *calc, const struct batch *batch)
{
	const size_t size = calc->format->size;

	if (batch->reports[COLUMN_ROWS - 1] == batch->reports[0] + (COLUMN_ROWS - 1) * size)
		return batch->reports[0];
	for (size_t row = 0; row < COLUMN_ROWS; row++)
		memcpy(calc->apart + row * size, batch->reports[row], size);
	return calc->apart;
}

/* Load the lanes that @program needs. Returns false if the batch has large deltas. */
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

struct program *calc_load_small_delta(struct gpuoa_calc *calc, const struct batch *batch,
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

/* Only intervals and information items need the time of each report. */
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

void calc_note_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose,
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
