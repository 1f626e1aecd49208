// SPDX-License-Identifier: MIT
/*
 * report.c - gpuoa report: print metrics of a recording
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "common/thread_pool.h"
#include "common/recording.h"
#include "report/context_table.h"
#include "report/diff.h"
#include "report/html.h"
#include "report/report_options.h"
#include "report/summary.h"

/* Return the request for a stream of either file. */
static struct evaluation_request request_of(const struct recorded *recorded,
					    const struct report_options *options)
{
	struct evaluation_request request = recorded_request(recorded);

	recording_options_limit(&options->recording, recorded, &request);
	request.rows = options->mode == REPORT_ROWS;
	request.jobs = jobs_for(options->jobs, recorded->file);
	request.window_ns = options->window_ns;
	request.clock_id = options->recording.clock.id;
	return request;
}

static int report_rows(const struct tool *tool, const struct report_options *options,
		       const struct recorded *recorded)
{
	struct evaluation_request request = request_of(recorded, options);
	struct marks marks = { 0 };
	struct progress progress;
	int ret = clocks_find(&options->recording.clock, recorded->file, recorded->reader,
			      &request.time);

	/* Rows on the same terminal would overwrite the progress display. */
	if (!isatty(STDOUT_FILENO) || options->mode == REPORT_TOTAL) {
		progress_begin_file(&progress, tool, recorded->file);
		request.progress = &progress;
	}
	if (!ret && options->mode == REPORT_MARKS) {
		ret = marks_find(&marks, recorded->file, recorded->desc.stream, recorded->set);
		request.marks = &marks;
	}
	if (!ret)
		ret = recorded_evaluate(recorded, tool, &request);
	marks_free(&marks);
	return ret;
}

static void print_title(const struct recorded *recorded, const struct evaluation *evaluation,
			const struct summary *summary)
{
	if (evaluation->tool->format == OUTPUT_TABLE)
		printf("%s of %s, %s: GPU time %" PRIu64 " to %" PRIu64 " ns\n",
		       evaluation->set.symbol, recorded->unit.name,
		       gpuoa_platform_title(recorded->platform),
		       gpuoa_ticks_to_ns(evaluation->frequency, summary->begin),
		       gpuoa_ticks_to_ns(evaluation->frequency, summary->end));
}

static int summarize(const struct tool *tool, const struct recorded *recorded,
		     const struct evaluation_request *request, struct summary *summary)
{
	struct evaluation evaluation;
	int ret = evaluation_open(&evaluation, tool, request), printed;

	if (ret)
		return ret;
	ret = evaluation_drain(&evaluation, recorded->reader);
	evaluation_losses(&evaluation);
	if (summary->rows) {
		print_title(recorded, &evaluation, summary);
		printed = summary_print(summary, &evaluation);
		ret = ret ? ret : printed;
	} else {
		recorded_note_nothing(recorded, tool);
	}
	evaluation_close(&evaluation);
	return ret;
}

static int report_summary(const struct tool *tool, const struct report_options *options,
			  const struct recorded *recorded)
{
	struct evaluation_request request = request_of(recorded, options);
	struct summary summary = { 0 };
	const struct evaluation_sink sink = { .take = summary_take, .context = &summary };
	struct progress progress;
	int ret;

	progress_begin_file(&progress, tool, recorded->file);
	request.sink = &sink;
	request.progress = &progress;
	ret = summarize(tool, recorded, &request, &summary);
	summary_free(&summary);
	return ret;
}

static int report_by_context(const struct tool *tool, const struct report_options *options,
			     const struct recorded *recorded)
{
	struct evaluation_request request = request_of(recorded, options);
	struct progress progress;

	progress_begin_file(&progress, tool, recorded->file);
	request.progress = &progress;
	return report_contexts(tool, recorded, &request);
}

static int report_stream(const struct tool *tool, const struct report_options *options,
			 const struct recorded *recorded)
{
	if (options->mode == REPORT_SUMMARY)
		return report_summary(tool, options, recorded);
	if (options->mode == REPORT_CONTEXTS)
		return report_by_context(tool, options, recorded);
	return report_rows(tool, options, recorded);
}

/* Report on each unit separately. */
static int report_all(const struct tool *tool, const struct report_options *options,
		      uint32_t streams)
{
	struct recorded recorded;
	int ret = EXIT_OK, one;

	for (uint32_t i = 0; i < streams; i++) {
		if (i)
			puts("");
		one = recorded_open_stream(&recorded, tool, options->recording.file, i,
					   options->recording.set);
		if (!one) {
			one = report_stream(tool, options, &recorded);
			recorded_close(&recorded);
		}
		ret = ret ? ret : one;
	}
	return ret;
}

static int report_one(const struct tool *tool, const struct report_options *options)
{
	struct recorded recorded;
	int ret = recorded_open(&recorded, tool, options->recording.file, options->recording.set);

	if (ret)
		return ret;
	ret = report_stream(tool, options, &recorded);
	recorded_close(&recorded);
	return ret;
}

int cmd_report(struct tool *tool, int argc, char **argv)
{
	struct report_options options;
	uint32_t streams;
	int ret;

	if (report_options_parse(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	if (options.mode == REPORT_HTML)
		return report_html(tool, &options);
	if (options.mode == REPORT_DIFF)
		return report_diff(tool, &options);
	ret = recording_streams(options.recording.file, &streams);
	if (ret)
		return ret;
	if (streams > 1 && !tool->device && options.mode == REPORT_SUMMARY &&
	    tool->format == OUTPUT_TABLE)
		return report_all(tool, &options, streams);
	return report_one(tool, &options);
}
