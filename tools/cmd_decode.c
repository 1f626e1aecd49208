// SPDX-License-Identifier: MIT
/*
 * cmd_decode.c - gpuoa decode: metrics of raw reports in a file
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "lookup.h"
#include "suggest.h"
#include "words.h"

static const char help[] =
	"Usage: gpuoa decode -P PLATFORM -s SET [-c CONSTANT=VALUE ...] [--format F] [-m METRIC,...] [--total] FILE|-\n"
	"\n"
	"Prints metrics of raw reports, back to back in a file: a table of totals, or with --csv or --json one row per\n"
	"interval between two reports. No device is needed.\n"
	"\n"
	"  -P, --platform NAME    platform that they are from, see 'gpuoa list platforms'\n"
	"  -s, --set SET          metric set that was configured, see 'gpuoa list sets -P NAME'\n"
	"  -c, --constant C=VALUE what the equations must know of the GPU, as GpuTimestampFrequency=12500000\n"
	"      --format FORMAT    format of the reports, by name or number (default: the set's)\n"
	"  -m, --metrics LIST     only these metrics\n"
	"      --total            with --csv or --json: totals in one row, with begin_ticks and end_ticks\n";

struct decode_options {
	const char *platform;
	const char *set;
	const char *format;
	const char *metrics;
	const char *file;
	bool total;
	char **constants; /* CONSTANT=VALUE */
	size_t constant_count;
};

enum decode_option {
	OPTION_TOTAL = 'z' + 1,
	OPTION_FORMAT,
};

static void take_option(struct decode_options *options, int option)
{
	switch (option) {
	case 'P':
		options->platform = optarg;
		break;
	case 's':
		options->set = optarg;
		break;
	case 'c':
		options->constants[options->constant_count++] = optarg;
		break;
	case 'm':
		options->metrics = optarg;
		break;
	case OPTION_FORMAT:
		options->format = optarg;
		break;
	case OPTION_TOTAL:
		options->total = true;
		break;
	}
}

static int check_options(struct decode_options *options,
			 const struct tool *tool, int argc, char **argv)
{
	if (!options->platform)
		return usage(
			tool,
			"which platform? -P NAME; see 'gpuoa list platforms'");
	if (!options->set)
		return usage(
			tool,
			"which metric set? -s SET; see 'gpuoa list sets -P %s'",
			options->platform);
	if (optind + 1 != argc)
		return usage(tool, optind == argc ? "which file?" :
						    "one file at a time");
	options->file = argv[optind];
	return EXIT_OK;
}

static int parse_options(struct decode_options *options, struct tool *tool,
			 int argc, char **argv, int *exit_code)
{
	static const struct option longs[] = {
		{ "platform", required_argument, NULL, 'P' },
		{ "set", required_argument, NULL, 's' },
		{ "constant", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, OPTION_FORMAT },
		{ "metrics", required_argument, NULL, 'm' },
		{ "total", no_argument, NULL, OPTION_TOTAL },
		{ 0 },
	};
	int option;

	while ((option = tool_getopt(tool, argc, argv, "P:s:c:m:", longs,
				     exit_code)) != -1) {
		if (option == TOOL_EXIT)
			return TOOL_EXIT;
		take_option(options, option);
	}
	*exit_code = check_options(options, tool, argc, argv);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* One that some GPU's equations use, so that it is not mistyped. */
static bool is_constant(const char *name)
{
	/* What libgpuoa gives of a unit; see CONSTANTS in gpuoa-decode(1). */
	static const char *const known[] = {
		"GpuTimestampFrequency", "GpuMinFrequency",
		"GpuMaxFrequency",	 "EuCoresTotalCount",
		"EuSlicesTotalCount",	 "EuSubslicesTotalCount",
		"EuThreadsCount",	 "SliceMask",
		"SubsliceMask",		 "SkuRevisionId",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i], name))
			return true;
	return false;
}

/* No error: a mistyped one is missed elsewhere, and lists of constants may serve several platforms. */
static void ignore_constant(const struct tool *tool,
			    const struct gpuoa_platform *platform,
			    const struct gpuoa_constants *constants,
			    const char *name)
{
	struct suggestion suggestion = suggest_begin(name);

	for (size_t i = 0;
	     !is_constant(name) && i < gpuoa_constants_count(constants); i++)
		suggest_offer(&suggestion, gpuoa_constants_name(constants, i));
	note(tool, "%s's metrics use no constant '%s'" SUGGEST_FORMAT "Ignored",
	     gpuoa_platform_title(platform), name, SUGGEST_ARGS(suggestion));
}

static int set_constant(const struct tool *tool,
			const struct gpuoa_platform *platform,
			struct gpuoa_constants *constants, char *assignment)
{
	char *equals = strchr(assignment, '=');
	uint64_t value;

	if (!equals || !parse_number(equals + 1, &value))
		return usage(tool, "-c wants CONSTANT=NUMBER, not '%s'",
			     assignment);
	*equals = '\0';
	if (gpuoa_constants_set(constants, assignment, value))
		ignore_constant(tool, platform, constants, assignment);
	return EXIT_OK;
}

/* The user's constants. */
static int make_constants(const struct tool *tool,
			  const struct decode_options *options,
			  const struct gpuoa_platform *platform,
			  struct gpuoa_constants **constants)
{
	int ret = EXIT_OK;

	if (gpuoa_constants_new(platform, constants))
		return fail("out of memory");
	for (size_t i = 0; i < options->constant_count && !ret; i++)
		ret = set_constant(tool, platform, *constants,
				   options->constants[i]);
	if (ret)
		gpuoa_constants_free(*constants);
	return ret;
}

/* A format by name or number; 0 if there is no such format. */
static uint32_t find_format(const char *text)
{
	uint64_t number;

	if (parse_number(text, &number))
		return number <= UINT32_MAX && gpuoa_format_size(number) ?
			       number :
			       0;
	return format_of_word(text);
}

static int feed_file(struct evaluation *evaluation, FILE *file,
		     const char *name)
{
	const struct gpuoa_read_status status = { 0 };
	const size_t batch = EVALUATION_BATCH * evaluation->report_size;
	size_t bytes, left;

	do {
		bytes = fread(evaluation->reports, 1, batch, file);
		left = bytes % evaluation->report_size;
		evaluation_feed(evaluation, evaluation->reports,
				bytes / evaluation->report_size, &status);
	} while (bytes == batch);
	if (ferror(file))
		return fail("%s: %s", name, strerror(errno));
	if (left)
		return fail(
			"%s: %zu bytes are left at the end, a report has %zu: truncated, or another format?",
			name, left, evaluation->report_size);
	return EXIT_OK;
}

static int print_file(const struct tool *tool,
		      const struct decode_options *options,
		      const struct evaluation_request *request, FILE *file)
{
	struct evaluation evaluation;
	int ret = evaluation_open(&evaluation, tool, request);

	if (ret)
		return ret;
	ret = feed_file(&evaluation, file, options->file);
	if (!request->rows && !evaluation_totals(&evaluation))
		note(tool, "%s: no interval: that takes two reports",
		     options->file);
	evaluation_close(&evaluation);
	return ret;
}

static int decode(const struct tool *tool, const struct decode_options *options,
		  const struct evaluation_request *request)
{
	FILE *file = strcmp(options->file, "-") ? fopen(options->file, "re") :
						  stdin;
	int ret;

	if (!file)
		return fail("%s: %s", options->file, strerror(errno));
	ret = print_file(tool, options, request, file);
	if (file != stdin)
		fclose(file);
	return ret;
}

static int run_decode(const struct tool *tool,
		      const struct decode_options *options)
{
	struct evaluation_request request = {
		.metrics = options->metrics,
		.rows = tool->format != OUTPUT_TABLE && !options->total,
		.totals = TOTALS_INTERVAL,
	};
	const struct gpuoa_platform *platform =
		lookup_platform(tool, options->platform);
	struct gpuoa_constants *constants;
	struct gpuoa_set_desc desc;
	int ret;

	if (!platform)
		return EXIT_FAILED;
	request.set = lookup_set(platform, options->set);
	if (!request.set)
		return EXIT_FAILED;
	gpuoa_set_describe(request.set, &desc, sizeof(desc));
	request.format = options->format ? find_format(options->format) :
					   desc.format;
	if (!request.format)
		return usage(tool, "there is no report format '%s'",
			     options->format);
	ret = make_constants(tool, options, platform, &constants);
	if (ret)
		return ret;
	request.constants = constants;
	ret = decode(tool, options, &request);
	gpuoa_constants_free(constants);
	return ret;
}

int cmd_decode(struct tool *tool, int argc, char **argv)
{
	struct decode_options options = { 0 };
	int ret;

	tool->help = help;
	options.constants = calloc(argc, sizeof(*options.constants));
	if (!options.constants)
		return fail("out of memory");
	if (parse_options(&options, tool, argc, argv, &ret) != TOOL_EXIT)
		ret = run_decode(tool, &options);
	free(options.constants);
	return ret;
}
