/* SPDX-License-Identifier: MIT */
/* program.h - commands that are separate programs */
#ifndef GPUOA_TOOLS_PROGRAM_H
#define GPUOA_TOOLS_PROGRAM_H

/*
 * Return the path of a separate program, which the caller frees. NULL: no memory, or /proc is not
 * mounted.
 */
char *program_path(const char *command);

#endif /* GPUOA_TOOLS_PROGRAM_H */
