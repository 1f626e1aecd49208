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
	int epoll; /* file descriptor for all streams and the switch */
	uint32_t count;
	uint32_t first; /* the next read starts with this group, which did not fit last time */
	struct gpuoa_reader *readers[GPUOA_TRACER_SCOPES]; /* the groups' streams, for .sw */
	struct traced groups[GPUOA_TRACER_SCOPES];
};

/*
 * Create a tracer from streams that are not yet sampling and their sets. The tracer takes ownership
 * of the streams on success. Returns 0 or a negative errno.
 */
int tracer_new(struct gpuoa_reader *const *streams, const struct gpuoa_set *const *sets,
	       uint32_t count, struct gpuoa_tracer **tracer);

#endif /* GPUOA_LIB_EXTRA_TRACER_TRACER_H */
