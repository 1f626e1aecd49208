/* SPDX-License-Identifier: MIT */
/*
 * recorded.h - a stream of a recording, with all that evaluating it takes
 */
#ifndef GPUOA_RECORDED_H
#define GPUOA_RECORDED_H

#include "evaluation.h"

/* All that it points to is its own, but the name of the file. */
struct recorded {
	const char *file;
	struct gpuoa_source *source;
	struct gpuoa_source_desc desc;
	struct gpuoa_unit_desc unit;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
};

/* Both return an exit code; what is wrong has been said. */

/*
 * Open the stream that -d means, or the first one.
 *
 * @set: evaluate as this set; NULL: as the one that the recording names
 */
int recorded_open(struct recorded *recorded, const struct tool *tool, const char *file,
		  const char *set);

/* Open stream @index, from 0. -d does not matter. */
int recorded_open_stream(struct recorded *recorded, const struct tool *tool, const char *file,
			 uint32_t index, const char *set);

void recorded_close(struct recorded *recorded);

/* Evaluate it, and tell of losses. What could be read of a damaged file counts all the same. */
int recorded_evaluate(const struct recorded *recorded, const struct tool *tool,
		      const struct evaluation_request *request);

/* That there was nothing to evaluate. */
void recorded_note_nothing(const struct recorded *recorded, const struct tool *tool);

/* What to evaluate: all of it, as a table of totals. */
struct evaluation_request recorded_request(const struct recorded *recorded);

#endif /* GPUOA_RECORDED_H */
