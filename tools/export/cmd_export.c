// SPDX-License-Identifier: MIT
/*
 * cmd_export.c - gpuoa export: convert recordings for other programs
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/export.h"
#include "common/thread_pool.h"
#include "common/lookup.h"

static const char help[] =
	"Usage: gpuoa export [-f FORMAT] [-s SET] [-m METRIC,...] [--clock CLOCK] [--time START,STOP] [-o OUT] [FILE]\n"
	"\n"
	"Writes metrics, marks and losses of a recording for other programs.\n"
	"\n"
	"  -f, --format FORMAT    default: by the suffix of OUT\n"
	"                         perfetto  trace for https://ui.perfetto.dev (.pftrace)\n"
	"                         chrome    trace in JSON, for chrome://tracing and many others (.json)\n"
	"                         jsonl     JSON lines: one object per interval, gap and mark (.jsonl)\n"
	"                         csv       comma-separated values, as 'gpuoa report --csv' prints them (.csv)\n"
	"                         i915      recording in the format of i915-perf-recorder (.record)\n"
	"  -o, --output OUT       output file; default: standard output\n"
	"  -s, --set SET          evaluate as this set; needed if the recording names none\n"
	"  -m, --metrics LIST     only these metrics; patterns as in a shell: 'Eu*,GpuBusy'\n"
	"      --clock CLOCK      times on this clock: gpu, monotonic, raw, boottime, realtime, tai or perf\n"
	"      --time START,STOP  only this part: seconds from the first report, or with a unit; either may be omitted\n"
	"      --begin-tick N     leave out reports before this GPU time, in timestamp ticks\n"
	"      --end-tick N       leave out reports after this GPU time\n" JOBS_HELP "\n"
	"Writes all units of the recording, or the one named by -d; csv and i915 hold one unit.\n";

static const struct export_format *const formats[] = {
	&export_perfetto, &export_chrome, &export_lines, &export_csv, &export_i915,
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

static int take_format(struct export_options *options, const struct tool *tool, const char *name)
{
	struct suggestion suggestion = suggest_begin(name);

	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		options->format = formats[i];
		if (!strcmp(formats[i]->name, name))
			return EXIT_OK;
		suggest_offer(&suggestion, formats[i]->name);
	}
	return usage(tool,
		     "unknown format '%s'" SUGGEST_FORMAT
		     "Formats are perfetto, chrome, jsonl, csv and i915",
		     name, SUGGEST_ARGS(suggestion));
}

static bool ends_with(const char *name, const char *suffix, size_t length)
{
	const size_t size = strlen(name);

	return size > length && !strncmp(name + size - length, suffix, length);
}

static bool has_suffix_of(const char *name, const struct export_format *format)
{
	for (const char *suffix = format->suffixes; *suffix;) {
		const size_t length = strcspn(suffix, " ");

		if (ends_with(name, suffix, length))
			return true;
		suffix += length + strspn(suffix + length, " ");
	}
	return false;
}

static int guess_format(struct export_options *options, const struct tool *tool)
{
	for (size_t i = 0; options->output && i < FORMAT_COUNT; i++) {
		options->format = formats[i];
		if (has_suffix_of(options->output, formats[i]))
			return EXIT_OK;
	}
	return usage(tool, "missing format; give -f perfetto, chrome, jsonl, csv or i915");
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct export_options *options = context;

	switch (option) {
	case 'f':
		return take_format(options, tool, optarg);
	case 'j':
		return jobs_parse(tool, optarg, &options->jobs);
	case 'o':
		options->output = strcmp(optarg, "-") ? optarg : NULL;
		return EXIT_OK;
	default:
		return recording_options_take(&options->recording, tool, option);
	}
}

/* Reject options that the format does not support, so that none is silently ignored. */
static int check_options(struct export_options *options, const struct tool *tool)
{
	const struct export_format *format;
	const int ret = options->format ? EXIT_OK : guess_format(options, tool);

	if (ret)
		return ret;
	format = options->format;
	if (tool->format != OUTPUT_TABLE)
		return usage(tool, "--csv and --json are not for export; use -f csv or -f jsonl");
	if (options->recording.clock_given && format->fixed_clock)
		return usage(tool, "--clock: -f %s always uses CLOCK_MONOTONIC", format->name);
	if (format->copy && (options->recording.metrics || options->recording.part ||
			     options->recording.timed || options->recording.set))
		return usage(tool, "-f %s writes all reports as they are; remove the other options",
			     format->name);
	if (format->binary && !options->output && isatty(STDOUT_FILENO))
		return usage(tool, "cannot write this format to a terminal; give -o FILE");
	return EXIT_OK;
}

static int parse_options(struct export_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		RECORDING_LONGS,
		RECORDING_LONG_CLOCK,
		JOBS_LONG,
		{ 0 },
	};

	if (tool_options(tool, argc, argv, RECORDING_SHORTS "f:o:j:", longs, take_option, options,
			 exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	*exit_code = recording_options_take_file(&options->recording, tool, argc, argv);
	if (!*exit_code)
		*exit_code = check_options(options, tool);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Return whether both names are the same file, which must not be read and overwritten at once. */
static bool is_same(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int close_output(FILE *file, const char *name, int exit_code)
{
	const bool failed = ferror(file);

	/* If nothing was written, delete the file. */
	if (exit_code && !ftell(file))
		unlink(name);
	if ((fclose(file) || failed) && !exit_code)
		return fail("cannot write %s: %s", name, strerror(errno));
	return exit_code;
}

static int run_export(const struct tool *tool, const struct export_options *options)
{
	FILE *file;

	if (!options->output)
		return export_run(tool, options, stdout);
	if (is_same(options->recording.file, options->output))
		return fail("%s: cannot overwrite the recording; give another file with -o",
			    options->output);
	if (access(options->recording.file, R_OK))
		return fail("%s: %s", options->recording.file, strerror(errno));
	file = fopen(options->output, "we");
	if (!file)
		return fail("cannot write %s: %s", options->output, strerror(errno));
	return close_output(file, options->output, export_run(tool, options, file));
}

static int run(struct tool *tool, int argc, char **argv)
{
	struct export_options options = { .recording = RECORDING_WHOLE };
	int ret;

	tool->command = "export";
	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	return run_export(tool, &options);
}

int main(int argc, char **argv)
{
	struct tool tool = { .help = help };

	return program_run(&tool, argc, argv, run);
}
