/* SPDX-License-Identifier: MIT */
/*
 * recorder_input.h - one of the streams that a recorder writes: takes what its ring and its area
 * have
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_RECORDER_INPUT_H
#define GPUOA_LIB_SOURCE_RECORDING_RECORDER_INPUT_H

#include "source/recording/aux_samples.h"
#include "source/recording/owners.h"
#include "source/stream/stream.h"

/* Where a reader is in a stream. */
struct recorder_place {
	struct reader reader;
	struct area area;
};

struct recorder_input {
	struct stream *stream;
	struct reader reader;
	struct owners_asked owners;
	struct recorder_place before; /* the write that is not finished */
};

/*
 * Begin: writes what a reader of the file needs to know to @writer. Nobody else may have the stream
 * recorded. 0, -ENOMEM or an error of write(2).
 */
int recorder_input_begin(struct recorder_input *input, struct stream *stream,
			 struct perfdata_writer *writer);

/* What was begun, or never was: zeros. */
void recorder_input_end(struct recorder_input *input);

/* Write pairs of clocks of which the stream itself has none. A GPU that is gone has none, either.
 */
int recorder_input_write_clocks(struct recorder_input *input, struct perfdata_writer *writer);

/*
 * Write all that the stream has, and count it in @stats. It is given back to the kernel by
 * recorder_input_keep(), when it is safe in the file; or it is there again after
 * recorder_input_undo(). @samples is room for what is to be written at once.
 */
int recorder_input_write(struct recorder_input *input, struct perfdata_writer *writer,
			 struct aux_samples *samples, struct gpuoa_recorder_stats *stats);
void recorder_input_keep(struct recorder_input *input);
void recorder_input_undo(struct recorder_input *input);

/* Is there a loss of unknown size at the end of what was written? */
bool recorder_input_lost_at_end(const struct recorder_input *input);

#endif /* GPUOA_LIB_SOURCE_RECORDING_RECORDER_INPUT_H */
