/* SPDX-License-Identifier: MIT */
/*
 * frame.h - the raw data format of a tracer: frames that contain unmodified kernel data of one
 * scope each
 */
#ifndef GPUOA_LIB_EXTRA_TRACER_FRAME_H
#define GPUOA_LIB_EXTRA_TRACER_FRAME_H

#include "gpuoa-tracer.h"
#include "reader/payload_reader.h"

#define FRAME_MAGIC 0x31544f47 /* "GOT1", little endian */

enum frame_kind {
	FRAME_PAYLOAD, /* the frame has the payload of a sample: struct gpuoa_raw and records */
	FRAME_LOST, /* perf lost a record at this point */
	FRAME_END, /* the tracer was disabled, and the data of all scopes ends here */
};

/*
 * Header of a frame, in little endian. The payload and zeros up to a multiple of 8 bytes follow.
 * The header has 20 bytes. This aligns the records in the payload, which start at its byte 12, as
 * in perf's ring buffer.
 */
struct frame {
	uint32_t magic;
	uint32_t size; /* distance to the next frame in bytes */
	uint16_t kind; /* enum frame_kind */
	uint16_t scope;
	uint32_t payload_size;
	uint32_t reserved;
};

/* Size of a frame without payload, such as an end-of-data frame */
#define FRAME_END_SIZE 24

/* Output buffer for frames. */
struct frame_room {
	uint8_t *at;
	uint8_t *end;
};

/* A frame found in raw data. */
struct frame_view {
	struct frame head;
	const void *payload;
};

/* Write a frame. Returns false if it does not fit. */
bool frame_put(struct frame_room *room, enum frame_kind kind, uint32_t scope, const void *payload,
	       size_t size);

/*
 * Read the frame at byte @at of @size bytes. Returns 1, 0 if the frame is incomplete, or -EBADMSG
 * if it is invalid.
 */
int frame_get(const void *raw, size_t size, size_t at, struct frame_view *view);

/* The payload of a frame. */
struct payload frame_payload(const struct frame_view *view);

#endif /* GPUOA_LIB_EXTRA_TRACER_FRAME_H */
