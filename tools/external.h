/* SPDX-License-Identifier: MIT */
/*
 * external.h - commands that are programs of their own, for they need libraries that gpuoa does not
 */
#ifndef GPUOA_EXTERNAL_H
#define GPUOA_EXTERNAL_H

#include "tool.h"

/*
 * Become the program of tool->command, with the global options of @tool and with the arguments
 * behind @argv[0]. Returns, with an exit code, only if that fails; what is wrong has been said.
 */
int external_run(const struct tool *tool, int argc, char **argv);

#endif /* GPUOA_EXTERNAL_H */
