// SPDX-License-Identifier: MIT
/*
 * report_options.c - what the user wants of gpuoa report
 */
#include <string.h>

#include "evaluation.h"
#include "report/report_options.h"

static const char help[] =
	"Usage: gpuoa report [-s SET] [-m METRIC,...] [KIND] [--clock CLOCK] [--begin-tick N] [--end-tick N] FILE\n"
	"       gpuoa report --diff [-s SET] [-m METRIC,...] FILE FILE\n"
	"       gpuoa report --html [-s SET] [-m METRIC,...] [-o PAGE] FILE\n"
	"\n"
	"Prints metrics of a recording made by 'gpuoa record' or 'perf record -a -R -e gpuoa0/.../'. Of several units in it,\n"
	"-d names one.\n"
	"\n"
	"Kinds of reports; without any of them it is a summary, or with --csv or --json a row for each interval:\n"
	"      --summary          least, mean, 99th percentile and largest value of each metric\n"
	"      --total            everything as one interval, with begin_ticks and end_ticks\n"
	"      --window NS        one row for each window of so many nanoseconds of GPU time\n"
	"      --marks            one row for each stretch between two marks: see 'gpuoa mark'\n"
	"      --contexts         one row for each context: what was counted while it ran\n"
	"      --diff             two recordings side by side, and which differences are more than chance\n"
	"      --html             a page for a browser, to zoom and look around in; it needs no network\n"
	"\n"
	"Options:\n"
	"  -s, --set SET          evaluate as this set; needed when the recording does not name one\n"
	"  -m, --metrics LIST     only these metrics\n"
	"  -o, --output PAGE      where the page goes (default: FILE.html)\n"
	"      --clock CLOCK      times on a clock of the CPU: monotonic, raw, boottime, realtime, tai, or perf, which is that\n"
	"                         of other events in the same perf.data; default: gpu\n"
	"      --begin-tick N     leave out reports before this GPU time, in timestamp ticks\n"
	"      --end-tick N       leave out reports after this GPU time\n"
	"\n"
	"Examples:\n"
	"  gpuoa report gpuoa.data                          what was measured, at a glance\n"
	"  gpuoa report --diff before.data after.data       what a change has changed\n"
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
	OPTION_CLOCK,
	OPTION_BEGIN_TICK,
	OPTION_END_TICK,
};

static const struct option longs[] = {
	{ "set", required_argument, NULL, 's' },
	{ "metrics", required_argument, NULL, 'm' },
	{ "output", required_argument, NULL, 'o' },
	{ "summary", no_argument, NULL, OPTION_SUMMARY },
	{ "total", no_argument, NULL, OPTION_TOTAL },
	{ "window", required_argument, NULL, OPTION_WINDOW },
	{ "marks", no_argument, NULL, OPTION_MARKS },
	{ "contexts", no_argument, NULL, OPTION_CONTEXTS },
	{ "diff", no_argument, NULL, OPTION_DIFF },
	{ "html", no_argument, NULL, OPTION_HTML },
	{ "clock", required_argument, NULL, OPTION_CLOCK },
	{ "begin-tick", required_argument, NULL, OPTION_BEGIN_TICK },
	{ "end-tick", required_argument, NULL, OPTION_END_TICK },
	{ 0 },
};

static int take_tick(struct report_options *options, const struct tool *tool, uint64_t *tick)
{
	if (!parse_number(optarg, tick))
		return usage(tool, "'%s' is no number of ticks", optarg);
	options->part = true;
	return EXIT_OK;
}

/* Kinds exclude each other. */
static int take_mode(struct report_options *options, const struct tool *tool, bool *chosen,
		     enum report_mode mode)
{
	if (*chosen && options->mode != mode)
		return usage(tool, "one kind of report: marks, windows, totals, a summary, ...?");
	*chosen = true;
	options->mode = mode;
	return EXIT_OK;
}

static int take_option(struct report_options *options, const struct tool *tool, int option,
		       bool *chosen)
{
	int ret;

	switch (option) {
	case 's':
		options->set = optarg;
		return EXIT_OK;
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	case 'o':
		options->output = optarg;
		return EXIT_OK;
	case OPTION_WINDOW:
		ret = take_mode(options, tool, chosen, REPORT_WINDOWS);
		return ret ? ret : evaluation_window(tool, optarg, false, &options->window_ns);
	case OPTION_CLOCK:
		return clocks_parse(tool, optarg, &options->clock);
	case OPTION_BEGIN_TICK:
		return take_tick(options, tool, &options->begin_tick);
	case OPTION_END_TICK:
		return take_tick(options, tool, &options->end_tick);
	case OPTION_SUMMARY:
		return take_mode(options, tool, chosen, REPORT_SUMMARY);
	case OPTION_TOTAL:
		return take_mode(options, tool, chosen, REPORT_TOTAL);
	case OPTION_MARKS:
		return take_mode(options, tool, chosen, REPORT_MARKS);
	case OPTION_CONTEXTS:
		return take_mode(options, tool, chosen, REPORT_CONTEXTS);
	case OPTION_DIFF:
		return take_mode(options, tool, chosen, REPORT_DIFF);
	default:
		return take_mode(options, tool, chosen, REPORT_HTML);
	}
}

static int take_files(struct report_options *options, const struct tool *tool, int argc,
		      char **argv)
{
	const int count = argc - optind;

	if (!count)
		return usage(tool, "which recording?");
	if (options->mode == REPORT_DIFF && count != 2)
		return usage(tool, "--diff compares two recordings");
	if (options->mode != REPORT_DIFF && count != 1)
		return usage(tool, "one recording at a time");
	options->file = argv[optind];
	options->other = count == 2 ? argv[optind + 1] : NULL;
	return EXIT_OK;
}

static int check(const struct report_options *options, const struct tool *tool)
{
	if (options->output && options->mode != REPORT_HTML)
		return usage(tool, "-o names a page, which takes --html");
	if (options->mode == REPORT_HTML && tool->format != OUTPUT_TABLE)
		return usage(tool, "a page, or CSV or JSON? Not both");
	if (options->part && (options->mode == REPORT_DIFF || options->mode == REPORT_CONTEXTS))
		return usage(tool, "ticks are not for --diff nor --contexts");
	return EXIT_OK;
}

int report_options_parse(struct report_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	bool chosen = false;
	int option;

	*options = (struct report_options){ .end_tick = UINT64_MAX };
	tool->help = help;
	while ((option = tool_getopt(tool, argc, argv, "s:m:o:", longs, exit_code)) != -1) {
		if (option == TOOL_EXIT)
			return TOOL_EXIT;
		*exit_code = take_option(options, tool, option, &chosen);
		if (*exit_code)
			return TOOL_EXIT;
	}
	if (!chosen)
		options->mode = tool->format == OUTPUT_TABLE ? REPORT_SUMMARY : REPORT_ROWS;
	*exit_code = take_files(options, tool, argc, argv);
	if (!*exit_code)
		*exit_code = check(options, tool);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}
