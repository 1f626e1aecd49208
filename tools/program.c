// SPDX-License-Identifier: MIT
/*
 * program.c - beginning and end of gpuoa, and of the commands that are programs of their own
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "definitions.h"
#include "tool.h"

/* What could not be written is an error too: a disk may be full. */
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

	argv[0] = "gpuoa"; /* for getopt's messages */
	exit_code = run(tool, argc, argv);
	definitions_free(tool);
	return close_stdout(exit_code);
}
