// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode_aux.c - AUX mode: the OABUFFER is the reader's AUX area, and reports stay where they are.
 */
#include <linux/log2.h>
#include <linux/perf_event.h>

#include "aux_drain.h"
#include "aux_wait.h"
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
 * too late, and goes on when the reader has read all, or reads nothing for a second. With a period
 * and a buffer so small that no poll comes in time, it does overflow.
 *
 * Half of the time until the reader shall be woken, it is asked how far it is: it may have made
 * room since. If what it waits for comes soon, the reports that there are wait for the rest, and
 * core writes one record of all.
 *
 * A flight recorder has no reader to wait for: at each poll the hardware gets the whole buffer
 * back. Losses go into the statistics, and the record at the end is TRUNCATED. Nobody may look at
 * the event's other ring for days: it gets a few records when the event is enabled and disabled.
 */

/* Slots that hold no reports may lie behind the last one: at the area's end, and before a slot. */
#define GPUOA_AUX_SLACK 4

/* Polls of a second: if the reader stands still for so long, a quarter of the room is enough. */
#define GPUOA_AUX_PATIENCE (NSEC_PER_SEC / GPUOA_AUX_POLL_FULL_NS)

static void aux_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	gpuoa_stream_note_status(stream, status);
	if (gpuoa_stream_has_lost(stream, status))
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Stop the unit and publish what it wrote. @full: it pauses because the reader is slow. */
static void aux_stop(struct gpuoa_stream *stream, bool full)
{
	struct gpuoa_hw_status status;

	gpuoa_stream_hw_stop(stream);
	stream->unit->oa->status(&stream->hw, &status);
	if (status.gone) {
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
		return;
	}
	aux_check_lost(stream, &status);
	if (stream->aux.sink.open)
		gpuoa_aux_drain_stopped(stream, status.tail);
	if (!full && !status.overflow)
		return;

	stream->aux.full = true;
	stream->aux.patience = GPUOA_AUX_PATIENCE;
	atomic64_inc(&stream->unit->stats.overflows);
	gpuoa_aux_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
	gpuoa_aux_mark_gap(stream);
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
	gpuoa_landing_start(&aux->landing, stream->hw.first, gpuoa_aux_now(stream));
	gpuoa_landing_release(&aux->landing, gpuoa_sink_aux_reader(&aux->sink));
	aux->started_at = aux->sink.handle.head;
	aux->waiting = 0;
	aux->full = false;
	aux->guarding = true;
	aux->suspect = true;
	gpuoa_stream_hw_start(stream);
}

/*
 * Once the reader was too slow, the unit waits until it has read all: then there is nothing that
 * could be written over before the first poll. A reader that stands still may have left something
 * behind, and be waiting for more.
 */
static bool aux_has_waited(struct gpuoa_stream *stream, u32 room)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (room + GPUOA_AUX_SLACK >= gpuoa_aux_slots(stream))
		return true;
	if (room != aux->room)
		aux->patience = GPUOA_AUX_PATIENCE;
	aux->room = room;
	if (!aux->patience)
		return true;
	aux->patience--;

	return false;
}

static void aux_try_start(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;
	u32 room;

	if (!aux->sink.area)
		return;
	if (aux->sink.open ? !gpuoa_sink_aux_refresh(&aux->sink) : !gpuoa_sink_aux_open(&aux->sink))
		return;
	room = gpuoa_sink_aux_room(&aux->sink);
	if (room >= gpuoa_aux_slots(stream) / 4 && (!aux->full || aux_has_waited(stream, room)))
		aux_start(stream);
}

/* Ask for the reader's progress, unless publishing has just done so. False: area unmapped. */
static bool aux_ask_reader(struct gpuoa_stream *stream, bool published)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;

	if (!sink->open || (published && !gpuoa_aux_overwrite(stream)))
		return sink->open;

	return gpuoa_sink_aux_refresh(sink);
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

	left = gpuoa_aux_can_wait(stream, status.tail) ? 0 : gpuoa_aux_drain(stream, status.tail);
	aux->waiting = gpuoa_landing_announced(&aux->landing, status.tail);
	if (!aux_ask_reader(stream, stream->forwarded != forwarded) ||
	    gpuoa_aux_short_of_room(stream)) {
		aux_stop(stream, true);
		return 0;
	}
	aux_set_head(stream);

	return left;
}

static u64 aux_poll(struct gpuoa_stream *stream)
{
	u32 left = 0;

	if (stream->running)
		left = aux_poll_running(stream);
	if (!stream->running && !gpuoa_recovery_wait(stream))
		aux_try_start(stream);
	stream->sink->ops->flush(stream->sink);

	return left ? GPUOA_POLL_BUSY_NS : gpuoa_aux_wait(stream);
}

static bool aux_can_run(const struct gpuoa_stream *stream)
{
	return stream->aux.sink.area;
}

static void aux_run(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	aux->told = false;
	aux->full = false;
	if (!gpuoa_recovery_wait(stream))
		aux_try_start(stream);
	if (!stream->running) {
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
		gpuoa_aux_mark_gap(stream);
	}
}

static void aux_halt(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (stream->running)
		aux_stop(stream, false);
	if (stream->loss.pending)
		gpuoa_aux_mark_gap(stream);
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
	gpuoa_aux_mark_gap(stream);
	gpuoa_aux_lost(stream, GPUOA_LOST_UNKNOWN);
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
	.quiet = gpuoa_aux_overwrite,
};
