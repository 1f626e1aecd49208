/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - recorder of a stream that is known to be one
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_RECORDER_H
#define GPUOA_LIB_SOURCE_RECORDING_RECORDER_H

#include "source/stream/stream.h"

/* As gpuoa_recorder_open(). */
int recorder_begin(struct stream *stream, const char *path, struct gpuoa_recorder **recorder);

#endif /* GPUOA_LIB_SOURCE_RECORDING_RECORDER_H */
