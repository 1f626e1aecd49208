// SPDX-License-Identifier: MIT
/*
 * windows.c - one row for each window of time.
 *
 * Each input has a calculator that only sums up. It gets all reports up to the next edge of a
 * window at once; the one that ends an interval across the edge by itself, so that its sums can be
 * divided.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/ticks.h"
#include "calc/calc.h"
#include "calc/window_edges.h"

/* What an input counted between two ticks, and is not yet part of a window. */
struct piece {
	bool there;
	uint64_t begin;
	uint64_t end;
	uint64_t *sums;
};

struct input {
	struct gpuoa_calc *calc;
	uint64_t offset; /* added to times, modulo 2^64 */
	struct piece piece;
	uint64_t *sums; /* in the open window */
	bool ended; /* no window waits for it */
};

struct gpuoa_windows {
	struct window_edges edges;
	struct window_span span; /* the open window */
	bool open; /* there is one, */
	bool idle; /*   but it stands for the time until the next one, which is not known yet */
	struct input *inputs;
	uint32_t input_count;
	uint32_t sum_count;

	/* of the open window */
	bool has_data;
	struct gpuoa_interval data;
	struct evaluation end; /* header of the report that ended what is last in it */
	uint64_t *sums; /* of all inputs */
};

/* Where rows go. */
struct out {
	union gpuoa_value *values;
	struct gpuoa_window *rows;
	size_t max;
	size_t count;
};

/* opening and closing */

/* Options as they were at first. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_windows_options, offsets) + sizeof(int64_t *))

static int open_input(struct gpuoa_windows *windows, struct input *input,
		      const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const struct gpuoa_calc_options *options,
		      const struct complaint *complaint)
{
	int err = calc_open(set, constants, format, options, &input->calc, complaint);

	if (err)
		return err;
	windows->sum_count = input->calc->program->input_count;
	input->sums = calloc(windows->sum_count, sizeof(*input->sums));
	input->piece.sums = calloc(windows->sum_count, sizeof(*input->sums));
	return input->sums && input->piece.sums ? 0 : -ENOMEM;
}

static int open_inputs(struct gpuoa_windows *windows, const struct gpuoa_set *set,
		       const struct gpuoa_constants *constants, uint32_t format,
		       const struct gpuoa_windows_options *options,
		       const struct complaint *complaint)
{
	uint32_t count = options->inputs ? options->inputs : 1;
	int err = 0;

	windows->inputs = calloc(count, sizeof(*windows->inputs));
	if (!windows->inputs)
		return -ENOMEM;
	windows->input_count = count;
	for (uint32_t i = 0; i < count && !err; i++) {
		struct input *input = &windows->inputs[i];

		input->offset = options->offsets ? options->offsets[i] : 0;
		err = open_input(windows, input, set, constants, format, options->calc, complaint);
	}
	if (err)
		return err;
	windows->sums = calloc(windows->sum_count, sizeof(*windows->sums));
	return windows->sums ? 0 : -ENOMEM;
}

/* The open window is @span if it was @found. Until one is added, time goes by. */
static void open_window(struct gpuoa_windows *windows, bool found)
{
	windows->idle = !found && windows->edges.grows;
	windows->open = found || windows->idle;
	if (windows->idle) {
		windows->span.begin = windows->span.end;
		windows->span.end = UINT64_MAX;
	}
}

static int read_options(struct gpuoa_windows_options *known,
			const struct gpuoa_windows_options *options,
			const struct complaint *complaint)
{
	int err;

	if (!options)
		return COMPLAIN(complaint, -EINVAL, "which windows? There are no options");
	*known = (struct gpuoa_windows_options){ 0 };
	err = sized_take(known, sizeof(*known), options, options->size, OPTIONS_SIZE_MIN);
	if (err == -EINVAL)
		return COMPLAIN(complaint, err, "the options of the windows have no size");
	if (err)
		return COMPLAIN(complaint, err,
				"the options of the windows are those of a newer library");
	return 0;
}

static int open_windows(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			uint32_t format, const struct gpuoa_windows_options *options,
			struct gpuoa_windows **windows, const struct complaint *complaint)
{
	struct gpuoa_windows *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	err = open_inputs(new, set, constants, format, options, complaint);
	if (!err)
		err = window_edges_make(&new->edges, constants, options, complaint);
	if (err) {
		gpuoa_windows_close(new);
		return err;
	}
	open_window(new, window_edges_first(&new->edges, &new->span));
	*windows = new;
	return 0;
}

int gpuoa_windows_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		       uint32_t format, const struct gpuoa_windows_options *options,
		       struct gpuoa_windows **windows, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_windows_options known;
	int err = read_options(&known, options, &complaint);

	if (!err)
		err = open_windows(set, constants, format, &known, windows, &complaint);
	return err ? complaint_end(&complaint, err) : 0;
}

int gpuoa_windows_add(struct gpuoa_windows *windows, const struct gpuoa_interval *list,
		      size_t count, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	int err;

	if (!windows->edges.grows)
		return COMPLAIN(&complaint, -EOPNOTSUPP,
				"no windows can be added: they were opened without list_grows");
	err = window_edges_add(&windows->edges, windows->span.number + windows->idle, list, count,
			       &complaint);
	if (err || !count || !windows->idle)
		return complaint_end(&complaint, err);
	/* What has come until now is in no window. */
	for (uint32_t i = 0; i < windows->input_count; i++)
		memset(windows->inputs[i].sums, 0,
		       windows->sum_count * sizeof(*windows->inputs[i].sums));
	windows->has_data = false;
	open_window(windows, window_edges_next(&windows->edges, 0, &windows->span));
	return 0;
}

void gpuoa_windows_close(struct gpuoa_windows *windows)
{
	if (!windows)
		return;
	for (uint32_t i = 0; i < windows->input_count; i++) {
		gpuoa_calc_close(windows->inputs[i].calc);
		free(windows->inputs[i].sums);
		free(windows->inputs[i].piece.sums);
	}
	free(windows->inputs);
	free(windows->sums);
	window_edges_free(&windows->edges);
	free(windows);
}

size_t gpuoa_windows_columns(const struct gpuoa_windows *windows)
{
	return gpuoa_calc_columns(windows->inputs->calc);
}

enum gpuoa_value_type gpuoa_windows_column_type(const struct gpuoa_windows *windows, size_t index)
{
	return gpuoa_calc_column_type(windows->inputs->calc, index);
}

int gpuoa_windows_column_describe(const struct gpuoa_windows *windows, size_t index,
				  struct gpuoa_column_desc *desc, size_t size)
{
	return gpuoa_calc_column_describe(windows->inputs->calc, index, desc, size);
}

void gpuoa_windows_gap(struct gpuoa_windows *windows, uint32_t input)
{
	if (input < windows->input_count)
		gpuoa_calc_gap(windows->inputs[input].calc);
}

void gpuoa_windows_anchor(struct gpuoa_windows *windows, uint32_t input, uint64_t gpu_ticks)
{
	if (input < windows->input_count)
		gpuoa_calc_anchor(windows->inputs[input].calc, gpu_ticks);
}

void gpuoa_windows_end(struct gpuoa_windows *windows, uint32_t input)
{
	if (input < windows->input_count)
		windows->inputs[input].ended = true;
}

/* pieces */

/* The earliest tick of what this input may still bring. */
static uint64_t reached(const struct input *input)
{
	if (input->piece.there)
		return input->piece.begin;
	return input->calc->has_ticks ? input->calc->last_ticks + input->offset : 0;
}

/*
 * Split a piece at @edge, which lies in it: the part before the edge is taken off, and added to
 * @sums unless that is NULL.
 */
static void cut(struct gpuoa_windows *windows, struct piece *piece, uint64_t edge, uint64_t *sums)
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
 * The open window has data of this time. The report that ends it is the last one that the
 * calculator saw.
 */
static void note_data(struct gpuoa_windows *windows, const struct input *input, uint64_t begin,
		      uint64_t end)
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

/* Move what there is of an input to the open window, up to its end. The rest stays. */
static void place(struct gpuoa_windows *windows, struct input *input)
{
	const struct window_span *span = &windows->span;
	struct piece *piece = &input->piece;

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

/* reports */

/*
 * Number of reports that can be taken at once: those before the next edge, or a single one that
 * lies behind it.
 */
static size_t count_reports(const struct gpuoa_windows *windows, const struct input *input,
			    const char *reports, size_t count)
{
	const struct gpuoa_calc *calc = input->calc;
	const struct window_span *span = &windows->span;
	const uint64_t mask = field_mask(calc->format->timestamp);
	uint64_t edge = reached(input) < span->begin ? span->begin : span->end;
	uint64_t ticks = calc->last_ticks;
	size_t n;

	/* Only the calculator knows the extended time of the first report. */
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

/* Sum up reports; what they counted is a piece. Returns how many were taken. */
static size_t take_reports(struct gpuoa_windows *windows, struct input *input, const void *reports,
			   size_t count)
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

/* rows */

/* Does this field advance alike for all inputs? Time and clock cycles do. */
static bool is_common(const struct program_input *input)
{
	return input->source == SOURCE_TIMESTAMP || input->source == SOURCE_CLOCK;
}

static void add_inputs(struct gpuoa_windows *windows)
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

/* The row of the open window, which then is empty. */
static void put_row(struct gpuoa_windows *windows, struct out *out)
{
	struct gpuoa_calc *calc = windows->inputs->calc;
	const size_t columns = gpuoa_calc_columns(calc);
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

/* Has everything come that is in the open window? */
static bool is_over(const struct gpuoa_windows *windows)
{
	for (uint32_t i = 0; i < windows->input_count; i++)
		if (!windows->inputs[i].ended && reached(&windows->inputs[i]) < windows->span.end)
			return false;
	return true;
}

/* The earliest tick that is not yet part of a window; with @all, also of what may still come. */
static uint64_t next_ticks(const struct gpuoa_windows *windows, bool all)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < windows->input_count; i++) {
		const struct input *input = &windows->inputs[i];

		if ((input->piece.there || (all && !input->ended)) && reached(input) < least)
			least = reached(input);
	}
	return least;
}

static void place_all(struct gpuoa_windows *windows)
{
	for (uint32_t i = 0; i < windows->input_count; i++)
		if (windows->inputs[i].piece.there)
			place(windows, &windows->inputs[i]);
}

/* Does the open window get a row, if it is over? */
static bool has_row(const struct gpuoa_windows *windows)
{
	return windows->has_data || windows->edges.is_list;
}

/* Rows of all windows that are over. False: there is no room for the next one. */
static bool put_rows(struct gpuoa_windows *windows, struct out *out)
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
		open_window(windows, window_edges_next(&windows->edges, next_ticks(windows, true),
						       &windows->span));
	}
	return true;
}

/* This input has to wait for the others. */
static bool is_ahead(const struct gpuoa_windows *windows, const struct input *input)
{
	return reached(input) >= windows->span.end;
}

size_t gpuoa_windows_run(struct gpuoa_windows *windows, uint32_t number, const void *reports,
			 size_t count, union gpuoa_value *values, struct gpuoa_window *rows,
			 size_t max_rows, size_t *used)
{
	struct out out = { .values = values, .rows = rows, .max = max_rows };
	const size_t size = windows->inputs->calc->format->size;
	struct input *input;

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

size_t gpuoa_windows_flush(struct gpuoa_windows *windows, union gpuoa_value *values,
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
		open_window(windows, window_edges_next(&windows->edges, ticks, &windows->span));
	}
	return out.count;
}
