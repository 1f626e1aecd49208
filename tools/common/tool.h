/* SPDX-License-Identifier: MIT */
/*
 * tool.h - parse options, return exit codes and print messages, for all commands
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
	/* Exit codes for a command that cannot be executed, as a shell returns them */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

#define DEFINITIONS_MAX 16

/* Global options, and the help of the current subcommand */
struct tool {
	const char *device; /* argument of -d; NULL: the first unit */
	enum output_format format;
	bool quiet;
	struct gpuoa_definitions *definitions[DEFINITIONS_MAX]; /* loaded by -D */
	const char *definition_paths[DEFINITIONS_MAX];
	size_t definition_count;
	const char *command;
	/*
	 * help text of the subcommand; NULL: no subcommand yet, so print_help() prints the main
	 * help
	 */
	const char *help;
	void (*print_help)(void);
};

/*
 * Run a whole program: call @run, which returns an exit code, then flush stdout.
 *
 * @tool: initial options, which are freed at the end
 */
int program_run(struct tool *tool, int argc, char **argv,
		int (*run)(struct tool *tool, int argc, char **argv));

/* Subcommands. They return an exit code. argv[0] is the name of the subcommand. */
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
 * Parse the options of a subcommand together with the global ones, as getopt_long(3) does. If
 * @shorts starts with +, parsing stops at the first operand.
 *
 * Returns the next option of the subcommand; -1 after the last option; or TOOL_EXIT if the program
 * should exit with *@exit_code.
 */
#define TOOL_EXIT (-2)
int tool_getopt(struct tool *tool, int argc, char **argv, const char *shorts,
		const struct option *longs, int *exit_code);

/*
 * Parse all options of a subcommand by tool_getopt().
 *
 * @take: called for each option, with its argument in optarg; returns an exit code
 *
 * A subcommand without own options passes NULL for @longs and @take. Returns EXIT_OK, or TOOL_EXIT
 * if the program should exit with *@exit_code.
 */
int tool_options(struct tool *tool, int argc, char **argv, const char *shorts,
		 const struct option *longs,
		 int (*take)(void *options, const struct tool *tool, int option), void *options,
		 int *exit_code);

/*
 * Parse the duration that is the argument of an option: a number, which may have a fraction,
 * followed by ns, us, ms, s, min or h. All commands parse durations with this function.
 *
 * @option: name of the option, for the error message
 * @text: argument of the option
 * @unit_ns: unit of a number that has none: 1, NSEC_PER_MSEC or NSEC_PER_SEC
 * @least: minimum, in ns
 * @most: maximum, in ns; not above INT64_MAX
 * @ns: receives the duration
 *
 * Returns an exit code.
 */
int option_duration(const struct tool *tool, const char *option, const char *text, uint64_t unit_ns,
		    uint64_t least, uint64_t most, uint64_t *ns);

/*
 * Print one line on stderr, which begins with "gpuoa: ". fail() returns EXIT_FAILED. usage() adds a
 * hint to use --help and returns EXIT_USAGE. die_of_memory() exits with EXIT_FAILED. note() prints
 * nothing if the option -q was given.
 */
#define fail(...) (print_error(__VA_ARGS__), EXIT_FAILED)
#define usage(tool, ...) (print_error(__VA_ARGS__), point_to_help(tool), EXIT_USAGE)
__attribute__((format(printf, 1, 2))) void print_error(const char *format, ...);
_Noreturn void die_of_memory(void);
void point_to_help(const struct tool *tool);
__attribute__((format(printf, 2, 3))) void note(const struct tool *tool, const char *format, ...);
/*
 * Print a message about an object. It begins with the object's name; if the text already does, the
 * name is not repeated.
 */
void print_error_of(const char *name, const char *text);
void note_of(const struct tool *tool, const char *name, const char *text);

/*
 * Find a platform by name: in the last loaded file that defines it, otherwise among the built-in
 * platforms. NULL: there is none.
 */
const struct gpuoa_platform *definitions_find(const struct tool *tool, const char *name);

/*
 * Return platform number @index of all that definitions_find() can find; NULL after the last one.
 */
const struct gpuoa_platform *definitions_platform(const struct tool *tool, size_t index);

#endif /* GPUOA_TOOLS_COMMON_TOOL_H */
