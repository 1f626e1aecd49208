/* SPDX-License-Identifier: MIT */
/* notes.h - side data found while reading reports: clock pairs and markers */
#ifndef GPUOA_LIB_READER_NOTES_H
#define GPUOA_LIB_READER_NOTES_H

#include "gpuoa-time.h"

struct notes {
	struct gpuoa_time *time; /* NULL: the frequency of the GPU's clock is unknown */
	bool all_pairs; /* @time already has all pairs of the recording */
	struct gpuoa_stream_marker *markers; /* circular queue */
	size_t first; /* index of the first entry */
	size_t count;
	size_t room; /* capacity, a power of two */
	bool forgotten; /* markers before the first one were dropped */
};

/* Returns 0 or -ENOMEM. */
int notes_init(struct notes *notes, uint64_t timestamp_frequency);

void notes_fini(struct notes *notes);

/* Add a clock pair or a marker. Returns 0 or -ENOMEM. */
int notes_take_clock(struct notes *notes, const struct gpuoa_clock_pair *pair);
int notes_take_marker(struct notes *notes, const struct gpuoa_stream_marker *marker);

/* Implement gpuoa_reader_next_marker(). */
int notes_next_marker(struct notes *notes, struct gpuoa_stream_marker *marker);

#endif /* GPUOA_LIB_READER_NOTES_H */
