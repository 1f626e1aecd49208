/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - which reports of the OABUFFER have landed: pure logic, no I/O, no locks.
 */
#ifndef _GPUOA_RING_H
#define _GPUOA_RING_H

#include <linux/time64.h>
#include <linux/types.h>

#include "oa/report.h"

/*
 * How long a report may be on its way to memory when the unit has been stopped: on DG2 under memory
 * pressure, some 200 us were seen.
 */
#define GPUOA_RING_LAND_NS (200 * NSEC_PER_USEC)

/* What has not landed for so long, while others behind it have, never will. */
#define GPUOA_RING_HOLE_NS (5 * NSEC_PER_MSEC)

/**
 * struct gpuoa_ring_layout - how the hardware fills a buffer
 * @size: bytes of the buffer
 * @report_size: bytes of a report, a multiple of 64, at most GPUOA_REPORT_MAX
 * @mark_size: bytes of report id and timestamp, which come first: 8 or 16
 * @split: a report that meets the end is continued at the start; else it is written to the start as
 *	a whole
 */
struct gpuoa_ring_layout {
	u32 size;
	u32 report_size;
	u32 mark_size;
	bool split;
};

/**
 * struct gpuoa_ring - the CPU's view of an OABUFFER
 *
 * Offsets are in bytes from the start of the buffer.
 *
 * @base: the buffer
 * @size: bytes of it that are used
 * @report_size: bytes of a report
 * @mark_size: bytes of report id and timestamp
 * @split: reports can meet the end of the buffer, and each lap puts them elsewhere
 * @head: next report to read
 * @tail: reports from @head to here have landed
 * @seen: so many reports from @tail on were announced at @seen_at, when one of them did not show
 * @seen_at: CLOCK_MONOTONIC ns
 * @dirty_from: where to clear before the next start
 * @dirty: how many slots from there on
 * @joined: a report that met the end, in one piece
 */
struct gpuoa_ring {
	void *base;
	u32 size;
	u32 report_size;
	u32 mark_size;
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
u32 gpuoa_ring_pass_holes(struct gpuoa_ring *ring, u32 hw_tail, u64 now);
u32 gpuoa_ring_pass_holes_idle(struct gpuoa_ring *ring, u32 hw_tail);
void *gpuoa_ring_peek(struct gpuoa_ring *ring, u32 *count);
void gpuoa_ring_consume(struct gpuoa_ring *ring, u32 count);
void gpuoa_ring_stopped(struct gpuoa_ring *ring, u32 hw_tail);
void gpuoa_ring_spoil(struct gpuoa_ring *ring);
bool gpuoa_ring_clean(struct gpuoa_ring *ring, u32 max);

#endif /* _GPUOA_RING_H */
