/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * half_full.h - the host's interrupt that says that a buffer is half full.
 */
#ifndef _GPUOA_HALF_FULL_H
#define _GPUOA_HALF_FULL_H

#include <linux/atomic.h>
#include <linux/smp.h>
#include <linux/types.h>

struct gpuoa_half_full;
struct gpuoa_hw;
struct gpuoa_unit;

/*
 * Polls the unit. Called on the CPU where the stream ran when the interrupt came, interrupts off.
 * Returns false if the stream runs on another CPU by now.
 */
typedef bool (*gpuoa_kick_t)(struct gpuoa_half_full *half_full);

/**
 * struct gpuoa_half_full - the interrupt, and its way to the CPU where the stream runs
 * @on: the host has such an interrupt; it is on from when the unit is acquired to its release
 * @kick: what the interrupt brings about
 * @cpu: where to kick, or -1 while the stream does not run; written under &gpuoa_stream.lock
 * @queued: a call is on its way to that CPU and has not begun yet
 * @calls: number of calls that have not ended
 * @call: the one that is queued
 * @relied: the last poll left the buffer less than half full, so the interrupt will come; protected
 *	by &gpuoa_stream.lock
 * @late: it did not come in time once, and is not relied upon until the stream starts anew;
 *	likewise
 */
struct gpuoa_half_full {
	bool on;
	gpuoa_kick_t kick;
	int cpu;
	atomic_t queued;
	atomic_t calls;
	call_single_data_t call;
	bool relied;
	bool late;
};

void gpuoa_half_full_init(struct gpuoa_half_full *half_full, gpuoa_kick_t kick);
void gpuoa_half_full_enable(struct gpuoa_half_full *half_full, struct gpuoa_unit *unit);
void gpuoa_half_full_disable(struct gpuoa_half_full *half_full, struct gpuoa_unit *unit);
void gpuoa_half_full_raise(struct gpuoa_half_full *half_full);
void gpuoa_half_full_start(struct gpuoa_half_full *half_full);
void gpuoa_half_full_stop(struct gpuoa_half_full *half_full);
bool gpuoa_half_full_here(const struct gpuoa_half_full *half_full);
bool gpuoa_half_full_guards(struct gpuoa_half_full *half_full, const struct gpuoa_hw *hw, u32 head,
			    u32 used);
void gpuoa_half_full_overflow(struct gpuoa_half_full *half_full);

#endif /* _GPUOA_HALF_FULL_H */
