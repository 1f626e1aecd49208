/* SPDX-License-Identifier: MIT */
/*
 * recording.h - opens the stream of a recording that the user means
 */
#ifndef GPUOA_RECORDING_H
#define GPUOA_RECORDING_H

/* What record writes and all others read if no file is named */
#define DEFAULT_RECORDING "gpuoa.data"

#include "tool.h"

/*
 * Open the stream of the unit or GPU that -d names, or else the first one that says what it is. If
 * there are others beside, a note names all. NULL after having said what is wrong.
 */
struct gpuoa_source *recording_open(const struct tool *tool, const char *file);

/* How many streams a recording has. Returns an exit code; what is wrong has been said. */
int recording_streams(const char *file, uint32_t *streams);

#endif /* GPUOA_RECORDING_H */
