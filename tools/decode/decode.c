// SPDX-License-Identifier: MIT
/*
 * decode.c - gpuoa decode: calculate metrics of raw reports in a file
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/evaluation.h"
#include "common/lookup.h"
#include "common/thread_pool.h"
#include "common/tool.h"
#include "decode/read_ahead.h"

/*
 * Parse the @count arguments of -c, each of which is NAME=VALUE or @FILE. The function modifies the
 * arguments. Returns an exit code; prints any error.
 */
int constants_from_user(const struct tool *tool, const struct gpuoa_platform *platform,
			char *const *arguments, size_t count, struct gpuoa_constants **constants);

/*
 * Add usual values for the constants that @set needs and that the user did not give, and print a
 * note about them. If no GPU of the platform is known, the constants remain missing.
 */
int constants_assume(const struct tool *tool, const struct gpuoa_set *set,
		     struct gpuoa_constants *constants);

/*
 * Print a note about an unknown constant. It is not an error, because a file of constants may serve
 * several platforms, and a mistyped constant is later found to be missing.
 */
static void ignore_constant(const struct tool *tool, const struct gpuoa_platform *platform,
			    const struct gpuoa_constants *constants, const char *name)
{
	struct suggestion suggestion = suggest_begin(name);
	const size_t count = gpuoa_constants_count(constants);
	uint64_t value;
	/* whether equations of another platform use the constant; then it is not mistyped */
	const bool known = gpuoa_constants_get(constants, name, &value) != -ENOENT;

	for (size_t i = 0; !known && i < count; i++)
		suggest_offer(&suggestion, gpuoa_constants_name(constants, i));
	note(tool, "-c: no metric of %s uses the constant '%s'" SUGGEST_FORMAT "Ignored",
	     gpuoa_platform_title(platform), name, SUGGEST_ARGS(suggestion));
}

static int set_constant(const struct tool *tool, const struct gpuoa_platform *platform,
			struct gpuoa_constants *constants, char *assignment)
{
	char *equals = strchr(assignment, '=');
	uint64_t value;
	int err;

	if (!equals || !parse_number(equals + 1, &value))
		return usage(tool, "-c: cannot read '%s'; give CONSTANT=NUMBER", assignment);
	*equals = '\0';
	err = gpuoa_constants_set(constants, assignment, value);
	if (err == -EINVAL)
		return usage(tool, "-c: %s cannot be %" PRIu64, assignment, value);
	if (err)
		ignore_constant(tool, platform, constants, assignment);
	return EXIT_OK;
}

#define TEXT_SIZE 65536

static int read_constants(struct gpuoa_constants *constants, const char *path)
{
	static char text[TEXT_SIZE];
	FILE *file = fopen(path, "re");
	char error[256];
	size_t length;
	bool failed;

	if (!file)
		return fail("%s: %s", path, strerror(errno));
	length = fread(text, 1, sizeof(text), file);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return fail("%s: cannot read the file", path);
	if (length == sizeof(text) || memchr(text, '\0', length))
		return fail("%s: not a list of constants", path);
	text[length] = '\0';
	if (gpuoa_constants_parse(constants, text, error, sizeof(error)))
		return fail("%s:%s", path, error);
	return EXIT_OK;
}

int constants_from_user(const struct tool *tool, const struct gpuoa_platform *platform,
			char *const *arguments, size_t count, struct gpuoa_constants **constants)
{
	int ret = EXIT_OK;

	if (gpuoa_constants_new(platform, constants))
		return fail("out of memory");
	for (size_t i = 0; i < count && !ret; i++)
		ret = arguments[i][0] == '@' ?
			      read_constants(*constants, arguments[i] + 1) :
			      set_constant(tool, platform, *constants, arguments[i]);
	if (ret)
		gpuoa_constants_free(*constants);
	return ret;
}

/* Name of a constant that is always needed, even if no equation of the set uses it */
static const char timestamp_frequency[] = "GpuTimestampFrequency";

/* Return the name of a constant that the set needs and @given does not have, or NULL. */
static const char *missing_constant(const struct gpuoa_set *set,
				    const struct gpuoa_constants *given)
{
	uint64_t value;

	if (gpuoa_constants_get(given, timestamp_frequency, &value))
		return timestamp_frequency;
	return gpuoa_calc_missing_constant(set, given, NULL, 0);
}

static enum gpuoa_constant_kind kind_of(const struct gpuoa_constants *constants, const char *name)
{
	struct gpuoa_constant_desc desc;

	for (size_t i = 0; !gpuoa_constants_describe(constants, i, &desc, sizeof(desc)); i++)
		if (!strcmp(desc.name, name))
			return desc.kind;
	return GPUOA_CONSTANT_NUMBER;
}

static void add_assumed(char *list, size_t size, const char *name, enum gpuoa_constant_kind kind,
			uint64_t value)
{
	const size_t length = strlen(list);

	/*
	 * Do not list flags, because there are dozens of them and they follow from the other
	 * constants.
	 */
	if (kind == GPUOA_CONSTANT_FLAG)
		return;
	snprintf(list + length, size - length,
		 kind == GPUOA_CONSTANT_MASK ? " %s=0x%" PRIx64 : " %s=%" PRIu64, name, value);
}

/* Copy the constants that @given does not have from @assumed, and list them. */
static void list_assumed(const struct gpuoa_set *set, struct gpuoa_constants *given,
			 const struct gpuoa_constants *assumed, char *list, size_t size)
{
	const char *name;
	uint64_t value;

	list[0] = '\0';
	while ((name = missing_constant(set, given)) &&
	       !gpuoa_constants_get(assumed, name, &value) &&
	       !gpuoa_constants_set(given, name, value))
		add_assumed(list, size, name, kind_of(assumed, name), value);
}

int constants_assume(const struct tool *tool, const struct gpuoa_set *set,
		     struct gpuoa_constants *constants)
{
	struct gpuoa_constants *given;
	char list[1024];

	if (!missing_constant(set, constants))
		return EXIT_OK;
	if (gpuoa_constants_copy(constants, &given))
		return fail("out of memory");
	if (!gpuoa_constants_assume(constants)) {
		list_assumed(set, given, constants, list, sizeof(list));
		note(tool, "assuming %s, with%s; correct it with -c",
		     gpuoa_constants_part(constants), list);
	}
	gpuoa_constants_free(given);
	return EXIT_OK;
}

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
	const char *path; /* path by which the file can be opened; /dev/stdin for standard input */
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

static int take_option(void *argument, const struct tool *tool, int option)
{
	struct decode_options *options = argument;

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
		return usage(tool, optind == argc ?
					   "missing file; give FILE, or - for standard input" :
					   "more than one file; give one");
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

	if (tool_options(tool, argc, argv, "P:s:c:m:j:", longs, take_option, options, exit_code) ==
	    TOOL_EXIT)
		return TOOL_EXIT;
	*exit_code = check_options(options, tool, argc, argv);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Find a report format by name or number; 0: there is none. */
static uint32_t find_format(const char *text)
{
	uint64_t number;

	if (parse_number(text, &number))
		return number <= UINT32_MAX && gpuoa_format_size(number) ? number : 0;
	return gpuoa_format_find(text);
}

/* Number of reports per read */
#define BLOCK_REPORTS (4 * EVALUATION_BATCH)

/*
 * Return the number of bytes from the current position to the end of a file; 0: unknown, as for a
 * pipe.
 */
static uint64_t bytes_ahead(int fd)
{
	const off_t place = lseek(fd, 0, SEEK_CUR);
	struct stat status;

	if (place < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size < place)
		return 0;
	return status.st_size - place;
}

static int feed_blocks(struct evaluation *evaluation, struct read_ahead *ahead, uint64_t expected,
		       const char *name)
{
	struct progress *progress = evaluation->request.progress;
	const struct gpuoa_read_status status = { 0 };
	uint64_t done = 0;
	size_t left = 0;
	const char *block;
	ssize_t bytes;

	while ((bytes = read_ahead_next(ahead, &block)) > 0) {
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
	struct read_ahead ahead;
	int ret = read_ahead_open(&ahead, fd, BLOCK_REPORTS * evaluation->report_size);

	if (ret)
		return fail("%s: %s", name, strerror(-ret));
	ret = feed_blocks(evaluation, &ahead, expected, name);
	read_ahead_close(&ahead);
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

/* Find the set that matches the GPU, as far as the GPU's constants are known. */
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

/* Use the constants that the user gave, and usual values for all others. */
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
	/*
	 * If rows are printed on the terminal, show no progress, because they would overwrite each
	 * other.
	 */
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
