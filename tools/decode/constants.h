/* SPDX-License-Identifier: MIT */
/*
 * constants.h - constants of a GPU that is not in this machine: given by -c, or assumed
 */
#ifndef GPUOA_TOOL_CONSTANTS_H
#define GPUOA_TOOL_CONSTANTS_H

#include "common/tool.h"

/*
 * Parse @count arguments of -c: NAME=VALUE or @FILE. Modifies the arguments. Returns an exit code;
 * prints any error.
 */
int constants_from_user(const struct tool *tool, const struct gpuoa_platform *platform,
			char *const *arguments, size_t count, struct gpuoa_constants **constants);

/*
 * Fill in the constants that @set needs and that are not given, and print a note about them. Does
 * nothing if the platform has no known GPU; the constants are then missing.
 */
int constants_assume(const struct tool *tool, const struct gpuoa_set *set,
		     struct gpuoa_constants *constants);

#endif /* GPUOA_TOOL_CONSTANTS_H */
