// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - which reports of the OABUFFER have landed: pure logic, no I/O, no locks.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "ring.h"

/**
 * DOC: The tail race
 *
 * The hardware's tail pointer runs ahead of what the CPU can see: a report may be announced while its
 * cache lines are still on their way. It also moves in steps of 64 bytes, into the middle of a report.
 *
 * So memory itself has to tell. Every slot that the CPU has not to read yet has an id and a timestamp of
 * zero: the buffer starts zeroed, and gpuoa_ring_consume() clears them again. A report is written front to
 * back, and after the one before it; therefore a report has landed when the *next* one shows an id or a
 * timestamp. That costs one report of latency, until the unit is stopped: then everything has landed.
 */

/* Report id and timestamp: the first two dwords. */
#define GPUOA_RING_MARK_SIZE 8

/**
 * gpuoa_ring_init - take charge of a buffer
 * @ring: the ring
 * @base: the buffer, zeroed
 * @size: its bytes
 * @report_size: bytes of a report
 */
void gpuoa_ring_init(struct gpuoa_ring *ring, void *base, u32 size, u32 report_size)
{
	ring->base = base;
	ring->size = size;
	ring->report_size = report_size;
	ring->head = 0;
	ring->tail = 0;
}

/* Bytes from @from forward to @to. */
static u32 ring_distance(const struct gpuoa_ring *ring, u32 from, u32 to)
{
	return (to - from) & (ring->size - 1);
}

static bool ring_marked(const struct gpuoa_ring *ring, u32 offset)
{
	const u32 *report = ring->base + offset;

	return READ_ONCE(report[0]) || READ_ONCE(report[1]);
}

/**
 * gpuoa_ring_update - find out what has landed while the unit runs
 * @ring: the ring
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 *
 * Walks back from the hardware's tail to the youngest slot that shows a report. What stands before that
 * slot has landed.
 *
 * Return: number of reports that can be read
 */
u32 gpuoa_ring_update(struct gpuoa_ring *ring, u32 hw_tail)
{
	u32 ahead = ring_distance(ring, ring->tail, hw_tail);
	u32 tail;

	ahead -= ahead % ring->report_size;

	for (;;) {
		tail = (ring->tail + ahead) & (ring->size - 1);
		if (!ahead || ring_marked(ring, tail))
			break;
		ahead -= ring->report_size;
	}

	ring->tail = tail;
	/* Reports are read only after their marks were seen. */
	smp_rmb();

	return ring_distance(ring, ring->head, tail) / ring->report_size;
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
	u32 left = ring_distance(ring, ring->tail, hw_tail) / ring->report_size;

	while (left-- && ring_marked(ring, ring->tail))
		ring->tail = (ring->tail + ring->report_size) & (ring->size - 1);
	smp_rmb();

	return ring_distance(ring, ring->head, ring->tail) / ring->report_size;
}

/**
 * gpuoa_ring_peek - the reports to read next
 * @ring: the ring
 * @count: how many stand in one piece: up to the tail or to the end of the buffer
 *
 * Return: the first of them
 */
const void *gpuoa_ring_peek(const struct gpuoa_ring *ring, u32 *count)
{
	u32 end = ring->tail >= ring->head ? ring->tail : ring->size;

	*count = (end - ring->head) / ring->report_size;

	return ring->base + ring->head;
}

static void ring_unmark(struct gpuoa_ring *ring, u32 offset)
{
	memset(ring->base + offset, 0, GPUOA_RING_MARK_SIZE);
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
		ring->head = (ring->head + ring->report_size) & (ring->size - 1);
	}
	/* The marks are gone before the hardware may write there again. */
	smp_wmb();
}

/**
 * gpuoa_ring_rewind - start over at the beginning of a drained buffer
 * @ring: the ring
 *
 * The unit is stopped and all reports were consumed. Only the slot at the head can hold the beginning of a
 * report that the hardware did not finish.
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
