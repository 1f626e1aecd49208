/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - recorder of streams that are known to be some
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_RECORDER_H
#define GPUOA_LIB_SOURCE_RECORDING_RECORDER_H

#include "base/complaint.h"
#include "source/stream/stream.h"

/* As gpuoa_recorder_open(); the streams are different ones, and none is recorded. */
int recorder_begin(struct stream *const *streams, uint32_t count, const char *path,
		   struct gpuoa_recorder **recorder, const struct complaint *complaint);

#endif /* GPUOA_LIB_SOURCE_RECORDING_RECORDER_H */
