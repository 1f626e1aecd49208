// SPDX-License-Identifier: MIT
/*
 * cmd_report.c - gpuoa report: metrics of a recording
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "definitions.h"
#include "evaluation.h"
#include "lookup.h"
#include "recording.h"

static const char help[] =
	"Usage: gpuoa report [-s SET] [-m METRIC,...] [--total|--window NS|--marks] [--clock CLOCK] [--begin-tick N] [--end-tick N] FILE\n"
	"\n"
	"Prints metrics of a recording made by 'gpuoa record' or 'perf record -a -R -e gpuoa0/.../': a table of totals,\n"
	"or with --csv or --json one row per interval between two reports. Of several units in it, -d names one.\n"
	"\n"
	"  -s, --set SET          evaluate as this set; needed when the recording does not name one\n"
	"  -m, --metrics LIST     only these metrics\n"
	"      --total            with --csv or --json: totals in one row, with begin_ticks and end_ticks\n"
	"      --window NS        one row for each window of so many nanoseconds of GPU time\n"
	"      --marks            one row for each stretch between two marks: see 'gpuoa mark'\n"
	"      --clock CLOCK      times on a clock of the CPU: monotonic, raw, boottime, realtime, tai, or perf, which is that\n"
	"                         of other events in the same perf.data; default: gpu\n"
	"      --begin-tick N     leave out reports before this GPU time, in timestamp ticks\n"
	"      --end-tick N       leave out reports after this GPU time\n";

struct report_options {
	const char *file;
	const char *set;
	const char *metrics;
	bool total;
	const char *window;
	uint64_t window_ns;
	bool marks;
	const char *clock; /* NULL: the GPU's */
	int clock_id;
	bool part;
	uint64_t begin_tick;
	uint64_t end_tick;
};

enum report_option {
	OPTION_TOTAL = 'z' + 1,
	OPTION_WINDOW,
	OPTION_MARKS,
	OPTION_CLOCK,
	OPTION_BEGIN_TICK,
	OPTION_END_TICK,
};

static int take_tick(struct report_options *options, const struct tool *tool, uint64_t *tick)
{
	if (!parse_number(optarg, tick))
		return usage(tool, "'%s' is no number of ticks", optarg);
	options->part = true;
	return EXIT_OK;
}

static int take_clock(struct report_options *options, const struct tool *tool)
{
	static const struct {
		const char *name;
		int clock_id;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "boottime", CLOCK_BOOTTIME },
		{ "realtime", CLOCK_REALTIME },
		{ "tai", CLOCK_TAI },
		{ "perf", GPUOA_CLOCK_PERF },
	};

	options->clock = NULL;
	if (!strcmp(optarg, "gpu"))
		return EXIT_OK;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strcmp(optarg, clocks[i].name))
			continue;
		options->clock = clocks[i].name;
		options->clock_id = clocks[i].clock_id;
		return EXIT_OK;
	}
	return usage(tool, "'%s' is no clock: gpu, monotonic, raw, boottime, realtime, tai or perf",
		     optarg);
}

static int take_option(struct report_options *options, const struct tool *tool, int option)
{
	switch (option) {
	case 's':
		options->set = optarg;
		return EXIT_OK;
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	case OPTION_TOTAL:
		options->total = true;
		return EXIT_OK;
	case OPTION_WINDOW:
		options->window = optarg;
		return EXIT_OK;
	case OPTION_MARKS:
		options->marks = true;
		return EXIT_OK;
	case OPTION_CLOCK:
		return take_clock(options, tool);
	case OPTION_BEGIN_TICK:
		return take_tick(options, tool, &options->begin_tick);
	default:
		return take_tick(options, tool, &options->end_tick);
	}
}

static int parse_options(struct report_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ "metrics", required_argument, NULL, 'm' },
		{ "total", no_argument, NULL, OPTION_TOTAL },
		{ "window", required_argument, NULL, OPTION_WINDOW },
		{ "marks", no_argument, NULL, OPTION_MARKS },
		{ "clock", required_argument, NULL, OPTION_CLOCK },
		{ "begin-tick", required_argument, NULL, OPTION_BEGIN_TICK },
		{ "end-tick", required_argument, NULL, OPTION_END_TICK },
		{ 0 },
	};
	int option;

	while ((option = tool_getopt(tool, argc, argv, "s:m:", longs, exit_code)) != -1) {
		if (option == TOOL_EXIT)
			return TOOL_EXIT;
		*exit_code = take_option(options, tool, option);
		if (*exit_code)
			return TOOL_EXIT;
	}
	if (optind + 1 != argc) {
		*exit_code = usage(tool,
				   optind == argc ? "which recording?" : "one recording at a time");
		return TOOL_EXIT;
	}
	options->file = argv[optind];
	*exit_code = evaluation_window(tool, options->window, options->total, &options->window_ns);
	if (!*exit_code && options->marks && (options->window || options->total))
		*exit_code = usage(tool, "marks, windows, or totals? One of them");
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/*
 * The set that the recording was made with, or that the user says. NULL: there is none, and why has
 * been said.
 */
static const struct gpuoa_set *find_set(const struct report_options *options,
					const struct gpuoa_platform *platform, const char *domain,
					const struct gpuoa_source_desc *desc,
					const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *set;

	if (options->set)
		return lookup_set(platform, domain, options->set, constants);
	set = *desc->uuid ? gpuoa_platform_find_uuid(platform, desc->uuid) : NULL;
	if (set)
		return set;
	if (*desc->uuid)
		print_error(
			"%s: recorded with configuration %s, which is no set of %s: give one with -s SET",
			options->file, desc->uuid, gpuoa_platform_title(platform));
	else
		print_error(
			"%s: recorded with an inline configuration: say which set it is with -s SET",
			options->file);
	return NULL;
}

static int print_report(struct evaluation *evaluation, struct gpuoa_source *source,
			const struct report_options *options)
{
	/* What could be read of a damaged file is printed all the same. */
	const int ret = evaluation_drain(evaluation, source);

	evaluation_losses(evaluation);
	if (!evaluation_finish(evaluation))
		note(evaluation->tool,
		     "%s: no interval: that takes two reports without a gap between",
		     options->file);
	return ret;
}

static int report_set(const struct tool *tool, const struct report_options *options,
		      struct gpuoa_source *source, const struct evaluation_request *request)
{
	struct evaluation evaluation;
	int ret = evaluation_open(&evaluation, tool, request);

	if (ret)
		return ret;
	ret = print_report(&evaluation, source, options);
	evaluation_close(&evaluation);
	return ret;
}

/* What the recording knows of the clock that was asked for. */
static int find_time(const struct report_options *options, struct gpuoa_source *source,
		     struct evaluation_request *request)
{
	uint64_t ns;

	if (!options->clock)
		return EXIT_OK;
	request->clock_id = options->clock_id;
	if (gpuoa_source_time(source, &request->time))
		return fail("out of memory");
	if (gpuoa_time_to_cpu(request->time, options->clock_id, 0, &ns, NULL) == -ENODATA)
		return fail("%s: nothing in it says what GPU time is on the clock '%s'",
			    options->file, options->clock);
	return EXIT_OK;
}

/* With all that the user's options ask for. */
static int report_as_asked(const struct tool *tool, const struct report_options *options,
			   struct gpuoa_source *source, struct evaluation_request *request)
{
	struct marks marks = { 0 };
	struct gpuoa_source_desc desc;
	int ret = find_time(options, source, request);

	gpuoa_source_describe(source, &desc, sizeof(desc));
	if (!ret && options->marks) {
		ret = marks_find(&marks, options->file, desc.stream, request->set);
		request->marks = &marks;
	}
	if (!ret)
		ret = report_set(tool, options, source, request);
	marks_free(&marks);
	return ret;
}

/*
 * The platform's definitions: those of -D, or else those that the recording was made with.
 * Constants go with them.
 */
static const struct gpuoa_platform *find_platform(const struct tool *tool,
						  const struct gpuoa_source *source,
						  const struct gpuoa_unit_desc *unit,
						  struct gpuoa_constants **constants)
{
	const struct gpuoa_platform *own = gpuoa_source_platform(source);
	const struct gpuoa_platform *asked = definitions_find(tool, unit->platform);

	if (own && (!asked || asked == gpuoa_platform_find(unit->platform))) {
		if (gpuoa_constants_copy(gpuoa_source_constants(source), constants))
			*constants = NULL;
		return own;
	}
	*constants = asked ? lookup_constants(asked, unit) : NULL;
	return asked;
}

static int report(const struct tool *tool, const struct report_options *options,
		  struct gpuoa_source *source)
{
	struct evaluation_request request = {
		.metrics = options->metrics,
		.rows = tool->format != OUTPUT_TABLE && !options->total && !options->window_ns &&
			!options->marks,
		.window_ns = options->window_ns,
		.totals = TOTALS_INTERVAL,
		.origin = options->file,
		.part = options->part,
		.begin_tick = options->begin_tick,
		.end_tick = options->end_tick,
	};
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct gpuoa_source_desc desc;
	struct gpuoa_unit_desc unit;
	int ret;

	gpuoa_source_describe(source, &desc, sizeof(desc));
	/* The header is always there, unless all is. */
	request.keep = desc.keep[0] ? desc.keep : NULL;
	gpuoa_source_describe_unit(source, &unit, sizeof(unit));
	platform = find_platform(tool, source, &unit, &constants);
	if (!platform)
		return fail("%s: recorded on platform '%s', which this version has no metrics for",
			    options->file, unit.platform);
	request.format = desc.format;
	if (!constants)
		return EXIT_FAILED;
	request.constants = constants;
	request.set = find_set(options, platform, unit.domain, &desc, constants);
	ret = request.set ? report_as_asked(tool, options, source, &request) : EXIT_FAILED;
	gpuoa_constants_free(constants);
	return ret;
}

int cmd_report(struct tool *tool, int argc, char **argv)
{
	struct report_options options = { .end_tick = UINT64_MAX };
	struct gpuoa_source *source;
	int ret;

	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	source = recording_open(tool, options.file);
	if (!source)
		return EXIT_FAILED;
	ret = report(tool, &options, source);
	gpuoa_source_close(source);
	return ret;
}
