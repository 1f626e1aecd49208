// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - which reports of the OABUFFER have landed: pure logic, no I/O, no locks.
 */
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <asm/barrier.h>

#include "ring.h"

/**
 * DOC: The tail race
 *
 * The hardware's tail pointer runs ahead of what the CPU can see: a report may be announced while
 * its cache lines are still on their way. It also moves in steps of 64 bytes, into the middle of a
 * report.
 *
 * So memory itself has to tell. Every slot that the CPU does not have to read has an id and a
 * timestamp of zero: the buffer starts zeroed, and gpuoa_ring_consume() clears them again. A report
 * is written front to back, and after the one before it; therefore a report has landed when both it
 * and the *next* one show an id or a timestamp. That costs one report of latency.
 *
 * A unit that was stopped may still have reports on their way, and writes nothing behind the last
 * one. So its last report is taken without a successor, but only after GPUOA_RING_LAND_NS.
 *
 * The walk goes forward and ends at the first slot without a mark, so a report that lands late is
 * not passed over. One that has not landed GPUOA_RING_HOLE_NS after others behind it were seen
 * never will: it is passed, and counted as lost. (i915 and xe walk backwards from the tail, and
 * pass such holes at once.)
 *
 * What did not land in time may still do so. Its mark must not be taken for that of a new report:
 * hence all slots that the unit may have written to are cleared before it is started again.
 */

/* No hole is looked for behind more slots than this. */
#define GPUOA_RING_SEARCH 4096

/* Slots that one call looks at, since interrupts are off; more than one poll publishes */
#define GPUOA_RING_WALK 8192

/**
 * DOC: Reports that do not divide the buffer
 *
 * A unit that writes reports as a whole leaves the rest of the buffer alone: to us, the buffer is
 * shorter. One that splits the report at the end puts its second piece at the start, and the next
 * lap's reports behind it: slots move. Then not just a mark but all of a report has to be zeroed,
 * for any 64 bytes of it may be where the next lap's id and timestamp will stand; and a report in
 * two pieces is joined before it is read. Report id and timestamp themselves are always in one
 * piece, since buffer and reports are multiples of 64 bytes.
 */

/**
 * gpuoa_ring_init - take charge of a buffer
 * @ring: the ring
 * @base: the buffer, zeroed, 8-byte aligned
 * @layout: how the hardware fills it
 */
void gpuoa_ring_init(struct gpuoa_ring *ring, void *base, const struct gpuoa_ring_layout *layout)
{
	u32 rest = layout->size % layout->report_size;

	ring->base = base;
	ring->size = layout->split ? layout->size : layout->size - rest;
	ring->report_size = layout->report_size;
	ring->mark_size = layout->mark_size;
	ring->split = layout->split && rest;
	ring->head = 0;
	ring->tail = 0;
	ring->seen = 0;
	ring->dirty = 0;
}

/* Bytes from @from forward to @to. */
static u32 ring_distance(const struct gpuoa_ring *ring, u32 from, u32 to)
{
	return to >= from ? to - from : to + ring->size - from;
}

/**
 * gpuoa_ring_announced - reports behind those that have landed, according to the hardware
 * @ring: the ring
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 *
 * Return: number of reports
 */
u32 gpuoa_ring_announced(const struct gpuoa_ring *ring, u32 hw_tail)
{
	/* What a GPU that is gone says is no offset at all. */
	return ring_distance(ring, ring->tail, hw_tail % ring->size) / ring->report_size;
}

/* Id and timestamp take one or two u64; in which order these are read does not matter. */
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
	return ring->mark_size > sizeof(u64);
}

static bool ring_marked(const struct gpuoa_ring *ring, u32 offset)
{
	return mark_set(ring->base + offset, ring_wide(ring));
}

/* @n slots on */
static u32 ring_offset(const struct gpuoa_ring *ring, u32 from, u32 n)
{
	u64 offset = from + (u64)n * ring->report_size;

	return offset < ring->size ? offset : offset - ring->size;
}

/**
 * gpuoa_ring_ready - how many reports can be read?
 * @ring: the ring
 *
 * Return: number of reports that were found to have landed and were not consumed yet
 */
u32 gpuoa_ring_ready(const struct gpuoa_ring *ring)
{
	/* Reports are read only after their marks were seen. */
	dma_rmb();

	return ring_distance(ring, ring->head, ring->tail) / ring->report_size;
}

/* Of @count slots from @from on, how many begin before the end of the buffer? */
static u32 ring_run(const struct gpuoa_ring *ring, u32 from, u32 count)
{
	return min(count, DIV_ROUND_UP(ring->size - from, ring->report_size));
}

/* Of @count slots from @from on, how many are marked before one that is not? */
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

	/* Of the newest one, only the header is known to be there. */
	if (moved && !idle && !ring_marked(ring, ring_offset(ring, ring->tail, moved)))
		moved--;
	ring->tail = ring_offset(ring, ring->tail, moved);
	ring->seen -= min(ring->seen, moved);

	return gpuoa_ring_ready(ring);
}

/**
 * gpuoa_ring_update - find out what has landed while the unit runs
 * @ring: the ring
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 *
 * Return: number of reports that can be read
 */
u32 gpuoa_ring_update(struct gpuoa_ring *ring, u32 hw_tail)
{
	return ring_advance(ring, gpuoa_ring_announced(ring, hw_tail), false);
}

/**
 * gpuoa_ring_update_idle - find out what has landed after the unit was stopped
 * @ring: the ring
 * @hw_tail: the hardware's tail, as an offset
 *
 * The last report may be there in part until GPUOA_RING_LAND_NS after it was written.
 *
 * Return: number of reports that show, up to the first one that does not
 */
u32 gpuoa_ring_update_idle(struct gpuoa_ring *ring, u32 hw_tail)
{
	return ring_advance(ring, gpuoa_ring_announced(ring, hw_tail), true);
}

/**
 * gpuoa_ring_newest - the last report that is known to have landed
 * @ring: the ring, with at least one report that was not consumed
 *
 * Return: the report, as far as it stands in one piece; its header always does
 */
const void *gpuoa_ring_newest(const struct gpuoa_ring *ring)
{
	return ring->base + (ring->tail >= ring->report_size ?
			     ring->tail - ring->report_size :
			     ring->tail + ring->size - ring->report_size);
}

/* How many of @announced reports do not show, from the @n-th on, before one that does? */
static u32 ring_hole(const struct gpuoa_ring *ring, u32 n, u32 announced)
{
	u32 limit = min_t(u32, announced, n + GPUOA_RING_SEARCH);
	u32 i;

	for (i = n; i < limit; i++)
		if (ring_marked(ring, ring_offset(ring, ring->tail, i)))
			return i - n;

	return 0;
}

/**
 * gpuoa_ring_pass_holes - pass over reports that never land
 * @ring: the ring; all that had landed was consumed
 * @hw_tail: the hardware's tail, as an offset
 * @now: CLOCK_MONOTONIC ns
 *
 * To be called when nothing is ready. A report in front of a hole becomes ready.
 *
 * Return: number of reports that are lost
 */
u32 gpuoa_ring_pass_holes(struct gpuoa_ring *ring, u32 hw_tail, u64 now)
{
	u32 announced = gpuoa_ring_announced(ring, hw_tail);
	u32 aged = min(ring->seen, announced), hole;

	if (!aged || now - ring->seen_at < GPUOA_RING_HOLE_NS) {
		/* The last report waits for its successor; that is no hole. */
		if (!aged && announced > 1) {
			ring->seen = announced;
			ring->seen_at = now;
		}
		return 0;
	}

	if (ring_marked(ring, ring->tail)) {
		if (ring_hole(ring, 1, aged))
			ring_advance(ring, 1, true);
		else
			ring->seen = 0;
		return 0;
	}
	hole = ring_hole(ring, 0, aged);
	if (!hole)
		ring->seen = 0;
	ring->seen -= min(ring->seen, hole);
	ring->tail = ring_offset(ring, ring->tail, hole);
	ring->head = ring->tail;

	return hole;
}

/**
 * gpuoa_ring_pass_holes_idle - pass over reports that have not landed after the unit was stopped
 * @ring: the ring; all that had landed was consumed
 * @hw_tail: the hardware's tail, as an offset
 *
 * Return: number of reports that are lost
 */
u32 gpuoa_ring_pass_holes_idle(struct gpuoa_ring *ring, u32 hw_tail)
{
	u32 announced = gpuoa_ring_announced(ring, hw_tail);
	u32 hole;

	if (!announced || ring_marked(ring, ring->tail))
		return 0;
	hole = ring_hole(ring, 0, announced) ?: announced;
	ring->tail = ring_offset(ring, ring->tail, hole);
	ring->head = ring->tail;

	return hole;
}

/**
 * gpuoa_ring_peek - the reports to read next
 * @ring: the ring
 * @count: how many stand in one piece: up to the tail or to the end of the buffer
 *
 * Return: the first of them. Until it is consumed the caller may write to it
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

/* A slot of a buffer whose slots move */
static void ring_clear(const struct gpuoa_ring *ring, u32 offset)
{
	u32 first = min(ring->report_size, ring->size - offset);

	memset(ring->base + offset, 0, first);
	memset(ring->base, 0, ring->report_size - first);
}

/* From @offset on, @count slots. Returns the offset behind them. */
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
 * gpuoa_ring_consume - give slots back to the hardware
 * @ring: the ring
 * @count: number of reports that were read, at most what gpuoa_ring_peek() offered
 *
 * The caller must tell the hardware the new head afterwards.
 */
void gpuoa_ring_consume(struct gpuoa_ring *ring, u32 count)
{
	ring->head = ring_unmark(ring, ring->head, count);
	/* The marks are gone before the hardware may write there again. */
	dma_wmb();
}

/**
 * gpuoa_ring_stopped - the unit was stopped
 * @ring: the ring
 * @hw_tail: the hardware's tail, as an offset
 *
 * From what was not read yet up to the report that the hardware may have begun, any slot may still
 * be written to: all of them are cleared before the next start, by gpuoa_ring_clean().
 */
void gpuoa_ring_stopped(struct gpuoa_ring *ring, u32 hw_tail)
{
	u32 slots = DIV_ROUND_UP(ring->size, ring->report_size);

	ring->dirty_from = ring->head;
	ring->dirty = min(gpuoa_ring_ready(ring) + gpuoa_ring_announced(ring, hw_tail) + 1, slots);
}

/**
 * gpuoa_ring_spoil - nothing of the buffer is of any use
 * @ring: the ring
 *
 * The unit is stopped. All slots are cleared before the next start, by gpuoa_ring_clean().
 */
void gpuoa_ring_spoil(struct gpuoa_ring *ring)
{
	ring->dirty_from = 0;
	ring->dirty = DIV_ROUND_UP(ring->size, ring->report_size);
}

/**
 * gpuoa_ring_clean - get ready to start over at the beginning of the buffer
 * @ring: the ring; the unit is stopped
 * @max: clear so many slots at most
 *
 * Return: true if the buffer is clean
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
	/* The marks are gone before the hardware may write there again. */
	dma_wmb();

	return true;
}
