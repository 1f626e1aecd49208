// SPDX-License-Identifier: MIT
/*
 * export.c - gpuoa export: convert recordings for other programs
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/lookup.h"
#include "common/recording.h"
#include "common/thread_pool.h"
#include "export/export.h"
#include "profile/write.h"

struct export_time export_time(const struct export *export, uint64_t ticks)
{
	struct export_time time = { .ticks = ticks };

	if (!export->clock.name)
		time.ns = gpuoa_ticks_to_ns(export->evaluation.frequency, ticks);
	else
		gpuoa_time_to_cpu(export->time, export->clock.id, ticks, &time.ns, NULL);
	return time;
}

void export_unit_title(const struct export *export, char *text, size_t size)
{
	const struct recorded *recorded = &export->recorded;

	snprintf(text, size, "%s (%s): %s", recorded->unit.name,
		 gpuoa_platform_title(recorded->platform), export->evaluation.set.symbol);
}

void export_gap_title(const struct export_gap *gap, char *text, size_t size)
{
	if (gap->lost)
		snprintf(text, size, "%s%" PRIu64 " reports lost",
			 gap->lost_unknown ? "more than " : "", gap->lost);
	else
		snprintf(text, size, "%s",
			 gap->lost_unknown ? "an unknown number of reports lost" : "no reports");
}

/* Write the marks up to the time @until. */
static void tell_marks(struct export *export, uint64_t until)
{
	const struct marks *marks = &export->marks;

	for (; export->marks_told < marks->count; export->marks_told++) {
		const uint64_t ticks = marks->list[export->marks_told].begin;
		struct export_time time;

		/* Skip the first span, which begins before the first mark. */
		if (!ticks)
			continue;
		if (ticks > until)
			return;
		time = export_time(export, ticks);
		export->options->format->mark(export, &time, marks->values[export->marks_told]);
	}
}

static void tell_gap(struct export *export, struct export_time begin, struct export_time end)
{
	const struct export_format *format = export->options->format;
	const struct evaluation *evaluation = &export->evaluation;
	const struct export_gap gap = {
		.begin = begin,
		.end = end,
		.lost = evaluation->lost - export->lost,
		.lost_unknown = evaluation->lost_unknown,
	};

	if (format->pause)
		format->pause(export, &begin);
	if (format->gap)
		format->gap(export, &gap);
}

/* Record the number of lost reports, so that each loss is written only once, at its gap. */
static void note_losses(struct export *export)
{
	export->lost = export->evaluation.lost;
	export->lost_unknown |= export->evaluation.lost_unknown;
	export->evaluation.lost_unknown = false;
}

static void take_rows(void *context, const struct evaluation *evaluation, void *const *columns,
		      const struct gpuoa_interval *intervals, size_t count)
{
	struct export *export = context;

	(void)evaluation;
	for (size_t i = 0; i < count; i++) {
		const struct export_row row = {
			.begin = export_time(export, intervals[i].begin),
			.end = export_time(export, intervals[i].end),
			.resumes = !export->running || intervals[i].begin != export->end,
			.columns = columns,
			.number = i,
		};

		if (export->running && row.resumes)
			tell_gap(export, export_time(export, export->end), row.begin);
		if (export->options->format->mark)
			tell_marks(export, row.begin.ticks);
		note_losses(export);
		export->options->format->row(export, &row);
		export->running = true;
		export->end = row.end.ticks;
		export->rows++;
	}
}

static void end_unit(struct export *export)
{
	const struct export_format *format = export->options->format;
	const struct export_time end = export_time(export, export->end);

	note_losses(export);
	if (export->running && format->pause)
		format->pause(export, &end);
	if (format->mark)
		tell_marks(export, UINT64_MAX);
	if (format->end_unit)
		format->end_unit(export);
	export->evaluation.lost_unknown = export->lost_unknown;
	evaluation_losses(&export->evaluation);
	if (!export->evaluation.intervals_done)
		recorded_note_nothing(&export->recorded, export->tool);
}

/*
 * Find the clock for times. Without --clock, a format with .cpu_clock uses CLOCK_MONOTONIC if the
 * recording has that clock.
 */
static int find_clock(struct export *export)
{
	static const struct clock_choice usual = { "monotonic", CLOCK_MONOTONIC };
	const struct export_options *options = export->options;
	struct gpuoa_reader *reader = export->recorded.reader;
	uint64_t ns;

	export->clock = options->recording.clock;
	if (options->recording.clock_given || !options->format->cpu_clock)
		return clocks_find(&export->clock, options->recording.file, reader, &export->time);
	switch (gpuoa_reader_time(reader, &export->time)) {
	case 0:
		break;
	case -ENOMEM:
		return fail("out of memory");
	default:
		return EXIT_OK;
	}
	if (gpuoa_time_to_cpu(export->time, usual.id, 0, &ns, NULL) != -ENODATA)
		export->clock = usual;
	else
		note(export->tool,
		     "%s: the recording does not relate GPU time to CPU time; writing GPU time",
		     options->recording.file);
	return EXIT_OK;
}

static int find_marks(struct export *export)
{
	const struct recorded *recorded = &export->recorded;

	return export->options->format->mark ? marks_find(&export->marks, recorded->file,
							  recorded->desc.stream, recorded->set) :
					       EXIT_OK;
}

static int open_evaluation(struct export *export, const struct evaluation_sink *sink)
{
	struct evaluation_request request = recorded_request(&export->recorded);

	recording_options_limit(&export->options->recording, &export->recorded, &request);
	if (export->options->format->csv) {
		request.rows = true;
		request.csv = export->file;
		request.time = export->time;
		request.clock_id = export->clock.id;
	} else {
		request.sink = sink;
	}
	request.jobs = jobs_for(export->options->jobs, export->options->recording.file);
	request.progress = &export->progress;
	return evaluation_open(&export->evaluation, export->tool, &request);
}

static int export_rows(struct export *export)
{
	const struct export_format *format = export->options->format;
	const struct evaluation_sink sink = { .take = take_rows, .context = export };
	int ret = open_evaluation(export, &sink);

	if (ret)
		return ret;
	ret = format->begin_unit ? format->begin_unit(export) : EXIT_OK;
	if (!ret) {
		/* If the file is damaged, the part that can be read is exported. */
		ret = evaluation_drain(&export->evaluation, export->recorded.reader);
		end_unit(export);
	}
	evaluation_close(&export->evaluation);
	return ret;
}

/* Export the open unit. */
static int export_unit(struct export *export)
{
	int ret = find_clock(export);

	if (!ret)
		ret = find_marks(export);
	progress_begin_file(&export->progress, export->tool, export->options->recording.file);
	if (!ret)
		ret = export_rows(export);
	marks_free(&export->marks);
	recorded_close(&export->recorded);
	export->marks = (struct marks){ .count = 0 };
	export->marks_told = 0;
	export->running = false;
	export->rows = 0;
	export->lost = 0;
	export->lost_unknown = false;
	export->units++;
	return ret;
}

static int export_all(struct export *export, uint32_t streams)
{
	const struct export_options *options = export->options;
	int ret, worst = EXIT_OK;

	if (export->tool->device || options->format->one_unit || streams == 1) {
		ret = recorded_open(&export->recorded, export->tool, options->recording.file,
				    options->recording.set);
		return ret ? ret : export_unit(export);
	}
	for (uint32_t i = 0; i < streams; i++) {
		ret = recorded_open_stream(&export->recorded, export->tool, options->recording.file,
					   i, options->recording.set);
		if (!ret)
			ret = export_unit(export);
		if (ret)
			worst = ret;
	}
	return worst;
}

static int export_stalls(const struct export *export)
{
	struct profile_input input = export->options->stalls;
	struct profile profile;
	int ret;

	input.file = export->options->recording.file;
	ret = profile_read(&profile, export->tool, &input);
	if (ret)
		return ret;
	export->options->format->stalls(export, &profile);
	profile_free(&profile);
	/* The caller reports errors of writes. */
	return EXIT_OK;
}

/* Export all that the user selected. Returns an exit code; prints any error. */
static int export_run(const struct tool *tool, const struct export_options *options, FILE *file)
{
	const struct export_format *format = options->format;
	struct export export = { .tool = tool, .options = options, .file = file };
	uint32_t streams = 0;
	bool windows;
	int ret = EXIT_OK;

	if (format->copy)
		return format->copy(&export);
	if (format->stalls)
		return export_stalls(&export);
	windows = export_has_windows(options);
	if (!format->only_windows && (!windows || export_has_streams(options)))
		ret = recording_streams(options->recording.file, &streams);
	if (ret)
		return ret;
	if (format->only_windows)
		windows = true;
	export.state = calloc(1, format->state_size + 1);
	if (!export.state)
		return fail("out of memory");
	ret = format->begin ? format->begin(&export) : EXIT_OK;
	if (!ret) {
		if (streams || !windows)
			ret = export_all(&export, streams);
		if (windows && export_windows(&export))
			ret = EXIT_FAILED;
		if (format->end && format->end(&export))
			ret = EXIT_FAILED;
	}
	free(export.state);
	return ret;
}

static int write_piece(void *context, const void *data, size_t size)
{
	struct export *export = context;

	progress_add(&export->progress, size);
	return fwrite(data, 1, size, export->file) == size ? 0 : -errno;
}

static int copy_reports(struct export *export)
{
	const struct export_options *options = export->options;
	struct gpuoa_reader *reader;
	char error[128];
	int ret = EXIT_OK;

	reader = recording_open(export->tool, options->recording.file);
	if (!reader)
		return EXIT_FAILED;
	progress_begin_file(&export->progress, export->tool, options->recording.file);
	if (gpuoa_reader_write_i915(reader, write_piece, export, error, sizeof(error)))
		ret = fail("%s: cannot write it in the format of i915-perf: %s",
			   options->recording.file, error);
	progress_end(&export->progress);
	gpuoa_reader_close(reader);
	return ret;
}

const struct export_format export_i915 = {
	.name = "i915",
	.suffixes = ".record",
	.binary = true,
	.one_unit = true,
	.fixed_clock = true,
	.copy = copy_reports,
};

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
	"                         stalls    comma-separated values of EU stalls over time (.stalls.csv)\n"
	"                         i915      recording in the format of i915-perf-recorder (.record)\n"
	"                        of EU stall samples, FILE being a recording of 'gpuoa stalls record'\n"
	"                        or the output of 'gpuoa stalls stat --csv':\n"
	"                         folded      stacks for flamegraph.pl and others (.folded)\n"
	"                         pprof       profile for pprof (.pb, .pprof)\n"
	"                         speedscope  profile for https://www.speedscope.app (.speedscope.json)\n"
	"  -o, --output OUT       output file; default: standard output\n"
	"  -s, --set SET          evaluate as this set; needed if the recording names none\n"
	"  -m, --metrics LIST     only these metrics; patterns as in a shell: 'Eu*,GpuBusy'\n"
	"      --clock CLOCK      times on this clock: gpu, monotonic, raw, boottime, realtime, tai or perf\n" RECORDING_TIME_HELP
		JOBS_HELP PROFILE_HELP "\n"
	"Writes all units of the recording, or the one named by -d; csv and i915 hold one unit. Perfetto's\n"
	"and Chrome's traces also have the recording's EU stalls over time.\n";

static void write_folded(const struct export *export, const struct profile *profile)
{
	profile_write_folded(profile, export->file);
}

static void write_pprof(const struct export *export, const struct profile *profile)
{
	profile_write_pprof(profile, export->file);
}

static void write_speedscope(const struct export *export, const struct profile *profile)
{
	profile_write_speedscope(profile, profile_base_name(export->options->recording.file),
				 export->file);
}

const struct export_format export_folded = {
	.name = "folded",
	.suffixes = ".folded",
	.stalls = write_folded,
};

const struct export_format export_pprof = {
	.name = "pprof",
	.suffixes = ".pb .pprof",
	.binary = true,
	.stalls = write_pprof,
};

/* Before chrome: both suffixes end with .json. The same holds for stalls and csv. */
const struct export_format export_speedscope = {
	.name = "speedscope",
	.suffixes = ".speedscope.json",
	.stalls = write_speedscope,
};

/* Without protobuf-c, this function replaces the export; it prints an error message. */
#ifndef HAVE_PROTOBUF
static int begin_perfetto(struct export *export)
{
	(void)export;
	return fail("cannot write a Perfetto trace: this gpuoa was built without protobuf-c; "
		    "install protobuf-c and its compiler and make again, or use -f chrome, which "
		    "https://ui.perfetto.dev opens as well");
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.suffixes = ".pftrace .perfetto-trace",
	.binary = true,
	.cpu_clock = true,
	.begin = begin_perfetto,
};
#endif

static const struct export_format *const formats[] = {
	&export_perfetto, &export_speedscope, &export_chrome, &export_lines, &export_stalls_csv,
	&export_csv,	  &export_i915,	      &export_folded, &export_pprof,
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
	return usage(
		tool,
		"unknown format '%s'" SUGGEST_FORMAT
		"Formats are perfetto, chrome, jsonl, csv, stalls, i915, folded, pprof and speedscope",
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
	return usage(
		tool,
		"missing format; give -f perfetto, chrome, jsonl, csv, stalls, i915, folded, pprof or speedscope");
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
	case 'k':
	case PROFILE_OPTION_RAW:
		return profile_take_option(&options->stalls, tool, option);
	default:
		return recording_options_take(&options->recording, tool, option);
	}
}

/* Reject options that the format does not support, so that no option is silently ignored. */
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
	if (format->copy &&
	    (options->recording.metrics || options->recording.part || options->recording.set))
		return usage(tool, "-f %s writes all reports as they are; remove the other options",
			     format->name);
	if (format->only_windows && (options->recording.metrics || options->recording.part ||
				     options->recording.set || options->recording.clock_given))
		return usage(
			tool,
			"-f %s writes EU stalls of the whole recording; remove -s, -m, --clock "
			"and --time",
			format->name);
	if (format->stalls && (options->recording.metrics || options->recording.part ||
			       options->recording.set || options->recording.clock_given))
		return usage(tool,
			     "-f %s writes EU stall samples, not metrics; remove -s, -m, "
			     "--clock and --time",
			     format->name);
	if (!format->stalls && (options->stalls.kernels_count || options->stalls.layout))
		return usage(tool, "-k and --raw are for EU stall samples: -f folded, pprof or "
				   "speedscope");
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
		PROFILE_LONGS,
		{ 0 },
	};

	if (tool_options(tool, argc, argv, RECORDING_SHORTS PROFILE_SHORTS "f:o:j:", longs,
			 take_option, options, exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	*exit_code = recording_options_take_file(&options->recording, tool, argc, argv);
	if (!*exit_code)
		*exit_code = check_options(options, tool);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Return whether two names are the same file. A file must not be overwritten while it is read. */
static bool is_same(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int close_output(FILE *file, const char *name, int exit_code)
{
	const bool failed = ferror(file);

	/* If nothing was written, delete the output file. */
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
	if (strcmp(options->recording.file, "-") && access(options->recording.file, R_OK))
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
