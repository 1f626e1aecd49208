/* SPDX-License-Identifier: MIT */
/* source.h - read source files */
#ifndef GPUOA_TOOLS_STALLS_SOURCE_H
#define GPUOA_TOOLS_STALLS_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#define SOURCE_DIRECTORIES_MAX 16

struct source {
	char *text;
	char **lines; /* lines[0] is line 1; without the end of line */
	uint32_t count;
};

/*
 * Read a source file: DIRECTORY/path or DIRECTORY/name of each of @count directories, or the path
 * itself. Returns 0, or a negative errno if none of them can be read; then the source has no lines.
 */
int source_read(struct source *source, const char *path, const char *const *directories,
		size_t count);
void source_free(struct source *source);

/* Return a line, from 1; NULL: the file has fewer lines. */
const char *source_line(const struct source *source, uint32_t number);

#endif /* GPUOA_TOOLS_STALLS_SOURCE_H */
