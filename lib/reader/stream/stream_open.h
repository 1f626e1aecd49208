/* SPDX-License-Identifier: MIT */
/* stream_open.h - open a stream through its unit's backend */
#ifndef GPUOA_LIB_READER_STREAM_STREAM_OPEN_H
#define GPUOA_LIB_READER_STREAM_STREAM_OPEN_H

#include "base/complaint.h"
#include "reader/stream/stream.h"

/*
 * Open @stream, whose .reader.desc and .unit are set, for metric set @set. @options: all values;
 * updated to the actual values. Returns 0 or a negative errno.
 */
int stream_open(struct stream *stream, const struct gpuoa_set *set,
		struct gpuoa_stream_options *options, const struct complaint *complaint);

/*
 * Create a ring of @size bytes that @emulated fills, and set .id, .watermark and .ring. The ring
 * takes ownership of @emulated, which is freed on error. Errors are those of mmap(2).
 */
int stream_take_ring(struct stream *stream, struct emulated_ring *emulated, uint64_t size);

#endif /* GPUOA_LIB_READER_STREAM_STREAM_OPEN_H */
