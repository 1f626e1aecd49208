// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_raw.c - RAW mode: reports are copied from the OABUFFER into samples, or into an AUX area.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "gpuoa_count.h"
#include "gpuoa_mode.h"
#include "gpuoa_perf_hacks.h"
#include "gpuoa_program.h"
#include "gpuoa_raw.h"
#include "gpuoa_recovery.h"
#include "gpuoa_run.h"
#include "gpuoa_stream.h"
#include "gpuoa_tail_check.h"
#include "oa/gpuoa_report.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Samples
 *
 * A sample consists of the u32 size written by perf, struct gpuoa_raw (12 bytes, of which perf
 * overwrites 8) and records of multiples of 8 bytes: 16 + 8n bytes in total. perf therefore adds no
 * padding, and records are aligned for the reader.
 *
 * Reports are not copied here: perf copies them from the OABUFFER to each reader's ring. A sample
 * with reports is therefore written before their slots are returned to the hardware (gpuoa_raw.c).
 */

static_assert((sizeof(u32) + sizeof(struct gpuoa_raw)) % 8 == 0);

static struct gpuoa_sink_raw *to_raw(struct gpuoa_sink *sink)
{
	return container_of(sink, struct gpuoa_sink_raw, sink);
}

/* A record of reports has two iovec entries: its header and the reports. */
static u32 raw_room(const struct gpuoa_sink_raw *raw)
{
	const struct gpuoa_iovec *iovec = &raw->sample->iovec;

	return gpuoa_iovec_full(iovec) ? 0 : GPUOA_RAW_SAMPLE_SIZE - iovec->size;
}

/* Append @size bytes of storage in the sample itself. */
static void *raw_add(struct gpuoa_sink_raw *raw, u32 size)
{
	void *data = raw->sample->room + raw->used;

	gpuoa_iovec_add(&raw->sample->iovec, data, size);
	raw->used += size;

	return data;
}

static void raw_reset(struct gpuoa_sink_raw *raw)
{
	gpuoa_iovec_clear(&raw->sample->iovec);
	raw->used = 0;
	raw_add(raw, sizeof(struct gpuoa_raw));
	raw->reports = 0;
	raw->open = NULL;
}

static void raw_flush(struct gpuoa_sink *sink)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);

	if (raw->sample->iovec.size == sizeof(struct gpuoa_raw))
		return;

	/*
	 * perf rejects a sample only if the last event of the unit is stopped during a sample of a
	 * software event, because all other callers check gpuoa_perf_can_output() first. The reader
	 * detects the gap by gpuoa_record_reports.first.
	 */
	gpuoa_perf_output(&raw->events, raw->sample, raw->reports);
	raw_reset(raw);
}

/* Reserve a record of @size bytes; flush the sample first if it is too full. */
static void *raw_reserve(struct gpuoa_sink_raw *raw, u32 type, u32 size)
{
	struct gpuoa_record *record;

	if (raw_room(raw) < size)
		raw_flush(&raw->sink);

	record = raw_add(raw, size);
	record->type = type;
	record->size = size;
	raw->open = NULL;

	return record;
}

static void raw_announce_mask(struct gpuoa_sink_raw *raw)
{
	struct gpuoa_record_dword_mask *record;

	record = raw_reserve(raw, GPUOA_RECORD_DWORD_MASK, sizeof(*record));
	memcpy(record->dword_mask, raw->sink.mask.dword_mask, sizeof(record->dword_mask));
}

static void raw_announce(struct gpuoa_sink *sink, const struct gpuoa_record_stream *stream,
			 const struct gpuoa_clock *clocks)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);
	struct gpuoa_record_clock *record;
	struct gpuoa_record_stream *copy;
	unsigned int i;

	/* Records that describe a stream must be in the same sample. */
	if (raw_room(raw) < sizeof(*copy) + sizeof(struct gpuoa_record_dword_mask))
		raw_flush(sink);
	copy = raw_reserve(raw, GPUOA_RECORD_STREAM, sizeof(*copy));
	memcpy((void *)copy + sizeof(copy->record), (void *)stream + sizeof(stream->record),
	       sizeof(*copy) - sizeof(copy->record));

	if (sink->mask.size) {
		copy->report_size = sink->mask.size;
		raw_announce_mask(raw);
	}

	for (i = 0; i < GPUOA_ANNOUNCE_CLOCKS; i++) {
		record = raw_reserve(raw, GPUOA_RECORD_CLOCK, sizeof(*record));
		record->clock = clocks[i];
	}
}

/* Start a record of reports, in a new sample if this one has no space for a report. */
static void raw_open(struct gpuoa_sink_raw *raw, u32 report_size, u64 first)
{
	struct gpuoa_record_reports *record;

	if (raw_room(raw) < sizeof(*record) + report_size)
		raw_flush(&raw->sink);

	record = raw_reserve(raw, GPUOA_RECORD_REPORTS, sizeof(*record));
	record->first = first;
	record->report_size = report_size;
	record->count = 0;
	raw->open = record;
}

static void raw_reports(struct gpuoa_sink *sink, const void *reports, u32 report_size, u32 count,
			u64 first)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);
	u32 size = sink->mask.size ?: report_size;
	u32 n;

	/* If all users of the unit are counting events, no event receives samples. */
	if (hlist_empty(&raw->events))
		return;

	while (count) {
		if (!raw->open || raw_room(raw) < size)
			raw_open(raw, size, first);

		n = min(count, raw_room(raw) / size);
		if (sink->mask.size)
			gpuoa_dword_mask_copy(&sink->mask, raw_add(raw, n * size), reports,
					      report_size, n);
		else
			gpuoa_iovec_add(&raw->sample->iovec, reports, n * size);
		raw->reports += n;
		raw->open->record.size += n * size;
		raw->open->count += n;

		reports += n * report_size;
		first += n;
		count -= n;
	}
}

static void raw_lost(struct gpuoa_sink *sink, u32 type, u64 count)
{
	struct gpuoa_record_lost *record;

	record = raw_reserve(to_raw(sink), type, sizeof(*record));
	record->count = count;
}

static void raw_resume(struct gpuoa_sink *sink, bool stopped)
{
	struct gpuoa_record_enabled *record;

	record = raw_reserve(to_raw(sink), GPUOA_RECORD_ENABLED, sizeof(*record));
	record->stopped = stopped;
	record->reserved = 0;
}

static void raw_status(struct gpuoa_sink *sink, u32 flags)
{
	struct gpuoa_record_status *record;

	record = raw_reserve(to_raw(sink), GPUOA_RECORD_STATUS, sizeof(*record));
	record->flags = flags;
	record->reserved = 0;
}

static bool raw_mark(struct gpuoa_sink *sink, const struct gpuoa_marker *mark)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);
	struct gpuoa_record_marker *record;

	if (hlist_empty(&raw->events))
		return false;
	record = raw_reserve(raw, GPUOA_RECORD_MARKER, sizeof(*record));
	record->marker = *mark;

	return true;
}

static void raw_gone(struct gpuoa_sink *sink)
{
	raw_reserve(to_raw(sink), GPUOA_RECORD_DEVICE_REMOVED, sizeof(struct gpuoa_record));
}

static const struct gpuoa_sink_ops raw_ops = {
	.announce = raw_announce,
	.reports = raw_reports,
	.lost = raw_lost,
	.resume = raw_resume,
	.status = raw_status,
	.mark = raw_mark,
	.gone = raw_gone,
	.flush = raw_flush,
};

/**
 * gpuoa_sink_raw_init() - Initialize the delivery of RAW samples.
 * @raw: RAW sample state
 *
 * Return: 0 or -ENOMEM
 */
int gpuoa_sink_raw_init(struct gpuoa_sink_raw *raw)
{
	struct gpuoa_raw *head;

	raw->sink.ops = &raw_ops;
	INIT_HLIST_HEAD(&raw->events);
	raw->sample = kvzalloc(sizeof(*raw->sample), GFP_KERNEL);
	if (!raw->sample)
		return -ENOMEM;
	head = (struct gpuoa_raw *)raw->sample->room;
	head->magic = GPUOA_RAW_MAGIC;
	raw_reset(raw);

	return 0;
}

/**
 * gpuoa_sink_raw_fini() - Undo gpuoa_sink_raw_init().
 * @raw: RAW sample state, without events
 */
void gpuoa_sink_raw_fini(struct gpuoa_sink_raw *raw)
{
	kvfree(raw->sample);
}

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
 * Get the number of missing timer reports before a report of another cause. They are reported as
 * lost before the first report after the gap.
 */
static u64 raw_missing_before_other(struct gpuoa_stream *stream, u64 timestamp)
{
	u64 mask = GENMASK_ULL(stream->request.format->header->timestamp_bits - 1, 0);
	struct gpuoa_loss *loss = &stream->loss;
	u64 ticks = (timestamp - loss->last) & mask;

	if (!loss->pending || !loss->last_valid || ticks > mask / 2)
		return 0;

	return gpuoa_loss_before(loss, ticks, stream->hw.exponent + 1);
}

/*
 * Get the number of missing timer reports directly before @report, computed from its timestamp. 0
 * if a context filter drops reports, or the period is not shorter than the timestamp's wrap period.
 */
static u64 raw_missing_before(struct gpuoa_stream *stream, const void *report)
{
	const struct gpuoa_oa_ops *oa = stream->unit->oa;
	const struct gpuoa_format_desc *format = stream->request.format;
	u32 bits = format->header->timestamp_bits;
	struct gpuoa_loss *loss = &stream->loss;
	u32 shift = stream->hw.exponent + 1;
	u64 timestamp, periods = 1;

	if (stream->hw.filter || shift >= bits)
		return 0;

	timestamp = gpuoa_report_timestamp(format, report);
	if (!oa->is_timer_report(&stream->hw, report))
		return raw_missing_before_other(stream, timestamp);
	if (loss->last_valid)
		periods = ((timestamp - loss->last) & GENMASK_ULL(bits - 1, 0)) >> shift;
	loss->last = timestamp;
	loss->last_valid = true;

	/* A timer that deviates from its documentation must not look like a loss. */
	return gpuoa_loss_unreported(loss, periods ? periods - 1 : 0);
}

/* Publish @count contiguous, gapless reports. */
static void raw_publish(struct gpuoa_stream *stream, const void *reports, u32 count)
{
	u32 size = stream->raw.ring.report_size;

	if (!count)
		return;

	gpuoa_counts_take(&stream->counts, reports, size, count, stream->count_stride);
	if (!stream->mode->in_area) {
		stream->sink->ops->reports(stream->sink, reports, size, count, stream->forwarded);
	} else if (!gpuoa_aux_copy(stream, reports, count)) {
		gpuoa_stream_report_lost(stream, GPUOA_RECORD_REPORTS_LOST, count);
		return;
	}
	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);
}

/* Return false for spurious reports and for reports that the context filter drops. */
static bool raw_wants(struct gpuoa_stream *stream, void *report)
{
	if (stream->hw.oa->id_is_never_0 && !*(const u32 *)report)
		return false;

	return !stream->filtered || gpuoa_filter_report(&stream->filter, report);
}

/*
 * Get the index of the first report from @i on that is not a timer report one period after its
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

	if (stream->picky || stream->hw.filter || !loss->last_valid || loss->reported ||
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

/* Move the wanted reports together. Returns their number. */
static u32 raw_pack(struct gpuoa_stream *stream, void *reports, u32 count)
{
	u32 size = stream->raw.ring.report_size;
	u32 kept = 0, i;

	for (i = 0; i < count; i++) {
		if (!raw_wants(stream, reports + i * size))
			continue;
		if (i != kept)
			memcpy(reports + kept * size, reports + i * size, size);
		kept++;
	}

	return kept;
}

/*
 * Publish @count reports, except those that the filter drops, and report the gaps between them.
 * Samples refer to the reports in place; for an area, reports are moved together first, so that
 * perf does not write a record for each run of wanted reports.
 */
static void raw_publish_runs(struct gpuoa_stream *stream, void *reports, u32 count)
{
	bool picks = stream->picky && !stream->mode->in_area;
	u32 size = stream->raw.ring.report_size;
	u32 begin = 0, i;
	u64 missing;

	if (stream->picky && !picks)
		count = raw_pack(stream, reports, count);
	for (i = 0; (i = raw_pass_regular(stream, reports, i, count)) < count; i++) {
		if (picks && !raw_wants(stream, reports + i * size)) {
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

	stream->raw.overflows = 0;
	while (count) {
		reports = gpuoa_ring_peek(ring, &n);
		n = min(n, count);
		raw_publish_runs(stream, reports, n);
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
	stream->loss.reported += count;
}

static void raw_start(struct gpuoa_stream *stream)
{
	/* If too many slots are dirty, the recovery work clears them first. */
	if (gpuoa_ring_clean(&stream->raw.ring, GPUOA_CLEAN_BUDGET))
		gpuoa_stream_hw_start(stream);
	else
		gpuoa_recovery_pause(stream);
}

/*
 * The reader of an area lets the OABUFFER become full, so that the unit may overwrite reports while
 * they are copied. Regard the buffer as full before that.
 */
static bool raw_is_full(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_ring *ring = &stream->raw.ring;
	u32 slots = ring->size / ring->report_size;

	return stream->mode->in_area &&
	       gpuoa_ring_ready(ring) + gpuoa_ring_announced(ring, tail) > slots - slots / 8;
}

/*
 * Check whether timestamps may wrap in a gap. Each overflow adds a lap of the buffer to it while
 * the reader of an area leaves no space for reports.
 */
static bool raw_gap_wraps(const struct gpuoa_stream *stream)
{
	const struct gpuoa_raw_buffer *raw = &stream->raw;
	u64 ticks = gpuoa_exponent_ticks(stream->hw.exponent);

	return stream->mode->in_area &&
	       gpuoa_tail_check_ambiguous(stream->request.format, raw->ring.size,
					  raw->overflows * ticks);
}

/* Unread reports may have been overwritten, so all of them are lost. */
static void raw_overflow(struct gpuoa_stream *stream)
{
	stream->raw.overflows++;
	atomic64_inc(&stream->unit->stats.overflows);
	gpuoa_half_full_overflow(&stream->half_full);
	gpuoa_stream_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
	if (raw_gap_wraps(stream))
		gpuoa_stream_report_pending(stream);

	gpuoa_stream_hw_stop(stream);
	gpuoa_ring_discard(&stream->raw.ring);
	gpuoa_recovery_pause(stream);
}

/*
 * Skip missing reports at the head, if nothing is ready. Returns the number of reports that are
 * ready afterwards.
 */
static u32 raw_skip_missing(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	u32 lost;

	/*
	 * Usually, only the last report is announced, and it is not missing: it waits for its
	 * successor.
	 */
	if (gpuoa_ring_announced(ring, tail) < 2)
		return 0;
	lost = gpuoa_ring_skip_missing(ring, tail, ktime_get_ns());
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

/* Get the number of reports that the reader has space for; perf counts lost samples itself. */
static u32 raw_reader_room(struct gpuoa_stream *stream)
{
	return stream->mode->in_area ? gpuoa_aux_copy_room(stream) : U32_MAX;
}

/* Poll before the budget of a poll is exceeded and before a quarter of the buffer is full. */
static u64 raw_wait_for_room(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_ring *ring = &stream->raw.ring;
	u32 quarter = ring->size / ring->report_size / 4;

	return guarded ? GPUOA_POLL_BUDGET * stream->interval.period_ns :
			 gpuoa_poll_interval_fill(&stream->interval,
						  min_t(u32, quarter, GPUOA_POLL_BUDGET));
}

/*
 * Get the time until the next poll, ns. Unless the half-full interrupt guards the buffer
 * (@guarded), the poll must come before the buffer is full. Polls are not more frequent than
 * reports.
 */
static u64 raw_wait(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_poll_interval *interval = &stream->interval;
	u64 shortest = guarded ? interval->period_ns : interval->shortest_ns;
	u64 until;

	if (shortest <= GPUOA_POLL_MAX_NS)
		return clamp_t(u64, raw_wait_for_room(stream, guarded), GPUOA_POLL_MIN_NS,
			       GPUOA_POLL_MAX_NS);

	until = gpuoa_poll_interval_next(interval,
					 stream->unit->ops->timestamp(stream->unit->provider));

	return min3(until, gpuoa_poll_interval_latency(interval), (u64)GPUOA_ANNOUNCE_NS);
}

static u64 raw_poll_running(struct gpuoa_stream *stream)
{
	struct gpuoa_ring *ring = &stream->raw.ring;
	struct gpuoa_hw_status status;
	u32 count, budget, room;
	bool guarded;

	stream->unit->oa->status(&stream->hw, &status);
	if (!gpuoa_recovery_check(stream, &status))
		return GPUOA_POLL_MIN_NS;
	if (status.overflow || raw_is_full(stream, status.tail)) {
		raw_overflow(stream);
		return GPUOA_POLL_MIN_NS;
	}

	raw_check_lost(stream, &status);
	count = gpuoa_ring_update(ring, status.tail) ?: raw_skip_missing(stream, status.tail);
	budget = min(count, raw_budget(stream));
	room = count ? raw_reader_room(stream) : 0;
	raw_drain(stream, min(budget, room));
	guarded = gpuoa_half_full_guards(&stream->half_full, &stream->hw, ring->head, ring->size);

	return count > budget && room > budget ? GPUOA_POLL_BUSY_NS : raw_wait(stream, guarded);
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

/* Check whether the last report, which has no successor, is old enough to be complete. */
static bool raw_last_is_old(const struct gpuoa_stream *stream)
{
	const struct gpuoa_format_desc *format = stream->request.format;
	u64 now = stream->unit->ops->timestamp(stream->unit->provider);
	u64 mask = GENMASK_ULL(format->header->timestamp_bits - 1, 0);
	u64 age;

	if (!gpuoa_ring_ready(&stream->raw.ring))
		return true;
	age = (now - gpuoa_report_timestamp(format, gpuoa_ring_newest(&stream->raw.ring))) & mask;

	return age <= mask / 2 &&
	       age >= gpuoa_poll_interval_ticks(&stream->interval, GPUOA_RING_LAND_NS);
}

/* Wait until all reports of a stopped unit have landed, up to GPUOA_RING_LAND_NS. */
static void raw_await_reports(struct gpuoa_stream *stream, u32 tail)
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
	u32 budget = min(raw_budget(stream), raw_reader_room(stream)), count, lost;

	do {
		count = min(gpuoa_ring_ready(ring), budget);
		budget -= count;
		raw_drain(stream, count);
		lost = budget ? gpuoa_ring_skip_missing_idle(ring, tail) : 0;
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
		gpuoa_ring_discard(ring);
		stream->loss.pending = GPUOA_RECORD_REPORTS_LOST;
	} else if (status.overflow) {
		atomic64_inc(&stream->unit->stats.overflows);
		stream->loss.pending = GPUOA_RECORD_BUFFER_OVERFLOW;
		gpuoa_ring_discard(ring);
	} else {
		raw_check_lost(stream, &status);
		gpuoa_ring_stopped(ring, status.tail);
		raw_await_reports(stream, status.tail);
		raw_drain_stopped(stream, status.tail);
	}
	/*
	 * Let the recovery work clear the slots if they are many, or wait longer if reports may
	 * still land.
	 */
	if (stream->recovery.linger || ring->dirty > GPUOA_CLEAN_BUDGET)
		gpuoa_recovery_pause(stream);
}

static void raw_halt(struct gpuoa_stream *stream)
{
	if (stream->running)
		raw_stop(stream);
	gpuoa_stream_report_pending(stream);
	if (stream->mode->in_area)
		gpuoa_aux_copy_close(stream);
	stream->sink->ops->flush(stream->sink);
}

static void raw_discard(struct gpuoa_stream *stream)
{
	gpuoa_ring_discard(&stream->raw.ring);
}

/* Implement &gpuoa_mode.clean. Nothing else accesses the ring until this function has returned. */
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
	.discard = raw_discard,
	.clean = raw_clean,
	.report_cut = gpuoa_stream_report_pending,
};

/* The OABUFFER of the provider is read as in RAW mode, and the filter modifies it, not the area. */
const struct gpuoa_mode gpuoa_mode_copy = {
	.flags = GPUOA_ATTR_AUX,
	.in_area = true,
	.alloc_buffer = gpuoa_buffer_alloc,
	.free_buffer = gpuoa_buffer_free,
	.can_run = gpuoa_aux_can_run,
	.run = raw_run,
	.poll = raw_poll,
	.halt = raw_halt,
	.discard = raw_discard,
	.clean = raw_clean,
	.report_cut = gpuoa_stream_report_pending,
	.lose = gpuoa_aux_copy_lose,
	.quiet = gpuoa_aux_overwrite,
};
