/* SPDX-License-Identifier: MIT */
/* event_reader.h - parse RAW payloads and perf's loss records; a read never spans a gap */
#ifndef GPUOA_LIB_READER_EVENT_READER_H
#define GPUOA_LIB_READER_EVENT_READER_H

#include "reader/side_data.h"
#include "reader/rawdata.h"
#include "reader/sanity.h"

enum stream_event_kind {
	STREAM_EVENT_RAW, /* a RAW payload of the stream */
	STREAM_EVENT_ITEM, /* an item that has already been parsed */
	STREAM_EVENT_LOST, /* perf's ring buffer was full: payloads may be missing here */
};

/* An event from the ring buffer of a stream, or from a file */
struct stream_event {
	enum stream_event_kind kind;
	const void *payload; /* valid until the next event is requested */
	size_t size;
	/* item; its pointers are valid until the next event is requested */
	struct rawdata_item item;
};

/*
 * Callback that gets the next event. Returns 1, 0 if there is none at present, or a negative errno.
 */
typedef int (*event_reader_next_event)(void *ctx, struct stream_event *event);

struct event_reader {
	event_reader_next_event next_event;
	void *ctx;
	size_t report_size; /* size of whole reports */
	size_t wire_size; /* size in bytes of a report as stored in payloads */
	/* mask of the dwords that are stored; all 0: whole reports */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];
	void *whole; /* buffer for expanded reports */
	struct side_data *side_data; /* receives clock pairs and markers; may be NULL */
	struct sanity *sanity; /* detects damaged reports, which reads then drop; may be NULL */

	struct rawdata raw; /* current payload */
	/* the item that ended a read and with which the next read begins */
	struct rawdata_item held;
	bool has_held;
	const uint8_t *reports; /* available reports */
	size_t count;

	uint64_t expected; /* expected sequence number of the next report */
	bool numbered; /* @expected is valid */
	bool gap; /* a gap precedes the next report */
	/*
	 * if numbers are missing before the next report, the reason is that the stream was disabled
	 */
	bool resumed;
	bool perf_lost; /* perf has reported a lost record since the last report */
	bool left_out; /* reports immediately before the next one were damaged, and were dropped */
	int err; /* permanent error in the data */
};

void event_reader_init(struct event_reader *events, event_reader_next_event next_event, void *ctx,
		       size_t report_size);

/*
 * Set the mask of the dwords that are stored of each report. Reads return whole reports. Returns 0
 * or -ENOMEM.
 */
int event_reader_set_mask(struct event_reader *events, const uint64_t *dword_mask);

void event_reader_fini(struct event_reader *events);

/* True if the last event has more reports or items, so that a read need not request an event. */
bool event_reader_holds(const struct event_reader *events);

/* Return the number of reports that have been received but not returned by reads. */
size_t event_reader_unread(const struct event_reader *events);

/*
 * True if a read would return a report, a marker or an error, or report a loss. Items are consumed
 * up to there, so @events must be a copy that reads do not use.
 */
bool event_reader_has_news(struct event_reader *events);

/* Implement gpuoa_reader_peek(). Errors are those of event_reader_read(). */
int event_reader_next(struct event_reader *events, const void **reports, size_t max,
		      struct gpuoa_read_status *status);

/*
 * Implement gpuoa_reader_read(). If @reports is NULL, reports are only counted. Returns -EBADMSG
 * for inconsistent data, or errors of next_event().
 */
int event_reader_read(struct event_reader *events, void *reports, size_t max,
		      struct gpuoa_read_status *status);

/*
 * Report a loss or gap that would have been reported with the next report, because the data has
 * ended.
 */
void event_reader_finish(struct event_reader *events, struct gpuoa_read_status *status);

#endif /* GPUOA_LIB_READER_EVENT_READER_H */
