/* SPDX-License-Identifier: MIT */
/*
 * definitions.h - platforms: built-in ones and those of the files given by -D
 */
#ifndef GPUOA_TOOL_DEFINITIONS_H
#define GPUOA_TOOL_DEFINITIONS_H

#include "common/tool.h"

/* Load a file. Returns an exit code; prints any error. */
int definitions_add(struct tool *tool, const char *path);

void definitions_free(struct tool *tool);

/*
 * Find a platform by name: in the last file that defines it, else among the built-in ones, else
 * NULL.
 */
const struct gpuoa_platform *definitions_find(const struct tool *tool, const char *name);

/* Return platform @index of all that definitions_find() can find; NULL after the last. */
const struct gpuoa_platform *definitions_platform(const struct tool *tool, size_t index);

#endif /* GPUOA_TOOL_DEFINITIONS_H */
