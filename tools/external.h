/* SPDX-License-Identifier: MIT */
/*
 * external.h - subcommands that are separate programs, because they need more libraries than gpuoa
 */
#ifndef GPUOA_EXTERNAL_H
#define GPUOA_EXTERNAL_H

#include "common/tool.h"

/*
 * Execute the program of tool->command with the global options of @tool and the arguments after
 * @argv[0]. Returns an exit code only on failure, after printing the error.
 */
int external_run(const struct tool *tool, int argc, char **argv);

#endif /* GPUOA_EXTERNAL_H */
