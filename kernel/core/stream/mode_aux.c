// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode_aux.c - AUX mode: the OABUFFER is the reader's AUX area, and reports stay where they are.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>

#include "buffer.h"
#include "loss.h"
#include "mode.h"
#include "oa/exponent.h"
#include "recovery.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/refuse.h"
#include "unit/unit.h"

/**
 * DOC: AUX mode
 *
 * The hardware writes into the reader's memory. Of the reports, the CPU reads some headers (see
 * landing.c); it tells core how many there are, and the hardware how far the reader is. Other
 * records, such as the size of a gap, go as RAW samples into the event's other ring, in order with
 * core's own records of the AUX area.
 *
 * Gaps: where nothing but the timer makes reports, two timestamps tell whether any is missing
 * between them. Elsewhere only the hardware tells, and then all reports since the last poll are
 * gone through. The record of the AUX area before the gap is TRUNCATED.
 *
 * A reader that is too slow must not find what it has not read yet trampled over: some hardware
 * does that once its buffer has overflowed. So the unit is stopped when the next poll might come
 * too late, and goes on when the reader has made room. With a period and a buffer so small that
 * no poll comes in time, it does overflow.
 *
 * Half of the time until the reader shall be woken, it is asked how far it is: it may have made
 * room since. If what it waits for comes soon, the reports that there are wait for the rest, and
 * core writes one record of all.
 *
 * A flight recorder has no reader to wait for: at each poll the hardware gets the whole buffer
 * back. Losses go into the statistics, and the record at the end is TRUNCATED. Nobody may look at
 * the event's other ring for days: it gets a few records when the event is enabled and disabled.
 */

/* The longest and the shortest time until the next poll */
#define GPUOA_AUX_POLL_MAX_NS NSEC_PER_SEC
#define GPUOA_AUX_POLL_MIN_NS (500 * NSEC_PER_USEC)

/* The shortest time when buffer and period are so small that GPUOA_AUX_POLL_MIN_NS is too late */
#define GPUOA_AUX_POLL_FAST_NS (100 * NSEC_PER_USEC)

/* What the reader waits for comes soon: until then, nothing is published. */
#define GPUOA_AUX_SOON_NS (200 * NSEC_PER_MSEC)

/* Headers that one poll looks at, at most: it runs with interrupts off. */
#define GPUOA_AUX_WALK 4096

/* A unit that was stopped gets so many of these. */
#define GPUOA_AUX_STOP_ROUNDS 16

/* When there is no room, how often to ask the reader for some */
#define GPUOA_AUX_POLL_FULL_NS (2 * NSEC_PER_MSEC)

static u64 aux_now(const struct gpuoa_stream *stream)
{
	return stream->unit->ops->timestamp(stream->unit->host);
}

static bool aux_overwrite(const struct gpuoa_stream *stream)
{
	return stream->aux.sink.area && stream->aux.sink.area->overwrite;
}

/* Publish @count reports without a gap; @last is the time of the last one that the timer made. */
static bool aux_publish(struct gpuoa_stream *stream, u32 count, u64 last, u64 now)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!count)
		return true;

	/* Records that describe these reports come before them. */
	stream->sink->ops->flush(stream->sink);
	if (!gpuoa_sink_aux_publish(&aux->sink, count))
		return false;
	gpuoa_landing_take(&aux->landing, count, now);
	stream->loss.last = last;
	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);

	return true;
}

/* Mark the record of what was published until now: something is missing behind it. */
static bool aux_mark_gap(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (aux->told)
		return true;
	aux->told = !!stream->loss.pending;
	aux->sink.truncated = true;
	if (aux_overwrite(stream) || !aux->sink.open)
		return true;

	stream->sink->ops->flush(stream->sink);

	return gpuoa_sink_aux_refresh(&aux->sink);
}

static void aux_lost(struct gpuoa_stream *stream, u64 count)
{
	u32 type = stream->loss.pending ?: GPUOA_RECORD_REPORTS_LOST;

	stream->loss.pending = 0;
	stream->aux.told = false;
	if (!aux_overwrite(stream))
		gpuoa_stream_report_lost(stream, type, count);
	else if (count != GPUOA_LOST_UNKNOWN)
		atomic64_add(count, &stream->unit->stats.reports_lost);
}

static bool aux_is_timer_report(const struct gpuoa_stream *stream, u32 n)
{
	const void *report = gpuoa_landing_report(&stream->aux.landing, n);

	return stream->unit->oa->is_timer_report(&stream->hw, report);
}

/* True if @count reports follow each other, and the last one, without a gap. */
static bool aux_gapless(const struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 span;

	if (stream->aux.suspect || stream->loss.pending)
		return false;
	/* Reports may be absent legitimately; only the hardware's lost bit tells. */
	if (!stream->timer_alone)
		return true;
	span = gpuoa_landing_time(&stream->aux.landing, count - 1, now) - stream->loss.last;

	return stream->loss.last_valid && span == (u64)count << (stream->hw.exponent + 1);
}

/* Time of the last timer report among @count, or of the last one before them. */
static u64 aux_last_timer(const struct gpuoa_stream *stream, u32 count, u64 now)
{
	while (count--)
		if (aux_is_timer_report(stream, count))
			return gpuoa_landing_time(&stream->aux.landing, count, now);

	return stream->loss.last;
}

/* Number of timer reports that are missing between two of them */
static u64 aux_missing(struct gpuoa_stream *stream, u64 last, u64 time)
{
	u64 periods = stream->loss.last_valid && time > last ?
			      (time - last) >> (stream->hw.exponent + 1) :
			      1;

	return gpuoa_loss_not_told(&stream->loss, periods ? periods - 1 : 0);
}

/*
 * @count reports that never landed are at the head: pass over them. False: the area is unmapped, or
 * the reader is not to be trusted.
 */
static bool aux_lose(struct gpuoa_stream *stream, u32 count)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!aux_mark_gap(stream) || !aux->sink.open || !gpuoa_sink_aux_skip(&aux->sink, count))
		return false;
	gpuoa_landing_skip(&aux->landing, count);
	/* What follows is to be looked at one by one. */
	aux->suspect = true;
	stream->loss.told += count;
	if (aux_overwrite(stream))
		atomic64_add(count, &stream->unit->stats.reports_lost);
	else
		gpuoa_stream_report_lost(stream, GPUOA_RECORD_REPORTS_LOST, count);

	return true;
}

/* Publish @count reports piece by piece, and the gaps between them. */
static bool aux_publish_pieces(struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 last = stream->loss.last, time, missing;
	u32 i = 0;

	while (i < count) {
		if (stream->hw.filter || !aux_is_timer_report(stream, i)) {
			i++;
			continue;
		}
		time = gpuoa_landing_time(&stream->aux.landing, i, now);
		if (stream->loss.last_valid && time < last) {
			/* A report of a lap ago: the new one never landed, but others behind it. */
			if (!aux_publish(stream, i, last, now) || !aux_lose(stream, 1))
				return false;
			count -= i + 1;
			i = 0;
			continue;
		}
		missing = aux_missing(stream, last, time);
		if (missing) {
			/* The area may be unmapped right now. */
			if (!aux_publish(stream, i, last, now) || !aux_mark_gap(stream) ||
			    !stream->aux.sink.open)
				return false;
			aux_lost(stream, missing);
			count -= i;
			i = 0;
		}
		stream->loss.last_valid = true;
		last = time;
		i++;
	}

	return aux_publish(stream, count, last, now);
}

/* A loss of reports that the timer did not make cannot be measured: report it without a number. */
static void aux_give_up_gap(struct gpuoa_stream *stream)
{
	if (stream->loss.pending && stream->aux.landing.last > stream->aux.gap_until)
		aux_lost(stream, GPUOA_LOST_UNKNOWN);
}

/* Returns how many of @count reports are left for the next time. */
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

static void aux_note_loss(struct gpuoa_stream *stream, u32 type)
{
	stream->aux.gap_until = aux_now(stream);
	gpuoa_stream_note_loss(stream, type);
}

static void aux_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	gpuoa_stream_note_status(stream, status);
	if (gpuoa_stream_has_lost(stream, status))
		aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Is one of the reports that never land in the way? Returns how many can be published now. */
static u32 aux_pass_holes(struct gpuoa_stream *stream, u32 tail, u64 now)
{
	struct gpuoa_landing *landing = &stream->aux.landing;
	u32 hole, before;

	/* The last report waits for its successor: that is how it is most of the time. */
	if (gpuoa_landing_announced(landing, tail) < 2)
		return 0;
	hole = gpuoa_landing_hole(landing, tail, now, &before);
	if (before)
		return before;
	if (!hole || !aux_lose(stream, hole))
		return 0;

	return gpuoa_landing_update(landing, tail, now);
}

/* Publish what has landed. Returns how many reports are left for the next poll. */
static u32 aux_drain(struct gpuoa_stream *stream, u32 tail)
{
	u64 now = aux_now(stream);
	u32 count = stream->asked ? gpuoa_landing_update_all(&stream->aux.landing, tail, now) :
				    gpuoa_landing_update(&stream->aux.landing, tail, now);

	return aux_publish_landed(stream, count ?: aux_pass_holes(stream, tail, now), now);
}

/* True if all reports show, and the last one is old enough to be there as a whole. */
static bool aux_all_landed(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_landing *landing = &stream->aux.landing;
	u32 announced = gpuoa_landing_announced(landing, tail);
	u64 now = aux_now(stream);

	if (!announced)
		return true;

	return gpuoa_landing_update_idle(landing, tail, now) == announced &&
	       gpuoa_landing_time(landing, announced - 1, now) +
			       gpuoa_pace_ticks(&stream->pace, GPUOA_RING_LAND_NS) <= now;
}

/* Publish what a stopped unit wrote; what has not landed in time is lost. */
static void aux_drain_stopped(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_landing *landing = &stream->aux.landing;
	u64 end = ktime_get_ns() + GPUOA_RING_LAND_NS, now;
	unsigned int rounds = GPUOA_AUX_STOP_ROUNDS;
	u32 hole;

	while (!aux_all_landed(stream, tail) && ktime_get_ns() < end)
		udelay(2);
	now = aux_now(stream);
	do {
		aux_publish_landed(stream, gpuoa_landing_update_idle(landing, tail, now), now);
		hole = gpuoa_landing_hole_idle(landing, tail, now);
		if (hole && !aux_lose(stream, hole))
			return;
	} while (gpuoa_landing_announced(landing, tail) && stream->aux.sink.open && --rounds);

	if (gpuoa_landing_announced(landing, tail))
		aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Stop the unit and publish what it wrote. @full: it pauses because the reader is slow. */
static void aux_stop(struct gpuoa_stream *stream, bool full)
{
	struct gpuoa_hw_status status;

	gpuoa_stream_hw_stop(stream);
	stream->unit->oa->status(&stream->hw, &status);
	if (status.gone) {
		aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
		return;
	}
	aux_check_lost(stream, &status);
	if (stream->aux.sink.open)
		aux_drain_stopped(stream, status.tail);
	if (!full && !status.overflow)
		return;

	atomic64_inc(&stream->unit->stats.overflows);
	aux_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
	aux_mark_gap(stream);
}

/*
 * Tell the hardware how far the reader is. It starts with head and tail at one place, as i915 and
 * xe start it: how it would take a head in front of its tail is not known. So the head stays there
 * while the reader has to read what was written before, and polls see to it that none of that is
 * written over.
 */
static void aux_set_head(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;
	u32 head = gpuoa_landing_release(&aux->landing, gpuoa_sink_aux_reader(&aux->sink));

	if (aux->guarding && !gpuoa_sink_aux_passed(&aux->sink, aux->started_at))
		return;
	aux->guarding = false;
	stream->unit->oa->set_head(&stream->hw, head);
}

/* True if reports were written over which the reader had not read, and the hardware cannot know. */
static bool aux_trampled(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_aux *aux = &stream->aux;

	return aux->guarding && aux->sink.open &&
	       gpuoa_landing_announced(&aux->landing, tail) > gpuoa_sink_aux_room(&aux->sink);
}

static void aux_start(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	stream->hw.first = gpuoa_sink_aux_offset(&aux->sink);
	gpuoa_landing_start(&aux->landing, stream->hw.first, aux_now(stream));
	gpuoa_landing_release(&aux->landing, gpuoa_sink_aux_reader(&aux->sink));
	aux->started_at = aux->sink.handle.head;
	aux->waiting = 0;
	aux->guarding = true;
	aux->suspect = true;
	gpuoa_stream_hw_start(stream);
}

static u32 aux_slots(const struct gpuoa_stream *stream)
{
	return stream->aux.landing.size / stream->request.format->size;
}

/* Reports that the hardware can still write */
static u32 aux_room(const struct gpuoa_stream *stream)
{
	u32 room = gpuoa_sink_aux_room(&stream->aux.sink);

	return room - min(room, stream->aux.waiting);
}

/* True if the buffer may be full before the next poll, however soon that is. */
static bool aux_short_of_room(const struct gpuoa_stream *stream)
{
	u32 room = aux_room(stream);

	return room < aux_slots(stream) / 4 &&
	       gpuoa_pace_fill(&stream->pace, room) < 2 * GPUOA_AUX_POLL_FAST_NS;
}

static void aux_try_start(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!aux->sink.area)
		return;
	if (aux->sink.open ? !gpuoa_sink_aux_refresh(&aux->sink) :
			     !gpuoa_sink_aux_open(&aux->sink))
		return;
	if (gpuoa_sink_aux_room(&aux->sink) >= aux_slots(stream) / 4)
		aux_start(stream);
}

/* Ask for the reader's progress, unless publishing has just done so. False: area unmapped. */
static bool aux_ask_reader(struct gpuoa_stream *stream, bool published)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;

	if (!sink->open || (published && !aux_overwrite(stream)))
		return sink->open;

	return gpuoa_sink_aux_refresh(sink);
}

/*
 * True if the reader waits for more reports than are there, but not for long; if nobody asks for
 * them now; and if nothing is known to be missing, so that they need not be looked at one by one.
 */
static bool aux_can_wait(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_aux *aux = &stream->aux;
	u32 wanted = gpuoa_landing_ahead(gpuoa_sink_aux_wanted(&aux->sink));
	u32 announced = gpuoa_landing_announced(&aux->landing, tail);

	return announced < wanted && !stream->asked && !aux->suspect && !stream->loss.pending &&
	       (wanted - announced) * stream->pace.period_ns <= GPUOA_AUX_SOON_NS;
}

/* Returns how many reports are left for the next poll. */
static u32 aux_poll_running(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;
	u64 forwarded = stream->forwarded;
	struct gpuoa_hw_status status;
	u32 left;

	stream->unit->oa->status(&stream->hw, &status);
	if (!gpuoa_recovery_check(stream, &status))
		return 0;
	aux_check_lost(stream, &status);
	if (status.overflow || aux_trampled(stream, status.tail)) {
		gpuoa_half_full_overflow(&stream->half_full);
		aux_stop(stream, true);
		return 0;
	}

	left = aux_can_wait(stream, status.tail) ? 0 : aux_drain(stream, status.tail);
	aux->waiting = gpuoa_landing_announced(&aux->landing, status.tail);
	if (!aux_ask_reader(stream, stream->forwarded != forwarded) || aux_short_of_room(stream)) {
		aux_stop(stream, true);
		return 0;
	}
	aux_set_head(stream);

	return left;
}

/* Before the hardware has filled half of the room */
static u64 aux_wait_for_room(const struct gpuoa_stream *stream)
{
	u64 half = gpuoa_pace_fill(&stream->pace, aux_room(stream) / 2);

	return max_t(u64, half, GPUOA_AUX_POLL_FAST_NS);
}

/* The latency of reports that come unexpectedly, if the reader waits for any */
static u64 aux_wait_for_others(const struct gpuoa_stream *stream)
{
	return gpuoa_sink_aux_wanted(&stream->aux.sink) ? gpuoa_pace_latency(&stream->pace) :
							  U64_MAX;
}

static bool aux_guarded(struct gpuoa_stream *stream)
{
	if (stream->aux.guarding)
		return false;

	return gpuoa_half_full_guards(&stream->half_full, &stream->hw,
				      gpuoa_sink_aux_reader(&stream->aux.sink),
				      stream->aux.landing.size);
}

/* Until there are as many reports as the reader waits for */
static u64 aux_wait_for_reader(const struct gpuoa_stream *stream)
{
	const struct gpuoa_aux *aux = &stream->aux;
	u32 wanted = gpuoa_sink_aux_wanted(&aux->sink);
	u64 now, wait;

	/* The first reports are looked at one by one: best while they are few. */
	if (aux->suspect)
		wanted = 1;
	if (!wanted)
		return GPUOA_AUX_POLL_MAX_NS;
	wanted = gpuoa_landing_ahead(wanted);
	now = aux_now(stream);
	/* One waits for its successor at any time; if there are more, they wait for the reader. */
	if (aux->waiting > 1 && aux->waiting < wanted)
		wait = gpuoa_pace_until(&stream->pace, now, now, wanted - aux->waiting);
	else
		wait = gpuoa_pace_until(&stream->pace, now, aux->landing.last, wanted);

	return clamp_t(u64, wait, GPUOA_AUX_POLL_MIN_NS, GPUOA_AUX_POLL_MAX_NS);
}

static u64 aux_wait(struct gpuoa_stream *stream)
{
	u64 room;

	if (!stream->running)
		return GPUOA_AUX_POLL_FULL_NS;

	room = aux_wait_for_room(stream);
	if (aux_guarded(stream))
		room = max(room, aux_wait_for_others(stream));

	return min(room, aux_wait_for_reader(stream));
}

static u64 aux_poll(struct gpuoa_stream *stream)
{
	u32 left = 0;

	if (stream->running)
		left = aux_poll_running(stream);
	if (!stream->running && !gpuoa_recovery_wait(stream))
		aux_try_start(stream);
	stream->sink->ops->flush(stream->sink);

	return left ? GPUOA_POLL_BUSY_NS : aux_wait(stream);
}

static bool aux_can_run(const struct gpuoa_stream *stream)
{
	return stream->aux.sink.area;
}

static void aux_run(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	aux->told = false;
	if (!gpuoa_recovery_wait(stream))
		aux_try_start(stream);
	if (!stream->running) {
		aux_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
		aux_mark_gap(stream);
	}
}

static void aux_halt(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (stream->running)
		aux_stop(stream, false);
	if (stream->loss.pending)
		aux_mark_gap(stream);
	gpuoa_stream_report_pending(stream);
	gpuoa_sink_aux_close(&aux->sink);
	stream->sink->ops->flush(stream->sink);
}

/* What was published is the reader's; what was not is found nowhere. */
static void aux_spoil(struct gpuoa_stream *stream)
{
}

static void aux_report_cut(struct gpuoa_stream *stream)
{
	aux_mark_gap(stream);
	aux_lost(stream, GPUOA_LOST_UNKNOWN);
	stream->loss.last_valid = false;
}

/*
 * Reports in the AUX area are as the hardware put them there: what a filter by software changes, or
 * what is in two pieces, somewhere else in each lap, cannot be there.
 */
static int aux_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		     const struct gpuoa_format_desc *format)
{
	const struct gpuoa_oa_ops *oa = unit->oa;
	const char *why = NULL;

	if (!unit->ops->map)
		why = "no AUX area where the host's driver has a buffer of its own";
	else if ((attr->flags & GPUOA_ATTR_CONTEXT) && oa->context_runs)
		why = "no AUX area for reports that software filters";
	else if (oa->splits_reports && !is_power_of_2(format->size))
		why = "no AUX area for reports that the end of the buffer splits";

	return why ? gpuoa_refuse(&unit->dev, -EOPNOTSUPP, why) : 0;
}

/**
 * gpuoa_mode_aux_attach - give a stream its AUX area; from here on it can be started
 * @stream: the stream
 * @area: the area, mapped for the GPU
 *
 * Context: &gpuoa_unit.stream_lock held
 */
void gpuoa_mode_aux_attach(struct gpuoa_stream *stream, struct gpuoa_aux_area *area)
{
	const struct gpuoa_format_desc *format = stream->request.format;
	u64 lag = gpuoa_pace_settle(stream->pace.frequency);
	u32 size = area->n_pages << PAGE_SHIFT;
	unsigned long flags;
	bool clears;

	lockdep_assert_held(&stream->unit->stream_lock);

	clears = !area->overwrite &&
		 gpuoa_landing_ambiguous(format, size, gpuoa_exponent_ticks(stream->hw.exponent));
	raw_spin_lock_irqsave(&stream->lock, flags);
	gpuoa_sink_aux_attach(&stream->aux.sink, area);
	gpuoa_landing_init(&stream->aux.landing, area->memory, size, format, lag, clears);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_mode_aux_detach - undo gpuoa_mode_aux_attach()
 * @stream: the stream, stopped
 */
void gpuoa_mode_aux_detach(struct gpuoa_stream *stream)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	stream->aux.sink.area = NULL;
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

const struct gpuoa_mode gpuoa_mode_aux = {
	.flags = GPUOA_ATTR_AUX,
	.in_area = true,
	.check = aux_check,
	/* The area comes later (gpuoa_aux_setup()), and its pages are core's. */
	.free_buffer = gpuoa_buffer_unmap,
	.can_run = aux_can_run,
	.run = aux_run,
	.poll = aux_poll,
	.halt = aux_halt,
	.spoil = aux_spoil,
	.report_cut = aux_report_cut,
	.quiet = aux_overwrite,
};
