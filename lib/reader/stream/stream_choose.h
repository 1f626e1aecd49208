/* SPDX-License-Identifier: MIT */
/* stream_choose.h - choose a stream's options from the request and the hardware's capabilities */
#ifndef GPUOA_LIB_READER_STREAM_STREAM_CHOOSE_H
#define GPUOA_LIB_READER_STREAM_STREAM_CHOOSE_H

#include "base/complaint.h"
#include "reader/stream/stream.h"

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_stream_options, context) + sizeof(uint32_t))

#define RING_SIZE_MIN (512UL * 1024) /* perf's default limit of memory per user and CPU */
/* size of the ring if there is an AUX area: it has space for the records of several seconds */
#define AUX_RING_SIZE (128UL * 1024)

/*
 * Choose format, period, dwords and delivery, and set them in @stream, which has only .unit.
 * Returns 0 or a negative errno with an error message.
 */
int choose_options(struct stream *stream, const struct gpuoa_set *set,
		   struct gpuoa_stream_options *options, const struct complaint *complaint);

/*
 * Choose the number of bytes at which a waiting thread is woken. It is at most a quarter of @room
 * bytes, so that new reports have space.
 */
uint64_t choose_watermark(const struct stream *stream, const struct gpuoa_stream_options *options,
			  uint64_t room);

/* Choose the default size in bytes, of the ring or of the AUX area. */
uint64_t choose_ring_size(const struct stream *stream, const struct gpuoa_stream_options *options);
uint64_t choose_area_size(const struct stream *stream, const struct gpuoa_stream_options *options);

#endif /* GPUOA_LIB_READER_STREAM_STREAM_CHOOSE_H */
