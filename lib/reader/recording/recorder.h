/* SPDX-License-Identifier: MIT */
/* recorder.h - internal interface to record streams */
#ifndef GPUOA_LIB_READER_RECORDING_RECORDER_H
#define GPUOA_LIB_READER_RECORDING_RECORDER_H

#include "base/complaint.h"
#include "base/private.h"
#include "reader/stream/stream.h"

/*
 * Implement gpuoa_recorder_open(). The streams must be distinct, and none may be recorded already.
 */
int recorder_begin(struct stream *const *streams, uint32_t count, const char *path,
		   struct gpuoa_recorder **recorder, const struct complaint *complaint);

/*
 * Create a recording with a side event: an event for samples that are not those of an OA unit. Its
 * payloads do not begin with GPUOA_RAW_MAGIC, so readers of OA streams ignore it. There may be no
 * streams. @side: name of the event, which must outlive the recorder; NULL: none.
 * gpuoa_recorder_write() and gpuoa_recorder_close() write and close the file.
 */
int recorder_open_side(struct gpuoa_reader *const *streams, uint32_t count, const char *side,
		       const char *path, struct gpuoa_recorder **recorder,
		       const struct complaint *complaint) GPUOA_PRIVATE(recorder_open_side);

/*
 * Write a sample of the side event. @payload: @size bytes, at most 32 KiB, a multiple of 8 plus 4.
 * Returns 0 or an error of write(2).
 */
int recorder_write_side(struct gpuoa_recorder *recorder, const void *payload, size_t size)
	GPUOA_PRIVATE(recorder_write_side);

#endif /* GPUOA_LIB_READER_RECORDING_RECORDER_H */
