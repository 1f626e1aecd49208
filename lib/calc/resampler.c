// SPDX-License-Identifier: MIT
/*
 * resampler.c - resampling: calculate one row for each window of time
 *
 * Each input has a calculator that only sums deltas. All reports before the next window edge are
 * passed to the calculator at once. The report after the edge is passed separately, so that the
 * sums of the interval across the edge can be divided.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/nsec.h"
#include "base/sized.h"
#include "base/ticks.h"
#include "calc/calc.h"
#include "gpuoa.h"

/* The windows: a list, or windows of one fixed length */
struct window_edges {
	bool is_list; /* the windows are a list; false: they have a fixed length */
	bool grows;
	struct gpuoa_interval *list;
	size_t capacity; /* capacity of .list */
	size_t first; /* index of the first window that is still needed */
	size_t count; /* number of windows from .first on */
	uint64_t base; /* number of the window at index .first */
	uint64_t last_end; /* end of the last window that was added */
	uint64_t start; /* start of window 0, in ticks */
	unsigned __int128 length; /* fixed length of windows in ticks, times .scale */
	uint32_t scale;
};

struct window_span {
	uint64_t number;
	uint64_t begin; /* first tick */
	uint64_t end;
};

static int check_list(const struct gpuoa_interval *list, size_t count, uint64_t last_end,
		      const struct complaint *complaint)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].begin >= list[i].end)
			return COMPLAIN(complaint, -EINVAL,
					"window %zu of the list ends at %" PRIu64
					", before or where it begins, at %" PRIu64,
					i, list[i].end, list[i].begin);
		if (list[i].begin < last_end)
			return COMPLAIN(complaint, -EINVAL,
					"window %zu of the list begins at %" PRIu64
					", before the end of the one before it, at %" PRIu64,
					i, list[i].begin, last_end);
		last_end = list[i].end;
	}
	return 0;
}

/*
 * Make room for @count more windows at the end of the list. The list is compacted only when half of
 * it is free, so that each window is moved once on average, even if windows are added one at a
 * time.
 */
static int make_room(struct window_edges *edges, size_t count)
{
	const size_t room = 2 * (edges->count + count);
	struct gpuoa_interval *list;

	if (edges->list && edges->capacity - edges->first - edges->count >= count)
		return 0;
	if (edges->list && room <= edges->capacity) {
		memmove(edges->list, edges->list + edges->first,
			edges->count * sizeof(*edges->list));
		edges->first = 0;
		return 0;
	}
	list = calloc(room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	if (edges->list)
		memcpy(list, edges->list + edges->first, edges->count * sizeof(*list));
	free(edges->list);
	edges->list = list;
	edges->first = 0;
	edges->capacity = room;
	return 0;
}

/* Drop the windows before window @number. */
static void forget_before(struct window_edges *edges, uint64_t number)
{
	const uint64_t over = number - edges->base;
	const size_t count = over < edges->count ? over : edges->count;

	edges->first += count;
	edges->count -= count;
	edges->base += count;
}

/*
 * Implement gpuoa_resampler_add(). Windows before window @number are dropped. The average time is
 * proportional to @count.
 */
static int window_edges_add(struct window_edges *edges, uint64_t number,
			    const struct gpuoa_interval *list, size_t count,
			    const struct complaint *complaint)
{
	int err = check_list(list, count, edges->last_end, complaint);

	if (err || !count)
		return err;
	forget_before(edges, number);
	err = make_room(edges, count);
	if (err)
		return err;
	memcpy(edges->list + edges->first + edges->count, list, count * sizeof(*list));
	edges->count += count;
	edges->last_end = list[count - 1].end;
	return 0;
}

/*
 * Store a window length given in ns exactly, as a fraction, because it may not be a whole number of
 * ticks. This avoids a drift of the edges.
 */
static int take_ns(struct window_edges *edges, const struct gpuoa_constants *constants, uint64_t ns)
{
	uint64_t frequency;

	if (gpuoa_constants_get(constants, "GpuTimestampFrequency", &frequency) || !frequency)
		return -ENODATA;
	edges->length = (unsigned __int128)ns * frequency;
	edges->scale = NSEC_PER_SEC;
	return edges->length < NSEC_PER_SEC ? -ERANGE : 0;
}

static int take_period(struct window_edges *edges, const struct gpuoa_constants *constants,
		       uint64_t ns, const struct complaint *complaint)
{
	const int err = take_ns(edges, constants, ns);

	if (err == -ENODATA)
		return COMPLAIN(
			complaint, err,
			"cannot use a period in ns: constant GpuTimestampFrequency has no value");
	if (err)
		return COMPLAIN(complaint, err, "a period of %llu ns is shorter than a tick",
				(unsigned long long)ns);
	return 0;
}

/* Parameters are those of gpuoa_resampler_open(). */
static int window_edges_make(struct window_edges *edges, const struct gpuoa_constants *constants,
			     const struct gpuoa_resampler_options *options,
			     const struct complaint *complaint)
{
	const bool is_list = options->list || options->list_grows;
	const int kinds = is_list + !!options->period_ticks + !!options->period_ns;

	*edges = (struct window_edges){
		.start = options->start,
		.is_list = is_list,
		.grows = options->list_grows,
	};
	if (kinds != 1)
		return COMPLAIN(complaint, -EINVAL,
				"missing intervals; give a period in ticks or in ns, or a list");
	if (options->list && !options->list_count)
		return COMPLAIN(complaint, -EINVAL, "the list of windows is empty");
	if (is_list)
		return window_edges_add(edges, 0, options->list,
					options->list ? options->list_count : 0, complaint);
	edges->length = options->period_ticks;
	edges->scale = 1;
	if (options->period_ns == UINT64_MAX)
		edges->length = UINT64_MAX;
	else if (options->period_ns)
		return take_period(edges, constants, options->period_ns, complaint);
	return 0;
}

static void window_edges_free(struct window_edges *edges)
{
	free(edges->list);
}

/* Returns the first tick of window @number, saturated to UINT64_MAX. */
static uint64_t begin_of(const struct window_edges *edges, unsigned __int128 number)
{
	unsigned __int128 limit = (unsigned __int128)(UINT64_MAX - edges->start) * edges->scale;

	if (number && edges->length > limit / number)
		return UINT64_MAX;
	return edges->start + (uint64_t)(edges->length * number / edges->scale);
}

/* Return the number of the window that contains @ticks. */
static uint64_t number_of(const struct window_edges *edges, uint64_t ticks)
{
	if (ticks < edges->start)
		return 0;
	return (((unsigned __int128)(ticks - edges->start) + 1) * edges->scale - 1) / edges->length;
}

static void take_number(const struct window_edges *edges, uint64_t number, struct window_span *span)
{
	if (edges->is_list)
		*span = (struct window_span){
			.number = number,
			.begin = edges->list[edges->first + number - edges->base].begin,
			.end = edges->list[edges->first + number - edges->base].end,
		};
	else
		*span = (struct window_span){
			.number = number,
			.begin = begin_of(edges, number),
			.end = begin_of(edges, (unsigned __int128)number + 1),
		};
}

/*
 * Get the first window. Returns false if no window has been added yet; then @span is set to the
 * time before it.
 */
static bool window_edges_first(const struct window_edges *edges, struct window_span *span)
{
	*span = (struct window_span){ .number = UINT64_MAX };
	if (edges->is_list && !edges->count)
		return false;
	take_number(edges, 0, span);
	return true;
}

/*
 * Get the window after @span; for fixed lengths, the first window after it that ends after @ticks.
 * Returns false, and leaves @span unchanged, if there is none.
 */
static bool window_edges_next(const struct window_edges *edges, uint64_t ticks,
			      struct window_span *span)
{
	uint64_t number = span->number + 1;

	if (edges->is_list) {
		if (number - edges->base == edges->count)
			return false;
	} else {
		uint64_t at = number_of(edges, ticks);

		if (span->end == UINT64_MAX)
			return false;
		number = at > number ? at : number;
	}
	take_number(edges, number, span);
	return true;
}

/* Limit the number of inputs, because each input has a calculator of 100 KB. */
#define INPUTS_MAX 1024u

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_resampler_options, offsets) + sizeof(int64_t *))

/* Counts of an input between two ticks, which have not been assigned to a window yet */
struct window_piece {
	bool there;
	uint64_t begin;
	uint64_t end;
	uint64_t *sums;
};

struct window_input {
	struct gpuoa_calc *calc;
	uint64_t offset; /* added to times, modulo 2^64 */
	struct window_piece piece;
	uint64_t *sums; /* sums in the open window */
	bool ended; /* the input has ended: windows do not wait for it */
};

struct gpuoa_resampler {
	struct window_edges edges;
	struct window_span span; /* the open window */
	bool open; /* there is an open window */
	bool idle; /* .span is the time before the next window, which has not been added yet */
	struct window_input *inputs;
	uint32_t input_count;
	uint32_t sum_count;

	/* data of the open window: */
	bool has_data;
	struct gpuoa_interval data;
	/* header of the report that ends the latest data in the window */
	struct evaluation end;
	uint64_t *sums; /* sums over all inputs */
};

/* Open window .span if it was @found. Otherwise skip the data until a window is added. */
static void resampler_open_span(struct gpuoa_resampler *resampler, bool found)
{
	resampler->idle = !found && resampler->edges.grows;
	resampler->open = found || resampler->idle;
	if (resampler->idle) {
		resampler->span.begin = resampler->span.end;
		resampler->span.end = UINT64_MAX;
	}
}

void gpuoa_resampler_close(struct gpuoa_resampler *resampler)
{
	if (!resampler)
		return;
	for (uint32_t i = 0; i < resampler->input_count; i++) {
		gpuoa_calc_close(resampler->inputs[i].calc);
		free(resampler->inputs[i].sums);
		free(resampler->inputs[i].piece.sums);
	}
	free(resampler->inputs);
	free(resampler->sums);
	window_edges_free(&resampler->edges);
	free(resampler);
}

static int open_input(struct gpuoa_resampler *resampler, struct window_input *input,
		      const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const struct gpuoa_calc_options *options,
		      const struct complaint *complaint)
{
	int err = calc_open(set, constants, format, options, &input->calc, complaint);

	if (err)
		return err;
	resampler->sum_count = input->calc->program->input_count;
	input->sums = calloc(resampler->sum_count, sizeof(*input->sums));
	input->piece.sums = calloc(resampler->sum_count, sizeof(*input->sums));
	return input->sums && input->piece.sums ? 0 : -ENOMEM;
}

static int open_inputs(struct gpuoa_resampler *resampler, const struct gpuoa_set *set,
		       const struct gpuoa_constants *constants, uint32_t format,
		       const struct gpuoa_resampler_options *options,
		       const struct complaint *complaint)
{
	uint32_t count = options->inputs ? options->inputs : 1;
	int err = 0;

	if (count > INPUTS_MAX)
		return COMPLAIN(complaint, -E2BIG, "%u inputs are more than %u", count, INPUTS_MAX);
	resampler->inputs = calloc(count, sizeof(*resampler->inputs));
	if (!resampler->inputs)
		return -ENOMEM;
	resampler->input_count = count;
	for (uint32_t i = 0; i < count && !err; i++) {
		struct window_input *input = &resampler->inputs[i];

		input->offset = options->offsets ? options->offsets[i] : 0;
		err = open_input(resampler, input, set, constants, format, options->calc,
				 complaint);
	}
	if (err)
		return err;
	resampler->sums = calloc(resampler->sum_count, sizeof(*resampler->sums));
	return resampler->sums ? 0 : -ENOMEM;
}

static int read_options(struct gpuoa_resampler_options *known,
			const struct gpuoa_resampler_options *options,
			const struct complaint *complaint)
{
	if (!options)
		return COMPLAIN(complaint, -EINVAL,
				"missing options; give a period or a list of intervals");
	return sized_take(known, sizeof(*known), options, OPTIONS_SIZE_MIN,
			  "the options of the windows", complaint);
}

static int open_windows(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			uint32_t format, const struct gpuoa_resampler_options *options,
			struct gpuoa_resampler **resampler, const struct complaint *complaint)
{
	struct gpuoa_resampler *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	err = open_inputs(new, set, constants, format, options, complaint);
	if (!err)
		err = window_edges_make(&new->edges, constants, options, complaint);
	if (err) {
		gpuoa_resampler_close(new);
		return err;
	}
	resampler_open_span(new, window_edges_first(&new->edges, &new->span));
	*resampler = new;
	return 0;
}

int gpuoa_resampler_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			 uint32_t format, const struct gpuoa_resampler_options *options,
			 struct gpuoa_resampler **resampler, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_resampler_options known;
	int err = read_options(&known, options, &complaint);

	if (!err)
		err = open_windows(set, constants, format, &known, resampler, &complaint);
	return err ? complaint_end(&complaint, err) : 0;
}

int gpuoa_resampler_add(struct gpuoa_resampler *resampler, const struct gpuoa_interval *list,
			size_t count, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	int err;

	if (!resampler->edges.grows)
		return COMPLAIN(&complaint, -EOPNOTSUPP,
				"no windows can be added: they were opened without list_grows");
	err = window_edges_add(&resampler->edges, resampler->span.number + resampler->idle, list,
			       count, &complaint);
	if (err || !count || !resampler->idle)
		return complaint_end(&complaint, err);
	/* Data before the first added window belongs to no window. */
	for (uint32_t i = 0; i < resampler->input_count; i++)
		memset(resampler->inputs[i].sums, 0,
		       resampler->sum_count * sizeof(*resampler->inputs[i].sums));
	resampler->has_data = false;
	resampler_open_span(resampler, window_edges_next(&resampler->edges, 0, &resampler->span));
	return 0;
}

size_t gpuoa_resampler_output_count(const struct gpuoa_resampler *resampler)
{
	return gpuoa_calc_output_count(resampler->inputs->calc);
}

enum gpuoa_value_type gpuoa_resampler_output_type(const struct gpuoa_resampler *resampler,
						  size_t index)
{
	return gpuoa_calc_output_type(resampler->inputs->calc, index);
}

int gpuoa_resampler_output_describe(const struct gpuoa_resampler *resampler, size_t index,
				    struct gpuoa_output_desc *desc, size_t size)
{
	return gpuoa_calc_output_describe(resampler->inputs->calc, index, desc, size);
}

void gpuoa_resampler_discontinuity(struct gpuoa_resampler *resampler, uint32_t input)
{
	if (input < resampler->input_count)
		gpuoa_calc_discontinuity(resampler->inputs[input].calc);
}

void gpuoa_resampler_set_time_base(struct gpuoa_resampler *resampler, uint32_t input,
				   uint64_t gpu_ticks)
{
	if (input < resampler->input_count)
		gpuoa_calc_set_time_base(resampler->inputs[input].calc, gpu_ticks);
}

void gpuoa_resampler_end(struct gpuoa_resampler *resampler, uint32_t input)
{
	if (input < resampler->input_count)
		resampler->inputs[input].ended = true;
}

/* Destination of the rows. */
struct out {
	union gpuoa_value *values;
	struct gpuoa_window *rows;
	size_t max;
	size_t count;
};

/* Return the earliest tick for which this input may still provide data. */
static uint64_t reached(const struct window_input *input)
{
	if (input->piece.there)
		return input->piece.begin;
	return input->calc->has_ticks ? input->calc->last_ticks + input->offset : 0;
}

/*
 * Split the counts of an interval at @edge, which must be inside the interval. The part before the
 * edge is removed, and is added to @sums unless @sums is NULL.
 */
static void cut(struct gpuoa_resampler *resampler, struct window_piece *piece, uint64_t edge,
		uint64_t *sums)
{
	uint64_t before = edge - piece->begin, all = piece->end - piece->begin;

	for (uint32_t i = 0; i < resampler->sum_count; i++) {
		uint64_t part = (unsigned __int128)piece->sums[i] * before / all;

		piece->sums[i] -= part;
		if (sums)
			sums[i] += part;
	}
	piece->begin = edge;
}

/*
 * Extend the covered part of the open window by the interval @piece, which ends at the last report
 * that the calculator processed.
 */
static void note_data(struct gpuoa_resampler *resampler, const struct window_input *input,
		      uint64_t begin, uint64_t end)
{
	if (!resampler->has_data)
		resampler->data = (struct gpuoa_interval){ begin, end };
	if (begin < resampler->data.begin)
		resampler->data.begin = begin;
	if (!resampler->has_data || end >= resampler->data.end) {
		resampler->data.end = end;
		resampler->end = input->calc->end;
		resampler->end.timestamp = end;
	}
	resampler->has_data = true;
}

/* Assign the counts of an input up to the end of the open window to that window. */
static void place(struct gpuoa_resampler *resampler, struct window_input *input)
{
	const struct window_span *span = &resampler->span;
	struct window_piece *piece = &input->piece;

	if (piece->begin < span->begin) {
		piece->there = piece->end > span->begin;
		if (piece->there)
			cut(resampler, piece, span->begin, NULL);
	}
	if (!piece->there || piece->begin >= span->end)
		return;
	if (piece->end > span->end) {
		note_data(resampler, input, piece->begin, span->end);
		cut(resampler, piece, span->end, input->sums);
		return;
	}
	note_data(resampler, input, piece->begin, piece->end);
	for (uint32_t i = 0; i < resampler->sum_count; i++)
		input->sums[i] += piece->sums[i];
	piece->there = false;
}

/*
 * Return the number of reports to process at once: those before the next edge, or a single report
 * after it.
 */
static size_t count_reports(const struct gpuoa_resampler *resampler,
			    const struct window_input *input, const char *reports, size_t count)
{
	const struct gpuoa_calc *calc = input->calc;
	const struct window_span *span = &resampler->span;
	const uint64_t mask = field_mask(calc->format->timestamp);
	uint64_t edge = reached(input) < span->begin ? span->begin : span->end;
	uint64_t ticks = calc->last_ticks;
	size_t n;

	/* Process the first report alone, because only the calculator can extend its time. */
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

/* Sum up deltas of reports in the input's piece. Returns the number of consumed reports. */
static size_t take_reports(struct gpuoa_resampler *resampler, struct window_input *input,
			   const void *reports, size_t count)
{
	static const struct calc_sink nothing;
	struct gpuoa_calc *calc = input->calc;
	size_t used;

	count = count_reports(resampler, input, reports, count);
	if (!calc_run(calc, reports, count, &nothing, SIZE_MAX, &used))
		return used;
	input->piece.there = true;
	input->piece.begin = calc->first + input->offset;
	input->piece.end = calc->end.timestamp + input->offset;
	calc_take_sums(calc, input->piece.sums);
	return used;
}

/*
 * True for fields that advance equally for all inputs (time and clock cycles), so that they must
 * not be added up.
 */
static bool is_common(const struct program_input *input)
{
	return input->source == SOURCE_TIMESTAMP || input->source == SOURCE_CLOCK;
}

static void add_inputs(struct gpuoa_resampler *resampler)
{
	const struct program_input *fields = resampler->inputs->calc->program->inputs;

	for (uint32_t i = 0; i < resampler->sum_count; i++) {
		unsigned __int128 sum = 0;

		for (uint32_t input = 0; input < resampler->input_count; input++) {
			sum += resampler->inputs[input].sums[i];
			resampler->inputs[input].sums[i] = 0;
		}
		if (is_common(&fields[i]))
			sum /= resampler->input_count;
		resampler->sums[i] = (uint64_t)sum;
	}
}

/* Write the row of the open window, and reset the window's data. */
static void put_row(struct gpuoa_resampler *resampler, struct out *out)
{
	struct gpuoa_calc *calc = resampler->inputs->calc;
	const size_t columns = gpuoa_calc_output_count(calc);
	union gpuoa_value *values = out->values + out->count * columns;
	struct gpuoa_window *row = &out->rows[out->count++];

	add_inputs(resampler);
	*row = (struct gpuoa_window){
		.number = resampler->span.number,
		.begin = resampler->span.begin,
		.end = resampler->span.end,
		.covered = resampler->sums[INPUT_TICKS],
	};
	if (resampler->has_data) {
		row->data = resampler->data;
		calc_evaluate(calc, resampler->sums, &resampler->end, values);
	} else {
		memset(values, 0, columns * sizeof(*values));
	}
	resampler->has_data = false;
}

/* True if all data of the open window has been received. */
static bool is_over(const struct gpuoa_resampler *resampler)
{
	for (uint32_t i = 0; i < resampler->input_count; i++)
		if (!resampler->inputs[i].ended &&
		    reached(&resampler->inputs[i]) < resampler->span.end)
			return false;
	return true;
}

/*
 * Return the earliest tick of data not yet assigned to a window. With @all, include data that has
 * not been received yet.
 */
static uint64_t next_ticks(const struct gpuoa_resampler *resampler, bool all)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < resampler->input_count; i++) {
		const struct window_input *input = &resampler->inputs[i];

		if ((input->piece.there || (all && !input->ended)) && reached(input) < least)
			least = reached(input);
	}
	return least;
}

static void place_all(struct gpuoa_resampler *resampler)
{
	for (uint32_t i = 0; i < resampler->input_count; i++)
		if (resampler->inputs[i].piece.there)
			place(resampler, &resampler->inputs[i]);
}

/* True if the open window must have a row when it is complete. */
static bool has_row(const struct gpuoa_resampler *resampler)
{
	return resampler->has_data || resampler->edges.is_list;
}

/*
 * Write the rows of all complete windows. Returns false if the buffer has no space for the next
 * row.
 */
static bool put_rows(struct gpuoa_resampler *resampler, struct out *out)
{
	while (resampler->open) {
		place_all(resampler);
		if (resampler->idle || !is_over(resampler))
			break;
		if (has_row(resampler)) {
			if (out->count == out->max)
				return false;
			put_row(resampler, out);
		}
		resampler_open_span(resampler, window_edges_next(&resampler->edges,
								 next_ticks(resampler, true),
								 &resampler->span));
	}
	return true;
}

/* True if this input has to wait for the others. */
static bool is_ahead(const struct gpuoa_resampler *resampler, const struct window_input *input)
{
	return reached(input) >= resampler->span.end;
}

size_t gpuoa_resampler_run(struct gpuoa_resampler *resampler, uint32_t number, const void *reports,
			   size_t count, union gpuoa_value *values, struct gpuoa_window *rows,
			   size_t max_rows, size_t *used)
{
	struct out out = { .values = values, .rows = rows, .max = max_rows };
	const size_t size = resampler->inputs->calc->format->size;
	struct window_input *input;

	*used = 0;
	if (number >= resampler->input_count)
		return 0;
	input = &resampler->inputs[number];
	while (put_rows(resampler, &out)) {
		if (!resampler->open)
			*used = count;
		if (*used == count || is_ahead(resampler, input))
			break;
		*used += take_reports(resampler, input, (const char *)reports + *used * size,
				      count - *used);
	}
	return out.count;
}

size_t gpuoa_resampler_flush(struct gpuoa_resampler *resampler, union gpuoa_value *values,
			     struct gpuoa_window *rows, size_t max_rows)
{
	struct out out = { .values = values, .rows = rows, .max = max_rows };

	while (resampler->open && !resampler->idle) {
		uint64_t ticks;

		place_all(resampler);
		if (has_row(resampler)) {
			if (out.count == out.max)
				break;
			put_row(resampler, &out);
		}
		ticks = next_ticks(resampler, false);
		if (!resampler->edges.is_list && ticks == UINT64_MAX)
			break;
		resampler_open_span(resampler,
				    window_edges_next(&resampler->edges, ticks, &resampler->span));
	}
	return out.count;
}
