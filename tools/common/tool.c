// SPDX-License-Identifier: MIT
/*
 * tool.c - parse options, return exit codes and print messages, for all commands
 */
#define _GNU_SOURCE /* vasprintf */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "common/tool.h"

static void say(const char *format, va_list args)
{
	char *raw = NULL, *text = NULL;

	if (vasprintf(&raw, format, args) >= 0)
		text = printable(raw);
	fflush(stdout);
	fprintf(stderr, "gpuoa: %s\n", text ? text : "out of memory");
	free(text);
	free(raw);
}

void print_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void die_of_memory(void)
{
	print_error("out of memory");
	exit(EXIT_FAILED);
}

void point_to_help(const struct tool *tool)
{
	fprintf(stderr, "Try 'gpuoa%s%s --help'.\n", tool->command ? " " : "",
		tool->command ? tool->command : "");
}

void note(const struct tool *tool, const char *format, ...)
{
	va_list args;

	if (tool->quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

static bool begins_with_name(const char *text, const char *name)
{
	const size_t length = strlen(name);

	return !strncmp(text, name, length) && (text[length] == ' ' || text[length] == ':');
}

void print_error_of(const char *name, const char *text)
{
	if (begins_with_name(text, name))
		print_error("%s", text);
	else
		print_error("%s: %s", name, text);
}

void note_of(const struct tool *tool, const char *name, const char *text)
{
	if (!tool->quiet)
		print_error_of(name, text);
}

/* Load a file of definitions (-D). Returns an exit code; prints any error. */
static int definitions_add(struct tool *tool, const char *path)
{
	char error[512];

	if (tool->definition_count == DEFINITIONS_MAX)
		return usage(tool, "more than %d times -D", DEFINITIONS_MAX);
	if (gpuoa_definitions_load(path, &tool->definitions[tool->definition_count], error,
				   sizeof(error)))
		return fail("%s", error);
	tool->definition_paths[tool->definition_count++] = path;
	return EXIT_OK;
}

static void definitions_free(struct tool *tool)
{
	for (size_t i = 0; i < tool->definition_count; i++)
		gpuoa_definitions_free(tool->definitions[i]);
}

const struct gpuoa_platform *definitions_find(const struct tool *tool, const char *name)
{
	for (size_t i = tool->definition_count; i--;) {
		const struct gpuoa_platform *platform =
			gpuoa_definitions_find(tool->definitions[i], name);

		if (platform)
			return platform;
	}
	return gpuoa_platform_find(name);
}

/*
 * Return whether a loaded platform adds a name: no built-in platform has this name, and no later
 * file overrides it.
 */
static bool is_new(const struct tool *tool, const struct gpuoa_platform *platform)
{
	const char *name = gpuoa_platform_name(platform);

	return !gpuoa_platform_find(name) && definitions_find(tool, name) == platform;
}

const struct gpuoa_platform *definitions_platform(const struct tool *tool, size_t index)
{
	const struct gpuoa_platform *platform = gpuoa_platform_get(index);

	if (platform)
		return definitions_find(tool, gpuoa_platform_name(platform));
	index -= gpuoa_platform_count();
	for (size_t i = 0; i < tool->definition_count; i++) {
		for (size_t k = 0;
		     (platform = gpuoa_definitions_get_platform(tool->definitions[i], k)); k++)
			if (is_new(tool, platform) && !index--)
				return platform;
	}
	return NULL;
}

static const char global_help[] =
	"\n"
	"Global options:\n"
	"  -d, --device DEVICE    OA unit (gpuoa0, i915:0), or PCI address or DRM node of its GPU; default: the first unit\n"
	"  -D, --definitions FILE additional platforms, sets and metrics: in gpuoa's language, or in Mesa's XML\n"
	"      --json             print one JSON object per line\n"
	"      --csv              print comma-separated values\n"
	"  -q, --quiet            print errors only\n"
	"  -h, --help             this help; of a command: gpuoa COMMAND --help\n"
	"      --version          version\n";

enum global_option {
	OPTION_JSON = 1000,
	OPTION_CSV,
	OPTION_VERSION,
};

static const struct option global_longs[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "definitions", required_argument, NULL, 'D' },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "csv", no_argument, NULL, OPTION_CSV },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPTION_VERSION },
};

#define GLOBAL_COUNT (sizeof(global_longs) / sizeof(global_longs[0]))
#define LONGS_MAX 32

/*
 * Version of the JSON output (Documentation/reference/json.rst); incremented by a change that may
 * break programs
 */
#define JSON_VERSION 1

static void print_version(const struct tool *tool)
{
	const struct field fields[] = {
		FIELD_OF_TEXT("gpuoa", NULL, gpuoa_version()),
		FIELD_OF_TEXT("metrics", NULL, gpuoa_metadata_revision()),
		FIELD_OF_NUMBER("json", NULL, JSON_VERSION),
	};
	struct output output;

	if (tool->format == OUTPUT_TABLE) {
		printf("gpuoa %s\nmetrics %s\n", gpuoa_version(), gpuoa_metadata_revision());
		return;
	}
	output_begin(&output, tool->format);
	output_record(&output, fields, FIELD_COUNT(fields));
	output_end(&output);
}

static int take_format(struct tool *tool, enum output_format format)
{
	if (tool->format != OUTPUT_TABLE && tool->format != format)
		return usage(tool, "--json and --csv exclude each other");
	tool->format = format;
	return EXIT_OK;
}

/*
 * Handle a global option. Returns false if the option is not global. If *@done is set, the program
 * should exit with *@exit_code.
 */
static bool take_global(struct tool *tool, int option, bool *done, int *exit_code)
{
	*exit_code = EXIT_OK;
	switch (option) {
	case 'd':
		tool->device = optarg;
		return true;
	case 'D':
		*exit_code = definitions_add(tool, optarg);
		*done = *exit_code;
		return true;
	case 'q':
		tool->quiet = true;
		return true;
	case OPTION_JSON:
	case OPTION_CSV:
		*exit_code = take_format(tool, option == OPTION_JSON ? OUTPUT_JSON : OUTPUT_CSV);
		*done = *exit_code;
		return true;
	case 'h':
		if (tool->help)
			fputs(tool->help, stdout);
		else
			tool->print_help();
		fputs(global_help, stdout);
		*done = true;
		return true;
	case OPTION_VERSION:
		print_version(tool);
		*done = true;
		return true;
	default:
		return false;
	}
}

int tool_getopt(struct tool *tool, int argc, char **argv, const char *shorts,
		const struct option *longs, int *exit_code)
{
	struct option all[LONGS_MAX + 1] = { 0 };
	char all_shorts[64];
	size_t n = 0;

	snprintf(all_shorts, sizeof(all_shorts), "%sd:D:qh", shorts);
	for (size_t i = 0; i < GLOBAL_COUNT; i++)
		all[n++] = global_longs[i];
	for (; longs && longs->name && n < LONGS_MAX; longs++)
		all[n++] = *longs;
	for (;;) {
		const int option = getopt_long(argc, argv, all_shorts, all, NULL);
		bool done = false;

		if (option == '?') {
			/* getopt has printed the error. */
			point_to_help(tool);
			*exit_code = EXIT_USAGE;
			return TOOL_EXIT;
		}
		if (option < 0 || !take_global(tool, option, &done, exit_code))
			return option;
		if (done)
			return TOOL_EXIT;
	}
}

int tool_options(struct tool *tool, int argc, char **argv, const char *shorts,
		 const struct option *longs,
		 int (*take)(void *options, const struct tool *tool, int option), void *options,
		 int *exit_code)
{
	int option;

	while ((option = tool_getopt(tool, argc, argv, shorts, longs, exit_code)) != -1) {
		if (option == TOOL_EXIT)
			return TOOL_EXIT;
		*exit_code = take(options, tool, option);
		if (*exit_code)
			return TOOL_EXIT;
	}
	return EXIT_OK;
}

/* Format a duration in the largest unit of which it is a multiple, such as "50 ms". */
static const char *duration_text(uint64_t ns, char *text, size_t size)
{
	if (ns % NSEC_PER_SEC == 0)
		snprintf(text, size, "%" PRIu64 " s", (uint64_t)(ns / NSEC_PER_SEC));
	else if (ns % NSEC_PER_MSEC == 0)
		snprintf(text, size, "%" PRIu64 " ms", (uint64_t)(ns / NSEC_PER_MSEC));
	else
		snprintf(text, size, "%" PRIu64 " ns", ns);
	return text;
}

int option_duration(const struct tool *tool, const char *option, const char *text, uint64_t unit_ns,
		    uint64_t least, uint64_t most, uint64_t *ns)
{
	const char *unit = unit_ns == NSEC_PER_SEC ? "s" : unit_ns == NSEC_PER_MSEC ? "ms" : "ns";
	char lower[32], upper[32];

	if (!parse_duration(text, unit_ns, ns))
		return usage(
			tool,
			"%s: cannot read '%s' as a time; give %s, or a number with a unit such as 500us, 1.5ms or 2s",
			option, text, unit);
	if (*ns < least)
		return usage(tool, "%s: cannot use '%s': the least is %s", option, text,
			     duration_text(least, lower, sizeof(lower)));
	if (*ns > most)
		return usage(tool, "%s: cannot use '%s': the most is %s", option, text,
			     duration_text(most, upper, sizeof(upper)));
	return EXIT_OK;
}

/* Report errors of earlier writes to stdout, for instance if the disk is full. */
static int close_stdout(int exit_code)
{
	if (fflush(stdout) || ferror(stdout))
		return fail("cannot write the output: %s", strerror(errno));
	return exit_code;
}

int program_run(struct tool *tool, int argc, char **argv,
		int (*run)(struct tool *tool, int argc, char **argv))
{
	int exit_code;

	argv[0] = "gpuoa"; /* the name in getopt's messages */
	exit_code = run(tool, argc, argv);
	definitions_free(tool);
	return close_stdout(exit_code);
}
