/* SPDX-License-Identifier: MIT */
/*
 * tool.h - options, exit codes and messages of all commands
 */
#ifndef GPUOA_TOOLS_COMMON_TOOL_H
#define GPUOA_TOOLS_COMMON_TOOL_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/output.h"
#include "common/number.h"
#include "gpuoa.h"

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	/* Exit codes of the measured command, as a shell returns them */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

#define DEFINITIONS_MAX 16

/* Global options, and the subcommand's help */
struct tool {
	const char *device; /* argument of -d; NULL: the first unit */
	enum output_format format;
	bool quiet;
	struct gpuoa_definitions *definitions[DEFINITIONS_MAX]; /* loaded by -D */
	const char *definition_paths[DEFINITIONS_MAX];
	size_t definition_count;
	const char *command;
	const char *help; /* NULL: no subcommand yet, print_help() prints the main help */
	void (*print_help)(void);
};

/*
 * Run a whole program: call @run, which returns an exit code, then flush stdout.
 *
 * @tool: initial options; freed at the end
 */
int program_run(struct tool *tool, int argc, char **argv,
		int (*run)(struct tool *tool, int argc, char **argv));

/* Subcommands: argv[0] is the subcommand's name. They return an exit code. */
int cmd_list(struct tool *tool, int argc, char **argv);
int cmd_add_config(struct tool *tool, int argc, char **argv);
int cmd_mark(struct tool *tool, int argc, char **argv);
int cmd_run(struct tool *tool, int argc, char **argv);
int cmd_stat(struct tool *tool, int argc, char **argv);
int cmd_record(struct tool *tool, int argc, char **argv);
int cmd_report(struct tool *tool, int argc, char **argv);
int cmd_decode(struct tool *tool, int argc, char **argv);
int cmd_doctor(struct tool *tool, int argc, char **argv);

/*
 * Wrap getopt_long(3): parse a subcommand's own options together with the global ones. A + at the
 * start of @shorts stops at the first operand. Returns the next of the subcommand's options, -1
 * after the last, or TOOL_EXIT with *exit_code set if the program should exit.
 */
#define TOOL_EXIT (-2)
int tool_getopt(struct tool *tool, int argc, char **argv, const char *shorts,
		const struct option *longs, int *exit_code);

/*
 * Parse all options of a subcommand with tool_getopt(): call @take with optarg set for each; it
 * returns an exit code. A command without specific options passes NULL for @longs and @take.
 * Returns EXIT_OK, or TOOL_EXIT with *exit_code set.
 */
int tool_options(struct tool *tool, int argc, char **argv, const char *shorts,
		 const struct option *longs,
		 int (*take)(void *options, const struct tool *tool, int option), void *options,
		 int *exit_code);

/*
 * Parse the duration of an option: a number, possibly with a fraction, and one of ns, us, ms, s,
 * min, h. All commands parse durations with this function.
 *
 * @option: its name, for the message
 * @text: its argument
 * @unit_ns: unit of a number without one: 1, NSEC_PER_MSEC or NSEC_PER_SEC
 * @least: minimum, in ns
 * @most: maximum, in ns; at most INT64_MAX
 * @ns: the result
 *
 * Returns an exit code.
 */
int option_duration(const struct tool *tool, const char *option, const char *text, uint64_t unit_ns,
		    uint64_t least, uint64_t most, uint64_t *ns);

/*
 * Print one line on stderr, "gpuoa: ...". fail() returns EXIT_FAILED; usage() adds a hint at the
 * help and returns EXIT_USAGE; note() prints nothing with -q.
 */
#define fail(...) (print_error(__VA_ARGS__), EXIT_FAILED)
#define usage(tool, ...) (print_error(__VA_ARGS__), point_to_help(tool), EXIT_USAGE)
__attribute__((format(printf, 1, 2))) void print_error(const char *format, ...);
void point_to_help(const struct tool *tool);
__attribute__((format(printf, 2, 3))) void note(const struct tool *tool, const char *format, ...);
/* Print a message about an object: its name first, unless the text already begins with it. */
void print_error_of(const char *name, const char *text);
void note_of(const struct tool *tool, const char *name, const char *text);

/*
 * Find a platform by name: in the last file that defines it, else among the built-in ones, else
 * NULL.
 */
const struct gpuoa_platform *definitions_find(const struct tool *tool, const char *name);

/* Return platform @index of all that definitions_find() can find; NULL after the last. */
const struct gpuoa_platform *definitions_platform(const struct tool *tool, size_t index);

#endif /* GPUOA_TOOLS_COMMON_TOOL_H */
