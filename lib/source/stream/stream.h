/* SPDX-License-Identifier: MIT */
/*
 * stream.h - a stream of a unit: shared by reading and recording
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_STREAM_H
#define GPUOA_LIB_SOURCE_STREAM_STREAM_H

#include "query/programmed.h"
#include "source/reader.h"
#include "source/sample.h"
#include "source/source.h"
#include "source/stream/area.h"
#include "source/stream/ring.h"

/* How far a stream was read, while somebody looks ahead. */
struct stream_ahead {
	bool on; /* nothing is given back to the kernel */
	struct reader reader;
	struct ring ring;
	struct area area;
};

/*
 * A stream of a unit: its ring of perf samples and, in AUX mode, its AUX area. Of gpuoa.ko it is a
 * perf event, of other origins what looks like one from here.
 */
struct stream {
	struct gpuoa_source source;
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set; /* NULL: whatever the kernel was configured with */
	int fd; /* that can be polled */
	uint64_t id; /* that perf gave the event, or one that no event of perf has */
	uint32_t cpu; /* that samples seem to be made on */
	struct perf_event_attr attr; /* with the flat config, which says the same as gpuoa_attr */
	struct sample_layout layout;
	char event_name[64];
	struct ring ring;
	struct area area; /* all zeros in RAW mode */
	struct reader reader;
	struct stream_ahead ahead;
	struct programmed *programmed; /* what pools of queries know of the stream */
	size_t wire_size; /* bytes of a report in the ring */
	int disabled; /* eventfd: readable after gpuoa_source_disable(), until it is enabled */
	_Atomic bool sampling; /* enabled */
	bool recorded; /* a recorder has it */
	uint64_t watermark; /* a waiting thread is woken when the ring has so many bytes */
};

/* The stream that a source is; NULL if it is something else. */
struct stream *stream_from_source(struct gpuoa_source *source);

/* 0, or -ENODEV if the GPU is gone: then nothing comes into the ring any more. */
int stream_check(const struct stream *stream);

/* Next event in the ring, which keeps its place there. To be a reader_next_event of a reader. */
int stream_next_event(void *stream, struct stream_event *event);

#endif /* GPUOA_LIB_SOURCE_STREAM_STREAM_H */
