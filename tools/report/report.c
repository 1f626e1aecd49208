// SPDX-License-Identifier: MIT
/*
 * report.c - gpuoa report: print metrics of a recording
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "common/recording.h"
#include "common/thread_pool.h"
#include "report/context_table.h"
#include "report/diff.h"
#include "report/html.h"
#include "report/report.h"
#include "report/summary.h"

static const char help[] =
	"Usage: gpuoa report [-s SET] [-m METRIC,...] [KIND] [--clock CLOCK] [--time START,STOP] [FILE]\n"
	"       gpuoa report --diff [-s SET] [-m METRIC,...] [FILE FILE]\n"
	"       gpuoa report --html [-s SET] [-m METRIC,...] [-o PAGE] [FILE]\n"
	"\n"
	"Prints metrics of a recording made by 'gpuoa record' or 'perf record -a -R -e gpuoa0/.../'. Of several units,\n"
	"-d selects one. FILE defaults to gpuoa.data; for --diff, to gpuoa.data.old and gpuoa.data.\n"
	"\n"
	"Kinds of reports; the default is --summary, or with --csv or --json one row per interval:\n"
	"      --summary          least, mean, 99th percentile and largest value of each metric\n"
	"      --total            everything as one interval, with begin_ticks and end_ticks\n"
	"      --window TIME      one row per window of this length of GPU time, such as 16.6ms (without unit: ns)\n"
	"      --marks            one row per phase between two marks, see 'gpuoa mark'\n"
	"      --contexts         one row per context, with the values while it ran\n"
	"      --diff             compare two recordings, and mark significant differences\n"
	"      --html             write an interactive page for a browser; it needs no network\n"
	"\n"
	"Options:\n"
	"  -s, --set SET          evaluate as this set; needed if the recording names none\n"
	"  -m, --metrics LIST     only these metrics; patterns as in a shell: 'Eu*,GpuBusy'\n"
	"  -o, --output PAGE      output file (default: FILE.html)\n"
	"      --clock CLOCK      times on a clock of the CPU: monotonic, raw, boottime, realtime, tai, or perf, the clock\n"
	"                         of other events in the same perf.data; default: gpu\n" RECORDING_TIME_HELP
		JOBS_HELP "\n"
	"Examples:\n"
	"  gpuoa report gpuoa.data                          summary\n"
	"  gpuoa report --diff before.data after.data       compare two recordings\n"
	"  gpuoa report --html gpuoa.data                   writes gpuoa.data.html\n"
	"  gpuoa report --csv -m GpuBusy,EuActive gpuoa.data >busy.csv\n";

enum report_option {
	OPTION_SUMMARY = 'z' + 1,
	OPTION_TOTAL,
	OPTION_WINDOW,
	OPTION_MARKS,
	OPTION_CONTEXTS,
	OPTION_DIFF,
	OPTION_HTML,
};

static const struct option longs[] = {
	RECORDING_LONGS,
	RECORDING_LONG_CLOCK,
	JOBS_LONG,
	{ "output", required_argument, NULL, 'o' },
	{ "summary", no_argument, NULL, OPTION_SUMMARY },
	{ "total", no_argument, NULL, OPTION_TOTAL },
	{ "window", required_argument, NULL, OPTION_WINDOW },
	{ "marks", no_argument, NULL, OPTION_MARKS },
	{ "contexts", no_argument, NULL, OPTION_CONTEXTS },
	{ "diff", no_argument, NULL, OPTION_DIFF },
	{ "html", no_argument, NULL, OPTION_HTML },
	{ 0 },
};

/* Set the kind of report. If the user selects two kinds, it is an error. */
static int take_mode(struct report_options *options, const struct tool *tool, enum report_mode mode)
{
	if (options->mode_given && options->mode != mode)
		return usage(tool, "more than one kind of report; give one");
	options->mode_given = true;
	options->mode = mode;
	return EXIT_OK;
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct report_options *options = context;
	int ret;

	switch (option) {
	case 'j':
		return jobs_parse(tool, optarg, &options->jobs);
	case 'o':
		options->output = optarg;
		return EXIT_OK;
	case OPTION_WINDOW:
		ret = take_mode(options, tool, REPORT_WINDOWS);
		return ret ? ret : evaluation_window(tool, optarg, false, &options->window_ns);
	case OPTION_SUMMARY:
		return take_mode(options, tool, REPORT_SUMMARY);
	case OPTION_TOTAL:
		return take_mode(options, tool, REPORT_TOTAL);
	case OPTION_MARKS:
		return take_mode(options, tool, REPORT_MARKS);
	case OPTION_CONTEXTS:
		return take_mode(options, tool, REPORT_CONTEXTS);
	case OPTION_DIFF:
		return take_mode(options, tool, REPORT_DIFF);
	case OPTION_HTML:
		return take_mode(options, tool, REPORT_HTML);
	default:
		return recording_options_take(&options->recording, tool, option);
	}
}

static int take_files(struct report_options *options, const struct tool *tool, int argc,
		      char **argv)
{
	if (options->mode != REPORT_DIFF)
		return recording_options_take_file(&options->recording, tool, argc, argv);
	if (optind < argc && argc - optind != 2)
		return usage(tool, "--diff compares two recordings");
	options->recording.file = optind < argc ? argv[optind] : DEFAULT_RECORDING ".old";
	options->other = optind < argc ? argv[optind + 1] : DEFAULT_RECORDING;
	return EXIT_OK;
}

static int check(const struct report_options *options, const struct tool *tool)
{
	if (options->output && options->mode != REPORT_HTML)
		return usage(tool, "-o needs --html");
	if (options->mode == REPORT_HTML && tool->format != OUTPUT_TABLE)
		return usage(tool, "--html excludes --csv and --json");
	if (options->recording.part &&
	    (options->mode == REPORT_DIFF || options->mode == REPORT_CONTEXTS))
		return usage(tool, "--time is not for --diff and --contexts");
	return EXIT_OK;
}

/* Parse the options. Returns EXIT_OK, or TOOL_EXIT with *exit_code set. */
static int report_options_parse(struct report_options *options, struct tool *tool, int argc,
				char **argv, int *exit_code)
{
	*options = (struct report_options){ .recording = RECORDING_WHOLE };
	tool->help = help;
	if (tool_options(tool, argc, argv, RECORDING_SHORTS "j:o:", longs, take_option, options,
			 exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	if (!options->mode_given)
		options->mode = tool->format == OUTPUT_TABLE ? REPORT_SUMMARY : REPORT_ROWS;
	*exit_code = take_files(options, tool, argc, argv);
	if (!*exit_code)
		*exit_code = check(options, tool);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Return the request that evaluates a stream, of the first or of the second file. */
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

	/*
	 * If rows are printed on the terminal, show no progress, because they would overwrite each
	 * other.
	 */
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
