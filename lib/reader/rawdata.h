/* SPDX-License-Identifier: MIT */
/*
 * rawdata.h - parse gpuoa's PERF_SAMPLE_RAW payloads
 *
 * The parser neither copies nor allocates: items point into the payload.
 */
#ifndef GPUOA_LIB_READER_RAWDATA_H
#define GPUOA_LIB_READER_RAWDATA_H

#include "gpuoa-stream.h"
#include "gpuoa-time.h"

enum rawdata_kind {
	RAWDATA_STREAM,
	RAWDATA_CLOCK,
	RAWDATA_REPORTS,
	RAWDATA_LOST,
	RAWDATA_RESUME,
	RAWDATA_STATUS,
	RAWDATA_MARKER,
	RAWDATA_TEXT,
	RAWDATA_CONTEXT,
};

/* Description of the stream. */
struct rawdata_stream {
	const void *record;
	const void *mask; /* record with the dword mask; NULL: whole reports */
};

/* Contiguous reports; .first is the sequence number of the first one. */
struct rawdata_reports {
	const void *data;
	uint64_t first;
	uint32_t size;
	uint32_t count;
};

/* Reports are missing here. */
struct rawdata_lost {
	/* reason of the loss: true: the OABUFFER was full; false: the hardware dropped reports */
	bool overflow;
	bool unknown; /* @count is unknown */
	uint64_t count;
};

/* An event of the stream was enabled. */
struct rawdata_resume {
	bool stopped; /* true: the unit was off before; false: it was on for another event */
};

/* Kinds of texts in a recording; the values are part of the file format. */
enum rawdata_text_kind {
	RAWDATA_DEFINITIONS, /* metric definitions of the set */
	RAWDATA_CONSTANTS, /* lines of "name=value" */
	RAWDATA_TEXTS,
};

/* Part of a text. */
struct rawdata_text {
	enum rawdata_text_kind kind;
	const void *data;
	size_t size;
	uint64_t offset;
	uint64_t total;
};

/* The owner of a context. */
struct rawdata_context {
	uint32_t id;
	struct gpuoa_context_owner owner;
};

/* A status of the hardware that causes no gap */
struct rawdata_status {
	bool wrapped; /* a counter wrapped */
	bool triggers_lost; /* the queue of MMIO triggers was full */
};

/* One record of a known type. */
struct rawdata_item {
	enum rawdata_kind kind;
	union {
		struct rawdata_stream stream;
		struct rawdata_reports reports;
		struct rawdata_lost lost;
		struct rawdata_resume resume;
		struct rawdata_status status;
		struct gpuoa_clock_pair clock;
		struct gpuoa_stream_marker marker;
		struct rawdata_text text;
		struct rawdata_context context;
	};
};

/* A payload that is being parsed, and the position of the parser */
struct rawdata {
	const uint8_t *at;
	const uint8_t *end;
};

/*
 * Begin to parse a payload, which does not include perf's size field. Returns 0, or -ENOMSG if
 * gpuoa did not write it.
 */
int rawdata_begin(struct rawdata *raw, const void *payload, size_t size);

/*
 * Get the next item, skipping unknown records. Returns 1, 0 at the end, -EBADMSG if the payload is
 * damaged, or -EOPNOTSUPP for an unknown record that must not be skipped.
 */
int rawdata_next(struct rawdata *raw, struct rawdata_item *item);

/*
 * Get the descriptions of stream and unit from an item of kind RAWDATA_STREAM. Returns 0, or
 * -EBADMSG for invalid values.
 */
int rawdata_describe(const struct rawdata_stream *stream, struct gpuoa_reader_desc *desc,
		     struct gpuoa_unit_desc *unit);

#endif /* GPUOA_LIB_READER_RAWDATA_H */
