// SPDX-License-Identifier: MIT
/* calc_load.c - load lanes and times of reports, and apply the context filter */
#include <string.h>

#include "base/ticks.h"
#include "calc/calc_batch.h"

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
 * Compute the extended times of all reports: a time base applies to the first one, the others
 * follow from the deltas.
 */
static void load_times(struct gpuoa_calc *calc, const void *first, size_t rows)
{
	calc->ticks[0] = next_ticks(calc, first);
	for (size_t row = 1; row < rows; row++)
		calc->ticks[row] = calc->ticks[row - 1] + calc->lengths[row];
	calc->last_ticks = calc->ticks[rows - 1];
}

/* Load group by group, so that the cache lines of a report are fetched consecutively. */
static void load_lanes(struct gpuoa_calc *calc, const struct batch *batch, size_t rows)
{
	const struct program *program = calc->program;

	for (size_t row = 0; row < rows; row += COLUMN_GROUP)
		for (uint32_t i = 0; i < program->block_count; i++)
			program->vector->load_lanes(batch->reports + row,
						    program->blocks[i] * LANE_BLOCK_BYTES,
						    calc->lanes + i * LANE_BLOCK, LANE_FIRST + row);
}

/* Load the report preceding the batch. */
static void load_last(struct gpuoa_calc *calc)
{
	const struct program *program = calc->program;

	for (uint32_t i = 0; i < program->block_count * LANE_BLOCK; i++) {
		size_t offset = program->blocks[i / LANE_BLOCK] * LANE_BLOCK_BYTES;

		calc->lanes[i].dwords[LANE_FIRST - 1] =
			report_dword(calc->last_report, offset + i % LANE_BLOCK * 4);
	}
}

size_t calc_fill_up(struct batch *batch)
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

/* Move the kept rows together. Their columns are moved when they are loaded. */
static void compact(struct gpuoa_calc *calc, struct batch *batch, size_t kept)
{
	for (size_t row = 0; row < kept; row++) {
		batch->reports[row] = batch->reports[calc->kept[row]];
		calc->ticks[row] = calc->ticks[calc->kept[row]];
		calc->lengths[row] = calc->lengths[calc->kept[row]];
	}
	batch->rows = kept;
}

void calc_load_any(struct gpuoa_calc *calc, struct batch *batch, struct program_batch *loaded)
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

void calc_load_first(struct gpuoa_calc *calc, struct batch *batch)
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

/* Compute the times of each pair independently. */
static void load_pair_times(struct gpuoa_calc *calc, const struct batch *batch, size_t rows,
			    uint64_t near)
{
	const struct report_field field = calc->format->timestamp;

	for (size_t row = 0; row < rows; row += 2) {
		const uint64_t begin = report_read(batch->reports[row], field);

		calc->ticks[row] = near ? ticks_near(near, begin, field_mask(field)) : begin;
		calc->ticks[row + 1] = calc->ticks[row] + calc->lengths[row + 1];
	}
	memcpy(calc->times, calc->ticks, sizeof(calc->times));
}

void calc_load_pairs(struct gpuoa_calc *calc, struct batch *batch, struct program_batch *loaded,
		     uint64_t near)
{
	memcpy(calc->last_report, batch->reports[0], calc->format->size);
	load_last(calc);
	load_lanes(calc, batch, loaded->rows);
	program_load_lengths(calc->program, loaded, calc->lengths);
	load_pair_times(calc, batch, loaded->rows, near);
	compact(calc, batch, loaded->kept_count);
}
