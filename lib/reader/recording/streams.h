/* SPDX-License-Identifier: MIT */
/* streams.h - find gpuoa's streams in a perf.data file */
#ifndef GPUOA_LIB_READER_RECORDING_STREAMS_H
#define GPUOA_LIB_READER_RECORDING_STREAMS_H

#include "reader/rawdata.h"
#include "reader/recording/perfdata.h"

/* One of the streams in a file, numbered in the order of the file's events. */
struct stream_place {
	size_t event; /* index in perfdata.layouts */
	uint32_t index;
	uint32_t count; /* total number of streams */
};

/*
 * Find the stream at @index, or if it is NULL the first one with a description (if there is none:
 * the first one). The file is read from its beginning until all events are known, and rewound. In a
 * damaged file, only streams before the damage are found.
 *
 * Returns 0, -ENODATA if there are no samples of gpuoa, -ERANGE if there is no such stream, or
 * errors of perfdata_next().
 */
int streams_find(struct perfdata *data, const uint32_t *index, struct stream_place *place);

/*
 * Find and read the description of an event's stream, from the current read position on.
 *
 * Returns 0, -ENODATA if there is none, -EOPNOTSUPP if it requires a newer library, -EBADMSG if it
 * is invalid, or errors of perfdata_next().
 */
int stream_describe(struct perfdata *data, size_t event, struct gpuoa_reader_desc *desc,
		    struct gpuoa_unit_desc *unit);

#endif /* GPUOA_LIB_READER_RECORDING_STREAMS_H */
