/* SPDX-License-Identifier: MIT */
/* side_data.h - side data found while reading reports: clock pairs and markers */
#ifndef GPUOA_LIB_READER_SIDE_DATA_H
#define GPUOA_LIB_READER_SIDE_DATA_H

#include "gpuoa-time.h"

struct side_data {
	/* clock pairs; NULL: the frequency of the GPU's clock is unknown */
	struct gpuoa_time *time;
	bool all_pairs; /* .time already has all clock pairs of the recording */
	struct gpuoa_stream_marker *markers; /* circular queue */
	size_t first; /* index of the first entry */
	size_t count;
	size_t room; /* capacity, a power of two */
	bool forgotten; /* older markers were dropped, because the queue was full */
};

/* Returns 0 or -ENOMEM. */
int side_data_init(struct side_data *side_data, uint64_t timestamp_frequency);

void side_data_fini(struct side_data *side_data);

/* Add a clock pair or a marker. Returns 0 or -ENOMEM. */
int side_data_take_clock(struct side_data *side_data, const struct gpuoa_clock_pair *pair);
int side_data_take_marker(struct side_data *side_data, const struct gpuoa_stream_marker *marker);

/* Implement gpuoa_reader_next_marker(). */
int side_data_next_marker(struct side_data *side_data, struct gpuoa_stream_marker *marker);

#endif /* GPUOA_LIB_READER_SIDE_DATA_H */
