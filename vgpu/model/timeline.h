/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - the load of a virtual GPU over time, and its clocks.
 */
#ifndef _SIM_TIMELINE_H
#define _SIM_TIMELINE_H

#include "env.h"
#include "scene.h"

#define SIM_N_SEGMENTS 64

/**
 * struct sim_segment - from one change of the scene or of the visible clock to the next
 * @start: tick at which it begins
 * @offset: what the visible timestamp is ahead of the tick
 * @scene: the scene
 * @skip: how many ticks of the scene are over when the segment begins
 * @owner: slot of the context that has the GPU for itself, or SIM_GLOBAL: contexts take turns
 */
struct sim_segment {
	u64 start;
	u64 offset;
	const struct sim_scene *scene;
	u64 skip;
	unsigned int owner;
};

/**
 * struct sim_timeline - history of scenes, and what has been decided of the future
 * @n_segments: how many, at least one
 * @segments: by time; the last one has no end
 * @floor: integrals at the start of the first segment, for each stream
 */
struct sim_timeline {
	unsigned int n_segments;
	struct sim_segment segments[SIM_N_SEGMENTS];
	__uint128_t floor[SIM_N_STREAMS][SIM_N_SIGNALS];
};

/**
 * struct sim_cursor - a place in the timeline, and the constant rates around it
 * @stream: whose integrals these are
 * @from: first tick of a stretch of constant rates
 * @to: tick behind it
 * @offset: what the visible timestamp is ahead of the tick
 * @slot: slot of the context that runs, or SIM_NOBODY
 * @mhz: the GPU's clock
 * @sum: integrals at @from
 * @rate: what a tick adds
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

void sim_timeline_init(struct sim_timeline *timeline, u64 start, const struct sim_scene *scene);
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

/* Slower than this, a GPU does next to nothing. */
#define SIM_MAX_SLOWDOWN 1000

/**
 * struct sim_clock - what the clock shows, and how fast it runs
 * @frequency: of the clock, Hz
 * @slowdown: GPU time passes so many times slower than the CPU's
 * @ns: the CPU's time, CLOCK_MONOTONIC, since when that is so
 * @tick: what the clock showed then
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
