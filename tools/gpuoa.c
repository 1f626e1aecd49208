// SPDX-License-Identifier: MIT
/*
 * gpuoa.c - the gpuoa command: parse global options and run the subcommand
 *
 * A subcommand that needs more libraries than gpuoa is a separate program. The program is in the
 * directory GPUOA_LIBEXEC ("", or a path that ends with /), relative to the directory of gpuoa, so
 * that both can be moved together.
 */
#define _GNU_SOURCE /* asprintf */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/tool.h"
#include "program.h"

/* For each separate program, the library it needs and the packages that contain this library */
static const struct {
	const char *command;
	const char *library;
	const char *packages;
} programs[] = {
	{ "top", "ncurses", "libncurses-dev (Debian), ncurses-devel (Fedora) or ncurses (Arch)" },
	{ "plot", "cairo", "libcairo2-dev (Debian), cairo-devel (Fedora) or cairo (Arch)" },
	{ "exporter", "libmicrohttpd",
	  "libmicrohttpd-dev (Debian), libmicrohttpd-devel (Fedora) or libmicrohttpd (Arch)" },
};

char *program_path(const char *command)
{
	char self[PATH_MAX], *slash, *path;
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return NULL;
	self[length] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	if (asprintf(&path, "%s/" GPUOA_LIBEXEC "gpuoa-%s", self, command) < 0)
		return NULL;
	return path;
}

/*
 * Write the global options to @arguments, as arguments of a program. There are at most 2 + 2 *
 * DEFINITIONS_MAX + 2.
 */
static size_t global_options(const struct tool *tool, char **arguments)
{
	static char device[] = "-d", definitions[] = "-D", json[] = "--json", csv[] = "--csv",
		    quiet[] = "-q";
	size_t n = 0;

	if (tool->device) {
		arguments[n++] = device;
		arguments[n++] = (char *)tool->device;
	}
	for (size_t i = 0; i < tool->definition_count; i++) {
		arguments[n++] = definitions;
		arguments[n++] = (char *)tool->definition_paths[i];
	}
	if (tool->format != OUTPUT_TABLE)
		arguments[n++] = tool->format == OUTPUT_JSON ? json : csv;
	if (tool->quiet)
		arguments[n++] = quiet;
	return n;
}

static int explain_missing(const char *command, const char *path)
{
	if (errno != ENOENT)
		return fail("cannot execute %s: %s", path, strerror(errno));
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (!strcmp(programs[i].command, command))
			return fail("gpuoa %s: not built: needs %s; install %s, and make again",
				    command, programs[i].library, programs[i].packages);
	return fail("gpuoa %s: not installed: there is no %s; make install again", command, path);
}

/*
 * Execute the program of the subcommand tool->command, with the global options of @tool and the
 * arguments after @argv[0]. Returns only on failure: prints the error and returns an exit code.
 */
static int external_run(const struct tool *tool, int argc, char **argv)
{
	char *path = program_path(tool->command);
	char **arguments = calloc((size_t)argc + 2 * DEFINITIONS_MAX + 8, sizeof(*arguments));
	int ret = EXIT_FAILED;
	size_t n = 0;

	if (path && arguments) {
		arguments[n++] = path;
		n += global_options(tool, arguments + n);
		for (int i = 1; i < argc; i++)
			arguments[n++] = argv[i];
		execv(path, arguments);
		ret = explain_missing(tool->command, path);
	} else {
		ret = fail("gpuoa %s: cannot find the program: %s; /proc must be mounted",
			   tool->command, strerror(errno));
	}
	free(arguments);
	free(path);
	return ret;
}

static const struct command {
	const char *name;
	/* function of the command; NULL: the command is a separate program */
	int (*run)(struct tool *tool, int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "list", cmd_list, "list devices, sets and metrics" },
	{ "add-config", cmd_add_config, "add a set to the kernel, for the stock perf tool" },
	{ "stat", cmd_stat, "measure while a command runs, and print the totals" },
	{ "record", cmd_record, "record raw reports while a command runs" },
	{ "mark", cmd_mark, "add a mark to all running recordings" },
	{ "top", NULL, "watch all units live" },
	{ "report", cmd_report, "metrics of a recording" },
	{ "decode", cmd_decode, "metrics of raw reports in a file" },
	{ "plot", NULL, "draw metrics of a recording over time" },
	{ "export", NULL,
	  "write a recording for other programs: Perfetto, Chrome, JSON, i915-perf" },
	{ "exporter", NULL, "serve metrics to Prometheus" },
	{ "stalls", NULL, "sample where threads of GPU programs wait, and for what" },
	{ "run", cmd_run, "run a program written for Intel's interfaces" },
	{ "doctor", cmd_doctor, "check the requirements of measuring, and print remedies" },
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static const char main_help[] =
	"Usage: gpuoa [-d DEVICE] [-D FILE] [--json | --csv] [-q] COMMAND ...\n"
	"\n"
	"Hardware metrics of Intel GPUs.\n"
	"\n"
	"Commands:\n";

static const char first_steps[] =
	"\n"
	"First steps:\n"
	"  gpuoa top                                             what the GPU does now\n"
	"  gpuoa stat ./app                                      totals while a command runs\n"
	"  gpuoa record ./app                                    record all reports to gpuoa.data\n"
	"  gpuoa report                                          print a summary of gpuoa.data; see also plot and export\n"
	"  gpuoa doctor                                          find out why a command fails\n";

static void print_main_help(void)
{
	fputs(main_help, stdout);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs(first_steps, stdout);
}

static int dispatch(struct tool *tool, int argc, char **argv)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i].name, argv[0]))
			continue;
		tool->command = commands[i].name;
		if (!commands[i].run)
			return external_run(tool, argc, argv);
		argv[0] = "gpuoa";
		optind = 0; /* restarts getopt() */
		return commands[i].run(tool, argc, argv);
	}
	return usage(tool, "unknown command '%s'", argv[0]);
}

/* Print the help of the command in "gpuoa help COMMAND", or the main help without a command. */
static int print_help(struct tool *tool, int argc, char **argv)
{
	static char option[] = "--help";
	char *arguments[] = { argv[argc > 1 ? 1 : 0], option, NULL };

	if (argc > 2)
		return usage(tool, "help takes one command");
	if (argc == 2)
		return dispatch(tool, 2, arguments);
	arguments[0] = argv[0];
	optind = 0;
	return tool_getopt(tool, 2, arguments, "", NULL, &argc) == TOOL_EXIT ? argc : EXIT_FAILED;
}

/* Parse the global options. Then run the subcommand with the arguments that follow them. */
static int run(struct tool *tool, int argc, char **argv)
{
	int exit_code;

	if (tool_getopt(tool, argc, argv, "+", NULL, &exit_code) == TOOL_EXIT)
		return exit_code;
	if (optind == argc)
		return usage(tool, "missing command");
	if (!strcmp(argv[optind], "help"))
		return print_help(tool, argc - optind, argv + optind);
	return dispatch(tool, argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
	struct tool tool = { .print_help = print_main_help };

	return program_run(&tool, argc, argv, run);
}
