/* SPDX-License-Identifier: MIT */
/*
 * tool.h - what all subcommands share: global options, exit codes, messages
 */
#ifndef GPUOA_TOOL_H
#define GPUOA_TOOL_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpuoa.h"
#include "output.h"
#include "quantity.h"

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	/* A command to be measured, as a shell reports it */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

#define DEFINITIONS_MAX 16

/* Global options, and the subcommand's help. */
struct tool {
	const char *device; /* NULL: the first one */
	enum output_format format;
	bool quiet;
	struct gpuoa_definitions *definitions[DEFINITIONS_MAX]; /* of -D */
	const char *definition_paths[DEFINITIONS_MAX];
	size_t definition_count;
	const char *command;
	const char *help; /* NULL: there is no command yet, and print_help() prints gpuoa's own */
	void (*print_help)(void);
};

/*
 * All of a program: @run, which returns an exit code, and the end of what was printed. @tool: with
 * what the program begins with; is freed.
 */
int program_run(struct tool *tool, int argc, char **argv,
		int (*run)(struct tool *tool, int argc, char **argv));

/* Subcommands: argv[0] is the subcommand's name. They return an exit code. */
int cmd_list(struct tool *tool, int argc, char **argv);
int cmd_upload(struct tool *tool, int argc, char **argv);
int cmd_mark(struct tool *tool, int argc, char **argv);
int cmd_stat(struct tool *tool, int argc, char **argv);
int cmd_record(struct tool *tool, int argc, char **argv);
int cmd_report(struct tool *tool, int argc, char **argv);
int cmd_decode(struct tool *tool, int argc, char **argv);
int cmd_doctor(struct tool *tool, int argc, char **argv);

/*
 * getopt_long(3) for a subcommand's own options, with the global ones beside. As
 * there, @shorts may begin with + to end at the first operand. Returns the next of its own options,
 * -1 after the last, or TOOL_EXIT with *exit_code set if the global options or an error leave
 * nothing more to do.
 */
#define TOOL_EXIT (-2)
int tool_getopt(struct tool *tool, int argc, char **argv, const char *shorts,
		const struct option *longs, int *exit_code);

/*
 * All options of a subcommand, as tool_getopt() finds them: @take, which returns an exit code, gets
 * each one with optarg set. Returns EXIT_OK, or TOOL_EXIT with *exit_code set.
 */
int tool_options(struct tool *tool, int argc, char **argv, const char *shorts,
		 const struct option *longs,
		 int (*take)(void *options, const struct tool *tool, int option), void *options,
		 int *exit_code);

/*
 * Parse the time that an option takes: a number that may have a fraction and one of ns, us, ms, s,
 * min, h. All commands read times with this function.
 *
 * @option: its name, for the message
 * @text: its value
 * @unit_ns: unit of a number without one: 1, NSEC_PER_MSEC or NSEC_PER_SEC
 * @least, @most: range, in ns; at most INT64_MAX
 *
 * Returns an exit code.
 */
int option_duration(const struct tool *tool, const char *option, const char *text, uint64_t unit_ns,
		    uint64_t least, uint64_t most, uint64_t *ns);

/*
 * One line on stderr, "gpuoa: ...". fail() is EXIT_FAILED; usage() points to the help and is
 * EXIT_USAGE; note() is silent with -q.
 */
#define fail(...) (print_error(__VA_ARGS__), EXIT_FAILED)
#define usage(tool, ...) (print_error(__VA_ARGS__), point_to_help(tool), EXIT_USAGE)
__attribute__((format(printf, 1, 2))) void print_error(const char *format, ...);
void point_to_help(const struct tool *tool);
__attribute__((format(printf, 2, 3))) void note(const struct tool *tool, const char *format, ...);
/* The same about an object. Its name comes first, unless the text already begins with it. */
void print_error_of(const char *name, const char *text);
void note_of(const struct tool *tool, const char *name, const char *text);

#endif /* GPUOA_TOOL_H */
