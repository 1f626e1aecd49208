// SPDX-License-Identifier: GPL-2.0-only
/* loss.c - start and stop of the unit, and lost reports. */
#include <linux/lockdep.h>
#include <linux/minmax.h>

#include "count.h"
#include "loss.h"
#include "oa/gpuoa_report.h"
#include "sink.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"

/**
 * gpuoa_stream_report_lost() - Report a loss to the reader.
 * @stream: stream
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
 * gpuoa_stream_note_loss() - Record a loss of the unit.
 * @stream: stream
 * @type: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 *
 * The timestamps around a gap show its size and position, so the loss is reported together with the
 * next report. A loss without an earlier timestamp is reported at once.
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
 * gpuoa_stream_report_pending() - Report a pending loss that no later report will measure.
 * @stream: stopped stream
 *
 * The next report is not compared with the last one.
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
 * gpuoa_stream_has_lost() - Check whether the unit reports a new loss.
 * @stream: stream
 * @status: status of the unit
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
 * gpuoa_stream_note_status() - Report other status bits of the unit to the reader.
 * @stream: stream
 * @status: status of the unit
 *
 * A flight recorder gets no status records.
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
 * gpuoa_stream_hw_start() - Start the unit.
 * @stream: stream; hw.first is the offset of the first report
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
 * gpuoa_stream_hw_stop() - Stop the unit.
 * @stream: stream
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	/*
	 * Log the failure when the stream is released: printk() must not be called under perf's
	 * locks.
	 */
	if (stream->unit->oa->stop(&stream->hw) == -ETIMEDOUT)
		stream->stop_failed = true;
	stream->running = false;
}
