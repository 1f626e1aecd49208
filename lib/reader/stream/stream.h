/* SPDX-License-Identifier: MIT */
/* stream.h - an open stream of a unit, as used by reads and by the recorder */
#ifndef GPUOA_LIB_READER_STREAM_STREAM_H
#define GPUOA_LIB_READER_STREAM_STREAM_H

#include "reader/event_reader.h"
#include "reader/reader.h"
#include "reader/sample.h"
#include "reader/stream/area.h"
#include "reader/stream/programmed.h"
#include "reader/stream/ring.h"

struct stream_copy;

/* Read position that is saved for reads that do not consume what they return */
struct stream_ahead {
	bool on; /* release nothing to the kernel */
	struct event_reader events;
	struct ring ring;
	struct area area;
};

/*
 * A stream of a unit: a ring of perf samples and, in AUX mode, an AUX area. With gpuoa.ko, the
 * stream is a perf event; with other backends, it emulates one.
 */
struct stream {
	struct gpuoa_reader reader;
	struct gpuoa_unit *unit;
	/* metric set of the stream; NULL: the set that is configured in the kernel */
	const struct gpuoa_set *set;
	int fd; /* file descriptor to poll */
	uint64_t id; /* event id of perf, or an id that differs from all ids of perf */
	uint32_t cpu; /* CPU written in samples */
	struct perf_event_attr attr; /* attributes with a flat config, equivalent to gpuoa_attr */
	struct sample_layout layout;
	char event_name[64];
	struct ring ring;
	struct area area; /* all zeros in RAW mode */
	struct event_reader events;
	struct stream_ahead ahead;
	struct programmed *programmed; /* state shared with query pools */
	size_t wire_size; /* size in bytes of a report in the ring */
	/* eventfd that is readable from gpuoa_reader_disable() until the stream is enabled */
	int disabled;
	_Atomic bool sampling; /* the stream is enabled */
	bool recorded; /* the stream has a recorder */
	struct stream_copy *copy; /* state of the stream_copy() in progress, or NULL */
	uint64_t watermark; /* number of bytes in the ring at which a waiting thread is woken */
};

/* Returns the stream of a reader, or NULL if the reader reads a recording. */
struct stream *stream_from_source(struct gpuoa_reader *reader);

/* Returns 0, or -ENODEV if the GPU was removed: then no more data arrives in the ring. */
int stream_check(const struct stream *stream);

/* Get the next event of the ring without copying it. Implements event_reader_next_event. */
int stream_next_event(void *stream, struct stream_event *event);

#endif /* GPUOA_LIB_READER_STREAM_STREAM_H */
