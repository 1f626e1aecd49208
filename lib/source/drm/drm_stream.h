/* SPDX-License-Identifier: MIT */
/*
 * drm_stream.h - opens a stream of a stock driver: what is the same for all of them
 */
#ifndef GPUOA_LIB_SOURCE_DRM_DRM_STREAM_H
#define GPUOA_LIB_SOURCE_DRM_DRM_STREAM_H

#include "source/stream/stream.h"

/* What no stock driver can do is refused before it is asked for something else. */
int drm_stream_check(const struct stream *stream, const struct gpuoa_stream_options *options);

/* Text that says so, behind the name of the driver; NULL: it is not among @options. */
const char *drm_stream_lacks(const struct gpuoa_stream_options *options);

/* Choose how many reports wake a waiting thread. Returns the size of the ring, bytes. */
uint64_t drm_stream_plan(const struct stream *stream, struct gpuoa_stream_options *options);

/*
 * What is left to do when the driver has opened .fd: @feed fills a ring of @size bytes from it, and
 * @options get what the stream is. Closes .fd and frees @feed if that fails.
 */
int drm_stream_begin(struct stream *stream, struct feed *feed, uint64_t size,
		     struct gpuoa_stream_options *options);

#endif /* GPUOA_LIB_SOURCE_DRM_DRM_STREAM_H */
