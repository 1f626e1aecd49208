// SPDX-License-Identifier: MIT
/*
 * evaluation_open.c - setup of an evaluation: columns, calculator, windows and memory
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/evaluation.h"
#include "common/evaluation_crew.h"
#include "common/evaluation_print.h"
#include "common/row.h"

/* List all missing constants, so that the user need not find them one by one. */
static int missing_constants(const struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	char list[512] = "";
	const char *name;
	size_t length;

	if (request->origin)
		return fail(
			"%s: cannot evaluate %s: constants of the GPU are missing; the file is damaged, or of another version",
			request->origin, evaluation->set.symbol);
	for (size_t i = 0; (name = gpuoa_calc_missing_constant(request->set, request->constants,
							       &evaluation->options, i));
	     i++) {
		length = strlen(list);
		snprintf(list + length, sizeof(list) - length, " -c %s=VALUE", name);
	}
	return usage(evaluation->tool,
		     "%s: cannot evaluate it: constants of the GPU are missing; give them with%s",
		     evaluation->set.symbol, list);
}

/*
 * Compute only what is shown: the metrics among the columns, and the information items if a column
 * is one. Set each column's index in such a row, metrics first. Unavailable metrics have no index.
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
		return fail("cannot evaluate reports: unknown format %" PRIu32 "; update gpuoa",
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
		return usage(tool, "--total and --window exclude each other");
	return option_duration(tool, "--window", text, 1, 1, INT64_MAX, ns);
}

/* Windows begin where the requested part begins. */
static int open_windows(struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	const struct gpuoa_resampler_options options = {
		.size = sizeof(options),
		.period_ns = request->window_ns,
		.start = request->begin_tick,
		.list = request->marks ? request->marks->list : NULL,
		.list_count = request->marks ? request->marks->count : 0,
		.calc = &evaluation->options,
	};
	char error[256];
	int err;

	if (!request->window_ns && !request->marks)
		return EXIT_OK;
	err = gpuoa_resampler_open(request->set, request->constants, request->format, &options,
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
			"%s: no frequency of timestamps; the file is damaged, or of another version",
			evaluation->request.origin);
	return usage(evaluation->tool, "missing frequency of timestamps; give -c %s=HZ", name);
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
	evaluation->row_size = gpuoa_calc_output_count(evaluation->calc);
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

/* A recording may store only some dwords of each report. */
static size_t stored_size(const struct evaluation_request *request)
{
	size_t dwords = 0;

	for (size_t i = 0; request->dword_mask && i < GPUOA_DWORD_MASK_WORDS; i++)
		dwords += __builtin_popcountll(request->dword_mask[i]);
	return request->dword_mask ? dwords * sizeof(uint32_t) : gpuoa_format_size(request->format);
}

/*
 * Return whether several threads are useful. Computing totals and windows takes less time than
 * reading.
 */
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
	if (!ret && request->dword_mask)
		columns_thin(&evaluation->columns, tool, request->set, request->format,
			     request->dword_mask, request->metrics);
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
		evaluation_print_header(evaluation);
	return ret;
}

void evaluation_close(struct evaluation *evaluation)
{
	evaluation_crew_close(evaluation->crew);
	output_end(&evaluation->output);
	row_table_end(&evaluation->table, evaluation->tool);
	gpuoa_calc_close(evaluation->calc);
	gpuoa_resampler_close(evaluation->windows);
	columns_free(&evaluation->columns);
	free_sink(evaluation);
	free(evaluation->metrics);
	free(evaluation->no_columns);
	free(evaluation->values);
	free(evaluation->intervals);
	free(evaluation->spans);
	free(evaluation->fields);
}
