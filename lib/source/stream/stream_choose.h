/* SPDX-License-Identifier: MIT */
/*
 * stream_choose.h - what a stream will be: of what was asked for, what the hardware can do
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_STREAM_CHOOSE_H
#define GPUOA_LIB_SOURCE_STREAM_STREAM_CHOOSE_H

#include "base/complaint.h"
#include "source/stream/stream.h"

/* Options as they were at first. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_stream_options, context) + sizeof(uint32_t))

#define RING_SIZE_MIN (512UL * 1024) /* what perf grants to anybody, per CPU */
#define AUX_RING_SIZE (128UL * 1024) /* beside an AUX area: some seconds of what is told of it */

/*
 * Choose format, period, dwords and delivery, and note them in @stream, which has a unit and
 * nothing else. Returns 0 or a negative errno, with a complaint.
 */
int choose_options(struct stream *stream, const struct gpuoa_set *set,
		   struct gpuoa_stream_options *options, const struct complaint *complaint);

/*
 * Bytes of reports that are worth a wake-up: never more than a quarter of the room, so that the
 * rest can still fill.
 */
uint64_t choose_watermark(const struct stream *stream, const struct gpuoa_stream_options *options,
			  uint64_t room);

/* Sizes, in bytes, for a user who leaves that to us: of the ring, and of the AUX area. */
uint64_t choose_ring_size(const struct stream *stream, const struct gpuoa_stream_options *options);
uint64_t choose_area_size(const struct stream *stream, const struct gpuoa_stream_options *options);

#endif /* GPUOA_LIB_SOURCE_STREAM_STREAM_CHOOSE_H */
