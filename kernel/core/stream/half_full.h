/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * half_full.h - the host's interrupt that says that a buffer is half full.
 */
#ifndef _GPUOA_HALF_FULL_H
#define _GPUOA_HALF_FULL_H

#include <linux/atomic.h>
#include <linux/smp.h>
#include <linux/types.h>

struct gpuoa_stream;

/**
 * struct gpuoa_half_full - an interrupt, and what becomes of it
 * @on: the host tells
 * @cpu: where to look, or -1: the stream does not run; written under &gpuoa_stream.lock
 * @queued: a call is on its way to that CPU and has not begun yet
 * @calls: number of calls that have not ended
 * @call: the one that is queued
 * @relied: what the last look left in the buffer, the interrupt guards; under &gpuoa_stream.lock
 * @late: it did not, once: no more of it until the stream is started anew; likewise
 */
struct gpuoa_half_full {
	bool on;
	int cpu;
	atomic_t queued;
	atomic_t calls;
	call_single_data_t call;
	bool relied;
	bool late;
};

void gpuoa_half_full_init(struct gpuoa_stream *stream);
void gpuoa_half_full_enable(struct gpuoa_stream *stream);
void gpuoa_half_full_disable(struct gpuoa_stream *stream);
void gpuoa_half_full_start(struct gpuoa_stream *stream);
void gpuoa_half_full_stop(struct gpuoa_stream *stream);
bool gpuoa_half_full_guards(struct gpuoa_stream *stream, u32 head, u32 size);
void gpuoa_half_full_overflow(struct gpuoa_stream *stream);

#endif /* _GPUOA_HALF_FULL_H */
