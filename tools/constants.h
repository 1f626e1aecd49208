/* SPDX-License-Identifier: MIT */
/*
 * constants.h - constants of a GPU that is not here: what the user says of it, and what is assumed
 */
#ifndef GPUOA_TOOL_CONSTANTS_H
#define GPUOA_TOOL_CONSTANTS_H

#include "tool.h"

/*
 * From @count arguments of -c, NAME=VALUE or @FILE, which are torn apart. An exit code; what is
 * wrong has been said.
 */
int constants_from_user(const struct tool *tool, const struct gpuoa_platform *platform,
			char *const *arguments, size_t count, struct gpuoa_constants **constants);

/*
 * Assume what @set needs and nobody gave, and say so. Nothing happens if no part of the platform is
 * known: the set's constants are then missing.
 */
int constants_assume(const struct tool *tool, const struct gpuoa_set *set,
		     struct gpuoa_constants *constants);

#endif /* GPUOA_TOOL_CONSTANTS_H */
