/* SPDX-License-Identifier: MIT */
/*
 * notes.h - what reads of a source come upon beside reports and is kept: clock pairs, marks
 */
#ifndef GPUOA_LIB_SOURCE_NOTES_H
#define GPUOA_LIB_SOURCE_NOTES_H

#include "gpuoa-time.h"

struct notes {
	struct gpuoa_time *time; /* NULL: it is not known how fast the GPU's clock runs */
	bool all_pairs; /* nothing more is to be taken into @time */
	struct gpuoa_stream_marker *markers; /* a queue */
	size_t first; /* where it begins in @markers */
	size_t count;
	size_t room; /* a power of two */
	bool forgotten; /* some before the first one */
};

/* 0 or -ENOMEM. */
int notes_init(struct notes *notes, uint64_t timestamp_frequency);

void notes_fini(struct notes *notes);

/* 0 or -ENOMEM. */
int notes_take_clock(struct notes *notes, const struct gpuoa_clock_pair *pair);
int notes_take_marker(struct notes *notes, const struct gpuoa_stream_marker *marker);

/* As gpuoa_source_next_marker(). */
int notes_next_marker(struct notes *notes, struct gpuoa_stream_marker *marker);

#endif /* GPUOA_LIB_SOURCE_NOTES_H */
