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

#endif /* GPUOA_LIB_SOURCE_STREAM_STREAM_OPEN_H */
