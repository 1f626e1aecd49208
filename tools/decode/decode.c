// SPDX-License-Identifier: MIT
/*
 * decode.c - gpuoa decode: compute metrics of raw reports in a file
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode/ahead.h"
#include "decode/constants.h"
#include "common/evaluation.h"
#include "common/thread_pool.h"
#include "common/lookup.h"

static const char help[] =
	"Usage: gpuoa decode -P PLATFORM -s SET [-c CONSTANT=VALUE ...] [--format F] [-m METRIC,...] [--total|--window NS] FILE|-\n"
	"\n"
	"Prints metrics of raw reports, back to back in a file: a table of totals, or with --csv or --json one row per\n"
	"interval between two reports. No device is needed.\n"
	"\n"
	"  -P, --platform NAME    platform of the reports, see 'gpuoa list platforms'\n"
	"  -s, --set SET          metric set of the reports, see 'gpuoa list sets -P NAME'\n"
	"  -c, --constant C=VALUE constant of the GPU that equations need, as SubsliceMask=0x1f, or @FILE with a list of\n"
	"                         them; default: those of the platform's most common GPU, see 'gpuoa list constants -P NAME'\n"
	"      --format FORMAT    format of the reports, by name or number (default: the set's)\n"
	"  -m, --metrics LIST     only these metrics; patterns as in a shell: 'Eu*,GpuBusy'\n"
	"      --total            with --csv or --json: totals in one row, with begin_ticks and end_ticks\n"
	"      --window TIME      one row per window of this length of GPU time, such as 16.6ms (without unit: ns)\n" JOBS_HELP;

struct decode_options {
	const char *platform;
	const char *set;
	const char *format;
	const char *metrics;
	const char *file;
	const char *path; /* path of the file, also if it is standard input */
	bool total;
	const char *window;
	uint64_t window_ns;
	char **constants; /* arguments of -c */
	size_t constant_count;
	unsigned int jobs;
};

enum decode_option {
	OPTION_TOTAL = 'z' + 1,
	OPTION_WINDOW,
	OPTION_FORMAT,
};

static int take_option(struct decode_options *options, const struct tool *tool, int option)
{
	switch (option) {
	case 'j':
		return jobs_parse(tool, optarg, &options->jobs);
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
	case OPTION_WINDOW:
		options->window = optarg;
		break;
	}
	return EXIT_OK;
}

static int check_options(struct decode_options *options, const struct tool *tool, int argc,
			 char **argv)
{
	if (!options->platform)
		return usage(tool, "missing platform; give -P NAME, see 'gpuoa list platforms'");
	if (!options->set)
		return usage(tool, "missing metric set; give -s SET, see 'gpuoa list sets -P %s'",
			     options->platform);
	if (optind + 1 != argc)
		return usage(tool, optind == argc ? "which file?" : "more than one file; give one");
	options->file = argv[optind];
	options->path = strcmp(options->file, "-") ? options->file : "/dev/stdin";
	return evaluation_window(tool, options->window, options->total, &options->window_ns);
}

static int parse_options(struct decode_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "platform", required_argument, NULL, 'P' },
		{ "set", required_argument, NULL, 's' },
		{ "constant", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, OPTION_FORMAT },
		{ "metrics", required_argument, NULL, 'm' },
		{ "total", no_argument, NULL, OPTION_TOTAL },
		{ "window", required_argument, NULL, OPTION_WINDOW },
		JOBS_LONG,
		{ 0 },
	};
	int option;

	while ((option = tool_getopt(tool, argc, argv, "P:s:c:m:j:", longs, exit_code)) != -1) {
		if (option == TOOL_EXIT)
			return TOOL_EXIT;
		*exit_code = take_option(options, tool, option);
		if (*exit_code)
			return TOOL_EXIT;
	}
	*exit_code = check_options(options, tool, argc, argv);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Find a format by name or number; 0: there is none. */
static uint32_t find_format(const char *text)
{
	uint64_t number;

	if (parse_number(text, &number))
		return number <= UINT32_MAX && gpuoa_format_size(number) ? number : 0;
	return gpuoa_format_find(text);
}

/* Number of reports per read */
#define BLOCK_REPORTS (4 * EVALUATION_BATCH)

/* Return the bytes from the current position to the end of a file; 0: unknown, as for a pipe. */
static uint64_t bytes_ahead(int fd)
{
	const off_t place = lseek(fd, 0, SEEK_CUR);
	struct stat status;

	if (place < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size < place)
		return 0;
	return status.st_size - place;
}

static int feed_blocks(struct evaluation *evaluation, struct ahead *ahead, uint64_t expected,
		       const char *name)
{
	struct progress *progress = evaluation->request.progress;
	const struct gpuoa_read_status status = { 0 };
	uint64_t done = 0;
	size_t left = 0;
	const char *block;
	ssize_t bytes;

	while ((bytes = ahead_next(ahead, &block)) > 0) {
		left = bytes % evaluation->report_size;
		evaluation_feed(evaluation, block, bytes / evaluation->report_size, &status);
		progress_add(progress, bytes);
		done += bytes;
	}
	evaluation_settle(evaluation);
	progress_end(progress);
	if (bytes < 0)
		return fail("%s: %s", name, strerror(-bytes));
	if (done < expected)
		return fail("%s: truncated while being read: %" PRIu64 " bytes are missing", name,
			    expected - done);
	if (left)
		return fail(
			"%s: %zu bytes are left at the end, but a report has %zu; the file is truncated, or of another --format",
			name, left, evaluation->report_size);
	return EXIT_OK;
}

static int feed_file(struct evaluation *evaluation, int fd, const char *name)
{
	const uint64_t expected = bytes_ahead(fd);
	struct ahead ahead;
	int ret = ahead_open(&ahead, fd, BLOCK_REPORTS * evaluation->report_size);

	if (ret)
		return fail("%s: %s", name, strerror(-ret));
	ret = feed_blocks(evaluation, &ahead, expected, name);
	ahead_close(&ahead);
	return ret;
}

static int print_file(const struct tool *tool, const struct decode_options *options,
		      const struct evaluation_request *request, int fd)
{
	struct evaluation evaluation;
	int ret = evaluation_open(&evaluation, tool, request);

	if (ret)
		return ret;
	ret = feed_file(&evaluation, fd, options->file);
	if (!evaluation_finish(&evaluation))
		note(tool, "%s: no interval: the file has fewer than two reports", options->file);
	evaluation_close(&evaluation);
	return ret;
}

/* Find the set for the GPU, as far as its constants are known. */
static const struct gpuoa_set *find_set(const struct gpuoa_platform *platform, const char *symbol,
					const struct gpuoa_constants *given)
{
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;

	if (gpuoa_constants_copy(given, &constants)) {
		print_error("out of memory");
		return NULL;
	}
	gpuoa_constants_assume(constants);
	set = lookup_set(platform, "", symbol, constants);
	gpuoa_constants_free(constants);
	return set;
}

/* Use the user's constants, and assume the others. */
static int decode_set(const struct tool *tool, const struct decode_options *options,
		      const struct gpuoa_platform *platform, struct gpuoa_constants *constants,
		      int fd)
{
	struct evaluation_request request = {
		.set = find_set(platform, options->set, constants),
		.constants = constants,
		.metrics = options->metrics,
		.jobs = jobs_for(options->jobs, options->path),
		.rows = tool->format != OUTPUT_TABLE && !options->total && !options->window_ns,
		.window_ns = options->window_ns,
		.totals = TOTALS_INTERVAL,
	};
	struct gpuoa_set_desc desc;
	struct progress progress;
	int ret;

	if (!request.set)
		return EXIT_FAILED;
	gpuoa_set_describe(request.set, &desc, sizeof(desc));
	request.format = options->format ? find_format(options->format) : desc.format;
	if (!request.format)
		return usage(tool, "unknown report format '%s'", options->format);
	/* Rows on the same terminal would overwrite the progress display. */
	if (!isatty(STDOUT_FILENO) || !(request.rows || request.window_ns)) {
		progress_begin_file(&progress, tool, options->path);
		request.progress = &progress;
	}
	ret = constants_assume(tool, request.set, constants);
	return ret ? ret : print_file(tool, options, &request, fd);
}

static int decode_file(const struct tool *tool, const struct decode_options *options,
		       const struct gpuoa_platform *platform, struct gpuoa_constants *constants)
{
	const bool given = !strcmp(options->file, "-");
	const int fd = given ? STDIN_FILENO : open(options->file, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return fail("%s: %s", options->file, strerror(errno));
	ret = decode_set(tool, options, platform, constants, fd);
	if (!given)
		close(fd);
	return ret;
}

static int run_decode(const struct tool *tool, const struct decode_options *options)
{
	const struct gpuoa_platform *platform = lookup_platform(tool, options->platform);
	struct gpuoa_constants *constants;
	int ret;

	if (!platform)
		return EXIT_FAILED;
	ret = constants_from_user(tool, platform, options->constants, options->constant_count,
				  &constants);
	if (ret)
		return ret;
	ret = decode_file(tool, options, platform, constants);
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
