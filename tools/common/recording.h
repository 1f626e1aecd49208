/* SPDX-License-Identifier: MIT */
/*
 * recording.h - a stream of a recording that is open, with its platform, constants and set
 */
#ifndef GPUOA_TOOLS_COMMON_RECORDING_H
#define GPUOA_TOOLS_COMMON_RECORDING_H

#include <limits.h>

#include "common/evaluation.h"
#include "common/tool.h"

/*
 * File to which 'gpuoa record' writes and from which other commands read, unless the user names
 * another one
 */
#define DEFAULT_RECORDING "gpuoa.data"

/* Space for an error message of gpuoa_file_open(), which begins with the path */
#define RECORDING_ERROR_SIZE (PATH_MAX + 256)

/*
 * Open the stream of the unit or GPU that the user named by -d, otherwise the first stream that
 * names its unit. A note lists the streams if there are several. On failure, prints the error and
 * returns NULL.
 */
struct gpuoa_reader *recording_open(const struct tool *tool, const char *file);

/* Count the streams of a recording. Returns an exit code; prints any error. */
int recording_streams(const char *file, uint32_t *streams);

/* A stream that is open. The struct owns everything it points to, except the file name. */
struct recorded {
	const char *file;
	struct gpuoa_reader *reader;
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
};

/* The two functions below return an exit code and print any error. */

/*
 * Open the stream of -d, otherwise the first stream.
 *
 * @set: symbol of the set with which to evaluate; NULL: the set that the recording names
 */
int recorded_open(struct recorded *recorded, const struct tool *tool, const char *file,
		  const char *set);

/* Open the stream with number @index, counted from 0. The option -d is ignored. */
int recorded_open_stream(struct recorded *recorded, const struct tool *tool, const char *file,
			 uint32_t index, const char *set);

void recorded_close(struct recorded *recorded);

/*
 * Evaluate the stream, and report lost reports. If the file is damaged, the part that can be read
 * is evaluated.
 */
int recorded_evaluate(const struct recorded *recorded, const struct tool *tool,
		      const struct evaluation_request *request);

/* Print a note that there was nothing to evaluate. */
void recorded_note_nothing(const struct recorded *recorded, const struct tool *tool);

/* Return the default request: evaluate the whole stream, and print a table of totals. */
struct evaluation_request recorded_request(const struct recorded *recorded);

#endif /* GPUOA_TOOLS_COMMON_RECORDING_H */
