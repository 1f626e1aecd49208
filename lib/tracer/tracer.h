/* SPDX-License-Identifier: MIT */
/*
 * tracer.h - a tracer: shared by collecting and by decoding what it collected
 */
#ifndef GPUOA_LIB_TRACER_TRACER_H
#define GPUOA_LIB_TRACER_TRACER_H

#include "gpuoa-tracer.h"
#include "source/stream/stream.h"
#include "tracer/frame.h"
#include "tracer/switch.h"

/* A group: its stream, whose data goes to the caller of a read as it comes. */
struct traced {
	struct stream *stream;
	const struct gpuoa_set *set;
	uint32_t scope;
	struct reader counter; /* goes over everything to find losses and clock pairs */
	struct frame_room *room; /* of the read that runs */
	bool full; /* there was no room for what comes next */
};

struct gpuoa_tracer {
	struct tracer_switch sw;
	int epoll; /* of the streams and the switch */
	uint32_t count;
	uint32_t first; /* that the next read begins with: the one that the last had no room for */
	struct gpuoa_source *sources[GPUOA_TRACER_SCOPES];
	struct traced groups[GPUOA_TRACER_SCOPES];
};

/*
 * Make a tracer of streams that do not sample, and of their sets, which become its own with the
 * tracer. 0 or a negative errno.
 */
int tracer_new(struct stream *const *streams, const struct gpuoa_set *const *sets, uint32_t count,
	       struct gpuoa_tracer **tracer);

#endif /* GPUOA_LIB_TRACER_TRACER_H */
