/* SPDX-License-Identifier: MIT */
/* side_event.h - read the side event of a recording, see recorder_open_side() */
#ifndef GPUOA_LIB_READER_RECORDING_SIDE_EVENT_H
#define GPUOA_LIB_READER_RECORDING_SIDE_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/complaint.h"
#include "base/private.h"

struct side_event;

/* Open a recording. Errors are those of gpuoa_file_open(). */
int side_event_open(const char *path, struct side_event **event, const struct complaint *complaint)
	GPUOA_PRIVATE(side_event_open);

void side_event_close(struct side_event *event) GPUOA_PRIVATE(side_event_close);

/*
 * Get the payload of the next sample of any event, valid until the next call. Samples of OA streams
 * are included; the caller distinguishes them by the first bytes. Returns 1, 0 at the end, or an
 * error of gpuoa_reader_read().
 */
int side_event_next(struct side_event *event, const void **payload, size_t *size)
	GPUOA_PRIVATE(side_event_next);

/* Return the number of bytes of the file that have been read. */
uint64_t side_event_position(const struct side_event *event) GPUOA_PRIVATE(side_event_position);

#endif /* GPUOA_LIB_READER_RECORDING_SIDE_EVENT_H */
