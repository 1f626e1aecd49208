/* SPDX-License-Identifier: MIT */
/*
 * definitions.h - platforms: those that are built in, and those of the files that -D names
 */
#ifndef GPUOA_TOOL_DEFINITIONS_H
#define GPUOA_TOOL_DEFINITIONS_H

#include "tool.h"

/* Load a file. Returns an exit code; what is wrong has been said. */
int definitions_add(struct tool *tool, const char *path);

void definitions_free(struct tool *tool);

/* A platform by name: of the last file that has it, else the built-in one, else NULL. */
const struct gpuoa_platform *definitions_find(const struct tool *tool, const char *name);

/* All platforms that definitions_find() finds, by number; NULL beyond. */
const struct gpuoa_platform *definitions_platform(const struct tool *tool, size_t index);

#endif /* GPUOA_TOOL_DEFINITIONS_H */
