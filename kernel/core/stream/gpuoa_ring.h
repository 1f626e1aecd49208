/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_ring.h - detection of complete reports in an OABUFFER. */
#ifndef _GPUOA_RING_H
#define _GPUOA_RING_H

#include <linux/time64.h>
#include <linux/types.h>

#include "oa/gpuoa_report.h"

/*
 * Upper bound of the time a report of a stopped unit takes to reach memory: about 200 us were seen
 * on DG2 under memory pressure.
 */
#define GPUOA_RING_LAND_NS (200 * NSEC_PER_USEC)

/* A report counts as missing if later reports have landed for this time and it has not, ns. */
#define GPUOA_RING_MISSING_NS (5 * NSEC_PER_MSEC)

/**
 * struct gpuoa_ring_layout - layout of an OABUFFER
 * @size: size of the buffer, bytes
 * @report_size: size of a report, bytes; a multiple of 64, at most GPUOA_REPORT_MAX
 * @header_size: size of the report id and timestamp at the start of a report: 8 or 16 bytes
 * @split: a report that crosses the end continues at the start; otherwise it is written whole at
 *	the start
 */
struct gpuoa_ring_layout {
	u32 size;
	u32 report_size;
	u32 header_size;
	bool split;
};

/**
 * struct gpuoa_ring - CPU view of an OABUFFER
 *
 * Offsets are in bytes from the start of the buffer.
 *
 * @base: start of the buffer
 * @size: used size of the buffer, bytes
 * @report_size: size of a report, bytes
 * @header_size: size of the report id and timestamp, bytes
 * @split: reports can cross the end of the buffer, and their offsets change with each lap
 * @head: offset of the next report to read
 * @tail: offset after the last report known to have landed
 * @seen: number of reports after @tail that were announced at @seen_at while one was missing
 * @seen_at: time of @seen, CLOCK_MONOTONIC, ns
 * @dirty_from: offset of the first slot to clear before the next start
 * @dirty: number of slots to clear
 * @joined: contiguous copy of a report that crosses the end
 */
struct gpuoa_ring {
	void *base;
	u32 size;
	u32 report_size;
	u32 header_size;
	bool split;
	u32 head;
	u32 tail;
	u32 seen;
	u64 seen_at;
	u32 dirty_from;
	u32 dirty;
	u64 joined[GPUOA_REPORT_MAX / sizeof(u64)];
};

void gpuoa_ring_init(struct gpuoa_ring *ring, void *base, const struct gpuoa_ring_layout *layout);
u32 gpuoa_ring_update(struct gpuoa_ring *ring, u32 hw_tail);
u32 gpuoa_ring_update_idle(struct gpuoa_ring *ring, u32 hw_tail);
u32 gpuoa_ring_ready(const struct gpuoa_ring *ring);
u32 gpuoa_ring_announced(const struct gpuoa_ring *ring, u32 hw_tail);
const void *gpuoa_ring_newest(const struct gpuoa_ring *ring);
u32 gpuoa_ring_skip_missing(struct gpuoa_ring *ring, u32 hw_tail, u64 now);
u32 gpuoa_ring_skip_missing_idle(struct gpuoa_ring *ring, u32 hw_tail);
void *gpuoa_ring_peek(struct gpuoa_ring *ring, u32 *count);
void gpuoa_ring_consume(struct gpuoa_ring *ring, u32 count);
void gpuoa_ring_stopped(struct gpuoa_ring *ring, u32 hw_tail);
void gpuoa_ring_discard(struct gpuoa_ring *ring);
bool gpuoa_ring_clean(struct gpuoa_ring *ring, u32 max);

#endif /* _GPUOA_RING_H */
