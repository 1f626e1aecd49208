// SPDX-License-Identifier: MIT
/*
 * program.c - startup and exit of gpuoa and of its separate programs
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/definitions.h"
#include "common/tool.h"

/* Report write errors: the disk may be full. */
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
