/* SPDX-License-Identifier: MIT */
/*
 * frame.h - raw data of a tracer: frames with what the kernel wrote for one scope, as it is
 */
#ifndef GPUOA_LIB_TRACER_FRAME_H
#define GPUOA_LIB_TRACER_FRAME_H

#include "gpuoa-tracer.h"
#include "source/reader.h"

#define FRAME_MAGIC 0x31544f47 /* "GOT1", little endian */

enum frame_kind {
	FRAME_PAYLOAD, /* the payload of a sample: struct gpuoa_raw and records */
	FRAME_LOST, /* perf lost something here */
	FRAME_END, /* of all scopes: the tracer was disabled, and this is the end of the data */
};

/*
 * Head of a frame, little endian; then the payload, and zeros up to the next multiple of 8. Of 20
 * bytes, so that the records in a payload, which are 12 bytes from its beginning, are aligned as
 * they are in perf's ring buffer.
 */
struct frame {
	uint32_t magic;
	uint32_t size; /* bytes to the next frame */
	uint16_t kind; /* enum frame_kind */
	uint16_t scope;
	uint32_t payload_size;
	uint32_t reserved;
};

/* A frame without a payload, as the end is. */
#define FRAME_END_SIZE 24

/* Where frames are written to. */
struct frame_room {
	uint8_t *at;
	uint8_t *end;
};

/* A frame's place in raw data. */
struct frame_view {
	struct frame head;
	const void *payload;
};

/* Write a frame. False: there is no room for it. */
bool frame_put(struct frame_room *room, enum frame_kind kind, uint32_t scope, const void *payload,
	       size_t size);

/*
 * The frame at byte @at of @size. Returns 1, 0 if it is not complete, or -EBADMSG if there can't be
 * such a frame.
 */
int frame_get(const void *raw, size_t size, size_t at, struct frame_view *view);

/* What a frame of a scope is for that one's reader. */
struct stream_event frame_event(const struct frame_view *view);

#endif /* GPUOA_LIB_TRACER_FRAME_H */
