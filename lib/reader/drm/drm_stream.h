/* SPDX-License-Identifier: MIT */
/* drm_stream.h - open a stream of a stock driver: the common part */
#ifndef GPUOA_LIB_READER_DRM_DRM_STREAM_H
#define GPUOA_LIB_READER_DRM_DRM_STREAM_H

#include "reader/stream/stream.h"

/* Reject options that no stock driver supports. Returns 0 or a negative errno. */
int drm_stream_check(const struct stream *stream, const struct gpuoa_stream_options *options);

/*
 * Describe the option that is not supported, in words that follow the driver's name. Returns NULL
 * if all are supported.
 */
const char *drm_stream_lacks(const struct gpuoa_stream_options *options);

/*
 * Choose the number of reports at which a waiting thread is woken. Returns the size of the ring in
 * bytes.
 */
uint64_t drm_stream_plan(const struct stream *stream, struct gpuoa_stream_options *options);

/*
 * Complete a stream after its .fd was opened by the driver: attach @emulated, which belongs to a
 * struct drm_ring, with a ring of @size bytes, and set @options to the actual values. On error,
 * closes .fd and frees @emulated.
 */
int drm_stream_begin(struct stream *stream, struct emulated_ring *emulated, uint64_t size,
		     struct gpuoa_stream_options *options);

#endif /* GPUOA_LIB_READER_DRM_DRM_STREAM_H */
