// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_ring.c - detection of complete reports in an OABUFFER. */
#include <asm/barrier.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "gpuoa_ring.h"

/**
 * DOC: Tail check in an OABUFFER
 *
 * The hardware's tail pointer runs ahead of the memory visible to the CPU: a report may be
 * announced while its cache lines are still in flight. The pointer also moves in steps of 64 bytes,
 * into the middle of a report.
 *
 * Memory itself must therefore be checked. In every slot without an unread report, the id and the
 * timestamp are zero: the buffer starts zeroed, and gpuoa_ring_consume() clears them again. A
 * report is written front to back and after its predecessor. It has therefore landed when both its
 * own header and the *next* one are nonzero. This adds a latency of one report.
 *
 * A stopped unit may still have reports in flight and writes nothing after the last one. Its last
 * report is accepted without a successor, but only after GPUOA_RING_LAND_NS.
 *
 * The walk goes forward and ends at the first slot with a zero header, so late reports are not
 * skipped. A report that has not landed GPUOA_RING_MISSING_NS after later ones were seen is skipped
 * and counted as lost. (i915 and xe walk backwards from the tail and skip missing reports at once.)
 *
 * A missing report may still land later, and its header must not be taken for that of a new report.
 * All slots that the unit may have written to are therefore cleared before the next start.
 */

/* Maximum number of slots searched for a missing report. */
#define GPUOA_RING_SEARCH 4096

/*
 * Maximum number of slots checked per call with interrupts disabled. A poll publishes fewer
 * reports.
 */
#define GPUOA_RING_WALK 8192

/**
 * DOC: Report sizes that do not divide the buffer size
 *
 * A unit that does not split reports leaves the rest of the buffer unused, so the ring is simply
 * shorter. A unit that splits the report at the end continues it at the start, and the reports of
 * the next lap follow it at different offsets. The whole report must then be zeroed instead of its
 * header, because the next lap's id and timestamp may be at any 64-byte offset of it. A split
 * report is joined before it is read. The id and timestamp are never split, because the sizes of
 * buffer and reports are multiples of 64 bytes.
 */

/**
 * gpuoa_ring_init() - Initialize a ring.
 * @ring: ring
 * @base: buffer, zeroed, 8-byte aligned
 * @layout: layout of the buffer
 */
void gpuoa_ring_init(struct gpuoa_ring *ring, void *base, const struct gpuoa_ring_layout *layout)
{
	u32 rest = layout->size % layout->report_size;

	ring->base = base;
	ring->size = layout->split ? layout->size : layout->size - rest;
	ring->report_size = layout->report_size;
	ring->header_size = layout->header_size;
	ring->split = layout->split && rest;
	ring->head = 0;
	ring->tail = 0;
	ring->seen = 0;
	ring->dirty = 0;
}

/* Get the number of bytes from @from forward to @to. */
static u32 ring_distance(const struct gpuoa_ring *ring, u32 from, u32 to)
{
	return to >= from ? to - from : to + ring->size - from;
}

/**
 * gpuoa_ring_announced() - Get the number of reports between the landed and the hardware tail.
 * @ring: ring
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 *
 * Return: number of reports
 */
u32 gpuoa_ring_announced(const struct gpuoa_ring *ring, u32 hw_tail)
{
	/* A removed GPU returns an invalid offset. */
	return ring_distance(ring, ring->tail, hw_tail % ring->size) / ring->report_size;
}

/* Id and timestamp take one or two u64, which may be read in any order. */
static bool mark_set(const u64 *mark, bool wide)
{
	return READ_ONCE(mark[0]) || (wide && READ_ONCE(mark[1]));
}

static void mark_clear(u64 *mark, bool wide)
{
	mark[0] = 0;
	if (wide)
		mark[1] = 0;
}

static bool ring_wide(const struct gpuoa_ring *ring)
{
	return ring->header_size > sizeof(u64);
}

static bool ring_marked(const struct gpuoa_ring *ring, u32 offset)
{
	return mark_set(ring->base + offset, ring_wide(ring));
}

/* Get the offset of the slot @n slots after @from. */
static u32 ring_offset(const struct gpuoa_ring *ring, u32 from, u32 n)
{
	u64 offset = from + (u64)n * ring->report_size;

	return offset < ring->size ? offset : offset - ring->size;
}

/**
 * gpuoa_ring_ready() - Get the number of reports that can be read.
 * @ring: ring
 *
 * Return: number of reports that have landed and were not consumed
 */
u32 gpuoa_ring_ready(const struct gpuoa_ring *ring)
{
	/* Order the reads of headers before the reads of reports. */
	dma_rmb();

	return ring_distance(ring, ring->head, ring->tail) / ring->report_size;
}

/* Get the number of the @count slots from @from on that start before the end of the buffer. */
static u32 ring_run(const struct gpuoa_ring *ring, u32 from, u32 count)
{
	return min(count, DIV_ROUND_UP(ring->size - from, ring->report_size));
}

/* Get the number of consecutive slots from @from on with a nonzero header, at most @count. */
static u32 ring_walk(const struct gpuoa_ring *ring, u32 from, u32 count)
{
	u32 size = ring->report_size, done = 0, run, i;
	bool wide = ring_wide(ring);
	const void *mark;

	while (done < count) {
		run = ring_run(ring, from, count - done);
		mark = ring->base + from;
		for (i = 0; i < run && mark_set(mark, wide); i++)
			mark += size;
		done += i;
		if (i < run)
			break;
		from = ring_offset(ring, from, run);
	}

	return done;
}

static u32 ring_advance(struct gpuoa_ring *ring, u32 announced, bool idle)
{
	u32 walk = min_t(u32, announced, GPUOA_RING_WALK);
	u32 moved = ring_walk(ring, ring->tail, walk);

	/* Only the header of the newest report is known to be visible. */
	if (moved && !idle && !ring_marked(ring, ring_offset(ring, ring->tail, moved)))
		moved--;
	ring->tail = ring_offset(ring, ring->tail, moved);
	ring->seen -= min(ring->seen, moved);

	return gpuoa_ring_ready(ring);
}

/**
 * gpuoa_ring_update() - Find the reports that have landed while the unit runs.
 * @ring: ring
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 *
 * Return: number of reports that can be read
 */
u32 gpuoa_ring_update(struct gpuoa_ring *ring, u32 hw_tail)
{
	return ring_advance(ring, gpuoa_ring_announced(ring, hw_tail), false);
}

/**
 * gpuoa_ring_update_idle() - Find the reports that have landed after the unit was stopped.
 * @ring: ring
 * @hw_tail: hardware tail, offset in bytes
 *
 * The last report may be incomplete until GPUOA_RING_LAND_NS after it was written.
 *
 * Return: number of visible reports, up to the first one that is not visible
 */
u32 gpuoa_ring_update_idle(struct gpuoa_ring *ring, u32 hw_tail)
{
	return ring_advance(ring, gpuoa_ring_announced(ring, hw_tail), true);
}

/**
 * gpuoa_ring_newest() - Get the last report that is known to have landed.
 * @ring: ring with at least one unconsumed report
 *
 * Return: the report; only its header is guaranteed to be contiguous
 */
const void *gpuoa_ring_newest(const struct gpuoa_ring *ring)
{
	return ring->base + (ring->tail >= ring->report_size ?
			     ring->tail - ring->report_size :
			     ring->tail + ring->size - ring->report_size);
}

/*
 * Get the number of consecutive missing reports from index @n on, if a later one is visible; else
 * 0.
 */
static u32 ring_missing(const struct gpuoa_ring *ring, u32 n, u32 announced)
{
	u32 limit = min_t(u32, announced, n + GPUOA_RING_SEARCH);
	u32 i;

	for (i = n; i < limit; i++)
		if (ring_marked(ring, ring_offset(ring, ring->tail, i)))
			return i - n;

	return 0;
}

/**
 * gpuoa_ring_skip_missing() - Skip missing reports.
 * @ring: ring, with all landed reports consumed
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, CLOCK_MONOTONIC, ns
 *
 * To be called when no report is ready. A report directly before the missing ones becomes ready.
 *
 * Return: number of lost reports
 */
u32 gpuoa_ring_skip_missing(struct gpuoa_ring *ring, u32 hw_tail, u64 now)
{
	u32 announced = gpuoa_ring_announced(ring, hw_tail);
	u32 aged = min(ring->seen, announced), missing;

	if (!aged || now - ring->seen_at < GPUOA_RING_MISSING_NS) {
		/* The last report waits for its successor and is not missing. */
		if (!aged && announced > 1) {
			ring->seen = announced;
			ring->seen_at = now;
		}
		return 0;
	}

	if (ring_marked(ring, ring->tail)) {
		if (ring_missing(ring, 1, aged))
			ring_advance(ring, 1, true);
		else
			ring->seen = 0;
		return 0;
	}
	missing = ring_missing(ring, 0, aged);
	if (!missing)
		ring->seen = 0;
	ring->seen -= min(ring->seen, missing);
	ring->tail = ring_offset(ring, ring->tail, missing);
	ring->head = ring->tail;

	return missing;
}

/**
 * gpuoa_ring_skip_missing_idle() - Skip missing reports after the unit was stopped.
 * @ring: ring, with all landed reports consumed
 * @hw_tail: hardware tail, offset in bytes
 *
 * Return: number of lost reports
 */
u32 gpuoa_ring_skip_missing_idle(struct gpuoa_ring *ring, u32 hw_tail)
{
	u32 announced = gpuoa_ring_announced(ring, hw_tail);
	u32 missing;

	if (!announced || ring_marked(ring, ring->tail))
		return 0;
	missing = ring_missing(ring, 0, announced) ?: announced;
	ring->tail = ring_offset(ring, ring->tail, missing);
	ring->head = ring->tail;

	return missing;
}

/**
 * gpuoa_ring_peek() - Get the next reports to read.
 * @ring: ring
 * @count: number of contiguous reports, up to the tail or the end of the buffer; output
 *
 * Return: the first report; the caller may modify it until it is consumed
 */
void *gpuoa_ring_peek(struct gpuoa_ring *ring, u32 *count)
{
	u32 end = ring->tail >= ring->head ? ring->tail : ring->size;
	u32 first = end - ring->head;

	*count = first / ring->report_size;
	if (*count || ring->head == ring->tail)
		return ring->base + ring->head;

	memcpy(ring->joined, ring->base + ring->head, first);
	memcpy((void *)ring->joined + first, ring->base, ring->report_size - first);
	*count = 1;

	return ring->joined;
}

/* Clear a whole slot, for a ring with split reports. */
static void ring_clear(const struct gpuoa_ring *ring, u32 offset)
{
	u32 first = min(ring->report_size, ring->size - offset);

	memset(ring->base + offset, 0, first);
	memset(ring->base, 0, ring->report_size - first);
}

/* Clear @count slots from @offset on. Returns the offset after them. */
static u32 ring_unmark(const struct gpuoa_ring *ring, u32 offset, u32 count)
{
	u32 size = ring->report_size, run, i;
	bool wide = ring_wide(ring);
	void *slot;

	for (; ring->split && count; count--) {
		ring_clear(ring, offset);
		offset = ring_offset(ring, offset, 1);
	}
	for (; count; count -= run) {
		run = ring_run(ring, offset, count);
		slot = ring->base + offset;
		for (i = 0; i < run; i++, slot += size)
			mark_clear(slot, wide);
		offset = ring_offset(ring, offset, run);
	}

	return offset;
}

/**
 * gpuoa_ring_consume() - Return slots to the hardware.
 * @ring: ring
 * @count: number of reports, at most the number returned by gpuoa_ring_peek()
 *
 * The caller must then write the new head to the hardware.
 */
void gpuoa_ring_consume(struct gpuoa_ring *ring, u32 count)
{
	ring->head = ring_unmark(ring, ring->head, count);
	/* Clear the headers before the hardware may write there again. */
	dma_wmb();
}

/**
 * gpuoa_ring_stopped() - Handle a stop of the unit.
 * @ring: ring
 * @hw_tail: hardware tail, offset in bytes
 *
 * Slots from the first unread report to the one that the hardware may have started may still be
 * written. gpuoa_ring_clean() clears them before the next start.
 */
void gpuoa_ring_stopped(struct gpuoa_ring *ring, u32 hw_tail)
{
	u32 slots = DIV_ROUND_UP(ring->size, ring->report_size);

	ring->dirty_from = ring->head;
	ring->dirty = min(gpuoa_ring_ready(ring) + gpuoa_ring_announced(ring, hw_tail) + 1, slots);
}

/**
 * gpuoa_ring_discard() - Discard the whole buffer.
 * @ring: ring
 *
 * The unit is stopped. gpuoa_ring_clean() clears all slots before the next start.
 */
void gpuoa_ring_discard(struct gpuoa_ring *ring)
{
	ring->dirty_from = 0;
	ring->dirty = DIV_ROUND_UP(ring->size, ring->report_size);
}

/**
 * gpuoa_ring_clean() - Clear slots and prepare for a start at the beginning of the buffer.
 * @ring: ring; the unit is stopped
 * @max: maximum number of slots to clear
 *
 * Return: true if all slots are cleared
 */
bool gpuoa_ring_clean(struct gpuoa_ring *ring, u32 max)
{
	u32 count = min(ring->dirty, max);

	ring->dirty -= count;
	ring->dirty_from = ring_unmark(ring, ring->dirty_from, count);
	if (ring->dirty)
		return false;
	ring->head = 0;
	ring->tail = 0;
	ring->seen = 0;
	/* Clear the headers before the hardware may write there again. */
	dma_wmb();

	return true;
}
