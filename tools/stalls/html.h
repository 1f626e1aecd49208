/* SPDX-License-Identifier: MIT */
/* html.h - a page with the flame graph and the annotated source of a profile */
#ifndef GPUOA_TOOLS_STALLS_HTML_H
#define GPUOA_TOOLS_STALLS_HTML_H

#include "profile/profile.h"

/*
 * Write a self-contained HTML page. @directories: @count directories of sources, as for
 * source_read(). Returns an exit code; prints any error, and
 * notes about missing sources.
 */
int html_write(const struct profile *profile, const struct tool *tool, const char *input,
	       const char *path, const char *const *directories, size_t count);

#endif /* GPUOA_TOOLS_STALLS_HTML_H */
