// SPDX-License-Identifier: MIT
/*
 * top.c - gpuoa top: watch all units live
 */
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include "top/once.h"
#include "top/top.h"

#define INTERVAL_MIN_MS 50
#define INTERVAL_MAX_MS 60000

static const char help[] =
	"Usage: gpuoa top [-s SET] [-m METRIC,...] [-I MS] [--contexts] [--once]\n"
	"\n"
	"Watches all OA units live: how busy the GPU is, what its EUs do, what goes to memory, and what is hot.\n"
	"\n"
	"  -s, --set SET      start with this metric set, see 'gpuoa list sets'; default: the set that another program\n"
	"                     measures, or else the one with most of the metrics above\n"
	"  -m, --metrics LIST only these metrics in the table and with --once; patterns as in a shell: 'Eu*'\n"
	"  -I, --interval MS  update interval in milliseconds, 50 to 60000 (default 1000), or with a unit: 2s\n"
	"      --contexts     one row per context of the GPU, if reports have contexts\n"
	"      --once         measure one interval, print all metrics, and end: for scripts, also with --json, --csv\n"
	"\n"
	"Keys: Tab other unit, s other set, o order, c contexts, space pause, arrows look closer, ? help, q quit\n"
	"\n"
	"Try it without a GPU, in the source tree: make vm CMD='gpuoa top'\n";

enum { OPTION_ONCE = 900, OPTION_CONTEXTS };

struct options {
	const char *set;
	const char *metrics;
	unsigned int interval_ms;
	bool once;
	bool contexts;
};

static int take_option(void *context, const struct tool *tool, int option)
{
	struct options *options = context;
	uint64_t ns;
	int ret;

	switch (option) {
	case 's':
		options->set = optarg;
		return EXIT_OK;
	case 'm':
		options->metrics = optarg;
		return EXIT_OK;
	case 'I':
		ret = option_duration(tool, "-I", optarg, NSEC_PER_MSEC,
				      INTERVAL_MIN_MS * NSEC_PER_MSEC,
				      INTERVAL_MAX_MS * NSEC_PER_MSEC, &ns);
		if (!ret)
			options->interval_ms = (unsigned int)(ns / NSEC_PER_MSEC);
		return ret;
	case OPTION_ONCE:
		options->once = true;
		return EXIT_OK;
	default:
		options->contexts = true;
		return EXIT_OK;
	}
}

static int check(const struct options *options, const struct tool *tool, const char *operand)
{
	if (operand)
		return usage(tool, "%s: unexpected", operand);
	if (options->once)
		return EXIT_OK;
	if (tool->format != OUTPUT_TABLE)
		return usage(tool, "--json and --csv need --once");
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return usage(tool, "not a terminal; use --once to print values as text");
	return EXIT_OK;
}

static int parse_options(struct options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ "metrics", required_argument, NULL, 'm' },
		{ "interval", required_argument, NULL, 'I' },
		{ "once", no_argument, NULL, OPTION_ONCE },
		{ "contexts", no_argument, NULL, OPTION_CONTEXTS },
		{ 0 },
	};

	if (tool_options(tool, argc, argv, "s:m:I:", longs, take_option, options, exit_code) ==
	    TOOL_EXIT)
		return TOOL_EXIT;
	*exit_code = check(options, tool, optind < argc ? argv[optind] : NULL);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

static int cmd_top(struct tool *tool, int argc, char **argv)
{
	struct options options = { .interval_ms = 1000 };
	struct watches watches;
	int ret;

	tool->help = help;
	tool->command = "top";
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	ret = watches_open(&watches, tool, options.set, options.metrics);
	if (!ret)
		ret = options.once ? once(&watches, options.interval_ms, options.contexts) :
				     top_run(&watches, options.interval_ms, options.contexts);
	watches_close(&watches);
	return ret;
}

int main(int argc, char **argv)
{
	struct tool tool = { 0 };

	/* Use the user's character set; numbers keep the format of the C locale. */
	setlocale(LC_CTYPE, "");
	return program_run(&tool, argc, argv, cmd_top);
}
