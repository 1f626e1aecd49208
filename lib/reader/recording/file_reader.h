/* SPDX-License-Identifier: MIT */
/* file_reader.h - read reports of a recording: the part that is common to all formats */
#ifndef GPUOA_LIB_READER_RECORDING_FILE_READER_H
#define GPUOA_LIB_READER_RECORDING_FILE_READER_H

#include "reader/event_reader.h"
#include "reader/reader.h"

/* Common beginning of the structs for all formats; owns the constants. */
struct file_source {
	struct gpuoa_reader reader;
	struct gpuoa_constants *constants;
	struct event_reader events;
	struct sanity sanity; /* detects damaged reports */
	/* .first_clock is the first clock pair of the file, which no read has returned yet */
	bool clock_ahead;
	struct gpuoa_clock_pair first_clock;
};

/*
 * Begin to read the file that the members of .reader describe. Returns 0 or -ENOMEM; call
 * file_source_fini() in either case.
 */
int file_source_begin(struct file_source *file, event_reader_next_event next_event);

void file_source_fini(struct file_source *file);

/* Implementations for struct source_ops. */
int file_source_read(struct gpuoa_reader *reader, void *reports, size_t max,
		     struct gpuoa_read_status *status);
int file_source_next(struct gpuoa_reader *reader, const void **reports, size_t max,
		     struct gpuoa_read_status *status);

#endif /* GPUOA_LIB_READER_RECORDING_FILE_READER_H */
