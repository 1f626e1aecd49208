/* SPDX-License-Identifier: MIT */
/*
 * file_source.h - what recordings of all kinds have in common, when they are read
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_FILE_SOURCE_H
#define GPUOA_LIB_SOURCE_RECORDING_FILE_SOURCE_H

#include "source/reader.h"
#include "source/source.h"

/* Head of each kind's own struct. Constants are its own. */
struct file_source {
	struct gpuoa_source source;
	struct gpuoa_constants *constants;
	struct reader reader;
	struct sanity sanity; /* of its reports */
	bool clock_ahead; /* no read has told of a clock pair yet; the first one in the file is */
	struct gpuoa_clock_pair first_clock;
};

/* Begin to read a file that .source describes. -ENOMEM; file_source_fini() is called in any case.
 */
int file_source_begin(struct file_source *file, reader_next_event next_event);

void file_source_fini(struct file_source *file);

/* To be those of struct source_ops. */
int file_source_read(struct gpuoa_source *source, void *reports, size_t max,
		     struct gpuoa_read_status *status);
int file_source_next(struct gpuoa_source *source, const void **reports, size_t max,
		     struct gpuoa_read_status *status);

#endif /* GPUOA_LIB_SOURCE_RECORDING_FILE_SOURCE_H */
