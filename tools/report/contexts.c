// SPDX-License-Identifier: MIT
/*
 * contexts.c - gpuoa report --contexts: metrics of each context
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/contexts.h"

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

/* Add contexts that are new in these reports. Returns an exit code. */
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
 * Pass the reports of one read to the calculators of all contexts; each selects its own intervals.
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

/* Sort the contexts; get the totals and owner of each. */
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
	/* An empty sink: results are printed at the end. */
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
	/* Of a damaged file, print the part that could be read. */
	if (contexts.list && contexts.intervals) {
		sum_up(&contexts, recorded->reader);
		note_rest(&contexts, tool, recorded->file);
		contexts_print(&contexts);
	}
	close_contexts(&contexts);
	return ret;
}
