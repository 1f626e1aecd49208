/* SPDX-License-Identifier: MIT */
/*
 * reader.h - turns RAW payloads and perf's loss records into reads that never bridge a gap
 */
#ifndef GPUOA_LIB_SOURCE_READER_H
#define GPUOA_LIB_SOURCE_READER_H

#include "source/notes.h"
#include "source/rawdata.h"
#include "source/sanity.h"

enum stream_event_kind {
	STREAM_EVENT_RAW, /* a RAW payload of the stream */
	STREAM_EVENT_ITEM, /* the same as one item of a payload */
	STREAM_EVENT_LOST, /* perf's ring buffer was full: payloads may be missing here */
};

/* An event of an origin (ring buffer or file). */
struct stream_event {
	enum stream_event_kind kind;
	const void *payload; /* valid until the next event is asked for */
	size_t size;
	struct rawdata_item item; /* likewise what it points to */
};

/* An origin: gives the next event. Returns 1, 0 if there is none (now), or a negative errno. */
typedef int (*reader_next_event)(void *origin, struct stream_event *event);

struct reader {
	reader_next_event next_event;
	void *origin;
	size_t report_size; /* of whole ones */
	size_t wire_size; /* of what the origin has of them */
	uint64_t keep[GPUOA_KEEP_MASK_WORDS]; /* of each; all 0: all of it */
	void *whole; /* room to make them whole */
	struct notes *notes; /* where to keep clock pairs and marks; NULL: nowhere */
	struct sanity *sanity; /* which reports to leave out as damaged; NULL: none */

	struct rawdata raw; /* payload at hand */
	struct rawdata_item held; /* ended a read, so it begins the next one */
	bool has_held;
	const uint8_t *reports; /* reports at hand */
	size_t count;

	uint64_t expected; /* number of the next report */
	bool numbered; /* @expected is known */
	bool gap; /* the next report does not follow the last one */
	bool resumed; /* if numbers are missing before the next report, sampling was off */
	bool perf_lost; /* perf lost something since the last report */
	bool left_out; /* the reports right before the next one were left out */
	int err; /* of the data: there is no going on after it */
};

void reader_init(struct reader *reader, reader_next_event next_event, void *origin,
		 size_t report_size);

/*
 * The origin keeps only these dwords of each report: reads have to make whole reports. 0 or
 * -ENOMEM.
 */
int reader_thin(struct reader *reader, const uint64_t *keep);

void reader_fini(struct reader *reader);

/* Can a read give something without asking the origin? */
bool reader_holds(const struct reader *reader);

/* Reports at hand, given by the origin but not read yet. */
size_t reader_unread(const struct reader *reader);

/*
 * Would a read return a report, a marker or an error, or report a loss? Items up to there are
 * consumed: @reader is a copy that nothing is read from.
 */
bool reader_has_news(struct reader *reader);

/* As gpuoa_source_next(). Errors are those of reader_read(). */
int reader_next(struct reader *reader, const void **reports, size_t max,
		struct gpuoa_read_status *status);

/*
 * As gpuoa_source_read(), but @reports may be NULL, only to count. -EBADMSG for data that
 * contradicts itself, and what the origin returns.
 */
int reader_read(struct reader *reader, void *reports, size_t max, struct gpuoa_read_status *status);

/* No more events will come: tell the loss or gap that would have come with the next report. */
void reader_finish(struct reader *reader, struct gpuoa_read_status *status);

#endif /* GPUOA_LIB_SOURCE_READER_H */
