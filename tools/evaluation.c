// SPDX-License-Identifier: MIT
/*
 * evaluation.c - from reports to rows and totals on stdout
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "evaluation_crew.h"
#include "row.h"

/* rows */

/* At once, so that it is there even if no row follows. */
static void print_header(struct evaluation *evaluation)
{
	const struct gpuoa_interval nothing = { 0 };
	const struct gpuoa_window no_window = { 0 };

	if (evaluation->request.sink)
		return;
	if (evaluation->windows) {
		output_header(&evaluation->output, evaluation->fields,
			      row_window_fields(evaluation, &no_window, evaluation->values,
						evaluation->fields));
		return;
	}
	output_header(&evaluation->output, evaluation->fields,
		      row_fields(evaluation, &nothing, evaluation->values, evaluation->fields));
}

static void print_row(struct evaluation *evaluation, const struct gpuoa_interval *interval,
		      const union gpuoa_value *row)
{
	output_record(&evaluation->output, evaluation->fields,
		      row_fields(evaluation, interval, row, evaluation->fields));
}

/* open and close */

/* All at once, so that the user need not find out one by one. */
static int missing_constants(const struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	char list[512] = "";
	const char *name;
	size_t length;

	if (request->origin)
		return fail(
			"%s does not tell all that %s needs to know of its GPU: it is damaged, or of another version",
			request->origin, evaluation->set.symbol);
	for (size_t i = 0; (name = gpuoa_calc_missing_constant(request->set, request->constants,
							       &evaluation->options, i));
	     i++) {
		length = strlen(list);
		snprintf(list + length, sizeof(list) - length, " -c %s=VALUE", name);
	}
	return usage(evaluation->tool, "%s needs constants of the GPU: give them with%s",
		     evaluation->set.symbol, list);
}

/*
 * Only what is wanted is computed: the metrics among the columns, and information items if one of
 * them is. The columns say from now on where in such a row their values stand, metrics first. Those
 * that the GPU does not have stand in none.
 */
static void choose_metrics(struct evaluation *evaluation)
{
	const size_t metric_count = evaluation->set.metric_count;
	struct columns *columns = &evaluation->columns;
	struct gpuoa_calc_options *options = &evaluation->options;

	options->no_infos = true;
	for (size_t i = 0; i < columns->count; i++) {
		struct column *column = &columns->list[i];

		if (column->is_info) {
			options->no_infos = false;
		} else if (!column->absent) {
			evaluation->metrics[options->metric_count] =
				gpuoa_set_get_metric(evaluation->request.set, column->index);
			column->index = options->metric_count++;
		}
	}
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i].is_info)
			columns->list[i].index += options->metric_count - metric_count;
}

static int choose_calc(struct evaluation *evaluation)
{
	evaluation->metrics = calloc(evaluation->columns.count + 1, sizeof(*evaluation->metrics));
	if (!evaluation->metrics)
		return fail("out of memory");
	evaluation->options = (struct gpuoa_calc_options){
		.size = sizeof(evaluation->options),
		.metrics = evaluation->metrics,
	};
	choose_metrics(evaluation);
	return EXIT_OK;
}

static int open_calc(struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	char error[256];
	int err;

	if (!evaluation->report_size)
		return fail("unknown format %" PRIu32 ", newer than this tool: update it",
			    request->format);
	err = gpuoa_calc_open(request->set, request->constants, request->format,
			      &evaluation->options, &evaluation->calc, error, sizeof(error));
	if (err == -ENODATA)
		return missing_constants(evaluation);
	return err ? fail("cannot evaluate %s: %s", evaluation->set.symbol, error) : EXIT_OK;
}

int evaluation_window(const struct tool *tool, const char *text, bool total, uint64_t *ns)
{
	*ns = 0;
	if (!text)
		return EXIT_OK;
	if (total)
		return usage(tool, "totals, or windows? Not both");
	if (!parse_number(text, ns) || !*ns)
		return usage(tool, "'%s' is no number of nanoseconds", text);
	return EXIT_OK;
}

/* They begin where the part does that was asked for. */
static int open_windows(struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	const struct gpuoa_windows_options options = {
		.size = sizeof(options),
		.period_ns = request->window_ns,
		.origin = request->begin_tick,
		.list = request->marks ? request->marks->list : NULL,
		.list_count = request->marks ? request->marks->count : 0,
		.calc = &evaluation->options,
	};
	char error[256];
	int err;

	if (!request->window_ns && !request->marks)
		return EXIT_OK;
	err = gpuoa_windows_open(request->set, request->constants, request->format, &options,
				 &evaluation->windows, error, sizeof(error));
	if (err == -ERANGE)
		return usage(evaluation->tool,
			     "windows of %" PRIu64 " ns are shorter than a tick of the timestamp",
			     request->window_ns);
	return err ? fail("cannot evaluate %s: %s", evaluation->set.symbol, error) : EXIT_OK;
}

static int open_frequency(struct evaluation *evaluation)
{
	static const char name[] = "GpuTimestampFrequency";

	if (!gpuoa_constants_get(evaluation->request.constants, name, &evaluation->frequency) &&
	    evaluation->frequency)
		return EXIT_OK;
	if (evaluation->request.origin)
		return fail(
			"%s does not tell the frequency of timestamps: it is damaged, or of another version",
			evaluation->request.origin);
	return usage(evaluation->tool, "what is the frequency of timestamps? Give it with -c %s=HZ",
		     name);
}

static int allocate_sink(struct evaluation *evaluation)
{
	const size_t columns = evaluation->row_size;
	uint64_t *room = calloc(EVALUATION_BATCH * (columns + 1), sizeof(*room));

	evaluation->sink_columns = calloc(columns + 1, sizeof(*evaluation->sink_columns));
	if (!room || !evaluation->sink_columns) {
		free(room);
		return fail("out of memory");
	}
	for (size_t i = 0; i <= columns; i++)
		evaluation->sink_columns[i] = room + i * EVALUATION_BATCH;
	return EXIT_OK;
}

static void free_sink(struct evaluation *evaluation)
{
	if (evaluation->sink_columns)
		free(evaluation->sink_columns[0]);
	free(evaluation->sink_columns);
}

static int allocate(struct evaluation *evaluation)
{
	evaluation->row_size = gpuoa_calc_columns(evaluation->calc);
	evaluation->values =
		calloc(EVALUATION_BATCH * evaluation->row_size, sizeof(*evaluation->values));
	evaluation->intervals = calloc(EVALUATION_BATCH, sizeof(*evaluation->intervals));
	evaluation->spans = calloc(EVALUATION_BATCH, sizeof(*evaluation->spans));
	evaluation->no_columns = calloc(evaluation->row_size + 1, sizeof(*evaluation->no_columns));
	evaluation->fields =
		calloc(ROW_HEAD_FIELDS + evaluation->columns.count, sizeof(*evaluation->fields));
	if (evaluation->values && evaluation->intervals && evaluation->spans &&
	    evaluation->no_columns && evaluation->fields)
		return evaluation->request.sink ? allocate_sink(evaluation) : EXIT_OK;
	return fail("out of memory");
}

/* Of some dwords of each report, there are no others in a recording. */
static size_t stored_size(const struct evaluation_request *request)
{
	size_t dwords = 0;

	for (size_t i = 0; request->keep && i < GPUOA_KEEP_MASK_WORDS; i++)
		dwords += __builtin_popcountll(request->keep[i]);
	return request->keep ? dwords * sizeof(uint32_t) : gpuoa_format_size(request->format);
}

/* Is there anything for several threads to do? Totals and windows take less time than reading. */
static bool shares(const struct evaluation_request *request)
{
	return request->jobs > 1 && (request->sink || request->rows) && !request->window_ns &&
	       !request->marks;
}

int evaluation_open(struct evaluation *evaluation, const struct tool *tool,
		    const struct evaluation_request *request)
{
	int ret;

	*evaluation = (struct evaluation){
		.tool = tool,
		.request = *request,
		.report_size = gpuoa_format_size(request->format),
		.stored_size = stored_size(request),
	};
	gpuoa_set_describe(request->set, &evaluation->set, sizeof(evaluation->set));
	output_begin(&evaluation->output, tool->format);
	if (request->csv) {
		evaluation->output.format = OUTPUT_CSV;
		evaluation->output.file = request->csv;
	}
	ret = columns_select(&evaluation->columns, tool, request->set, request->constants,
			     request->metrics);
	if (!ret && request->keep)
		columns_thin(&evaluation->columns, tool, request->set, request->format,
			     request->keep, request->metrics);
	if (!ret)
		ret = choose_calc(evaluation);
	if (!ret)
		ret = open_calc(evaluation);
	if (!ret)
		ret = open_frequency(evaluation);
	if (!ret)
		ret = open_windows(evaluation);
	if (!ret)
		ret = allocate(evaluation);
	if (!ret && shares(request))
		ret = evaluation_crew_open(evaluation);
	if (ret)
		evaluation_close(evaluation);
	else
		print_header(evaluation);
	return ret;
}

void evaluation_close(struct evaluation *evaluation)
{
	evaluation_crew_close(evaluation->crew);
	output_end(&evaluation->output);
	gpuoa_calc_close(evaluation->calc);
	gpuoa_windows_close(evaluation->windows);
	columns_free(&evaluation->columns);
	free_sink(evaluation);
	free(evaluation->metrics);
	free(evaluation->no_columns);
	free(evaluation->values);
	free(evaluation->intervals);
	free(evaluation->spans);
	free(evaluation->fields);
}

/* reports */

static void print_windows(struct evaluation *evaluation, size_t rows)
{
	const struct evaluation_sink *sink = evaluation->request.sink;

	for (size_t i = 0; i < rows; i++) {
		const union gpuoa_value *row = evaluation->values + i * evaluation->row_size;

		/* Before the first mark, and behind the last one, there may be nothing. */
		if (evaluation->request.marks && !evaluation->spans[i].covered)
			continue;
		evaluation->intervals_done++;
		if (sink) {
			sink->take_window(sink->context, evaluation, &evaluation->spans[i], row);
			continue;
		}
		output_record(&evaluation->output, evaluation->fields,
			      row_window_fields(evaluation, &evaluation->spans[i], row,
						evaluation->fields));
	}
}

static void run_windows(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used, rows;

	do {
		rows = gpuoa_windows_run(evaluation->windows, 0, reports, count, evaluation->values,
					 evaluation->spans, EVALUATION_BATCH, &used);
		print_windows(evaluation, rows);
		reports += used * evaluation->report_size;
		count -= used;
	} while (rows == EVALUATION_BATCH);
}

/* No value of a single interval is wanted: it is not computed. */
static void run_totals(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used;

	evaluation->intervals_done += gpuoa_calc_run_columns(
		evaluation->calc, reports, count, evaluation->no_columns, NULL, count, &used);
}

static void run_rows(struct evaluation *evaluation, const char *reports, size_t count)
{
	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run(evaluation->calc, reports, count,
						   evaluation->values, evaluation->intervals,
						   EVALUATION_BATCH, &used);

		for (size_t i = 0; i < rows; i++)
			print_row(evaluation, &evaluation->intervals[i],
				  evaluation->values + i * evaluation->row_size);
		evaluation->intervals_done += rows;
		reports += used * evaluation->report_size;
		count -= used;
	}
}

static void run_sink(struct evaluation *evaluation, const char *reports, size_t count)
{
	const struct evaluation_sink *sink = evaluation->request.sink;

	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run_columns(evaluation->calc, reports, count,
							   evaluation->sink_columns,
							   evaluation->intervals, EVALUATION_BATCH,
							   &used);

		if (rows)
			sink->take(sink->context, evaluation, evaluation->sink_columns,
				   evaluation->intervals, rows);
		evaluation->intervals_done += rows;
		reports += used * evaluation->report_size;
		count -= used;
	}
}

/* Who takes rows may want totals as well: these come from all reports in one calculator. */
static void run_crew(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used;

	evaluation_crew_feed(evaluation->crew, reports, count);
	if (evaluation->request.sink)
		gpuoa_calc_run_columns(evaluation->calc, reports, count, evaluation->no_columns,
				       NULL, count, &used);
}

static void run(struct evaluation *evaluation, const char *reports, size_t count)
{
	if (evaluation->crew)
		run_crew(evaluation, reports, count);
	else if (evaluation->windows)
		run_windows(evaluation, reports, count);
	else if (evaluation->request.sink)
		run_sink(evaluation, reports, count);
	else if (evaluation->request.rows)
		run_rows(evaluation, reports, count);
	else
		run_totals(evaluation, reports, count);
}

static void anchor(struct evaluation *evaluation)
{
	if (evaluation->crew)
		evaluation_crew_anchor(evaluation->crew, evaluation->now);
	if (evaluation->windows)
		gpuoa_windows_anchor(evaluation->windows, 0, evaluation->now);
	else
		gpuoa_calc_anchor(evaluation->calc, evaluation->now);
}

static void gap(struct evaluation *evaluation)
{
	if (evaluation->crew)
		evaluation_crew_gap(evaluation->crew);
	if (evaluation->windows)
		gpuoa_windows_gap(evaluation->windows, 0);
	else
		gpuoa_calc_gap(evaluation->calc);
}

/* Of @count reports, how many at the beginning are before @tick? */
static size_t count_before(struct evaluation *evaluation, const char *reports, size_t count,
			   uint64_t tick)
{
	size_t n;

	for (n = 0; n < count; n++) {
		evaluation->now = gpuoa_report_ticks(evaluation->request.format,
						     reports + n * evaluation->report_size,
						     evaluation->now);
		if (evaluation->now >= tick)
			break;
	}
	return n;
}

/* Feed what of the reports is in the part that was asked for. */
static void run_part(struct evaluation *evaluation, const char *reports, size_t count)
{
	const struct evaluation_request *request = &evaluation->request;
	const size_t before = count_before(evaluation, reports, count, request->begin_tick);

	reports += before * evaluation->report_size;
	count -= before;
	anchor(evaluation);
	if (request->end_tick < UINT64_MAX)
		count = count_before(evaluation, reports, count, request->end_tick + 1);
	run(evaluation, reports, count);
}

static void count_losses(struct evaluation *evaluation, const struct gpuoa_read_status *status)
{
	const uint64_t lost = status->lost_overflow + status->lost_hardware + status->lost_ring;

	if (evaluation->crew) {
		evaluation_crew_lose(evaluation->crew, lost, status->lost_unknown);
		return;
	}
	evaluation->lost += lost;
	evaluation->lost_unknown |= status->lost_unknown;
}

void evaluation_feed(struct evaluation *evaluation, const void *reports, size_t count,
		     const struct gpuoa_read_status *status)
{
	count_losses(evaluation, status);
	if (status->gap)
		gap(evaluation);
	if (status->has_clock) {
		evaluation->now = status->clock.gpu_ticks;
		anchor(evaluation);
	}
	if (evaluation->request.part)
		run_part(evaluation, reports, count);
	else
		run(evaluation, reports, count);
}

void evaluation_settle(struct evaluation *evaluation)
{
	if (evaluation->crew)
		evaluation_crew_finish(evaluation->crew);
}

int evaluation_drain(struct evaluation *evaluation, struct gpuoa_source *source)
{
	struct progress *progress = evaluation->request.progress;
	struct gpuoa_read_status status;
	const void *reports;
	int n;

	do {
		n = gpuoa_source_next(source, &reports, SIZE_MAX, &status);
		if (n >= 0)
			evaluation_feed(evaluation, reports, n, &status);
		if (n > 0)
			progress_add(progress, n * evaluation->stored_size);
	} while (n > 0);
	evaluation_settle(evaluation);
	progress_end(progress);
	switch (n) {
	case 0:
		return EXIT_OK;
	case -ENODEV:
		return fail("the GPU is gone");
	case -EBADMSG:
		return fail("the recording is damaged from here on");
	default:
		return fail("cannot read reports: %s", strerror(-n));
	}
}

/* totals */

/* One metric per line, for people. */
static void print_table(struct evaluation *evaluation, const union gpuoa_value *row,
			const union gpuoa_value *max)
{
	for (size_t i = 0; i < evaluation->columns.count; i++) {
		const struct column *column = &evaluation->columns.list[i];
		struct field value = column_field(column, row), most = column_field(column, max);

		value.heading = "VALUE";
		most.heading = "MAX";
		if (!column->has_max)
			most.kind = FIELD_NONE;
		output_record(
			&evaluation->output,
			(struct field[]){
				value,
				most,
				{ .heading = "UNIT", .kind = FIELD_TEXT, .text = column->units },
				{ .heading = "METRIC", .kind = FIELD_TEXT, .text = column->symbol },
				{ .heading = "NAME", .kind = FIELD_TEXT, .text = column->name },
			},
			5);
	}
	output_end(&evaluation->output);
}

static void print_totals(struct evaluation *evaluation, const struct gpuoa_interval *interval)
{
	const union gpuoa_value *row = evaluation->values;
	union gpuoa_value *max = evaluation->values + evaluation->row_size;

	if (evaluation->tool->format != OUTPUT_TABLE) {
		print_row(evaluation, interval, row);
		fflush(stdout);
		return;
	}
	gpuoa_calc_total_max(evaluation->calc, max);
	print_table(evaluation, row, max);
}

bool evaluation_totals(struct evaluation *evaluation)
{
	struct gpuoa_interval interval;

	if (gpuoa_calc_total(evaluation->calc, evaluation->values, &interval, true))
		return false;
	if (evaluation->tool->format == OUTPUT_TABLE)
		printf("%s: GPU time %" PRIu64 " to %" PRIu64 " ns (ticks %" PRIu64 " to %" PRIu64
		       ")\n",
		       evaluation->set.symbol, row_ns(evaluation, interval.begin),
		       row_ns(evaluation, interval.end), interval.begin, interval.end);
	print_totals(evaluation, &interval);
	return true;
}

/* The windows that are not over. */
static void finish_windows(struct evaluation *evaluation)
{
	size_t rows;

	do {
		rows = gpuoa_windows_flush(evaluation->windows, evaluation->values,
					   evaluation->spans, EVALUATION_BATCH);
		print_windows(evaluation, rows);
	} while (rows == EVALUATION_BATCH);
}

bool evaluation_finish(struct evaluation *evaluation)
{
	evaluation_settle(evaluation);
	if (evaluation->windows)
		finish_windows(evaluation);
	else if (!evaluation->request.rows && !evaluation->request.sink)
		return evaluation_totals(evaluation);
	return evaluation->request.rows || evaluation->intervals_done;
}

void evaluation_losses(const struct evaluation *evaluation)
{
	if (evaluation->lost)
		note(evaluation->tool, "# %" PRIu64 " reports were lost; no interval bridges a gap",
		     evaluation->lost);
	if (evaluation->lost_unknown)
		note(evaluation->tool, "# some reports were lost that could not be counted");
}
