// SPDX-License-Identifier: GPL-2.0-only
/* mode_aux.c - AUX mode: the reader's AUX area is the OABUFFER, and reports are not copied. */
#include <linux/log2.h>
#include <linux/perf_event.h>

#include "aux_drain.h"
#include "aux_wait.h"
#include "buffer.h"
#include "loss.h"
#include "mode.h"
#include "oa/gpuoa_report.h"
#include "recovery.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: AUX mode
 *
 * The hardware writes to memory mapped by the reader. The CPU reads only some report headers (see
 * landing.c). It publishes the number of new reports to perf and the reader's position to the
 * hardware. Other records, such as the size of a gap, are RAW samples in the event's data ring, in
 * order with perf's records of the AUX area.
 *
 * Gaps: if the timer is the only source of reports, two timestamps show whether reports are missing
 * between them. Otherwise only the hardware's lost bit shows a loss, and all reports since the last
 * poll are then checked. The AUX record before the gap is marked TRUNCATED.
 *
 * Reports that a slow reader has not read yet must not be overwritten, which some hardware does
 * after an overflow. The unit is therefore stopped if the next poll might be too late. It is
 * restarted when the reader has consumed all reports, or makes no progress for a second. If the
 * period and the buffer are so small that no poll is in time, the buffer does overflow.
 *
 * The unit is polled before the hardware has filled half of the free space, because the reader may
 * have released slots by then. If the reader's wakeup watermark is reached soon, available reports
 * are held back, so that perf writes one record for all.
 *
 * A flight recorder has no reader to wait for: each poll returns the whole buffer to the hardware.
 * Losses are counted in the statistics, and the record at the end is marked TRUNCATED. The event's
 * data ring may stay unread for days, so only a few records are written when the event is enabled
 * and disabled.
 */

/* Number of slots by which the free space may be short although all reports are consumed. */
#define GPUOA_AUX_SLACK 4

/* Number of polls in the second that the unit waits for a reader without progress. */
#define GPUOA_AUX_PATIENCE (NSEC_PER_SEC / GPUOA_AUX_POLL_FULL_NS)

static void aux_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	gpuoa_stream_note_status(stream, status);
	if (gpuoa_stream_has_lost(stream, status))
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Stop the unit and publish its reports. @full: stopped because the reader is slow. */
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
 * Set the hardware's head to the reader's position. The unit is started with head = tail, as in
 * i915 and xe, since the hardware's behaviour with a head after the tail is not known. The head
 * therefore stays in place until the reader has consumed all reports from before the start; polls
 * make sure that these are not overwritten.
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

/* True if unread reports were overwritten while the hardware's head was held back. */
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
 * After an overrun, restart only when the reader has consumed all reports, so that nothing can be
 * overwritten before the first poll. A reader that makes no progress may have left reports on
 * purpose and be waiting for more.
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

/* Read the reader's position unless publishing did so. Returns false if the area is unmapped. */
static bool aux_ask_reader(struct gpuoa_stream *stream, bool published)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;

	if (!sink->open || (published && !gpuoa_aux_overwrite(stream)))
		return sink->open;

	return gpuoa_sink_aux_refresh(sink);
}

/* Returns the number of reports left for the next poll. */
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

/* Published reports belong to the reader, and unpublished ones are not tracked. */
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
 * The software filter cannot be used, because it modifies reports. Formats with reports that are
 * split at the end of the buffer are not supported either.
 */
static int aux_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		     const struct gpuoa_format_desc *format)
{
	const struct gpuoa_oa_ops *oa = unit->oa;
	const char *why = NULL;

	if (!unit->ops->map)
		why = "no AUX area if the provider has a buffer of its own";
	else if ((attr->flags & GPUOA_ATTR_CONTEXT) && oa->context_runs)
		why = "no AUX area for reports that software filters";
	else if (oa->splits_reports && !is_power_of_2(format->size))
		why = "no AUX area for reports that the end of the buffer splits";

	return why ? gpuoa_reject(&unit->dev, -EOPNOTSUPP, why) : 0;
}

/**
 * gpuoa_mode_aux_attach() - Attach an AUX area to a stream, which can then be started.
 * @stream: stream
 * @area: AUX area, mapped for the GPU
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
 * gpuoa_mode_aux_detach() - Undo gpuoa_mode_aux_attach().
 * @stream: stopped stream
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
	/* The area is attached later by gpuoa_aux_setup(), and perf owns its pages. */
	.free_buffer = gpuoa_buffer_unmap,
	.can_run = aux_can_run,
	.run = aux_run,
	.poll = aux_poll,
	.halt = aux_halt,
	.spoil = aux_spoil,
	.report_cut = aux_report_cut,
	.quiet = gpuoa_aux_overwrite,
};
