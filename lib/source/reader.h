/* SPDX-License-Identifier: MIT */
/*
 * reader.h - from RAW payloads and perf's loss records to reads that never bridge a gap
 */
#ifndef GPUOA_LIB_READER_H
#define GPUOA_LIB_READER_H

#include "source/rawdata.h"

enum gpuoa_event_kind {
	GPUOA_EVENT_RAW, /* a RAW payload of the stream */
	GPUOA_EVENT_ITEM, /* the same as one item of a payload */
	GPUOA_EVENT_LOST, /* perf's ring buffer was full: payloads may be missing here */
};

/* What an origin (ring buffer, file) comes across. */
struct gpuoa_event {
	enum gpuoa_event_kind kind;
	const void *payload; /* valid until the next event is asked for */
	size_t size;
	struct gpuoa_rawdata_item item; /* likewise what it points to */
};

/* An origin: gives the next event. Returns 1, 0 if there is none (now), or a negative errno. */
typedef int (*gpuoa_next_event)(void *origin, struct gpuoa_event *event);

struct gpuoa_reader {
	gpuoa_next_event next_event;
	void *origin;
	size_t report_size; /* of whole ones */
	size_t wire_size; /* of what the origin has of them */
	uint64_t keep[GPUOA_KEEP_WORDS]; /* of each; all 0: all of it */
	void *whole; /* room to make them whole */

	struct gpuoa_rawdata raw; /* payload at hand */
	struct gpuoa_rawdata_item held; /* ended a read, so it begins the next one */
	bool has_held;
	const uint8_t *reports; /* reports at hand */
	size_t count;

	uint64_t expected; /* number of the next report */
	bool numbered; /* @expected is known */
	bool gap; /* the next report does not follow the last one */
	bool resumed; /* if numbers are missing before the next report, sampling was off */
	bool perf_lost; /* perf lost something since the last report */
	int error; /* of the data: there is no going on after it */
};

void gpuoa_reader_init(struct gpuoa_reader *reader, gpuoa_next_event next_event, void *origin,
		       size_t report_size);

/* The origin has these dwords of each report only; reads give whole ones. 0 or -ENOMEM. */
int gpuoa_reader_thin(struct gpuoa_reader *reader, const uint64_t *keep);

void gpuoa_reader_fini(struct gpuoa_reader *reader);

/* Is there something that a read would give without asking the origin? */
bool gpuoa_reader_holds(const struct gpuoa_reader *reader);

/* Reports at hand, given by the origin but not read yet. */
size_t gpuoa_reader_unread(const struct gpuoa_reader *reader);

/* As gpuoa_source_next(). Errors are those of gpuoa_reader_read(). */
int gpuoa_reader_next(struct gpuoa_reader *reader, const void **reports, size_t max,
		      struct gpuoa_read_status *status);

/*
 * As gpuoa_source_read(), but @reports may be NULL, only to count. -EBADMSG for data that
 * contradicts itself, and what the origin returns.
 */
int gpuoa_reader_read(struct gpuoa_reader *reader, void *reports, size_t max,
		      struct gpuoa_read_status *status);

/* Nothing comes any more: tell what was still to be told with the next report. */
void gpuoa_reader_finish(struct gpuoa_reader *reader, struct gpuoa_read_status *status);

#endif /* GPUOA_LIB_READER_H */
