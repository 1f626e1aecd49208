/* SPDX-License-Identifier: MIT */
/* frame.h - the raw data format of a tracer: frames of unmodified kernel data, each of one scope */
#ifndef GPUOA_LIB_EXTRA_TRACER_FRAME_H
#define GPUOA_LIB_EXTRA_TRACER_FRAME_H

#include "gpuoa-tracer.h"
#include "reader/payload_reader.h"

#define FRAME_MAGIC 0x31544f47 /* "GOT1", little endian */

enum frame_kind {
	FRAME_PAYLOAD, /* the payload of a sample: struct gpuoa_raw and records */
	FRAME_LOST, /* perf lost a record at this point */
	FRAME_END, /* for all scopes: the tracer was disabled, and the data ends here */
};

/*
 * Header of a frame, little endian, followed by the payload and zeros up to a multiple of 8. The
 * header has 20 bytes so that the records in a payload, which start at its byte 12, are aligned as
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

/* Size of a frame without payload, such as FRAME_END. */
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
 * Read the frame at byte @at of @size. Returns 1, 0 if the frame is incomplete, or -EBADMSG if it
 * is invalid.
 */
int frame_get(const void *raw, size_t size, size_t at, struct frame_view *view);

/* The payload of a frame. */
struct payload frame_payload(const struct frame_view *view);

#endif /* GPUOA_LIB_EXTRA_TRACER_FRAME_H */
