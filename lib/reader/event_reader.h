/* SPDX-License-Identifier: MIT */
/* event_reader.h - parse RAW payloads and perf's loss records; a read never spans a gap */
#ifndef GPUOA_LIB_READER_EVENT_READER_H
#define GPUOA_LIB_READER_EVENT_READER_H

#include "reader/side_data.h"
#include "reader/rawdata.h"
#include "reader/sanity.h"

enum stream_event_kind {
	STREAM_EVENT_RAW, /* a RAW payload of the stream */
	STREAM_EVENT_ITEM, /* an item that is already parsed */
	STREAM_EVENT_LOST, /* perf's ring buffer was full: payloads may be missing here */
};

/* An event of a stream's ring buffer or of a file. */
struct stream_event {
	enum stream_event_kind kind;
	const void *payload; /* valid until the next event is requested */
	size_t size;
	struct rawdata_item item; /* pointers are valid until the next event is requested */
};

/* Get the next event. Returns 1, 0 if there is none (at present), or a negative errno. */
typedef int (*event_reader_next_event)(void *ctx, struct stream_event *event);

struct event_reader {
	event_reader_next_event next_event;
	void *ctx;
	size_t report_size; /* size of whole reports */
	size_t wire_size; /* size of reports as stored in payloads */
	/* dword mask of stored reports; all 0: whole reports */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];
	void *whole; /* buffer for expanded reports */
	struct side_data *side_data; /* receives clock pairs and markers; may be NULL */
	struct sanity *sanity; /* detects damaged reports, which are dropped; may be NULL */

	struct rawdata raw; /* current payload */
	struct rawdata_item held; /* item that ended a read; it begins the next read */
	bool has_held;
	const uint8_t *reports; /* available reports */
	size_t count;

	uint64_t expected; /* sequence number of the next report */
	bool numbered; /* @expected is valid */
	bool gap; /* a gap precedes the next report */
	bool resumed; /* numbers missing before the next report are due to disabled sampling */
	bool perf_lost; /* perf has lost a record since the last report */
	bool left_out; /* the reports immediately before the next one were dropped as damaged */
	int err; /* permanent error in the data */
};

void event_reader_init(struct event_reader *events, event_reader_next_event next_event, void *ctx,
		       size_t report_size);

/* Set the dword mask of stored reports; reads expand them. Returns 0 or -ENOMEM. */
int event_reader_set_mask(struct event_reader *events, const uint64_t *dword_mask);

void event_reader_fini(struct event_reader *events);

/* True if a read can return reports without another event. */
bool event_reader_holds(const struct event_reader *events);

/* Number of reports received but not read. */
size_t event_reader_unread(const struct event_reader *events);

/*
 * True if a read would return a report, a marker or an error, or report a loss. Consumes items up
 * to there, so @events must be a copy that is not read from.
 */
bool event_reader_has_news(struct event_reader *events);

/* Implement gpuoa_reader_peek(). Errors are those of event_reader_read(). */
int event_reader_next(struct event_reader *events, const void **reports, size_t max,
		      struct gpuoa_read_status *status);

/*
 * Implement gpuoa_reader_read(), but @reports may be NULL to only count. Returns -EBADMSG for
 * inconsistent data, or errors of next_event().
 */
int event_reader_read(struct event_reader *events, void *reports, size_t max,
		      struct gpuoa_read_status *status);

/* At the end of the data, report the loss or gap that would have preceded the next report. */
void event_reader_finish(struct event_reader *events, struct gpuoa_read_status *status);

#endif /* GPUOA_LIB_READER_EVENT_READER_H */
