// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline.c - history of a virtual GPU's workload, the OA timer, and the GPU clock.
 */
#include "timeline.h"

static void add_rates(__uint128_t *sum, const u64 *rate, u64 ticks)
{
	unsigned int i;

	for (i = 0; i < SIM_N_SIGNALS; i++)
		sum[i] += (__uint128_t)rate[i] * ticks;
}

/* Check whether a stream counts while the context in @slot runs. */
static bool stream_counts(unsigned int stream, unsigned int slot)
{
	return stream == SIM_GLOBAL || stream == slot;
}

/**
 * sim_workload_integrate() - Integrate a workload from its start.
 * @workload: the workload
 * @stream: a slot, SIM_NOBODY or SIM_GLOBAL
 * @ticks: duration in ticks
 * @sum: integrals to which the result is added
 */
static void sim_workload_integrate(const struct sim_workload *workload, unsigned int stream,
				   u64 ticks, __uint128_t *sum)
{
	u64 cycles, rest;
	unsigned int i;

	cycles = div64_u64_rem(ticks, workload->ticks, &rest);
	add_rates(sum, workload->total[stream], cycles);
	for (i = 0; i < workload->n_pieces && rest; i++) {
		const struct sim_piece *piece = &workload->pieces[i];
		u64 part = min(rest, piece->ticks);

		if (stream_counts(stream, piece->slot))
			add_rates(sum, piece->rate, part);
		rest -= part;
	}
}

/**
 * sim_timeline_init() - Begin a timeline.
 * @timeline: memory for the timeline
 * @start: first tick of the timeline
 * @workload: the workload from @start on
 */
void sim_timeline_init(struct sim_timeline *timeline, u64 start,
		       const struct sim_workload *workload)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->segments[0] = (struct sim_segment){
		.start = start,
		.workload = workload,
		.owner = SIM_GLOBAL,
	};
	timeline->n_segments = 1;
}

/**
 * sim_timeline_last() - Get the last segment.
 * @timeline: the timeline
 *
 * Return: the segment, which has no end
 */
const struct sim_segment *sim_timeline_last(const struct sim_timeline *timeline)
{
	return &timeline->segments[timeline->n_segments - 1];
}

/**
 * sim_segment_skip() - Get the position in the workload at a tick of a segment.
 * @segment: the segment
 * @tick: the tick
 *
 * Return: ticks since the start of the current repetition
 */
u64 sim_segment_skip(const struct sim_segment *segment, u64 tick)
{
	u64 rest;

	div64_u64_rem(segment->skip + tick - segment->start, segment->workload->ticks, &rest);
	return rest;
}

static void segment_integrate(const struct sim_segment *segment, unsigned int stream, u64 end,
			      __uint128_t *sum)
{
	const struct sim_workload *workload = segment->workload;
	u64 ticks = end - segment->start;
	__uint128_t before[SIM_N_SIGNALS] = {};
	unsigned int i;

	if (segment->owner != SIM_GLOBAL) {
		if (!stream_counts(stream, segment->owner))
			return;
		stream = SIM_GLOBAL;
	}
	sim_workload_integrate(workload, stream, segment->skip + ticks, sum);
	if (!segment->skip)
		return;
	sim_workload_integrate(workload, stream, segment->skip, before);
	for (i = 0; i < SIM_N_SIGNALS; i++)
		sum[i] -= before[i];
}

/* Drop the oldest segment; times before the second one can no longer be queried. */
static void timeline_forget(struct sim_timeline *timeline)
{
	unsigned int stream;

	for (stream = 0; stream < SIM_N_STREAMS; stream++)
		segment_integrate(&timeline->segments[0], stream, timeline->segments[1].start,
				  timeline->floor[stream]);
	timeline->n_segments--;
	memmove(&timeline->segments[0], &timeline->segments[1],
		timeline->n_segments * sizeof(timeline->segments[0]));
}

/**
 * sim_timeline_append() - Append a segment, which invalidates all cursors.
 * @timeline: the timeline
 * @segment: the segment; it does not begin before the last one, and replaces it if they begin at
 *   the same tick
 */
void sim_timeline_append(struct sim_timeline *timeline, const struct sim_segment *segment)
{
	if (sim_timeline_last(timeline)->start == segment->start)
		timeline->n_segments--;
	if (timeline->n_segments == SIM_N_SEGMENTS)
		timeline_forget(timeline);
	timeline->segments[timeline->n_segments++] = *segment;
}

/**
 * sim_timeline_hasten() - Let the last segment begin earlier, which invalidates all cursors.
 * @timeline: the timeline
 * @tick: new start of the segment, limited to the start of the preceding segment
 */
void sim_timeline_hasten(struct sim_timeline *timeline, u64 tick)
{
	struct sim_segment last = *sim_timeline_last(timeline);

	if (last.start <= tick || timeline->n_segments == 1)
		return;
	timeline->n_segments--;
	last.start = max(tick, sim_timeline_last(timeline)->start);
	sim_timeline_append(timeline, &last);
}

/* Get the first tick after a segment. */
static u64 segment_end(const struct sim_timeline *timeline, unsigned int index)
{
	return index + 1 < timeline->n_segments ? timeline->segments[index + 1].start : U64_MAX;
}

/* Get the index of the segment that includes a tick; 0 if the tick precedes all segments. */
static unsigned int timeline_find(const struct sim_timeline *timeline, u64 tick)
{
	unsigned int i = timeline->n_segments;

	while (--i && timeline->segments[i].start > tick)
		;
	return i;
}

/**
 * sim_timeline_offset() - Get the offset of the visible timestamp at a tick.
 * @timeline: the timeline
 * @tick: the tick
 *
 * Return: visible timestamp minus @tick
 */
u64 sim_timeline_offset(const struct sim_timeline *timeline, u64 tick)
{
	return timeline->segments[timeline_find(timeline, tick)].offset;
}

/**
 * sim_timeline_at() - Integrate all signals up to a tick.
 * @timeline: the timeline
 * @stream: a slot, SIM_NOBODY or SIM_GLOBAL
 * @tick: the tick, not before the first segment
 * @sum: set to the integrals
 */
void sim_timeline_at(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		     __uint128_t *sum)
{
	unsigned int i;

	memcpy(sum, timeline->floor[stream], sizeof(timeline->floor[stream]));
	for (i = 0; i < timeline->n_segments; i++) {
		const struct sim_segment *segment = &timeline->segments[i];

		if (segment->start >= tick)
			break;
		segment_integrate(segment, stream, min(tick, segment_end(timeline, i)), sum);
	}
}

/**
 * sim_timeline_tick() - Convert a visible timestamp to a tick.
 * @timeline: the timeline
 * @now: the present tick
 * @timestamp: the timestamp; below 2^32, the latest time with these low 32 bits, as in reports
 * @tick: set to the tick
 *
 * Return: 0, or -ERANGE if it is in the future, before the first segment, or in a jump of the
 * visible timestamp
 */
int sim_timeline_tick(const struct sim_timeline *timeline, u64 now, u64 timestamp, u64 *tick)
{
	u64 visible = now + sim_timeline_offset(timeline, now);
	unsigned int i = timeline_find(timeline, now) + 1;

	if (timestamp <= U32_MAX)
		timestamp = visible - (u32)(visible - timestamp);
	while (i--) {
		const struct sim_segment *segment = &timeline->segments[i];
		u64 end = min(segment_end(timeline, i), now);

		if (timestamp < segment->start + segment->offset)
			continue;
		if (timestamp > end + segment->offset)
			break;
		*tick = timestamp - segment->offset;
		return 0;
	}
	return -ERANGE;
}

/* Set the cursor's properties from its position; @rest is the number of ticks left in the piece. */
static void cursor_settle(const struct sim_timeline *timeline, struct sim_cursor *cursor, u64 rest)
{
	static const u64 nothing[SIM_N_SIGNALS];
	const struct sim_segment *segment = &timeline->segments[cursor->segment];
	const struct sim_piece *piece = &segment->workload->pieces[cursor->piece];
	unsigned int slot = segment->owner != SIM_GLOBAL ? segment->owner : piece->slot;

	cursor->to = min(cursor->from + rest, segment_end(timeline, cursor->segment));
	cursor->offset = segment->offset;
	cursor->slot = slot;
	cursor->mhz = piece->mhz;
	cursor->rate = stream_counts(cursor->stream, slot) ? piece->rate : nothing;
}

/* Find the piece at the cursor's position. Return the number of ticks left in the piece. */
static u64 cursor_find_piece(const struct sim_timeline *timeline, struct sim_cursor *cursor)
{
	const struct sim_segment *segment = &timeline->segments[cursor->segment];
	const struct sim_piece *piece = segment->workload->pieces;
	u64 rest = sim_segment_skip(segment, cursor->from);

	for (; rest >= piece->ticks; piece++)
		rest -= piece->ticks;
	cursor->piece = piece - segment->workload->pieces;
	return piece->ticks - rest;
}

/**
 * sim_cursor_seek() - Set the position of a cursor.
 * @timeline: the timeline
 * @stream: a slot, SIM_NOBODY or SIM_GLOBAL
 * @tick: the position
 * @cursor: the cursor
 */
void sim_cursor_seek(const struct sim_timeline *timeline, unsigned int stream, u64 tick,
		     struct sim_cursor *cursor)
{
	cursor->stream = stream;
	cursor->from = tick;
	cursor->segment = timeline_find(timeline, tick);
	sim_timeline_at(timeline, stream, tick, cursor->sum);
	cursor_settle(timeline, cursor, cursor_find_piece(timeline, cursor));
}

/**
 * sim_cursor_next() - Move a cursor to the next interval of constant rates.
 * @timeline: the timeline
 * @cursor: the cursor
 */
void sim_cursor_next(const struct sim_timeline *timeline, struct sim_cursor *cursor)
{
	const struct sim_workload *workload = timeline->segments[cursor->segment].workload;
	u64 rest;

	add_rates(cursor->sum, cursor->rate, cursor->to - cursor->from);
	cursor->from = cursor->to;
	if (cursor->to == segment_end(timeline, cursor->segment)) {
		cursor->segment++;
		rest = cursor_find_piece(timeline, cursor);
	} else {
		cursor->piece = (cursor->piece + 1) % workload->n_pieces;
		rest = workload->pieces[cursor->piece].ticks;
	}
	cursor_settle(timeline, cursor, rest);
}

/**
 * sim_timer_due() - Get the next expiry of the OA timer.
 * @tick: the earliest tick
 * @offset: visible timestamp minus @tick
 * @exponent: exponent of the timer period
 *
 * The timer expires when bit @exponent of the timestamp becomes 1, that is, when the timestamp
 * modulo 2^(exponent+1) is 2^exponent.
 *
 * Return: the tick
 */
u64 sim_timer_due(u64 tick, u64 offset, unsigned int exponent)
{
	u64 half = 1ULL << exponent, mask = half | (half - 1);
	u64 timestamp = tick + offset;

	if (timestamp > half)
		half += (timestamp - half + mask) & ~mask;
	return half - offset;
}

/**
 * sim_clock_init() - Start a clock at full speed, at 0 when the CPU time is 0.
 * @clock: the clock
 * @frequency: frequency in Hz
 */
void sim_clock_init(struct sim_clock *clock, u64 frequency)
{
	*clock = (struct sim_clock){
		.frequency = frequency,
		.slowdown = 1,
	};
}

/**
 * sim_clock_tick() - Read a clock.
 * @clock: the clock
 * @ns: CPU time, not before the last change of speed
 *
 * Return: ticks
 */
u64 sim_clock_tick(const struct sim_clock *clock, u64 ns)
{
	return clock->tick + mul_u64_u64_div_u64(ns - clock->ns, clock->frequency,
						 NSEC_PER_SEC * clock->slowdown);
}

/**
 * sim_clock_wait() - Convert a number of ticks to a duration.
 * @clock: the clock
 * @ticks: number of ticks
 *
 * Return: ns of CPU time in which the ticks certainly pass
 */
u64 sim_clock_wait(const struct sim_clock *clock, u64 ticks)
{
	return mul_u64_u64_div_u64(ticks, NSEC_PER_SEC * clock->slowdown, clock->frequency) + 1;
}

/**
 * sim_clock_slow() - Change the speed of a clock, without a jump.
 * @clock: the clock
 * @ns: CPU time of the change
 * @slowdown: CPU time divided by GPU time
 */
void sim_clock_slow(struct sim_clock *clock, u64 ns, u64 slowdown)
{
	clock->tick = sim_clock_tick(clock, ns);
	clock->ns = ns;
	clock->slowdown = slowdown;
}
