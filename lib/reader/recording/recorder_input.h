/* SPDX-License-Identifier: MIT */
/* recorder_input.h - one recorded stream: read its ring and AUX area */
#ifndef GPUOA_LIB_READER_RECORDING_RECORDER_INPUT_H
#define GPUOA_LIB_READER_RECORDING_RECORDER_INPUT_H

#include "reader/recording/aux_samples.h"
#include "reader/recording/owners.h"
#include "reader/stream/stream.h"

/* A reader's position in a stream. */
struct recorder_place {
	struct event_reader events;
	struct area area;
};

struct recorder_input {
	struct stream *stream;
	struct event_reader events;
	struct owners_asked owners;
	struct recorder_place before; /* state before the current write */
};

/*
 * Begin to record: write the data that a reader of the file needs to @writer. The stream must not
 * have another recorder. Returns 0, -ENOMEM or an error of write(2).
 */
int recorder_input_begin(struct recorder_input *input, struct stream *stream,
			 struct perfdata_writer *writer);

/* End recording. @input may be zero-initialized. */
void recorder_input_end(struct recorder_input *input);

/*
 * Write pairs of clocks for which the stream has none. After the GPU was removed, there are none.
 */
int recorder_input_write_clocks(struct recorder_input *input, struct perfdata_writer *writer);

/*
 * Write all data of the stream and count them in @stats. When they are safe in the file,
 * recorder_input_keep() releases them to the kernel; recorder_input_undo() makes them available
 * again. @samples is a buffer for data to be written at once.
 */
int recorder_input_write(struct recorder_input *input, struct perfdata_writer *writer,
			 struct aux_samples *samples, struct gpuoa_recorder_stats *stats);
void recorder_input_keep(struct recorder_input *input);
void recorder_input_undo(struct recorder_input *input);

/* True if a loss of unknown size follows the data that were written. */
bool recorder_input_lost_at_end(const struct recorder_input *input);

#endif /* GPUOA_LIB_READER_RECORDING_RECORDER_INPUT_H */
