// SPDX-License-Identifier: GPL-2.0-only
/*
 * aux_drain.c - publishing new reports of an AUX area, and the gaps between them; see mode_aux.c.
 */
#include <linux/delay.h>
#include <linux/ktime.h>

#include "aux_drain.h"
#include "loss.h"
#include "sink.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"

/* Maximum number of headers that one poll checks, because interrupts are disabled. */
#define GPUOA_AUX_WALK 4096

/* Maximum number of passes over missing reports after a unit was stopped. */
#define GPUOA_AUX_STOP_ROUNDS 16

/* Publish @count gapless reports; @last is the time of the last timer report. */
static bool aux_publish(struct gpuoa_stream *stream, u32 count, u64 last, u64 now)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!count)
		return true;

	/* Records that describe these reports must precede them. */
	stream->sink->ops->flush(stream->sink);
	if (!gpuoa_sink_aux_publish(&aux->sink, count))
		return false;
	gpuoa_landing_take(&aux->landing, count, now);
	stream->loss.last = last;
	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);

	return true;
}

/**
 * gpuoa_aux_mark_gap() - Mark the AUX record of the reports before a gap as truncated.
 * @stream: stream
 *
 * Return: false if the area is unmapped
 */
bool gpuoa_aux_mark_gap(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (aux->told)
		return true;
	aux->told = !!stream->loss.pending;
	aux->sink.truncated = true;
	if (gpuoa_aux_overwrite(stream) || !aux->sink.open)
		return true;

	stream->sink->ops->flush(stream->sink);

	return gpuoa_sink_aux_refresh(&aux->sink);
}

/**
 * gpuoa_aux_lost() - Report a gap after the published reports.
 * @stream: stream
 * @count: number of missing reports, or GPUOA_LOST_UNKNOWN
 */
void gpuoa_aux_lost(struct gpuoa_stream *stream, u64 count)
{
	u32 type = stream->loss.pending ?: GPUOA_RECORD_REPORTS_LOST;

	stream->loss.pending = 0;
	stream->aux.told = false;
	if (!gpuoa_aux_overwrite(stream))
		gpuoa_stream_report_lost(stream, type, count);
	else if (count != GPUOA_LOST_UNKNOWN)
		atomic64_add(count, &stream->unit->stats.reports_lost);
}

static bool aux_is_timer_report(const struct gpuoa_stream *stream, u32 n)
{
	const void *report = gpuoa_landing_report(&stream->aux.landing, n);

	return stream->unit->oa->is_timer_report(&stream->hw, report);
}

/* True if @count reports follow each other and the last published one without a gap. */
static bool aux_gapless(const struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 span;

	if (stream->aux.suspect || stream->loss.pending)
		return false;
	/* If other sources cause reports, only the hardware's lost bit shows a loss. */
	if (!stream->timer_alone)
		return true;
	span = gpuoa_landing_time(&stream->aux.landing, count - 1, now) - stream->loss.last;

	return stream->loss.last_valid && span == (u64)count << (stream->hw.exponent + 1);
}

/* Time of the last timer report among @count reports, or before them. */
static u64 aux_last_timer(const struct gpuoa_stream *stream, u32 count, u64 now)
{
	while (count--)
		if (aux_is_timer_report(stream, count))
			return gpuoa_landing_time(&stream->aux.landing, count, now);

	return stream->loss.last;
}

/* Number of missing timer reports between two timer reports */
static u64 aux_missing(struct gpuoa_stream *stream, u64 last, u64 time)
{
	u64 periods = stream->loss.last_valid && time > last ?
			      (time - last) >> (stream->hw.exponent + 1) :
			      1;

	return gpuoa_loss_not_told(&stream->loss, periods ? periods - 1 : 0);
}

/*
 * Skip @count reports that never landed at the head. Returns false if the area is unmapped or was
 * corrupted by the reader.
 */
static bool aux_lose(struct gpuoa_stream *stream, u32 count)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!gpuoa_aux_mark_gap(stream) || !aux->sink.open ||
	    !gpuoa_sink_aux_skip(&aux->sink, count))
		return false;
	gpuoa_landing_skip(&aux->landing, count);
	/* Check the following reports one by one. */
	aux->suspect = true;
	stream->loss.told += count;
	if (gpuoa_aux_overwrite(stream))
		atomic64_add(count, &stream->unit->stats.reports_lost);
	else
		gpuoa_stream_report_lost(stream, GPUOA_RECORD_REPORTS_LOST, count);

	return true;
}

/* Publish @count reports in runs, and report the gaps between the runs. */
static bool aux_publish_pieces(struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 last = stream->loss.last, time, missing;
	bool hole;
	u32 i = 0;

	while (i < count) {
		hole = gpuoa_landing_is_empty(&stream->aux.landing, i);
		if (!hole && (stream->hw.filter || !aux_is_timer_report(stream, i))) {
			i++;
			continue;
		}
		time = gpuoa_landing_time(&stream->aux.landing, i, now);
		if (hole || (stream->loss.last_valid && time < last)) {
			/*
			 * Empty, or left from the previous lap: this report never landed, but later
			 * ones did.
			 */
			if (!aux_publish(stream, i, last, now) || !aux_lose(stream, 1))
				return false;
			count -= i + 1;
			i = 0;
			continue;
		}
		missing = aux_missing(stream, last, time);
		if (missing) {
			/* The area may be unmapped at this point. */
			if (!aux_publish(stream, i, last, now) || !gpuoa_aux_mark_gap(stream) ||
			    !stream->aux.sink.open)
				return false;
			gpuoa_aux_lost(stream, missing);
			count -= i;
			i = 0;
		}
		stream->loss.last_valid = true;
		last = time;
		i++;
	}

	return aux_publish(stream, count, last, now);
}

/* A loss of non-timer reports cannot be measured: report it without a number. */
static void aux_give_up_gap(struct gpuoa_stream *stream)
{
	if (stream->loss.pending && stream->aux.landing.last > stream->aux.gap_until)
		gpuoa_aux_lost(stream, GPUOA_LOST_UNKNOWN);
}

/* Returns how many of @count reports are left for the next poll. */
static u32 aux_publish_landed(struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 last = stream->loss.last;
	u32 left = 0;

	if (!count)
		return 0;
	if (aux_gapless(stream, count, now)) {
		if (!stream->hw.filter)
			last = aux_last_timer(stream, count, now);
		aux_publish(stream, count, last, now);
		return 0;
	}
	if (count > GPUOA_AUX_WALK) {
		left = count - GPUOA_AUX_WALK;
		count = GPUOA_AUX_WALK;
	}
	if (aux_publish_pieces(stream, count, now)) {
		stream->aux.suspect = false;
		aux_give_up_gap(stream);
	}

	return left;
}

/**
 * gpuoa_aux_note_loss() - Record a loss; its size is measured by the next reports.
 * @stream: stream
 * @type: GPUOA_RECORD_*
 */
void gpuoa_aux_note_loss(struct gpuoa_stream *stream, u32 type)
{
	stream->aux.gap_until = gpuoa_aux_now(stream);
	gpuoa_stream_note_loss(stream, type);
}

/* Skip missing reports at the head. Returns the number of reports that can be published now. */
static u32 aux_pass_holes(struct gpuoa_stream *stream, u32 tail, u64 now)
{
	struct gpuoa_landing *landing = &stream->aux.landing;
	u32 hole, before;

	/* Usual case: the last report waits for its successor. */
	if (gpuoa_landing_announced(landing, tail) < 2)
		return 0;
	hole = gpuoa_landing_hole(landing, tail, now, &before);
	if (before)
		return before;
	if (!hole || !aux_lose(stream, hole))
		return 0;

	return gpuoa_landing_update(landing, tail, now);
}

/**
 * gpuoa_aux_drain() - Publish the reports that have landed.
 * @stream: stream
 * @tail: hardware tail, offset in bytes
 *
 * Return: number of reports left for the next poll
 */
u32 gpuoa_aux_drain(struct gpuoa_stream *stream, u32 tail)
{
	u64 now = gpuoa_aux_now(stream);
	u32 count = stream->asked ? gpuoa_landing_update_all(&stream->aux.landing, tail, now) :
				    gpuoa_landing_update(&stream->aux.landing, tail, now);

	return aux_publish_landed(stream, count ?: aux_pass_holes(stream, tail, now), now);
}

/* True if all reports are visible and the last one is old enough to be complete. */
static bool aux_all_landed(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_landing *landing = &stream->aux.landing;
	u32 announced = gpuoa_landing_announced(landing, tail);
	u64 now = gpuoa_aux_now(stream);

	if (!announced)
		return true;

	return gpuoa_landing_update_idle(landing, tail, now) == announced &&
	       gpuoa_landing_time(landing, announced - 1, now) +
			       gpuoa_pace_ticks(&stream->pace, GPUOA_RING_LAND_NS) <=
		       now;
}

/**
 * gpuoa_aux_drain_stopped() - Publish the reports of a stopped unit; those still missing are lost.
 * @stream: stream
 * @tail: hardware tail, offset in bytes
 */
void gpuoa_aux_drain_stopped(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_landing *landing = &stream->aux.landing;
	u64 end = ktime_get_ns() + GPUOA_RING_LAND_NS, now;
	unsigned int rounds = GPUOA_AUX_STOP_ROUNDS;
	u32 hole;

	while (!aux_all_landed(stream, tail) && ktime_get_ns() < end)
		udelay(2);
	now = gpuoa_aux_now(stream);
	do {
		aux_publish_landed(stream, gpuoa_landing_update_idle(landing, tail, now), now);
		hole = gpuoa_landing_hole_idle(landing, tail, now);
		if (hole && !aux_lose(stream, hole))
			return;
	} while (gpuoa_landing_announced(landing, tail) && stream->aux.sink.open && --rounds);

	if (gpuoa_landing_announced(landing, tail))
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}
