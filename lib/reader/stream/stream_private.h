/* SPDX-License-Identifier: MIT */
/* stream_private.h - operations on streams for libgpuoa-extra */
#ifndef GPUOA_LIB_READER_STREAM_STREAM_PRIVATE_H
#define GPUOA_LIB_READER_STREAM_STREAM_PRIVATE_H

#include "base/private.h"
#include "reader/payload_reader.h"
#include "reader/stream/programmed.h"

/* Callback that stores a payload. Returns false if there is no space for it. */
typedef bool (*stream_sink)(void *ctx, const struct payload *payload);

/*
 * Pass the payloads of a RAW stream to @sink, and add losses and clock pairs to @status. A payload
 * that the sink did not store is passed again by the next call. Do not also read the stream by
 * other functions.
 *
 * Returns 1, 0 if a payload was not stored, or -EIO if the ring is damaged.
 */
int stream_copy(struct gpuoa_reader *stream, stream_sink sink, void *ctx,
		struct gpuoa_read_status *status) GPUOA_PRIVATE(stream_copy);

/*
 * Get an upper bound of the size in bytes of the payloads that stream_copy() has not copied.
 * Returns 0, or -ENODEV if there are none and the GPU was removed.
 */
int stream_pending(const struct gpuoa_reader *stream, size_t *bytes) GPUOA_PRIVATE(stream_pending);

/*
 * Returns 1 if a stream is enabled, 0 if not, or -EOPNOTSUPP for a flight recorder or a recording.
 * @now: result: current time of the GPU and the CPU; may be NULL. Errors are those of
 * gpuoa_unit_clock().
 */
int stream_state(struct gpuoa_reader *stream, struct gpuoa_clock_pair *now)
	GPUOA_PRIVATE(stream_state);

/* Return the state of a stream's unit, for query pools; NULL for a recording. */
struct programmed *stream_programmed(struct gpuoa_reader *stream) GPUOA_PRIVATE(stream_programmed);

#endif /* GPUOA_LIB_READER_STREAM_STREAM_PRIVATE_H */
