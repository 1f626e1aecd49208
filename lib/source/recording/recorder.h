/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - recorder of a stream that is known to be one
 */
#ifndef GPUOA_LIB_RECORDER_H
#define GPUOA_LIB_RECORDER_H

#include "source/stream/stream.h"

/* As gpuoa_recorder_open(). */
int gpuoa_recorder_begin(struct gpuoa_stream *stream, const char *path,
			 struct gpuoa_recorder **recorder);

#endif /* GPUOA_LIB_RECORDER_H */
