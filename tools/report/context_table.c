// SPDX-License-Identifier: MIT
/*
 * context_table.c - gpuoa report --contexts: print the metrics of each GPU context
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "common/terminal.h"
#include "report/context_table.h"

#define COLUMN 10 /* width of a context's column */
#define UNIT 12

static void print_record(const struct contexts *contexts, const struct context *context,
			 struct output *output, struct field *fields)
{
	const struct evaluation *evaluation = &contexts->evaluation;
	const struct columns *columns = &evaluation->columns;
	size_t n = 0;

	fields[n++] = (struct field)FIELD_OF_NUMBER("context_id", NULL, context->id);
	fields[n] = (struct field)FIELD_OF_TEXT("program", NULL, context->owner.program);
	fields[n + 1] = (struct field)FIELD_OF_NUMBER("process", NULL, context->owner.process);
	if (!context->owned)
		fields[n].kind = FIELD_NONE;
	if (!context->owner.process)
		fields[n + 1].kind = FIELD_NONE;
	n += 2;
	fields[n++] = (struct field)FIELD_OF_NUMBER("intervals", NULL, context->intervals);
	fields[n++] = (struct field)FIELD_OF_NUMBER("covered_ticks", NULL, context->covered);
	for (size_t i = 0; i < columns->count; i++)
		fields[n++] = column_field(&columns->list[i], context->total);
	output_record(output, fields, n);
}

static void print_records(const struct contexts *contexts)
{
	struct field *fields = calloc(contexts->evaluation.columns.count + 6, sizeof(*fields));
	struct output output;

	output_begin(&output, contexts->evaluation.tool->format);
	for (size_t i = 0; fields && i < contexts->count; i++)
		print_record(contexts, &contexts->list[i], &output, fields);
	output_end(&output);
	free(fields);
}

static int symbol_width(const struct columns *columns)
{
	size_t widest = strlen("GPU time");

	for (size_t i = 0; i < columns->count; i++)
		if (strlen(columns->list[i].symbol) > widest)
			widest = strlen(columns->list[i].symbol);
	return widest;
}

/* Print the owners of the contexts, if any owner is known. */
static void print_owners(const struct contexts *contexts, size_t shown, int width)
{
	bool any = false;

	for (size_t i = 0; i < shown; i++)
		any |= contexts->list[i].owned;
	if (!any)
		return;
	printf("\n%-*s", width, "program");
	for (size_t i = 0; i < shown; i++) {
		char *name = printable(contexts->list[i].owner.program);

		printf(" %*.*s", COLUMN, COLUMN, name ? name : "");
		free(name);
	}
	printf("\n%-*s", width, "process");
	for (size_t i = 0; i < shown; i++)
		if (contexts->list[i].owner.process)
			printf(" %*" PRIu32, COLUMN, contexts->list[i].owner.process);
		else
			printf(" %*s", COLUMN, "");
}

static void print_heads(const struct contexts *contexts, size_t shown, int width)
{
	const double frequency = contexts->evaluation.frequency;
	char text[SCALING_LONG];

	printf("%-*s", width, "CONTEXT");
	for (size_t i = 0; i < shown; i++) {
		snprintf(text, sizeof(text), "0x%" PRIx32, contexts->list[i].id);
		printf(" %*s", COLUMN, text);
	}
	print_owners(contexts, shown, width);
	printf("\n%-*s", width, "GPU time");
	for (size_t i = 0; i < shown; i++)
		printf(" %*s", COLUMN,
		       scaling_text_seconds(contexts->list[i].covered / frequency, text));
	puts("");
}

static double value_in(const struct contexts *contexts, const struct context *context,
		       const struct column *column, const struct scaling *scaling)
{
	return scaling_value(scaling,
			     gpuoa_value_to_double(column->type, context->total[column->index]),
			     (double)context->covered / contexts->evaluation.frequency);
}

static void print_metric(const struct contexts *contexts, const struct column *column, size_t shown,
			 int width)
{
	const struct scaling scaling = scaling_of(column);
	char text[SCALING_TEXT];

	printf("%-*s", width, column->symbol);
	for (size_t i = 0; i < shown; i++)
		printf(" %*s", COLUMN,
		       scaling_text(value_in(contexts, &contexts->list[i], column, &scaling),
				    &scaling, text));
	printf(" %s\n", scaling.unit);
}

/*
 * Return whether to print a metric: all metrics that the user named; otherwise all that are not 0.
 */
static bool is_seen(const struct contexts *contexts, const struct column *column, size_t shown)
{
	const struct scaling scaling = scaling_of(column);

	if (column->absent)
		return false;
	if (contexts->evaluation.request.metrics)
		return true;
	for (size_t i = 0; i < shown; i++)
		if (value_in(contexts, &contexts->list[i], column, &scaling))
			return true;
	return false;
}

static void print_table(const struct contexts *contexts)
{
	const struct columns *columns = &contexts->evaluation.columns;
	const int width = symbol_width(columns);
	int room = (terminal_width(stdout) - width - UNIT) / (COLUMN + 1);
	size_t shown;

	room = room < 1 ? 1 : room;
	shown = contexts->count < (size_t)room ? contexts->count : (size_t)room;
	if (!shown)
		return;
	print_heads(contexts, shown, width);
	for (size_t i = 0; i < columns->count; i++)
		if (is_seen(contexts, &columns->list[i], shown))
			print_metric(contexts, &columns->list[i], shown, width);
	if (shown < contexts->count)
		printf("\n%zu contexts that ran for less time are omitted; see --csv.\n",
		       contexts->count - shown);
}

/* Print the result on stdout. */
static void contexts_print(const struct contexts *contexts)
{
	if (contexts->evaluation.tool->format == OUTPUT_TABLE)
		print_table(contexts);
	else
		print_records(contexts);
}

#define CONTEXTS_MOST 256

static struct context *find(const struct contexts *contexts, uint32_t id)
{
	for (size_t i = contexts->count; i-- > 0;)
		if (contexts->list[i].id == id)
			return &contexts->list[i];
	return NULL;
}

static int add(struct contexts *contexts, uint32_t id)
{
	const struct evaluation_request *request = &contexts->evaluation.request;
	struct context *context = &contexts->list[contexts->count];
	struct gpuoa_calc_options options = contexts->evaluation.options;
	char error[256];
	int err;

	if (contexts->count == CONTEXTS_MOST) {
		contexts->left_out++;
		return EXIT_OK;
	}
	options.context_filter = true;
	options.context_id = id;
	*context = (struct context){
		.id = id,
		.total = calloc(contexts->evaluation.row_size + 1, sizeof(*context->total)),
	};
	if (!context->total)
		return fail("out of memory");
	contexts->count++;
	err = gpuoa_calc_open(request->set, request->constants, request->format, &options,
			      &context->calc, error, sizeof(error));
	if (err == -EOPNOTSUPP)
		return fail(
			"--contexts: reports of %s do not have contexts; those of gen8 and later do",
			contexts->evaluation.set.symbol);
	if (err)
		return fail("cannot evaluate %s: %s", contexts->evaluation.set.symbol, error);
	gpuoa_calc_set_time_base(context->calc, contexts->now);
	return EXIT_OK;
}

/* Add the contexts that occur in these reports for the first time. Returns an exit code. */
static int look_for_contexts(struct contexts *contexts, const char *reports, size_t count)
{
	const struct evaluation_request *request = &contexts->evaluation.request;
	struct gpuoa_report_desc desc;
	uint32_t last = 0;
	bool has_last = false;
	int ret = EXIT_OK;

	for (size_t i = 0; i < count && !ret; i++, reports += contexts->evaluation.report_size) {
		if (gpuoa_report_describe(request->set, request->format, reports, &desc,
					  sizeof(desc)) ||
		    !desc.has_context || (has_last && desc.context_id == last))
			continue;
		last = desc.context_id;
		has_last = true;
		if (!find(contexts, last))
			ret = add(contexts, last);
	}
	return ret;
}

static void run_context(const struct contexts *contexts, struct context *context,
			const char *reports, size_t count)
{
	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run_outputs(context->calc, reports, count,
							   contexts->evaluation.no_columns,
							   contexts->intervals, EVALUATION_BATCH,
							   &used);

		for (size_t i = 0; i < rows; i++)
			context->covered +=
				contexts->intervals[i].end - contexts->intervals[i].begin;
		context->intervals += rows;
		reports += used * contexts->evaluation.report_size;
		count -= used;
	}
}

/*
 * Pass the reports of one read to the calculators of all contexts. Each calculator selects the
 * intervals of its context.
 */
static int feed(struct contexts *contexts, const char *reports, size_t count,
		const struct gpuoa_read_status *status)
{
	const struct evaluation *evaluation = &contexts->evaluation;
	int ret;

	if (status->has_clock)
		contexts->now = status->clock.gpu_ticks;
	for (size_t i = 0; i < contexts->count; i++) {
		if (status->gap)
			gpuoa_calc_discontinuity(contexts->list[i].calc);
		if (status->has_clock)
			gpuoa_calc_set_time_base(contexts->list[i].calc, contexts->now);
	}
	ret = look_for_contexts(contexts, reports, count);
	for (size_t i = 0; i < contexts->count && !ret; i++)
		run_context(contexts, &contexts->list[i], reports, count);
	for (size_t i = 0; i < count; i++)
		contexts->now = gpuoa_report_ticks(evaluation->request.format,
						   reports + i * evaluation->report_size,
						   contexts->now);
	return ret;
}

static int drain(struct contexts *contexts, struct gpuoa_reader *reader)
{
	struct evaluation *evaluation = &contexts->evaluation;
	struct gpuoa_read_status status;
	const void *reports;
	int n, ret = EXIT_OK;

	do {
		n = gpuoa_reader_peek(reader, &reports, EVALUATION_BATCH, &status);
		if (n < 0)
			break;
		evaluation->lost += status.lost_overflow + status.lost_hardware + status.lost_ring;
		evaluation->lost_unknown |= status.lost_unknown;
		evaluation_count_damaged(evaluation, &status);
		ret = feed(contexts, reports, n, &status);
		progress_add(evaluation->request.progress, n * evaluation->stored_size);
	} while (n > 0 && !ret);
	progress_end(evaluation->request.progress);
	if (n == -EBADMSG)
		return fail("the recording is damaged from here on");
	if (n < 0)
		return fail("cannot read reports: %s", strerror(-n));
	return evaluation->damaged ? EXIT_FAILED : ret;
}

static int by_time(const void *a, const void *b)
{
	const struct context *left = a, *right = b;

	if (left->covered != right->covered)
		return left->covered > right->covered ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

/* Sort the contexts by time, and get the totals and the owner of each one. */
static void sum_up(struct contexts *contexts, struct gpuoa_reader *reader)
{
	qsort(contexts->list, contexts->count, sizeof(*contexts->list), by_time);
	for (size_t i = 0; i < contexts->count; i++) {
		struct context *context = &contexts->list[i];

		gpuoa_calc_total(context->calc, context->total, NULL, false);
		context->owned = !gpuoa_reader_context(reader, context->id, &context->owner,
						       sizeof(context->owner));
	}
}

static void note_rest(const struct contexts *contexts, const struct tool *tool, const char *file)
{
	if (!contexts->count)
		note(tool, "%s: its reports have no contexts", file);
	if (contexts->left_out)
		note(tool, "%s: has more than %d contexts; omitted %zu switches to others", file,
		     CONTEXTS_MOST, contexts->left_out);
	evaluation_losses(&contexts->evaluation);
}

static void close_contexts(struct contexts *contexts)
{
	for (size_t i = 0; contexts->list && i < contexts->count; i++) {
		gpuoa_calc_close(contexts->list[i].calc);
		free(contexts->list[i].total);
	}
	free(contexts->list);
	free(contexts->intervals);
	evaluation_close(&contexts->evaluation);
}

int report_contexts(const struct tool *tool, const struct recorded *recorded,
		    const struct evaluation_request *request)
{
	/* Pass the rows to a sink that does nothing, because the results are printed at the end. */
	const struct evaluation_sink nothing = { .context = NULL };
	struct evaluation_request quiet = *request;
	struct contexts contexts = { .count = 0 };
	int ret;

	quiet.sink = &nothing;
	quiet.jobs = 1;
	ret = evaluation_open(&contexts.evaluation, tool, &quiet);
	if (ret)
		return ret;
	contexts.list = calloc(CONTEXTS_MOST + 1, sizeof(*contexts.list));
	contexts.intervals = calloc(EVALUATION_BATCH, sizeof(*contexts.intervals));
	ret = contexts.list && contexts.intervals ? drain(&contexts, recorded->reader) :
						    fail("out of memory");
	/* If the file is damaged, the part that can be read is printed. */
	if (contexts.list && contexts.intervals) {
		sum_up(&contexts, recorded->reader);
		note_rest(&contexts, tool, recorded->file);
		contexts_print(&contexts);
	}
	close_contexts(&contexts);
	return ret;
}
