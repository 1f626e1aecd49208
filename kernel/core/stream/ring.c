// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - which reports of the OABUFFER have landed: pure logic, no I/O, no locks.
 */
#include <linux/kernel.h>
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
 * and the *next* one show an id or a timestamp. That costs one report of latency, until the unit is
 * stopped: then everything has landed.
 *
 * The walk goes forward and ends at the first slot without a mark, so a report that lands late is
 * never passed over. One that never lands holds the stream up until the buffer overflows: then the
 * unit is restarted, and the loss is counted.
 */

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
}

/* Bytes from @from forward to @to. */
static u32 ring_distance(const struct gpuoa_ring *ring, u32 from, u32 to)
{
	return to >= from ? to - from : to + ring->size - from;
}

/* Reports that the hardware says it has written since the last one that we know of. */
static u32 ring_announced(const struct gpuoa_ring *ring, u32 hw_tail)
{
	/* What a GPU that is gone says is no offset at all. */
	return ring_distance(ring, ring->tail, hw_tail % ring->size) / ring->report_size;
}

/* Id and timestamp are two words; in which order their halves are looked at does not matter. */
static bool ring_marked(const struct gpuoa_ring *ring, u32 offset)
{
	const u32 *report = ring->base + offset;

	if (READ_ONCE(report[0]) || READ_ONCE(report[1]))
		return true;

	return ring->mark_size > 8 && (READ_ONCE(report[2]) || READ_ONCE(report[3]));
}

static u32 ring_next(const struct gpuoa_ring *ring, u32 offset)
{
	u32 next = offset + ring->report_size;

	return next < ring->size ? next : next - ring->size;
}

/* Number of reports that can be read. */
static u32 ring_ready(const struct gpuoa_ring *ring)
{
	/* Reports are read only after their marks were seen. */
	dma_rmb();

	return ring_distance(ring, ring->head, ring->tail) / ring->report_size;
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
	u32 announced = ring_announced(ring, hw_tail);

	while (announced-- && ring_marked(ring, ring->tail) &&
	       ring_marked(ring, ring_next(ring, ring->tail)))
		ring->tail = ring_next(ring, ring->tail);

	return ring_ready(ring);
}

/**
 * gpuoa_ring_update_idle - find out what has landed after the unit was stopped
 * @ring: the ring
 * @hw_tail: the hardware's tail, as an offset
 *
 * Nothing is on its way any more, so each report that shows a mark is complete.
 *
 * Return: number of reports that can be read
 */
u32 gpuoa_ring_update_idle(struct gpuoa_ring *ring, u32 hw_tail)
{
	u32 announced = ring_announced(ring, hw_tail);

	while (announced-- && ring_marked(ring, ring->tail))
		ring->tail = ring_next(ring, ring->tail);

	return ring_ready(ring);
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

static void ring_unmark(struct gpuoa_ring *ring, u32 offset)
{
	u32 first;

	if (!ring->split) {
		memset(ring->base + offset, 0, ring->mark_size);
		return;
	}

	first = min(ring->report_size, ring->size - offset);
	memset(ring->base + offset, 0, first);
	memset(ring->base, 0, ring->report_size - first);
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
	while (count--) {
		ring_unmark(ring, ring->head);
		ring->head = ring_next(ring, ring->head);
	}
	/* The marks are gone before the hardware may write there again. */
	dma_wmb();
}

/**
 * gpuoa_ring_rewind - start over at the beginning of a drained buffer
 * @ring: the ring
 *
 * The unit is stopped and all reports were consumed. Only the slot at the head can hold the
 * beginning of a report that the hardware did not finish.
 */
void gpuoa_ring_rewind(struct gpuoa_ring *ring)
{
	ring_unmark(ring, ring->head);
	ring->head = 0;
	ring->tail = 0;
}

/**
 * gpuoa_ring_clear - start over with a buffer that was not drained
 * @ring: the ring
 *
 * The unit is stopped. Costs a write to each slot.
 */
void gpuoa_ring_clear(struct gpuoa_ring *ring)
{
	u32 offset;

	for (offset = 0; offset < ring->size; offset += ring->report_size)
		ring_unmark(ring, offset);
	ring->head = 0;
	ring->tail = 0;
}
