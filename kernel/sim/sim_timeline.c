// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_timeline.c - integrals of the load over any time, and when a timer or a context is due:
 * pure arithmetic.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "sim_scene.h"

/* Add to @sum what the first @ticks of a scene bring. */
void sim_scene_integrate(const struct sim_scene *scene, u64 ticks, __uint128_t *sum)
{
	u64 cycles, rest;
	unsigned int i, p;

	cycles = div64_u64_rem(ticks, scene->ticks, &rest);
	for (i = 0; i < SIM_N_SIGNALS; i++)
		sum[i] += (__uint128_t)scene->total[i] * cycles;

	for (p = 0; p < scene->n_phases && rest; p++) {
		const struct sim_phase *phase = &scene->phases[p];
		u64 part = min(rest, phase->ticks);

		for (i = 0; i < SIM_N_SIGNALS; i++)
			sum[i] += (__uint128_t)phase->rate[i] * part;
		rest -= part;
	}
}

void sim_timeline_init(struct sim_timeline *timeline, u64 slot_ticks, u64 start,
		       const struct sim_scene *scene)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->slot_ticks = slot_ticks;
	timeline->segments[0] = (struct sim_segment) { .start = start, .scene = scene };
	timeline->n_segments = 1;
}

const struct sim_segment *sim_timeline_present(const struct sim_timeline *timeline)
{
	return &timeline->segments[timeline->n_segments - 1];
}

/* A stream sees each scene begin when the scene begins, in the time that the stream counts. */
static void sim_segment_integrate(const struct sim_timeline *timeline,
				  const struct sim_segment *segment, unsigned int stream, u64 end,
				  __uint128_t *sum)
{
	u64 start = sim_stream_ticks(timeline, stream, segment->start);

	sim_scene_integrate(segment->scene, sim_stream_ticks(timeline, stream, end) - start, sum);
}

/* The oldest segment makes room; times before the next one can't be asked for any more. */
static void sim_timeline_forget(struct sim_timeline *timeline)
{
	unsigned int stream;

	for (stream = 0; stream < SIM_N_STREAMS; stream++)
		sim_segment_integrate(timeline, &timeline->segments[0], stream,
				      timeline->segments[1].start, timeline->floor[stream]);
	timeline->n_segments--;
	memmove(&timeline->segments[0], &timeline->segments[1],
		timeline->n_segments * sizeof(timeline->segments[0]));
}

void sim_timeline_append(struct sim_timeline *timeline, const struct sim_segment *segment)
{
	if (timeline->n_segments == SIM_N_SEGMENTS)
		sim_timeline_forget(timeline);
	timeline->segments[timeline->n_segments++] = *segment;
}

/* Integrals of all signals up to @tick, which is not before the first segment. */
void sim_timeline_at(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		     __uint128_t *sum)
{
	unsigned int i;

	memcpy(sum, timeline->floor[stream], sizeof(timeline->floor[stream]));
	for (i = 0; i < timeline->n_segments; i++) {
		const struct sim_segment *segment = &timeline->segments[i];
		u64 end = tick;

		if (segment->start >= tick)
			break;
		if (i + 1 < timeline->n_segments)
			end = min(tick, segment[1].start);
		sim_segment_integrate(timeline, segment, stream, end, sum);
	}
}

/*
 * The tick that a timestamp stands for. One below 2^32 is taken for the latest moment with these
 * low 32 bits, as a report carries them. -ERANGE: it lies in the future, before the history, or
 * in a jump of the clock.
 */
int sim_timeline_tick(const struct sim_timeline *timeline, u64 now, u64 timestamp, u64 *tick)
{
	u64 visible = now + sim_timeline_present(timeline)->offset;
	unsigned int i = timeline->n_segments;

	if (timestamp <= U32_MAX)
		timestamp = visible - (u32)(visible - timestamp);
	while (i--) {
		const struct sim_segment *segment = &timeline->segments[i];
		u64 end = i + 1 < timeline->n_segments ? segment[1].start : now;

		if (timestamp < segment->start + segment->offset)
			continue;
		if (timestamp > end + segment->offset)
			break;
		*tick = timestamp - segment->offset;
		return 0;
	}
	return -ERANGE;
}

/* Ticks that a stream has counted since tick 0. */
u64 sim_stream_ticks(const struct sim_timeline *timeline, unsigned int stream, u64 tick)
{
	u64 slot = timeline->slot_ticks, cycles, rest;

	if (stream == SIM_GLOBAL)
		return tick;
	cycles = div64_u64_rem(tick, SIM_N_SLOTS * slot, &rest);
	return cycles * slot + min(rest - min(rest, stream * slot), slot);
}

/*
 * The first tick from @tick on at which a stream counts; @end is the one at which it stops again.
 */
u64 sim_stream_active(const struct sim_timeline *timeline, unsigned int stream, u64 tick, u64 *end)
{
	u64 slot = timeline->slot_ticks, begin, rest;

	if (stream == SIM_GLOBAL) {
		*end = U64_MAX;
		return tick;
	}
	div64_u64_rem(tick, SIM_N_SLOTS * slot, &rest);
	begin = tick - rest + stream * slot;
	if (tick >= begin + slot)
		begin += SIM_N_SLOTS * slot;
	*end = begin + slot;
	return max(tick, begin);
}

/*
 * The first tick from @tick on at which the OA timer fires: when bit @exponent of the timestamp
 * goes up, so that the timestamp modulo 2^(exponent+1) is 2^exponent.
 */
u64 sim_timer_due(u64 tick, u64 offset, unsigned int exponent)
{
	u64 half = 1ULL << exponent, mask = half | (half - 1);
	u64 timestamp = tick + offset;

	if (timestamp > half)
		half += (timestamp - half + mask) & ~mask;
	return half - offset;
}

/*
 * The first tick from @tick on at which the timer fires while a stream counts. There is one soon:
 * the timer's period is a power of two, and no larger one divides a cycle of slots than fits into
 * a slot. Only periods that no uptime reaches are not searched.
 */
u64 sim_stream_due(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		   unsigned int exponent)
{
	u64 offset = sim_timeline_present(timeline)->offset;
	u64 active, end;

	for (;;) {
		tick = sim_timer_due(tick, offset, exponent);
		active = sim_stream_active(timeline, stream, tick, &end);
		if (active == tick || tick >= BIT_ULL(62))
			return tick;
		tick = active;
	}
}

/* Place a cursor at @tick, in the present segment, at which the stream counts. */
void sim_timeline_seek(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		       struct sim_cursor *cursor)
{
	const struct sim_segment *segment = sim_timeline_present(timeline);
	const struct sim_phase *phase = segment->scene->phases;
	u64 ticks, rest;

	sim_timeline_at(timeline, stream, tick, cursor->sum);
	ticks = sim_stream_ticks(timeline, stream, tick) -
		sim_stream_ticks(timeline, stream, segment->start);
	div64_u64_rem(ticks, segment->scene->ticks, &rest);
	for (; rest >= phase->ticks; phase++)
		rest -= phase->ticks;

	sim_stream_active(timeline, stream, tick, &cursor->to);
	cursor->from = tick;
	cursor->to = min(cursor->to, tick + phase->ticks - rest);
	cursor->rate = phase->rate;
}
