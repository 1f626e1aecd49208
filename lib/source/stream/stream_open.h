/* SPDX-License-Identifier: MIT */
/*
 * stream_open.h - from options to a stream of the unit's origin
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_STREAM_OPEN_H
#define GPUOA_LIB_SOURCE_STREAM_STREAM_OPEN_H

#include "base/complaint.h"
#include "source/stream/stream.h"

/*
 * Open @stream, whose source.desc and unit are set, for @set. @options: complete; gets actual
 * values.
 */
int stream_open(struct stream *stream, const struct gpuoa_set *set,
		struct gpuoa_stream_options *options, const struct complaint *complaint);

/*
 * Have @feed fill the stream's ring, of @size bytes: it is the ring's from now on. If that fails it
 * is freed. Fills in .id, .watermark and .ring. Errors are mmap(2)'s.
 */
int stream_take_feed(struct stream *stream, struct feed *feed, uint64_t size);

#endif /* GPUOA_LIB_SOURCE_STREAM_STREAM_OPEN_H */
