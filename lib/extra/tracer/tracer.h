/* SPDX-License-Identifier: MIT */
/* tracer.h - the tracer state shared by collecting and decoding */
#ifndef GPUOA_LIB_EXTRA_TRACER_TRACER_H
#define GPUOA_LIB_EXTRA_TRACER_TRACER_H

#include "extra/tracer/frame.h"
#include "extra/tracer/switch.h"
#include "gpuoa-tracer.h"

/* A group and its stream. */
struct traced {
	struct gpuoa_reader *stream;
	const struct gpuoa_set *set;
	uint32_t scope;
	struct frame_room *room; /* output buffer of the current read */
};

struct gpuoa_tracer {
	struct tracer_switch sw;
	int epoll; /* epoll file descriptor for all streams and for the switch */
	uint32_t count;
	/*
	 * index of the group with which the next read starts, because its data did not fit last
	 * time
	 */
	uint32_t first;
	struct gpuoa_reader *readers[GPUOA_TRACER_SCOPES]; /* the groups' streams, for .sw */
	struct traced groups[GPUOA_TRACER_SCOPES];
};

/*
 * Create a tracer from streams, which are not sampling yet, and their sets. On success, the tracer
 * takes ownership of the streams. Returns 0 or a negative errno.
 */
int tracer_new(struct gpuoa_reader *const *streams, const struct gpuoa_set *const *sets,
	       uint32_t count, struct gpuoa_tracer **tracer);

#endif /* GPUOA_LIB_EXTRA_TRACER_TRACER_H */
