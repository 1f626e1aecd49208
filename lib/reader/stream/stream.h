/* SPDX-License-Identifier: MIT */
/* stream.h - a stream of a unit, shared by reading and recording */
#ifndef GPUOA_LIB_READER_STREAM_STREAM_H
#define GPUOA_LIB_READER_STREAM_STREAM_H

#include "reader/event_reader.h"
#include "reader/reader.h"
#include "reader/sample.h"
#include "reader/stream/area.h"
#include "reader/stream/programmed.h"
#include "reader/stream/ring.h"

struct stream_copy;

/* Saved read position, for reads that do not consume. */
struct stream_ahead {
	bool on; /* release nothing to the kernel */
	struct event_reader events;
	struct ring ring;
	struct area area;
};

/*
 * A stream of a unit: its ring of perf samples and, in AUX mode, its AUX area. With gpuoa.ko it is
 * a perf event; with other backends it emulates one.
 */
struct stream {
	struct gpuoa_reader reader;
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set; /* NULL: the set configured in the kernel */
	int fd; /* file descriptor to poll */
	uint64_t id; /* event id of perf, or an id distinct from all of perf's */
	uint32_t cpu; /* CPU written in samples */
	struct perf_event_attr attr; /* attributes with a flat config, equivalent to gpuoa_attr */
	struct sample_layout layout;
	char event_name[64];
	struct ring ring;
	struct area area; /* all zeros in RAW mode */
	struct event_reader events;
	struct stream_ahead ahead;
	struct programmed *programmed; /* state shared with query pools */
	size_t wire_size; /* size of a report in the ring in bytes */
	/* eventfd: readable from gpuoa_reader_disable() until the stream is enabled */
	int disabled;
	_Atomic bool sampling; /* the stream is enabled */
	bool recorded; /* the stream has a recorder */
	struct stream_copy *copy; /* the copy in progress, or NULL */
	uint64_t watermark; /* number of bytes in the ring at which a waiting thread is woken */
};

/* Returns the stream of a reader, or NULL if it reads a recording. */
struct stream *stream_from_source(struct gpuoa_reader *reader);

/* Returns 0, or -ENODEV if the GPU was removed: then no data follow in the ring. */
int stream_check(const struct stream *stream);

/* Get the next event of the ring, without copying; a reader_next_event. */
int stream_next_event(void *stream, struct stream_event *event);

#endif /* GPUOA_LIB_READER_STREAM_STREAM_H */
