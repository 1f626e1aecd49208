/* SPDX-License-Identifier: MIT */
/*
 * streams.h - finds the streams of gpuoa in a perf.data file
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_STREAMS_H
#define GPUOA_LIB_SOURCE_RECORDING_STREAMS_H

#include "source/rawdata.h"
#include "source/recording/perfdata.h"

/* One of the streams in a file: they are numbered in the order of the file's events. */
struct stream_place {
	size_t event; /* of perfdata.layouts */
	uint32_t index;
	uint32_t count; /* of all */
};

/*
 * Find the stream @index, or with NULL the first one that says what it is (if none does: the first
 * one). The file is read from its beginning until all of its events are known, and is rewound. If
 * it is damaged, it has the streams that were found before the damage.
 *
 * -ENODATA: no samples of gpuoa. -ERANGE: no such stream. Else errors of perfdata_next().
 */
int streams_find(struct perfdata *data, const uint32_t *index, struct stream_place *place);

/*
 * What the stream of an event says that it is. Reads on from where the file is read.
 *
 * -ENODATA: it does not. -EOPNOTSUPP: it is of a newer gpuoa, which must be known. -EBADMSG: it
 * can't be true. Else errors of perfdata_next().
 */
int stream_describe(struct perfdata *data, size_t event, struct gpuoa_source_desc *desc,
		    struct gpuoa_unit_desc *unit);

#endif /* GPUOA_LIB_SOURCE_RECORDING_STREAMS_H */
