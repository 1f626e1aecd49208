/* SPDX-License-Identifier: MIT */
/* recorder.h - internal interface to record streams */
#ifndef GPUOA_LIB_READER_RECORDING_RECORDER_H
#define GPUOA_LIB_READER_RECORDING_RECORDER_H

#include "base/complaint.h"
#include "reader/stream/stream.h"

/*
 * Implement gpuoa_recorder_open(). The streams must be distinct, and none may be recorded already.
 */
int recorder_begin(struct stream *const *streams, uint32_t count, const char *path,
		   struct gpuoa_recorder **recorder, const struct complaint *complaint);

#endif /* GPUOA_LIB_READER_RECORDING_RECORDER_H */
