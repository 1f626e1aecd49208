/* SPDX-License-Identifier: MIT */
/*
 * rawdata.h - parses gpuoa's PERF_SAMPLE_RAW payloads
 *
 * The parser copies nothing and allocates nothing: items point into the payload.
 */
#ifndef GPUOA_LIB_SOURCE_RAWDATA_H
#define GPUOA_LIB_SOURCE_RAWDATA_H

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

/* The stream's description of itself. */
struct rawdata_stream {
	const void *record;
	const void *thin; /* which dwords of reports there are; NULL: all */
};

/* Reports back to back; @first is the number of the first one. */
struct rawdata_reports {
	const void *data;
	uint64_t first;
	uint32_t size;
	uint32_t count;
};

/* Reports that are missing here. */
struct rawdata_lost {
	bool overflow; /* the OABUFFER was full; else the hardware dropped them */
	bool unknown; /* @count can't be known */
	uint64_t count;
};

/* An event of the stream was enabled. */
struct rawdata_resume {
	bool stopped; /* the unit was off until then; else another event had it on */
};

/* Texts that a recording carries; their numbers are those in the file. */
enum rawdata_text_kind {
	RAWDATA_DEFINITIONS, /* of the set, in our own language */
	RAWDATA_CONSTANTS, /* Name=value */
	RAWDATA_TEXTS,
};

/* A piece of a text. */
struct rawdata_text {
	enum rawdata_text_kind kind;
	const void *data;
	size_t size;
	uint64_t offset;
	uint64_t total;
};

/* Whose a context is. */
struct rawdata_context {
	uint32_t id;
	struct gpuoa_context_owner owner;
};

/* What the hardware said, and is no gap. */
struct rawdata_status {
	bool wrapped; /* a counter */
	bool triggers_lost; /* the queue of MMIO triggers was full */
};

/* One record of a kind that this library knows. */
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

/* A payload, and how far it has been parsed. */
struct rawdata {
	const uint8_t *at;
	const uint8_t *end;
};

/* Begin a payload, without perf's own size field. -ENOMSG: it is not gpuoa's. */
int rawdata_begin(struct rawdata *raw, const void *payload, size_t size);

/*
 * Next item; unknown records are skipped. Returns 1, 0 at the end, -EBADMSG if the payload is
 * damaged, -EOPNOTSUPP if it has a record that must be known.
 */
int rawdata_next(struct rawdata *raw, struct rawdata_item *item);

/*
 * What the source is, and of which unit, from an item of kind RAWDATA_STREAM. -EBADMSG: it
 * can't be true.
 */
int rawdata_describe(const struct rawdata_stream *stream, struct gpuoa_source_desc *desc,
		     struct gpuoa_unit_desc *unit);

#endif /* GPUOA_LIB_SOURCE_RAWDATA_H */
