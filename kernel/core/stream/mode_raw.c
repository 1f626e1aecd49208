// SPDX-License-Identifier: GPL-2.0-only
/* mode_raw.c - RAW mode: reports are copied from the OABUFFER into samples. */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sizes.h>

#include "buffer.h"
#include "count.h"
#include "loss.h"
#include "mode.h"
#include "recovery.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"

/* Maximum and minimum period of the poll timer. */
#define GPUOA_POLL_MAX_NS (5 * NSEC_PER_MSEC)
#define GPUOA_POLL_MIN_NS (500 * NSEC_PER_USEC)

/*
 * Maximum number of reports and bytes that one poll, or the stop of a unit, publishes with
 * interrupts disabled.
 */
#define GPUOA_POLL_BUDGET 4096
#define GPUOA_POLL_BUDGET_BYTES SZ_1M

/* Maximum number of slots cleared with interrupts disabled; recovery clears the rest. */
#define GPUOA_CLEAN_BUDGET 4096

/*
 * Number of missing timer reports directly before @report, computed from its timestamp. 0 if a
 * context filter drops reports, or the period is not shorter than the timestamp's wrap period.
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

	/* A timer that deviates from its documentation must not look like a loss. */
	return gpuoa_loss_not_told(loss, periods ? periods - 1 : 0);
}

/* Publish @count contiguous, gapless reports. */
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

/* False for spurious reports and for reports that the filter drops */
static bool raw_wants(struct gpuoa_stream *stream, void *report)
{
	if (stream->hw.oa->id_is_never_0 && !*(const u32 *)report)
		return false;

	return !stream->filtered || gpuoa_filter_report(&stream->filter, report);
}

/*
 * Returns the index of the first report from @i on that is not a timer report one period after its
 * predecessor, or @count. Most reports pass, so loop invariants are hoisted.
 */
static u32 raw_pass_regular(struct gpuoa_stream *stream, const void *reports, u32 i, u32 count)
{
	const struct gpuoa_header *header = stream->request.format->header;
	const struct gpuoa_id_layout *id = stream->unit->oa->id;
	/* If reports carry no reason, only the timestamp is checked. */
	u32 timer = id ? GPUOA_REASON_TIMER << __builtin_ctz(id->reason) : 0;
	u32 shift = stream->hw.exponent + 1, size = stream->raw.ring.report_size;
	struct gpuoa_loss *loss = &stream->loss;
	u32 last = loss->last;
	const u32 *report = reports + i * size;

	if (stream->picky || stream->hw.filter || !loss->last_valid || loss->told ||
	    header->word != sizeof(u32) || header->timestamp_bits != 32 || shift >= 32)
		return i;

	for (; i < count; i++, report += size / sizeof(u32)) {
		if (report[1] - last != BIT(shift) || (report[0] & timer) != timer)
			break;
		last = report[1];
	}
	loss->last = last;

	return i;
}

/* Publish @count reports, except those that the filter drops, and report the gaps between them. */
static void raw_publish_pieces(struct gpuoa_stream *stream, void *reports, u32 count)
{
	u32 size = stream->raw.ring.report_size;
	u32 begin = 0, i;
	u64 missing;

	for (i = 0; (i = raw_pass_regular(stream, reports, i, count)) < count; i++) {
		if (stream->picky && !raw_wants(stream, reports + i * size)) {
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

/* Publish up to @count landed reports and return their slots to the hardware. */
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
		/* Samples refer to these slots, so flush before they are reused. */
		stream->sink->ops->flush(stream->sink);
		gpuoa_ring_consume(ring, n);
		count -= n;
	}
	stream->unit->oa->set_head(&stream->hw, ring->head);
}

static void raw_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	gpuoa_stream_note_status(stream, status);
	if (gpuoa_stream_has_lost(stream, status))
		gpuoa_stream_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Report @count missing reports at the current position. */
static void raw_lose(struct gpuoa_stream *stream, u32 count)
{
	gpuoa_filter_gap(&stream->filter);
	/* The number of missing reports that the filter would have forwarded is not known. */
	if (stream->hw.filter) {
		gpuoa_stream_report_lost(stream, GPUOA_RECORD_REPORTS_LOST, GPUOA_LOST_UNKNOWN);
		return;
	}
	gpuoa_stream_report_lost(stream, GPUOA_RECORD_REPORTS_LOST, count);
	stream->loss.told += count;
}

static void raw_start(struct gpuoa_stream *stream)
{
	/* If too many slots are dirty, the recovery work clears them first. */
	if (gpuoa_ring_clean(&stream->raw.ring, GPUOA_CLEAN_BUDGET))
		gpuoa_stream_hw_start(stream);
	else
		gpuoa_recovery_pause(stream);
}

/* Unread reports may have been overwritten, so all of them are lost. */
static void raw_overflow(struct gpuoa_stream *stream)
{
	atomic64_inc(&stream->unit->stats.overflows);
	gpuoa_half_full_overflow(&stream->half_full);
	gpuoa_stream_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);

	gpuoa_stream_hw_stop(stream);
	gpuoa_ring_spoil(&stream->raw.ring);
	gpuoa_recovery_pause(stream);
}

/*
 * Skip missing reports at the head, if nothing is ready. Returns the number of reports that are
 * ready afterwards.
 */
static u32 raw_pass_holes(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	u32 lost;

	/* Usual case: the last report waits for its successor. */
	if (gpuoa_ring_announced(ring, tail) < 2)
		return 0;
	lost = gpuoa_ring_pass_holes(ring, tail, ktime_get_ns());
	if (!lost)
		return gpuoa_ring_ready(ring);
	raw_lose(stream, lost);
	stream->unit->oa->set_head(&stream->hw, ring->head);

	return gpuoa_ring_update(ring, tail);
}

static u32 raw_budget(const struct gpuoa_stream *stream)
{
	return min_t(u32, GPUOA_POLL_BUDGET,
		     GPUOA_POLL_BUDGET_BYTES / stream->raw.ring.report_size);
}

/* Poll before the budget of a poll is exceeded and before a quarter of the buffer is full. */
static u64 raw_wait_for_room(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_ring *ring = &stream->raw.ring;
	u32 quarter = ring->size / ring->report_size / 4;

	return guarded ? GPUOA_POLL_BUDGET * stream->pace.period_ns :
			 gpuoa_pace_fill(&stream->pace, min_t(u32, quarter, GPUOA_POLL_BUDGET));
}

/* Poll in time for the buffer unless it is @guarded, and not more often than reports arrive. */
static u64 raw_wait(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_pace *pace = &stream->pace;
	u64 shortest = guarded ? pace->period_ns : pace->shortest_ns;
	u64 until;

	if (shortest <= GPUOA_POLL_MAX_NS)
		return clamp_t(u64, raw_wait_for_room(stream, guarded), GPUOA_POLL_MIN_NS,
			       GPUOA_POLL_MAX_NS);

	until = gpuoa_pace_next(pace, stream->unit->ops->timestamp(stream->unit->provider));

	return min3(until, gpuoa_pace_latency(pace), (u64)GPUOA_ANNOUNCE_NS);
}

static u64 raw_poll_running(struct gpuoa_stream *stream)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	struct gpuoa_hw_status status;
	u32 count, budget;
	bool guarded;

	stream->unit->oa->status(&stream->hw, &status);
	if (!gpuoa_recovery_check(stream, &status))
		return GPUOA_POLL_MIN_NS;
	if (status.overflow) {
		raw_overflow(stream);
		return GPUOA_POLL_MIN_NS;
	}

	raw_check_lost(stream, &status);
	count = gpuoa_ring_update(ring, status.tail) ?: raw_pass_holes(stream, status.tail);
	budget = min(count, raw_budget(stream));
	raw_drain(stream, budget);
	guarded = gpuoa_half_full_guards(&stream->half_full, &stream->hw, ring->head, ring->size);

	return count > budget ? GPUOA_POLL_BUSY_NS : raw_wait(stream, guarded);
}

static u64 raw_poll(struct gpuoa_stream *stream)
{
	u64 wait = GPUOA_POLL_MIN_NS;

	if (!stream->running)
		raw_start(stream);
	if (stream->running)
		wait = raw_poll_running(stream);
	stream->sink->ops->flush(stream->sink);

	return wait;
}

static void raw_run(struct gpuoa_stream *stream)
{
	if (!gpuoa_recovery_wait(stream))
		raw_start(stream);
}

/* True if the last report is old enough to be complete, since it has no successor. */
static bool raw_last_is_old(const struct gpuoa_stream *stream)
{
	const struct gpuoa_format_desc *format = stream->request.format;
	u64 now = stream->unit->ops->timestamp(stream->unit->provider);
	u64 mask = GENMASK_ULL(format->header->timestamp_bits - 1, 0);
	u64 age;

	if (!gpuoa_ring_ready(&stream->raw.ring))
		return true;
	age = (now - gpuoa_report_timestamp(format, gpuoa_ring_newest(&stream->raw.ring))) & mask;

	return age <= mask / 2 && age >= gpuoa_pace_ticks(&stream->pace, GPUOA_RING_LAND_NS);
}

/* Wait until all reports of a stopped unit have landed, up to GPUOA_RING_LAND_NS. */
static void raw_await_landing(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	u64 end = ktime_get_ns() + GPUOA_RING_LAND_NS;

	gpuoa_ring_update_idle(ring, tail);
	while ((!raw_last_is_old(stream) || gpuoa_ring_announced(ring, tail)) &&
	       ktime_get_ns() < end) {
		udelay(2);
		gpuoa_ring_update_idle(ring, tail);
	}
}

/* Publish the reports of a stopped unit within the budget. Others are reported as lost. */
static void raw_drain_stopped(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	u32 budget = raw_budget(stream), count, lost;

	do {
		count = min(gpuoa_ring_ready(ring), budget);
		budget -= count;
		raw_drain(stream, count);
		lost = budget ? gpuoa_ring_pass_holes_idle(ring, tail) : 0;
		if (!lost)
			continue;
		raw_lose(stream, lost);
		stream->recovery.linger = true;
	} while (budget && gpuoa_ring_update_idle(ring, tail));

	lost = gpuoa_ring_ready(ring) + gpuoa_ring_announced(ring, tail);
	if (lost)
		raw_lose(stream, lost);
}

static void raw_stop(struct gpuoa_stream *stream)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	struct gpuoa_hw_status status;

	gpuoa_stream_hw_stop(stream);
	stream->unit->oa->status(&stream->hw, &status);
	if (status.gone) {
		gpuoa_ring_spoil(ring);
		stream->loss.pending = GPUOA_RECORD_REPORTS_LOST;
	} else if (status.overflow) {
		atomic64_inc(&stream->unit->stats.overflows);
		stream->loss.pending = GPUOA_RECORD_BUFFER_OVERFLOW;
		gpuoa_ring_spoil(ring);
	} else {
		raw_check_lost(stream, &status);
		gpuoa_ring_stopped(ring, status.tail);
		raw_await_landing(stream, status.tail);
		raw_drain_stopped(stream, status.tail);
	}
	/* Let the work clear many slots, and wait again for reports that may still land. */
	if (stream->recovery.linger || ring->dirty > GPUOA_CLEAN_BUDGET)
		gpuoa_recovery_pause(stream);
}

static void raw_halt(struct gpuoa_stream *stream)
{
	if (stream->running)
		raw_stop(stream);
	gpuoa_stream_report_pending(stream);
	stream->sink->ops->flush(stream->sink);
}

static void raw_spoil(struct gpuoa_stream *stream)
{
	gpuoa_ring_spoil(&stream->raw.ring);
}

/* &gpuoa_mode.clean: the ring is not accessed elsewhere until this is done. */
static void raw_clean(struct gpuoa_stream *stream)
{
	while (!gpuoa_ring_clean(&stream->raw.ring, GPUOA_CLEAN_BUDGET))
		cond_resched();
}

const struct gpuoa_mode gpuoa_mode_raw = {
	.alloc_buffer = gpuoa_buffer_alloc,
	.free_buffer = gpuoa_buffer_free,
	.run = raw_run,
	.poll = raw_poll,
	.halt = raw_halt,
	.spoil = raw_spoil,
	.clean = raw_clean,
	.report_cut = gpuoa_stream_report_pending,
};
