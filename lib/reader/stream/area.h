/* SPDX-License-Identifier: MIT */
/* area.h - consume a perf event's AUX area, in which the GPU wrote the reports */
#ifndef GPUOA_LIB_READER_STREAM_AREA_H
#define GPUOA_LIB_READER_STREAM_AREA_H

#include <linux/perf_event.h>

#include "report/format.h"
#include "reader/rawdata.h"

/* Items to return before the next reports. All but AREA_LEFT_OUT are for flight recorders. */
enum area_news {
	AREA_RESUME = 1 << 0,
	AREA_LOST = 1 << 1,
	AREA_CLOCK = 1 << 2,
	AREA_PAUSE = 1 << 3,
	AREA_LEFT_OUT = 1 << 4,
};

/*
 * All zeros: no area. Positions are byte counts that never wrap; an offset is the position modulo
 * the size.
 */
struct area {
	struct perf_event_mmap_page *page; /* shared with the kernel */
	const uint8_t *data;
	uint64_t size; /* in bytes, a power of two */
	size_t report_size;
	struct report_field report_id;
	struct report_field timestamp;
	bool id_is_never_0; /* Haswell: a report with id 0 is invalid */
	uint64_t period; /* ticks between reports; 0: unknown */
	uint64_t watermark; /* number of bytes at which a waiting thread is woken */

	bool overwrite; /* the area of a flight recorder */
	/* clock pair of the time when it was stopped; cpu_ns 0: none */
	struct gpuoa_clock_pair clock;

	uint64_t at; /* range described by a record and not yet consumed, up to .end */
	uint64_t end;
	unsigned int news; /* enum area_news */
	bool follows; /* a report was consumed, and the next one may be compared with it */
	bool continues; /* the next report is in the same record as the last one */
	uint64_t last; /* timestamp of the last report */

	/* total number of slots without a report; sequence numbers do not count them */
	uint64_t passed;
	uint64_t empty; /* number of slots not written since the last report */
	uint64_t invalid; /* number of slots with an invalid report since the last report */
	uint64_t lost; /* number of reports lost in skipped slots */
	bool ring_lost; /* perf has lost a record since the last one of this area */
};

/*
 * Map an event's area of @size bytes at @offset, after its ring buffer. The members that describe
 * reports, @report_size to @period, must be set. Returns 0, -EOPNOTSUPP if the size of reports does
 * not divide that of the area, or errors of mmap(2).
 */
int area_map(struct area *area, struct perf_event_mmap_page *page, int fd, uint64_t offset,
	     uint64_t size, bool overwrite);

void area_unmap(struct area *area);

/*
 * Begin with the reports described by a PERF_RECORD_AUX. Returns 0, or -EIO if the position is
 * invalid.
 */
int area_begin(struct area *area, const struct perf_event_header *record);

/* Note that perf lost records of the ring, possibly a PERF_RECORD_AUX. */
void area_note_ring_lost(struct area *area);

/* Get the next item; reports remain in the area. Returns false if there is none. */
bool area_next(struct area *area, struct rawdata_item *item);

/*
 * Release the space of all consumed reports to the hardware, except the last @unread ones. Does
 * nothing for a flight recorder, which overwrites.
 */
void area_release(struct area *area, size_t unread);

/* Number of bytes not released yet. */
uint64_t area_fill(const struct area *area);

#endif /* GPUOA_LIB_READER_STREAM_AREA_H */
