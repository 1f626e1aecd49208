/* SPDX-License-Identifier: MIT */
/*
 * rawdata.h - parser of gpuoa's PERF_SAMPLE_RAW payloads
 *
 * It copies nothing and allocates nothing: items point into the payload.
 */
#ifndef GPUOA_LIB_RAWDATA_H
#define GPUOA_LIB_RAWDATA_H

#include "gpuoa.h"

enum gpuoa_rawdata_kind {
	GPUOA_RAWDATA_STREAM,
	GPUOA_RAWDATA_CLOCK,
	GPUOA_RAWDATA_REPORTS,
	GPUOA_RAWDATA_LOST,
	GPUOA_RAWDATA_RESUME,
};

/* What the stream is, from the stream itself. */
struct gpuoa_rawdata_stream {
	const void *record;
	const void *thin; /* which dwords of reports there are; NULL: all */
};

/* Reports back to back; @first is the number of the first one. */
struct gpuoa_rawdata_reports {
	const void *data;
	uint64_t first;
	uint32_t size;
	uint32_t count;
};

/* Reports that are missing here. */
struct gpuoa_rawdata_lost {
	bool overflow; /* the OABUFFER was full; else the hardware dropped them */
	bool unknown; /* @count can't be known */
	uint64_t count;
};

/* An event of the stream was enabled. */
struct gpuoa_rawdata_resume {
	bool stopped; /* the unit was off until then; else another event had it on */
};

/* One record of a kind that this library knows. */
struct gpuoa_rawdata_item {
	enum gpuoa_rawdata_kind kind;
	union {
		struct gpuoa_rawdata_stream stream;
		struct gpuoa_rawdata_reports reports;
		struct gpuoa_rawdata_lost lost;
		struct gpuoa_rawdata_resume resume;
		struct gpuoa_clock_pair clock;
	};
};

/* What of a payload is still to be parsed. */
struct gpuoa_rawdata {
	const uint8_t *at;
	const uint8_t *end;
};

/* Begin a payload, without perf's own size field. -ENOMSG: it is not gpuoa's. */
int gpuoa_rawdata_begin(struct gpuoa_rawdata *raw, const void *payload, size_t size);

/*
 * Next item; unknown records are skipped. Returns 1, 0 at the end, -EBADMSG if the payload is
 * damaged.
 */
int gpuoa_rawdata_next(struct gpuoa_rawdata *raw, struct gpuoa_rawdata_item *item);

/*
 * What the source is, and of which unit, from an item of kind GPUOA_RAWDATA_STREAM. -EBADMSG: it
 * can't be true.
 */
int gpuoa_rawdata_describe(const struct gpuoa_rawdata_stream *stream,
			   struct gpuoa_source_desc *desc, struct gpuoa_unit_desc *unit);

#endif /* GPUOA_LIB_RAWDATA_H */
