/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - history of a virtual GPU's workload, the OA timer, and the GPU clock.
 */
#ifndef _SIM_TIMELINE_H
#define _SIM_TIMELINE_H

#include "env.h"
#include "workload.h"

#define SIM_N_SEGMENTS 64

/**
 * struct sim_segment - interval between two changes of the workload or of the visible timestamp
 * @start: first tick
 * @offset: visible timestamp minus tick
 * @workload: the workload
 * @skip: position in the workload at @start, in ticks
 * @owner: slot of the context that has exclusive use of the GPU, or SIM_GLOBAL if contexts take
 *   turns
 */
struct sim_segment {
	u64 start;
	u64 offset;
	const struct sim_workload *workload;
	u64 skip;
	unsigned int owner;
};

/**
 * struct sim_timeline - history of workloads, and scheduled changes
 * @n_segments: number of segments, at least one
 * @segments: segments in temporal order; the last one has no end
 * @floor: integrals at the start of the first segment, for each stream
 */
struct sim_timeline {
	unsigned int n_segments;
	struct sim_segment segments[SIM_N_SEGMENTS];
	__uint128_t floor[SIM_N_STREAMS][SIM_N_SIGNALS];
};

/**
 * struct sim_cursor - a position in the timeline, and the constant rates around it
 * @stream: the stream that @sum and @rate count
 * @from: first tick of an interval of constant rates
 * @to: first tick after the interval
 * @offset: visible timestamp minus tick
 * @slot: slot of the current context, or SIM_NOBODY
 * @mhz: the GPU clock in MHz
 * @sum: integrals at @from
 * @rate: increase per tick
 * @segment: index of the segment
 * @piece: index of the piece
 */
struct sim_cursor {
	unsigned int stream;
	u64 from;
	u64 to;
	u64 offset;
	unsigned int slot;
	unsigned int mhz;
	__uint128_t sum[SIM_N_SIGNALS];
	const u64 *rate;
	unsigned int segment;
	unsigned int piece;
};

void sim_timeline_init(struct sim_timeline *timeline, u64 start,
		       const struct sim_workload *workload);
void sim_timeline_append(struct sim_timeline *timeline, const struct sim_segment *segment);
void sim_timeline_hasten(struct sim_timeline *timeline, u64 tick);
const struct sim_segment *sim_timeline_last(const struct sim_timeline *timeline);
u64 sim_timeline_offset(const struct sim_timeline *timeline, u64 tick);
void sim_timeline_at(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		     __uint128_t *sum);
int sim_timeline_tick(const struct sim_timeline *timeline, u64 now, u64 timestamp, u64 *tick);
u64 sim_segment_skip(const struct sim_segment *segment, u64 tick);

void sim_cursor_seek(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		     struct sim_cursor *cursor);
void sim_cursor_next(const struct sim_timeline *timeline, struct sim_cursor *cursor);

u64 sim_timer_due(u64 tick, u64 offset, unsigned int exponent);

/* Maximum slowdown; beyond it, a GPU makes next to no progress. */
#define SIM_MAX_SLOWDOWN 1000

/**
 * struct sim_clock - the GPU clock
 * @frequency: frequency in Hz, without slowdown
 * @slowdown: CPU time divided by GPU time
 * @ns: CPU time, CLOCK_MONOTONIC, of the last change of speed
 * @tick: clock value at @ns
 */
struct sim_clock {
	u64 frequency;
	u64 slowdown;
	u64 ns;
	u64 tick;
};

void sim_clock_init(struct sim_clock *clock, u64 frequency);
u64 sim_clock_tick(const struct sim_clock *clock, u64 ns);
u64 sim_clock_wait(const struct sim_clock *clock, u64 ticks);
void sim_clock_slow(struct sim_clock *clock, u64 ns, u64 slowdown);

#endif /* _SIM_TIMELINE_H */
