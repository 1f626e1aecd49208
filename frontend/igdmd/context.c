// SPDX-License-Identifier: MIT
/*
 * context.c - calculation contexts: resampling of reports, and sums of the reports of several tiles
 *
 * Aggregated data consists of reports of the set's format, estimated for the times at which windows
 * begin and end. Each report except the first one of a window ends an interval, so that aggregated
 * reports are calculated like any other reports.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "igdmd.h"

typedef unsigned __int128 wide;

/* Later than all reports */
#define NEVER INT64_MAX

/* Id of the first report of a window, which ends no interval. Intel's library uses the same id. */
#define FIRST_OF_WINDOW 2048u

/* The only information item of aggregated reports, as in Intel's library */
#define TIME_ITEM "QueryBeginTime"

/*
 * Reports of one tile: those not yet processed, and the last two processed ones, between which
 * reports are interpolated
 */
struct input {
	int64_t offset; /* ticks, added to times */
	uint64_t time_mask;
	/* copies of reports that earlier calls passed and did not use up */
	uint8_t *kept;
	size_t kept_size;
	size_t kept_used;
	/* reports that the program passed to the current call */
	const uint8_t *reports;
	size_t size;
	size_t used;

	bool has_before;
	bool has_after;
	uint8_t *before;
	uint8_t *after;
	int64_t after_time; /* time of .after in ticks, extended to 64 bits, with .offset added */
};

/* Times in ticks */
struct window {
	int64_t begin;
	int64_t end;
};

struct context {
	struct mdapi_context base;
	struct mdapi_context_params params;
	struct set view; /* copy of the first set, with a separate filter and separate constants */
	struct gpuoa_constants *constants; /* of all tiles together */
	struct calculation *calculation;

	/* aggregation */
	bool aggregates;
	uint32_t report_size;
	uint32_t id_size; /* bytes of the report id */
	struct gpuoa_field_desc context_id; /* .bits is 0 on Haswell */
	struct input *inputs;
	uint32_t input_count;
	struct window *windows;
	/* number of windows; 0: one unbounded window, which begins with the data */
	uint32_t window_count;
	/* length of an interval in ticks; 0: each timer report of the first input ends one */
	int64_t period;

	/* the current window */
	uint32_t index; /* index of the next window in .windows */
	bool has_window;
	bool in_window; /* the first report of the window has been made */
	struct window window;
	int64_t stop; /* end of the current interval */
	int64_t last_time; /* time of the last report that was made */
	/* if .period is 0: the last report of the first input is one of the timer */
	bool base_is_ready;
	bool finished;

	uint8_t *made; /* the last aggregated report */
	bool has_made; /* .made has not been copied to the program's buffer, which was full */
	uint8_t *added; /* report of another input */
};

static struct context *context_of(struct mdapi_context *base)
{
	return (struct context *)base;
}

/* ---- inputs --------------------------------------------------------------------------------- */

static const uint8_t *peek(const struct context *context, const struct input *input)
{
	if (input->kept_size - input->kept_used >= context->report_size)
		return input->kept + input->kept_used;
	return input->size - input->used >= context->report_size ? input->reports + input->used :
								   NULL;
}

static void consume(const struct context *context, struct input *input)
{
	if (input->kept_used < input->kept_size)
		input->kept_used += context->report_size;
	else
		input->used += context->report_size;
}

/* Process the next report of an input. Returns false if there is none. */
static bool advance(const struct context *context, struct input *input)
{
	const uint32_t format = context->view.desc.format;
	const uint8_t *report = peek(context, input);
	uint64_t ticks;

	if (!report)
		return false;
	ticks = gpuoa_report_timestamp(format, report);
	if (input->has_after) {
		const uint64_t last = gpuoa_report_timestamp(format, input->after);
		uint8_t *free_one = input->before;

		input->before = input->after;
		input->after = free_one;
		input->has_before = true;
		input->after_time += (int64_t)((ticks - last) & input->time_mask);
	} else {
		input->has_after = true;
		input->after_time = (int64_t)ticks + input->offset;
	}
	memcpy(input->after, report, context->report_size);
	consume(context, input);
	return true;
}

/* Check whether the input has a report; if not, try to process a new one. */
static bool has_report(const struct context *context, struct input *input)
{
	return input->has_after || advance(context, input);
}

/*
 * Process reports until the last report of each input is at or after @time. The input with the
 * earliest last report always goes first. So if the data of an input ends, all inputs have stopped
 * near the same time.
 */
static bool all_reach(const struct context *context, int64_t time)
{
	for (;;) {
		struct input *earliest = NULL;

		for (uint32_t i = 0; i < context->input_count; i++) {
			struct input *input = &context->inputs[i];

			if (!has_report(context, input))
				return false;
			if (input->after_time < time &&
			    (!earliest || input->after_time < earliest->after_time))
				earliest = input;
		}
		if (!earliest)
			return true;
		if (!advance(context, earliest))
			return false;
	}
}

/*
 * Check whether the timer triggered a report. Reports of Haswell have no reason: the timer triggers
 * all of them.
 */
static bool is_of_timer(const struct context *context, const uint8_t *report)
{
	struct gpuoa_report_desc desc;

	return gpuoa_report_describe(context->view.set, context->view.desc.format, report, &desc,
				     sizeof(desc)) ||
	       !desc.has_reason || (desc.reason & GPUOA_REASON_TIMER);
}

/* Copy the reports that the program passed and that have not been processed yet. */
static int keep_rest(struct input *input)
{
	const size_t kept = input->kept_size - input->kept_used;
	const size_t rest = input->size - input->used;
	uint8_t *grown;

	if (kept && input->kept_used)
		memmove(input->kept, input->kept + input->kept_used, kept);
	input->kept_used = 0;
	input->kept_size = kept;
	if (!rest)
		return 0;
	grown = realloc(input->kept, kept + rest);
	if (!grown)
		return -ENOMEM;
	memcpy(grown + kept, input->reports + input->used, rest);
	input->kept = grown;
	input->kept_size = kept + rest;
	input->used = input->size;
	return 0;
}

/* ---- reports at the edges of windows -------------------------------------------------------- */

static void interpolate(const struct context *context, const struct input *input, int64_t time,
			uint8_t *report)
{
	const uint64_t ticks = (uint64_t)(time - input->offset) & input->time_mask;

	if (!input->has_before || time >= input->after_time ||
	    gpuoa_report_interpolate(context->view.desc.format, input->before, input->after, ticks,
				     report))
		memcpy(report, input->after, context->report_size);
}

/* Make the aggregated report for @time. Each input must have a report at or after @time. */
static void make_report(struct context *context, int64_t time)
{
	const uint64_t id = context->in_window ? 0 : FIRST_OF_WINDOW;
	const struct gpuoa_field_desc *context_id = &context->context_id;

	interpolate(context, &context->inputs[0], time, context->made);
	for (uint32_t i = 1; i < context->input_count; i++) {
		interpolate(context, &context->inputs[i], time, context->added);
		gpuoa_report_add(context->view.desc.format, context->made, context->added);
	}
	memcpy(context->made, &id, context->id_size);
	if (context_id->bits)
		memset(context->made + context_id->offset, 0, 4);
	context->in_window = true;
	context->last_time = time;
}

static int64_t later_by(int64_t time, int64_t by)
{
	return time > 0 && by > NEVER - time ? NEVER : time + by;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void next_window(struct context *context)
{
	context->index++;
	context->has_window = context->in_window = false;
	if (context->index >= context->window_count)
		context->finished = true;
}

enum step {
	STEP_REPORT, /* .made is valid */
	STEP_EMPTY, /* an interval had no data */
	STEP_WAIT, /* more reports are needed */
	STEP_FINISHED,
};

/* Begin the next window. Returns false if more reports are needed. */
static bool load_window(struct context *context)
{
	struct window window = { .begin = INT64_MIN, .end = NEVER };

	if (context->window_count) {
		window = context->windows[context->index];
	} else {
		if (!all_reach(context, INT64_MIN))
			return false;
		for (uint32_t i = 0; i < context->input_count; i++)
			if (context->inputs[i].after_time > window.begin)
				window.begin = context->inputs[i].after_time;
	}
	context->window = window;
	context->stop = min(later_by(window.begin, context->period), window.end);
	context->has_window = true;
	return true;
}

/* Skip an interval without data, or with @all, every interval that ends before @time. */
static enum step skip_intervals(struct context *context, int64_t time, bool all)
{
	if (context->stop >= context->window.end) {
		next_window(context);
		return STEP_EMPTY;
	}
	if (all)
		context->stop = later_by(context->stop, (time - context->stop) / context->period *
								context->period);
	context->stop = min(later_by(context->stop, context->period), context->window.end);
	return STEP_EMPTY;
}

/*
 * Make the first report of a window, for the time at which the window begins, or for the later time
 * at which all inputs have data.
 */
static enum step enter_window(struct context *context, bool skip_all)
{
	int64_t time = context->window.begin;

	if (!all_reach(context, time))
		return STEP_WAIT;
	for (uint32_t i = 0; i < context->input_count; i++) {
		const struct input *input = &context->inputs[i];

		if (!input->has_before && input->after_time > time)
			time = input->after_time;
	}
	if (time >= context->stop)
		return skip_intervals(context, time, skip_all);
	if (!all_reach(context, time))
		return STEP_WAIT;
	make_report(context, time);
	return STEP_REPORT;
}

/*
 * The program has passed the last data: end an incomplete interval where the data of the first
 * input ends.
 */
static enum step end_data(struct context *context)
{
	int64_t time = NEVER;

	context->finished = true;
	if (!context->period)
		return STEP_FINISHED;
	for (uint32_t i = 0; i < context->input_count; i++)
		if (context->inputs[i].has_after)
			time = min(time, context->inputs[i].after_time);
	if (!context->in_window || time == NEVER || time <= context->last_time)
		return STEP_FINISHED;
	make_report(context, time);
	return STEP_REPORT;
}

static enum step step_period(struct context *context, bool skip_all)
{
	if (!context->has_window && !load_window(context))
		return STEP_WAIT;
	if (!context->in_window)
		return enter_window(context, skip_all);
	if (!all_reach(context, context->stop))
		return STEP_WAIT;
	make_report(context, context->stop);
	if (context->stop >= context->window.end)
		next_window(context);
	else
		context->stop = min(later_by(context->stop, context->period), context->window.end);
	return STEP_REPORT;
}

/* Advance to the next timer report of the first input at which all other inputs have data. */
static bool advance_base(struct context *context)
{
	struct input *base = &context->inputs[0];

	for (uint32_t i = 1; i < context->input_count; i++)
		if (!has_report(context, &context->inputs[i]))
			return false;
	while (!context->base_is_ready) {
		if (!advance(context, base))
			return false;
		context->base_is_ready = is_of_timer(context, base->after);
		for (uint32_t i = 1; i < context->input_count; i++) {
			const struct input *input = &context->inputs[i];

			if (!input->has_before && input->after_time > base->after_time)
				context->base_is_ready = false;
		}
	}
	return true;
}

/* If .period is 0, each timer report of the first input ends an interval. */
static enum step step_timer(struct context *context)
{
	const struct input *base = &context->inputs[0];

	while (!context->finished) {
		if (!advance_base(context))
			return STEP_WAIT;
		if (context->window_count &&
		    base->after_time > context->windows[context->index].end) {
			next_window(context);
		} else if (context->window_count &&
			   base->after_time < context->windows[context->index].begin) {
			context->base_is_ready = false;
		} else if (!all_reach(context, base->after_time)) {
			return STEP_WAIT;
		} else {
			make_report(context, base->after_time);
			context->base_is_ready = false;
			return STEP_REPORT;
		}
	}
	return STEP_FINISHED;
}

/*
 * Make the next aggregated report. @last: the program has no more data. @skip_all: skip all
 * intervals before the first data at once, without counting them
 */
static enum step step(struct context *context, bool last, bool skip_all)
{
	enum step result;

	if (context->finished)
		return STEP_FINISHED;
	result = context->period ? step_period(context, skip_all) : step_timer(context);
	return result == STEP_WAIT && last ? end_data(context) : result;
}

/* ---- aggregation ---------------------------------------------------------------------------- */

/* Accept the reports that the program passes to a call. */
static enum mdapi_result begin_call(struct context *context, const uint8_t **reports,
				    const uint32_t *sizes)
{
	if (!reports || !sizes)
		return MDAPI_INVALID_PARAMETER;
	for (uint32_t i = 0; i < context->input_count; i++)
		if (sizes[i] % context->report_size || (sizes[i] && !reports[i]))
			return MDAPI_INVALID_PARAMETER;
	for (uint32_t i = 0; i < context->input_count; i++) {
		context->inputs[i].reports = reports[i];
		context->inputs[i].size = sizes[i];
		context->inputs[i].used = 0;
	}
	return MDAPI_OK;
}

static enum mdapi_result keep_all(struct context *context)
{
	for (uint32_t i = 0; i < context->input_count; i++)
		if (keep_rest(&context->inputs[i]))
			return MDAPI_NO_MEMORY;
	return MDAPI_OK;
}

/*
 * Return the number of ticks from the first to the last report of the input, according to their
 * timestamps.
 */
static uint64_t span_of(const struct context *context, const struct input *input)
{
	const uint32_t format = context->view.desc.format, size = context->report_size;
	const size_t kept = input->kept_size - input->kept_used;
	const uint8_t *first = input->has_after ? input->after : peek(context, input);
	const uint8_t *last = input->size ? input->reports + input->size - size :
			      kept	  ? input->kept + input->kept_size - size :
					    first;

	if (!first)
		return 0;
	return (gpuoa_report_timestamp(format, last) - gpuoa_report_timestamp(format, first)) &
	       input->time_mask;
}

/* Return a buffer size in bytes that is sufficient for all aggregated reports of this call. */
static uint32_t required_size(const struct context *context)
{
	const struct input *base = &context->inputs[0];
	uint64_t count = (base->kept_size - base->kept_used + base->size) / context->report_size;

	if (context->period) {
		uint64_t span = 0;

		for (uint32_t i = 0; i < context->input_count; i++)
			if (span < span_of(context, &context->inputs[i]))
				span = span_of(context, &context->inputs[i]);
		/*
		 * Each window has a first report, and possibly a last report of an incomplete
		 * interval.
		 */
		count = span / (uint64_t)context->period +
			2 * (context->window_count ? context->window_count : 1ull);
	}
	count += 2;
	if (count > UINT32_MAX / context->report_size)
		count = UINT32_MAX / context->report_size;
	return (uint32_t)count * context->report_size;
}

static enum mdapi_result aggregate(struct mdapi_context *base, const uint8_t **reports,
				   const uint32_t *sizes, uint8_t *aggregated,
				   uint32_t *aggregated_size, bool last)
{
	struct context *context = context_of(base);
	enum mdapi_result result;
	enum step made = STEP_EMPTY;
	uint32_t size = 0;

	if (!aggregated_size || (*aggregated_size && !aggregated))
		return MDAPI_INVALID_PARAMETER;
	if (!context->aggregates)
		return MDAPI_NOT_SUPPORTED;
	result = begin_call(context, reports, sizes);
	if (result != MDAPI_OK)
		return result;
	if (!*aggregated_size) {
		*aggregated_size = required_size(context);
		return MDAPI_OK;
	}
	while (made != STEP_WAIT && made != STEP_FINISHED) {
		if (!context->has_made)
			made = step(context, last, true);
		context->has_made |= made == STEP_REPORT;
		if (!context->has_made)
			continue;
		if (*aggregated_size - size < context->report_size) {
			result = MDAPI_TRY_AGAIN; /* the rest is kept */
			break;
		}
		memcpy(aggregated + size, context->made, context->report_size);
		size += context->report_size;
		context->has_made = false;
		made = STEP_EMPTY;
	}
	*aggregated_size = size;
	return keep_all(context) == MDAPI_OK ? result : MDAPI_NO_MEMORY;
}

/* ---- calculation ---------------------------------------------------------------------------- */

static bool begins_window(const struct context *context, const uint8_t *report)
{
	uint64_t id = 0;

	memcpy(&id, report, context->id_size);
	return context->aggregates && id == FIRST_OF_WINDOW;
}

/* Return the number of rows that are calculated from @count reports. */
static size_t count_rows(const struct context *context, const uint8_t *reports, size_t count)
{
	bool has_last = calculation_has_last(context->calculation);
	size_t rows = 0;

	for (; count; count--, reports += context->report_size) {
		rows += has_last && !begins_window(context, reports);
		has_last = true;
	}
	return rows;
}

/* Check whether a buffer of @size bytes has space for @rows rows of @columns values. */
static bool fits(uint32_t size, uint32_t columns, size_t rows)
{
	return columns ? size / (columns * sizeof(struct mdapi_value)) >= rows : true;
}

/* Calculate the windows one by one, because no interval spans two windows. */
static enum mdapi_result calculate_windows(struct context *context,
					   struct calculation_buffers buffers)
{
	const uint32_t columns = context->params.metric_count + context->params.info_count;
	const uint32_t size = buffers.size;

	for (uint32_t begin = 0, end; begin < size; begin = end) {
		enum mdapi_result result;
		uint32_t count;

		if (begins_window(context, buffers.reports))
			calculation_restart(context->calculation);
		end = begin + context->report_size;
		while (end < size && !begins_window(context, buffers.reports + (end - begin)))
			end += context->report_size;
		buffers.size = end - begin;
		buffers.row_count = &count;
		result = calculation_run(context->calculation, &buffers, false);
		if (result != MDAPI_OK)
			return result;
		buffers.reports += buffers.size;
		buffers.values += (size_t)count * columns;
		buffers.values_size -= (uint32_t)(count * columns * sizeof(struct mdapi_value));
		if (!buffers.maxima)
			continue;
		buffers.maxima += (size_t)count * context->params.metric_count;
		buffers.maxima_size -= (uint32_t)(count * context->params.metric_count *
						  sizeof(struct mdapi_value));
	}
	return MDAPI_OK;
}

static enum mdapi_result calculate(struct mdapi_context *base, const uint8_t *reports,
				   uint32_t size, struct mdapi_value *values, uint32_t values_size,
				   uint32_t *row_count, struct mdapi_value *maxima,
				   uint32_t maxima_size)
{
	struct context *context = context_of(base);
	const uint32_t columns = context->params.metric_count + context->params.info_count;
	const bool with_maxima = maxima && maxima_size;
	const struct calculation_buffers buffers = {
		reports, size, values, values_size, NULL, with_maxima ? maxima : NULL, maxima_size,
	};
	enum mdapi_result result;
	size_t rows;

	if (!reports || !values || size % context->report_size ||
	    (columns && values_size % (columns * sizeof(struct mdapi_value))))
		return MDAPI_INVALID_PARAMETER;
	rows = count_rows(context, reports, size / context->report_size);
	if (!fits(values_size, columns, rows) ||
	    (with_maxima && !fits(maxima_size, context->params.metric_count, rows)))
		return MDAPI_INVALID_PARAMETER;
	result = calculate_windows(context, buffers);
	if (result == MDAPI_OK && row_count)
		*row_count = (uint32_t)rows;
	return result;
}

/*
 * Calculate one interval. If the interval is not complete, its reports are copied. The program must
 * pass reports that were not used again with the next call.
 */
static enum mdapi_result calculate_window(struct mdapi_context *base, const uint8_t **reports,
					  const uint32_t *sizes, uint32_t *used,
					  struct mdapi_value *values, uint32_t values_size,
					  struct mdapi_value *maxima, uint32_t maxima_size,
					  bool last)
{
	struct context *context = context_of(base);
	const uint32_t columns = context->params.metric_count + context->params.info_count;
	const bool with_maxima = maxima && maxima_size;
	enum mdapi_result result;
	enum step made;

	if (!context->aggregates || !context->period)
		return MDAPI_NOT_SUPPORTED;
	if (!used || !values || !fits(values_size, columns, 1) ||
	    (with_maxima && !fits(maxima_size, context->params.metric_count, 1)))
		return MDAPI_INVALID_PARAMETER;
	result = begin_call(context, reports, sizes);
	if (result != MDAPI_OK)
		return result;
	values_size = columns * (uint32_t)sizeof(struct mdapi_value);
	do {
		uint32_t rows = 0;

		made = context->has_made ? STEP_REPORT : step(context, last, false);
		context->has_made = false;
		if (made == STEP_REPORT)
			result = calculate(base, context->made, context->report_size, values,
					   values_size, &rows, maxima, maxima_size);
		if (rows)
			break;
	} while (made == STEP_REPORT && result == MDAPI_OK);
	if (made == STEP_WAIT)
		result = keep_all(context) == MDAPI_OK ? MDAPI_NOT_ENOUGH_DATA : MDAPI_NO_MEMORY;
	else if (made != STEP_REPORT)
		result = MDAPI_NO_RESULT;
	for (uint32_t i = 0; i < context->input_count; i++)
		used[i] = (uint32_t)context->inputs[i].used;
	return result;
}

/* ---- construction --------------------------------------------------------------------------- */

static const struct mdapi_context_params *get_params(const struct mdapi_context *base)
{
	return &((const struct context *)base)->params;
}

static struct mdapi_metric *get_metric(struct mdapi_context *base, uint32_t index)
{
	struct context *context = context_of(base);

	return index < context->params.metric_count ? &context->view.filtered_metrics[index]->base :
						      NULL;
}

static struct mdapi_info *get_info(struct mdapi_context *base, uint32_t index)
{
	struct context *context = context_of(base);

	return index < context->params.info_count ? &context->view.filtered_infos[index]->base :
						    NULL;
}

static void destroy(struct mdapi_context *base)
{
	(void)base; /* destroy_context() of the adapter group */
}

static const IGDMD_TABLE(mdapi_context_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_params = get_params,
		.get_metric = get_metric,
		.get_info = get_info,
		.aggregate = aggregate,
		.calculate = calculate,
		.calculate_window = calculate_window,
	},
};

static const struct mdapi_set_params_1_0 *params_of(const struct set *set)
{
	return set->filtered ? &set->filtered_params.base : &set->params.base;
}

static const char *symbol_of(const struct set *set, uint32_t metric)
{
	return (set->filtered ? set->filtered_metrics : set->metrics)[metric]->params.symbol;
}

/* Check whether reports of two sets can be added. */
static bool sets_match(const struct set *a, const struct set *b)
{
	const struct mdapi_set_params_1_0 *first = params_of(a), *second = params_of(b);

	if (strcmp(first->symbol, second->symbol) ||
	    strcmp(a->group->params.symbol, b->group->params.symbol) ||
	    a->desc.format != b->desc.format || first->metric_count != second->metric_count ||
	    first->info_count != second->info_count)
		return false;
	for (uint32_t i = 0; i < first->metric_count; i++)
		if (strcmp(symbol_of(a, i), symbol_of(b, i)))
			return false;
	return true;
}

/*
 * Check that windows are sorted and do not overlap. As in Intel's library, only the first window
 * may be empty.
 */
static bool windows_are_valid(const struct mdapi_context_options *options)
{
	const struct mdapi_window *windows = options->windows;

	if (options->window_count && (!windows || windows[0].begin > windows[0].end))
		return false;
	for (uint32_t i = 1; i < options->window_count; i++)
		if (windows[i - 1].end > windows[i].begin || windows[i].begin >= windows[i].end)
			return false;
	return true;
}

static bool options_are_valid(const struct mdapi_context_options *options)
{
	const struct set *first;

	if (options->type != MDAPI_CONTEXT_STREAM || !options->input_count || !options->sets ||
	    !windows_are_valid(options))
		return false;
	first = (const struct set *)options->sets[0];
	for (uint32_t i = 0; i < options->input_count; i++) {
		const struct set *set = (const struct set *)options->sets[i];

		if (!set || !set->set || set->open || !(params_of(set)->apis & MDAPI_API_STREAM) ||
		    !sets_match(first, set))
			return false;
	}
	return true;
}

static int64_t ticks_of(const struct context *context, uint64_t ns)
{
	const wide ticks = (wide)ns * context->view.group->device->frequency / 1000000000;

	return ns == UINT64_MAX || ticks > NEVER ? NEVER : (int64_t)ticks;
}

/* Copy the part of the set that setting another filter would change. */
static int make_view(struct context *context, const struct set *set)
{
	struct set *view = &context->view;
	struct mdapi_set_params_1_0 *params = &view->filtered_params.base;
	const uint32_t apis = params_of(set)->apis;

	*view = *set;
	view->calculation = NULL;
	view->filtered_params = set->params;
	view->filtered_metrics = igdmd_alloc(params->metric_count, sizeof(void *));
	view->filtered_infos = igdmd_alloc(params->info_count, sizeof(void *));
	if (!view->filtered_metrics || !view->filtered_infos)
		return -ENOMEM;
	params->metric_count = params->info_count = 0;
	for (uint32_t i = 0; i < set->params.base.metric_count; i++)
		if (set->metrics[i]->params.apis & apis)
			view->filtered_metrics[params->metric_count++] = set->metrics[i];
	for (uint32_t i = 0; i < set->params.base.info_count; i++)
		if ((set->infos[i].params.apis & apis) &&
		    (!context->aggregates || !strcmp(set->infos[i].params.symbol, TIME_ITEM)))
			view->filtered_infos[params->info_count++] = &set->infos[i];
	context->params.metric_count = params->metric_count;
	context->params.info_count = params->info_count;
	return 0;
}

static int add_constants(struct context *context, const struct mdapi_context_options *options)
{
	int err = gpuoa_constants_copy(context->view.constants, &context->constants);

	if (err) {
		context->constants = NULL;
		return err;
	}
	for (uint32_t i = 1; i < options->input_count && !err; i++)
		err = gpuoa_constants_add(context->constants,
					  ((const struct set *)options->sets[i])->constants);
	context->view.constants = context->constants;
	return err;
}

static int add_inputs(struct context *context, const struct mdapi_context_options *options)
{
	const uint64_t frequency = context->view.group->device->frequency;
	struct gpuoa_field_desc time;

	context->inputs = igdmd_alloc(options->input_count, sizeof(*context->inputs));
	if (!context->inputs)
		return -ENOMEM;
	gpuoa_report_field(context->view.desc.format, GPUOA_FIELD_TIMESTAMP, 0, &time,
			   sizeof(time));
	for (uint32_t i = 0; i < options->input_count; i++) {
		struct input *input = &context->inputs[i];
		const int64_t offset = options->offsets ? options->offsets[i] : 0;

		context->input_count++;
		input->offset = (int64_t)((__int128)offset * (int64_t)frequency / 1000000000);
		input->time_mask = time.bits < 64 ? (1ull << time.bits) - 1 : UINT64_MAX;
		input->before = igdmd_alloc(1, context->report_size);
		input->after = igdmd_alloc(1, context->report_size);
		if (!input->before || !input->after)
			return -ENOMEM;
	}
	return 0;
}

static int add_windows(struct context *context, const struct mdapi_context_options *options)
{
	context->period = ticks_of(context, options->period_ns);
	if (options->period_ns && !context->period)
		context->period = 1;
	context->windows = igdmd_alloc(options->window_count, sizeof(*context->windows));
	if (!context->windows)
		return -ENOMEM;
	for (uint32_t i = 0; i < options->window_count; i++)
		context->windows[i] = (struct window){
			.begin = ticks_of(context, options->windows[i].begin),
			.end = ticks_of(context, options->windows[i].end),
		};
	context->window_count = options->window_count;
	return 0;
}

static int add_aggregation(struct context *context, const struct mdapi_context_options *options)
{
	const uint32_t format = context->view.desc.format;
	struct gpuoa_field_desc id;
	int err;

	gpuoa_report_field(format, GPUOA_FIELD_REPORT_ID, 0, &id, sizeof(id));
	context->id_size = id.bits / 8;
	if (gpuoa_report_field(format, GPUOA_FIELD_CONTEXT_ID, 0, &context->context_id,
			       sizeof(context->context_id)))
		context->context_id.bits = 0;
	context->made = igdmd_alloc(1, context->report_size);
	context->added = igdmd_alloc(1, context->report_size);
	if (!context->made || !context->added)
		return -ENOMEM;
	err = add_inputs(context, options);
	return err ? err : add_windows(context, options);
}

void context_free(struct mdapi_context *base)
{
	struct context *context = context_of(base);

	calculation_free(context->calculation);
	for (uint32_t i = 0; i < context->input_count; i++) {
		free(context->inputs[i].kept);
		free(context->inputs[i].before);
		free(context->inputs[i].after);
	}
	gpuoa_constants_free(context->constants);
	free(context->inputs);
	free(context->windows);
	free(context->made);
	free(context->added);
	free(context->view.filtered_metrics);
	free(context->view.filtered_infos);
	free(context);
}

enum mdapi_result context_new(const struct mdapi_context_options *options,
			      struct mdapi_context **result)
{
	struct context *context;
	enum mdapi_result status;
	int err;

	if (!options_are_valid(options))
		return MDAPI_INVALID_PARAMETER;
	context = igdmd_alloc(1, sizeof(*context));
	if (!context)
		return MDAPI_NO_MEMORY;
	context->base.table = &table.functions;
	context->aggregates = options->input_count > 1 || options->period_ns;
	err = make_view(context, (const struct set *)options->sets[0]);
	context->report_size = context->view.params.base.report_size;
	if (!err)
		err = add_constants(context, options);
	if (!err && context->aggregates)
		err = add_aggregation(context, options);
	status = err ? igdmd_result(err) : calculation_new(&context->view, &context->calculation);
	if (status == MDAPI_OK)
		*result = &context->base;
	else
		context_free(&context->base);
	return status;
}
