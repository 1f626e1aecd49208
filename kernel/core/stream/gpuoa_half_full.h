/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_half_full.h - half-full interrupt of a buffer, routed to a poll on the stream's CPU. */
#ifndef _GPUOA_HALF_FULL_H
#define _GPUOA_HALF_FULL_H

#include <linux/atomic.h>
#include <linux/smp.h>
#include <linux/types.h>

struct gpuoa_half_full;
struct gpuoa_hw;
struct gpuoa_unit;

/*
 * Polls the unit. Called with interrupts disabled on the CPU that the stream ran on when the
 * interrupt was raised. Returns false if the stream now runs on another CPU.
 */
typedef bool (*gpuoa_kick_t)(struct gpuoa_half_full *half_full);

/**
 * struct gpuoa_half_full - half-full interrupt and its routing to the stream's CPU
 * @on: the provider has enabled the interrupt; from acquisition to release of the unit
 * @kick: callback that polls the unit
 * @cpu: CPU to kick, or -1 while the stream is stopped; written under &gpuoa_stream.lock
 * @queued: a call to that CPU is queued and has not started
 * @calls: number of unfinished calls
 * @call: queued call
 * @relied: the last poll left the buffer less than half full, so the interrupt will be raised;
 *	protected by &gpuoa_stream.lock
 * @late: the interrupt was late once and is ignored until the stream is restarted; protected by
 *	&gpuoa_stream.lock
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
