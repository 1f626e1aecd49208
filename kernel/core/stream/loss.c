// SPDX-License-Identifier: GPL-2.0-only
/*
 * loss.c - gaps in a stream: where the unit starts, stops, and drops reports.
 */
#include <linux/lockdep.h>
#include <linux/minmax.h>

#include "count.h"
#include "loss.h"
#include "oa/filter.h"
#include "sink.h"
#include "stream.h"
#include "unit/unit.h"

/**
 * gpuoa_stream_report_lost - tell the reader of a loss
 * @stream: the stream
 * @type: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 * @count: number of reports, or GPUOA_LOST_UNKNOWN
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_report_lost(struct gpuoa_stream *stream, u32 type, u64 count)
{
	lockdep_assert_held(&stream->lock);

	if (count != GPUOA_LOST_UNKNOWN)
		atomic64_add(count, &stream->unit->stats.reports_lost);
	stream->sink->ops->lost(stream->sink, type, count);
}

/**
 * gpuoa_stream_note_loss - the unit lost reports
 * @stream: the stream
 * @type: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 *
 * The timestamps around a gap tell its size and its place, so the loss is reported when the next
 * report has come. A loss that no earlier timestamp can measure is reported at once.
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_note_loss(struct gpuoa_stream *stream, u32 type)
{
	lockdep_assert_held(&stream->lock);

	gpuoa_filter_gap(&stream->filter);
	if (stream->loss.last_valid)
		stream->loss.pending = type;
	else
		gpuoa_stream_report_lost(stream, type, GPUOA_LOST_UNKNOWN);
}

/**
 * gpuoa_stream_report_pending - tell of a pending loss that no report will measure
 * @stream: the stream, which has stopped
 *
 * What comes next begins anew.
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_report_pending(struct gpuoa_stream *stream)
{
	if (!stream->loss.pending)
		return;
	gpuoa_stream_report_lost(stream, stream->loss.pending, GPUOA_LOST_UNKNOWN);
	stream->loss.pending = 0;
	stream->loss.last_valid = false;
}

/**
 * gpuoa_stream_has_lost - does the unit say, for the first time, that it dropped reports?
 * @stream: the stream
 * @status: what it says
 *
 * Context: &gpuoa_stream.lock held
 * Return: true if it does
 */
bool gpuoa_stream_has_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	lockdep_assert_held(&stream->lock);

	if (!status->lost || stream->loss.latched)
		return false;
	stream->loss.latched = stream->unit->oa->lost_latches;

	return true;
}

/**
 * gpuoa_stream_note_status - tell the reader what else the unit says
 * @stream: the stream
 * @status: what it says
 *
 * Nobody hears of a flight recorder.
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_note_status(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	lockdep_assert_held(&stream->lock);

	if (status->notes && !(stream->mode->quiet && stream->mode->quiet(stream)))
		stream->sink->ops->status(stream->sink, status->notes);
}

/**
 * gpuoa_stream_hw_start - let the unit write reports
 * @stream: the stream; its hw.first says where the first one goes
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_hw_start(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	stream->loss.latched = false;
	stream->running = true;
	gpuoa_filter_gap(&stream->filter);
	gpuoa_counts_rebase(&stream->counts);
	stream->unit->oa->start(&stream->hw);
}

/**
 * gpuoa_stream_hw_stop - let the unit write no more
 * @stream: the stream
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	/*
	 * The message waits for the stream's release: printk() must not be called below perf's
	 * locks.
	 */
	if (stream->unit->oa->stop(&stream->hw) == -ETIMEDOUT)
		stream->stop_failed = true;
	stream->running = false;
}
