// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode_raw.c - RAW mode: reports are copied from the OABUFFER into samples.
 */
#include <linux/minmax.h>

#include "buffer.h"
#include "count.h"
#include "loss.h"
#include "mode.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/unit.h"

/* The poll timer's period: at most, and at least. */
#define GPUOA_POLL_MAX_NS (5 * NSEC_PER_MSEC)
#define GPUOA_POLL_MIN_NS (500 * NSEC_PER_USEC)

/* Reports that one tick of the poll timer publishes at most: it runs with interrupts off. */
#define GPUOA_POLL_BUDGET 4096

/*
 * Number of timer reports that are missing right before this one. Its timestamp tells, unless a
 * context filter leaves out reports by intent, or the period is as long as the timestamp's wrap.
 */
static u64 raw_missing_before(struct gpuoa_stream *stream, const void *report)
{
	const struct gpuoa_oa_ops *oa = stream->unit->oa;
	const struct gpuoa_format_desc *format = stream->request.format;
	u32 bits = format->header->timestamp_bits;
	struct gpuoa_loss *loss = &stream->loss;
	u32 shift = stream->hw.exponent + 1;
	u64 timestamp, periods = 1;

	if (stream->hw.filter || shift >= bits || !oa->is_timer_report(&stream->hw, report))
		return 0;

	timestamp = gpuoa_report_timestamp(format, report);
	if (loss->last_valid)
		periods = ((timestamp - loss->last) & GENMASK_ULL(bits - 1, 0)) >> shift;
	loss->last = timestamp;
	loss->last_valid = true;

	/* A timer that is not quite as documented must not look as if reports were lost. */
	return periods ? periods - 1 : 0;
}

/* Publish @count reports that stand in one piece, with no gap between them. */
static void raw_publish(struct gpuoa_stream *stream, const void *reports, u32 count)
{
	u32 size = stream->raw.ring.report_size;

	if (!count)
		return;

	gpuoa_counts_take(&stream->counts, reports, size, count, stream->count_stride);
	stream->sink->ops->reports(stream->sink, reports, size, count, stream->forwarded);
	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);
}

/* Publish those of @count reports that pass the filter, and the gaps between them. */
static void raw_publish_pieces(struct gpuoa_stream *stream, void *reports, u32 count)
{
	u32 size = stream->raw.ring.report_size;
	u32 begin = 0, i;
	u64 missing;

	for (i = 0; i < count; i++) {
		if (stream->filtered && !gpuoa_filter_report(&stream->filter, reports + i * size)) {
			raw_publish(stream, reports + begin * size, i - begin);
			begin = i + 1;
			continue;
		}
		missing = raw_missing_before(stream, reports + i * size);
		if (!missing)
			continue;

		raw_publish(stream, reports + begin * size, i - begin);
		begin = i;
		gpuoa_stream_report_lost(stream, stream->loss.pending ?: GPUOA_RECORD_REPORTS_LOST,
					 missing);
		stream->loss.pending = 0;
	}
	raw_publish(stream, reports + begin * size, count - begin);
}

/* Publish up to @count landed reports and give their slots back to the hardware. */
static void raw_drain(struct gpuoa_stream *stream, u32 count)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	void *reports;
	u32 n;

	if (!count)
		return;

	while (count) {
		reports = gpuoa_ring_peek(ring, &n);
		n = min(n, count);
		raw_publish_pieces(stream, reports, n);
		gpuoa_ring_consume(ring, n);
		count -= n;
	}
	stream->unit->oa->set_head(&stream->hw, ring->head);
}

static void raw_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	if (gpuoa_stream_has_lost(stream, status))
		gpuoa_stream_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* The hardware may have overwritten what was not read yet: all of that is lost. */
static void raw_restart(struct gpuoa_stream *stream)
{
	atomic64_inc(&stream->unit->stats.overflows);
	gpuoa_half_full_overflow(&stream->half_full);
	gpuoa_stream_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);

	gpuoa_stream_hw_stop(stream);
	gpuoa_ring_clear(&stream->raw.ring);
	gpuoa_stream_hw_start(stream);
}

/* Before there is more than a tick may publish, and before a quarter of the buffer is full */
static u64 raw_wait_for_room(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_ring *ring = &stream->raw.ring;
	u32 quarter = ring->size / ring->report_size / 4;

	return guarded ? GPUOA_POLL_BUDGET * stream->pace.period_ns :
			 gpuoa_pace_fill(&stream->pace, min_t(u32, quarter, GPUOA_POLL_BUDGET));
}

/* In time for the buffer, unless that is @guarded; not more often than reports come. */
static u64 raw_wait(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_pace *pace = &stream->pace;
	u64 shortest = guarded ? pace->period_ns : pace->shortest_ns;
	u64 until;

	if (shortest <= GPUOA_POLL_MAX_NS)
		return clamp_t(u64, raw_wait_for_room(stream, guarded), GPUOA_POLL_MIN_NS,
			       GPUOA_POLL_MAX_NS);

	until = gpuoa_pace_next(pace, stream->unit->ops->timestamp(stream->unit->host));

	return min3(until, gpuoa_pace_latency(pace), (u64)GPUOA_ANNOUNCE_NS);
}

static u64 raw_poll(struct gpuoa_stream *stream)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	struct gpuoa_hw_status status;
	u32 count = 0, budget = 0;
	bool guarded;

	stream->unit->oa->status(&stream->hw, &status);
	if (status.overflow) {
		raw_restart(stream);
	} else {
		raw_check_lost(stream, &status);
		count = gpuoa_ring_update(ring, status.tail);
		budget = min_t(u32, count, GPUOA_POLL_BUDGET);
		raw_drain(stream, budget);
	}
	stream->sink->ops->flush(stream->sink);

	guarded = gpuoa_half_full_guards(&stream->half_full, &stream->hw, ring->head, ring->size);

	return count > budget ? GPUOA_POLL_BUSY_NS : raw_wait(stream, guarded);
}

/* After the unit was stopped, everything has landed. */
static void raw_halt(struct gpuoa_stream *stream)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	struct gpuoa_hw_status status;

	gpuoa_stream_hw_stop(stream);
	stream->unit->oa->status(&stream->hw, &status);
	if (status.overflow) {
		atomic64_inc(&stream->unit->stats.overflows);
		stream->loss.pending = GPUOA_RECORD_BUFFER_OVERFLOW;
		gpuoa_ring_clear(ring);
	} else {
		raw_check_lost(stream, &status);
		raw_drain(stream, gpuoa_ring_update_idle(ring, status.tail));
		gpuoa_ring_rewind(ring);
	}
	gpuoa_stream_report_pending(stream);
	stream->sink->ops->flush(stream->sink);
}

const struct gpuoa_mode gpuoa_mode_raw = {
	.alloc_buffer = gpuoa_buffer_alloc,
	.free_buffer = gpuoa_buffer_free,
	.run = gpuoa_stream_hw_start,
	.poll = raw_poll,
	.halt = raw_halt,
};
