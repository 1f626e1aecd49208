/* SPDX-License-Identifier: MIT */
/* area.h - consume a perf event's AUX area, in which the GPU wrote the reports */
#ifndef GPUOA_LIB_READER_STREAM_AREA_H
#define GPUOA_LIB_READER_STREAM_AREA_H

#include <linux/perf_event.h>

#include "report/format.h"
#include "reader/rawdata.h"

/* Maximum size of a report in an area, in bytes */
#define AREA_REPORT_MAX 1024

/*
 * Items that are returned before the next reports. All except AREA_LEFT_OUT occur only in flight
 * recorders.
 */
enum area_news {
	AREA_RESUME = 1 << 0,
	AREA_LOST = 1 << 1,
	AREA_CLOCK = 1 << 2,
	AREA_PAUSE = 1 << 3,
	AREA_LEFT_OUT = 1 << 4,
};

/*
 * The state of an AUX area. If it is all zeros, there is no area. Positions are byte counts that
 * never wrap; the offset of a position is the position modulo the size of the area.
 */
struct area {
	struct perf_event_mmap_page *page; /* shared with the kernel */
	const uint8_t *data;
	uint64_t size; /* in bytes, a power of two */
	size_t report_size;
	/*
	 * a report that crosses the end of the area continues at its start; otherwise the last
	 * bytes of the area are unused if the size of reports does not divide that of the area
	 */
	bool splits;
	struct report_field report_id;
	struct report_field timestamp;
	bool id_is_never_0; /* Haswell: a report with id 0 is invalid */
	uint64_t period; /* ticks between reports; 0: unknown */
	uint64_t watermark; /* number of unread bytes at which a waiting thread is woken */

	bool overwrite; /* the area is that of a flight recorder, which overwrites old reports */
	/* clock pair of the time at which a flight recorder was stopped; .cpu_ns 0: none */
	struct gpuoa_clock_pair clock;

	/*
	 * position of the next report in the range that a record has described; .end is the end of
	 * that range
	 */
	uint64_t at;
	uint64_t end;
	unsigned int news; /* enum area_news */
	bool follows; /* a report has been consumed, and the next report may be compared with it */
	bool continues; /* the next report is described by the same record as the last one */
	uint64_t last; /* timestamp of the last report */

	/* total number of slots without a report, which sequence numbers do not count */
	uint64_t passed;
	/* number of slots since the last report that the hardware has not written */
	uint64_t empty;
	uint64_t invalid; /* number of slots since the last report that contain an invalid report */
	uint64_t lost; /* number of reports that were lost in skipped slots */
	/* perf has lost a record since the last record that described reports of the area */
	bool ring_lost;
	/*
	 * copy of a report that crosses the end of the area. At most one unreleased report does,
	 * since fewer bytes are unreleased than the area has.
	 */
	uint8_t joined[AREA_REPORT_MAX];
};

/*
 * Map an AUX area of @size bytes, which follows the event's ring buffer at @offset. The members
 * that describe reports, @report_size to @period, must be set. Returns 0, -EOPNOTSUPP if @size is
 * no power of two or reports are too large, or errors of mmap(2).
 */
int area_map(struct area *area, struct perf_event_mmap_page *page, int fd, uint64_t offset,
	     uint64_t size, bool overwrite);

void area_unmap(struct area *area);

/*
 * Begin with the reports that a PERF_RECORD_AUX describes. Returns 0, or -EIO if their position is
 * invalid.
 */
int area_begin(struct area *area, const struct perf_event_header *record);

/* Record that perf lost records of the ring, possibly a PERF_RECORD_AUX. */
void area_note_ring_lost(struct area *area);

/*
 * Get the next item. Its reports are not copied, and remain in the area, except a report that
 * crosses the end of the area. Returns false if there is none.
 */
bool area_next(struct area *area, struct rawdata_item *item);

/*
 * Release the space of consumed reports to the hardware, except that of the last @unread reports.
 * Does nothing for a flight recorder, which overwrites old reports.
 */
void area_release(struct area *area, size_t unread);

/* Return the number of bytes that have not been released yet. */
uint64_t area_fill(const struct area *area);

#endif /* GPUOA_LIB_READER_STREAM_AREA_H */
