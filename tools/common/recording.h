/* SPDX-License-Identifier: MIT */
/*
 * recording.h - an open stream of a recording, with its platform, constants and set
 */
#ifndef GPUOA_TOOLS_COMMON_RECORDING_H
#define GPUOA_TOOLS_COMMON_RECORDING_H

#include <limits.h>

#include "common/evaluation.h"
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

/* The struct owns everything it points to, except the file name. */
struct recorded {
	const char *file;
	struct gpuoa_reader *reader;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
};

/* Both return an exit code and print any error. */

/*
 * Open the stream of -d, or the first one.
 *
 * @set: symbol of the set to evaluate as; NULL: the set named by the recording
 */
int recorded_open(struct recorded *recorded, const struct tool *tool, const char *file,
		  const char *set);

/* Open stream @index, counted from 0, regardless of -d. */
int recorded_open_stream(struct recorded *recorded, const struct tool *tool, const char *file,
			 uint32_t index, const char *set);

void recorded_close(struct recorded *recorded);

/*
 * Evaluate the stream and report lost reports. If the file is damaged, the readable part is
 * evaluated.
 */
int recorded_evaluate(const struct recorded *recorded, const struct tool *tool,
		      const struct evaluation_request *request);

/* Print a note that there was nothing to evaluate. */
void recorded_note_nothing(const struct recorded *recorded, const struct tool *tool);

/* Return the default request: the whole stream, as a table of totals. */
struct evaluation_request recorded_request(const struct recorded *recorded);

#endif /* GPUOA_TOOLS_COMMON_RECORDING_H */
