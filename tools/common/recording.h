/* SPDX-License-Identifier: MIT */
/*
 * recording.h - selection of a recording's stream
 */
#ifndef GPUOA_RECORDING_H
#define GPUOA_RECORDING_H

#include <limits.h>

#include "common/tool.h"

/* File that 'gpuoa record' writes and other commands read by default */
#define DEFAULT_RECORDING "gpuoa.data"

/* Room for an error message of gpuoa_file_open(), which begins with the path */
#define RECORDING_ERROR_SIZE (PATH_MAX + 256)

/*
 * Open the stream of the unit or GPU named by -d, else the first stream that names its unit. If
 * there are several, a note lists them. On failure, returns NULL after printing the error.
 */
struct gpuoa_reader *recording_open(const struct tool *tool, const char *file);

/* Count the streams of a recording. Returns an exit code; prints any error. */
int recording_streams(const char *file, uint32_t *streams);

#endif /* GPUOA_RECORDING_H */
