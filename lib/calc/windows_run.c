// SPDX-License-Identifier: MIT
/*
 * windows_run.c - resampling: calculate one row for each window of time
 *
 * Each input has a calculator that only sums deltas. It receives all reports before the next window
 * edge at once; the report that ends an interval across the edge is processed separately, so that
 * its sums can be divided.
 */
#include <string.h>

#include "base/ticks.h"
#include "calc/windows.h"

/* Destination of the rows. */
struct out {
	union gpuoa_value *values;
	struct gpuoa_window *rows;
	size_t max;
	size_t count;
};

/* The earliest tick of data that this input may still provide. */
static uint64_t reached(const struct window_input *input)
{
	if (input->piece.there)
		return input->piece.begin;
	return input->calc->has_ticks ? input->calc->last_ticks + input->offset : 0;
}

/*
 * Split a piece at @edge, which must be inside it. The part before the edge is removed, and added
 * to @sums unless that is NULL.
 */
static void cut(struct gpuoa_resampler *windows, struct window_piece *piece, uint64_t edge,
		uint64_t *sums)
{
	uint64_t before = edge - piece->begin, all = piece->end - piece->begin;

	for (uint32_t i = 0; i < windows->sum_count; i++) {
		uint64_t part = (unsigned __int128)piece->sums[i] * before / all;

		piece->sums[i] -= part;
		if (sums)
			sums[i] += part;
	}
	piece->begin = edge;
}

/*
 * Extend the data of the open window by this interval, which ends at the last report that the
 * calculator processed.
 */
static void note_data(struct gpuoa_resampler *windows, const struct window_input *input,
		      uint64_t begin, uint64_t end)
{
	if (!windows->has_data)
		windows->data = (struct gpuoa_interval){ begin, end };
	if (begin < windows->data.begin)
		windows->data.begin = begin;
	if (!windows->has_data || end >= windows->data.end) {
		windows->data.end = end;
		windows->end = input->calc->end;
		windows->end.timestamp = end;
	}
	windows->has_data = true;
}

/* Move the data of an input up to the end of the open window to that window. */
static void place(struct gpuoa_resampler *windows, struct window_input *input)
{
	const struct window_span *span = &windows->span;
	struct window_piece *piece = &input->piece;

	if (piece->begin < span->begin) {
		piece->there = piece->end > span->begin;
		if (piece->there)
			cut(windows, piece, span->begin, NULL);
	}
	if (!piece->there || piece->begin >= span->end)
		return;
	if (piece->end > span->end) {
		note_data(windows, input, piece->begin, span->end);
		cut(windows, piece, span->end, input->sums);
		return;
	}
	note_data(windows, input, piece->begin, piece->end);
	for (uint32_t i = 0; i < windows->sum_count; i++)
		input->sums[i] += piece->sums[i];
	piece->there = false;
}

/*
 * Number of reports that can be processed at once: those before the next edge, or a single report
 * after it.
 */
static size_t count_reports(const struct gpuoa_resampler *windows, const struct window_input *input,
			    const char *reports, size_t count)
{
	const struct gpuoa_calc *calc = input->calc;
	const struct window_span *span = &windows->span;
	const uint64_t mask = field_mask(calc->format->timestamp);
	uint64_t edge = reached(input) < span->begin ? span->begin : span->end;
	uint64_t ticks = calc->last_ticks;
	size_t n;

	/* Only the calculator can extend the time of the first report. */
	if (!calc->has_last || calc->has_anchor)
		return 1;
	for (n = 0; n < count && ticks + input->offset < edge; n++) {
		ticks = ticks_after(ticks, report_read(reports, calc->format->timestamp), mask);
		if (ticks + input->offset > edge)
			break;
		reports += calc->format->size;
	}
	return n ? n : 1;
}

/* Sum up reports into a piece. Returns the number of consumed reports. */
static size_t take_reports(struct gpuoa_resampler *windows, struct window_input *input,
			   const void *reports, size_t count)
{
	static const struct calc_sink nothing;
	struct gpuoa_calc *calc = input->calc;
	size_t used;

	count = count_reports(windows, input, reports, count);
	if (!calc_run(calc, reports, count, &nothing, SIZE_MAX, &used))
		return used;
	input->piece.there = true;
	input->piece.begin = calc->first + input->offset;
	input->piece.end = calc->end.timestamp + input->offset;
	calc_take_sums(calc, input->piece.sums);
	return used;
}

/* True for fields that advance equally for all inputs: time and clock cycles. */
static bool is_common(const struct program_input *input)
{
	return input->source == SOURCE_TIMESTAMP || input->source == SOURCE_CLOCK;
}

static void add_inputs(struct gpuoa_resampler *windows)
{
	const struct program_input *fields = windows->inputs->calc->program->inputs;

	for (uint32_t i = 0; i < windows->sum_count; i++) {
		unsigned __int128 sum = 0;

		for (uint32_t input = 0; input < windows->input_count; input++) {
			sum += windows->inputs[input].sums[i];
			windows->inputs[input].sums[i] = 0;
		}
		if (is_common(&fields[i]))
			sum /= windows->input_count;
		windows->sums[i] = (uint64_t)sum;
	}
}

/* Write the row of the open window, and empty the window. */
static void put_row(struct gpuoa_resampler *windows, struct out *out)
{
	struct gpuoa_calc *calc = windows->inputs->calc;
	const size_t columns = gpuoa_calc_output_count(calc);
	union gpuoa_value *values = out->values + out->count * columns;
	struct gpuoa_window *row = &out->rows[out->count++];

	add_inputs(windows);
	*row = (struct gpuoa_window){
		.number = windows->span.number,
		.begin = windows->span.begin,
		.end = windows->span.end,
		.covered = windows->sums[INPUT_TICKS],
	};
	if (windows->has_data) {
		row->data = windows->data;
		calc_evaluate(calc, windows->sums, &windows->end, values);
	} else {
		memset(values, 0, columns * sizeof(*values));
	}
	windows->has_data = false;
}

/* True if all data of the open window has been received. */
static bool is_over(const struct gpuoa_resampler *windows)
{
	for (uint32_t i = 0; i < windows->input_count; i++)
		if (!windows->inputs[i].ended && reached(&windows->inputs[i]) < windows->span.end)
			return false;
	return true;
}

/* The earliest tick not yet assigned to a window; with @all, including data not yet received. */
static uint64_t next_ticks(const struct gpuoa_resampler *windows, bool all)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < windows->input_count; i++) {
		const struct window_input *input = &windows->inputs[i];

		if ((input->piece.there || (all && !input->ended)) && reached(input) < least)
			least = reached(input);
	}
	return least;
}

static void place_all(struct gpuoa_resampler *windows)
{
	for (uint32_t i = 0; i < windows->input_count; i++)
		if (windows->inputs[i].piece.there)
			place(windows, &windows->inputs[i]);
}

/* True if the open window results in a row when it is complete. */
static bool has_row(const struct gpuoa_resampler *windows)
{
	return windows->has_data || windows->edges.is_list;
}

/* Write the rows of all complete windows. Returns false if the next one does not fit. */
static bool put_rows(struct gpuoa_resampler *windows, struct out *out)
{
	while (windows->open) {
		place_all(windows);
		if (windows->idle || !is_over(windows))
			break;
		if (has_row(windows)) {
			if (out->count == out->max)
				return false;
			put_row(windows, out);
		}
		windows_open_span(windows,
				  window_edges_next(&windows->edges, next_ticks(windows, true),
						    &windows->span));
	}
	return true;
}

/* True if this input has to wait for the others. */
static bool is_ahead(const struct gpuoa_resampler *windows, const struct window_input *input)
{
	return reached(input) >= windows->span.end;
}

size_t gpuoa_resampler_run(struct gpuoa_resampler *windows, uint32_t number, const void *reports,
			   size_t count, union gpuoa_value *values, struct gpuoa_window *rows,
			   size_t max_rows, size_t *used)
{
	struct out out = { .values = values, .rows = rows, .max = max_rows };
	const size_t size = windows->inputs->calc->format->size;
	struct window_input *input;

	*used = 0;
	if (number >= windows->input_count)
		return 0;
	input = &windows->inputs[number];
	while (put_rows(windows, &out)) {
		if (!windows->open)
			*used = count;
		if (*used == count || is_ahead(windows, input))
			break;
		*used += take_reports(windows, input, (const char *)reports + *used * size,
				      count - *used);
	}
	return out.count;
}

size_t gpuoa_resampler_flush(struct gpuoa_resampler *windows, union gpuoa_value *values,
			     struct gpuoa_window *rows, size_t max_rows)
{
	struct out out = { .values = values, .rows = rows, .max = max_rows };

	while (windows->open && !windows->idle) {
		uint64_t ticks;

		place_all(windows);
		if (has_row(windows)) {
			if (out.count == out.max)
				break;
			put_row(windows, &out);
		}
		ticks = next_ticks(windows, false);
		if (!windows->edges.is_list && ticks == UINT64_MAX)
			break;
		windows_open_span(windows,
				  window_edges_next(&windows->edges, ticks, &windows->span));
	}
	return out.count;
}
