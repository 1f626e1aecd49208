/* SPDX-License-Identifier: MIT */
/*
 * area.h - consumes a perf event's AUX area, in which reports stay where the GPU wrote them
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_AREA_H
#define GPUOA_LIB_SOURCE_STREAM_AREA_H

#include <linux/perf_event.h>

#include "report/format.h"
#include "source/rawdata.h"

/* Items that come before the next reports. All but AREA_LEFT_OUT are of a flight recorder. */
enum area_news {
	AREA_RESUME = 1 << 0,
	AREA_LOST = 1 << 1,
	AREA_CLOCK = 1 << 2,
	AREA_PAUSE = 1 << 3,
	AREA_LEFT_OUT = 1 << 4,
};

/* All zeros: no area. Positions count bytes on and on; modulo the size they are offsets. */
struct area {
	struct perf_event_mmap_page *page; /* shared with the kernel */
	const uint8_t *data;
	uint64_t size; /* bytes, a power of two */
	size_t report_size;
	struct report_field report_id;
	struct report_field timestamp;
	bool id_is_never_0; /* Haswell: a report with an id of 0 is invalid */
	uint64_t period; /* ticks from one report to the next; 0: unknown */
	uint64_t watermark; /* a waiting thread is woken when there are so many bytes */

	bool overwrite; /* a flight recorder: */
	struct gpuoa_clock_pair clock; /*   of when it was stopped; cpu_ns 0: none */

	uint64_t at; /* what a record told of and was not taken yet */
	uint64_t end;
	unsigned int news; /* enum area_news */
	bool follows; /* a report was taken, and the next one may be compared with it */
	bool continues; /*   and it is of the same record */
	uint64_t last; /* its timestamp */

	uint64_t passed; /* slots without a report, ever: numbers of reports do not count them */
	uint64_t empty; /* since the last report, slots that were not written, */
	uint64_t invalid; /*   and slots with an invalid report */
	uint64_t lost; /* reports that are missing where slots were left out */
	bool ring_lost; /* perf lost records since the last one of this area */
};

/*
 * Map an event's area of @size bytes, at @offset behind its ring buffer. The caller has set what
 * there is to know of reports, from @report_size to @period. -EOPNOTSUPP for reports that
 * don't fill the area; else errors are mmap(2)'s.
 */
int area_map(struct area *area, struct perf_event_mmap_page *page, int fd, uint64_t offset,
	     uint64_t size, bool overwrite);

void area_unmap(struct area *area);

/* Take note of the reports that a PERF_RECORD_AUX tells of. -EIO: there is no such place. */
int area_begin(struct area *area, const struct perf_event_header *record);

/* perf lost records of the ring, among which may have been a PERF_RECORD_AUX. */
void area_note_ring_lost(struct area *area);

/* Next item of what was begun, with reports in place. False if there is none. */
bool area_next(struct area *area, struct rawdata_item *item);

/*
 * Give the room of all reports that were taken back to the hardware, except that of the last
 * @unread ones. Nothing is done for a flight recorder, which overwrites.
 */
void area_release(struct area *area, size_t unread);

/* Bytes that were not given back yet. */
uint64_t area_fill(const struct area *area);

#endif /* GPUOA_LIB_SOURCE_STREAM_AREA_H */
