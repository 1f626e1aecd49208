/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - which reports of the OABUFFER have landed: pure logic, no I/O, no locks.
 */
#ifndef _GPUOA_RING_H
#define _GPUOA_RING_H

#include <linux/types.h>

/**
 * struct gpuoa_ring - the CPU's view of an OABUFFER
 *
 * Offsets are in bytes from the start of the buffer and multiples of @report_size, except where
 * said.
 *
 * @base: the buffer
 * @size: its bytes, a power of two and a multiple of @report_size
 * @report_size: bytes of a report
 * @head: next report to read
 * @tail: reports from @head to here have landed
 */
struct gpuoa_ring {
	void *base;
	u32 size;
	u32 report_size;
	u32 head;
	u32 tail;
};

void gpuoa_ring_init(struct gpuoa_ring *ring, void *base, u32 size, u32 report_size);
u32 gpuoa_ring_update(struct gpuoa_ring *ring, u32 hw_tail);
u32 gpuoa_ring_update_idle(struct gpuoa_ring *ring, u32 hw_tail);
const void *gpuoa_ring_peek(const struct gpuoa_ring *ring, u32 *count);
void gpuoa_ring_consume(struct gpuoa_ring *ring, u32 count);
void gpuoa_ring_rewind(struct gpuoa_ring *ring);
void gpuoa_ring_clear(struct gpuoa_ring *ring);

#endif /* _GPUOA_RING_H */
