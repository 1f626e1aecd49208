// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - an OA unit runs: started, polled for reports, stopped.
 */
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <gpuoa_compat.h>

#include "count.h"
#include "oa/exponent.h"
#include "sink.h"
#include "sink_raw.h"
#include "stream.h"
#include "unit/unit.h"

/* The poll timer's period: at most, and at least. */
#define GPUOA_POLL_MAX_NS (5 * NSEC_PER_MSEC)
#define GPUOA_POLL_MIN_NS (500 * NSEC_PER_USEC)

/* Reports that one tick of the poll timer hands on at most: it runs with interrupts off. */
#define GPUOA_POLL_BUDGET 4096

/* When that was not enough, the next tick comes as soon as this. */
#define GPUOA_POLL_BUSY_NS (100 * NSEC_PER_USEC)

/* How often a stream describes itself to those who begin to listen late. */
#define GPUOA_ANNOUNCE_NS NSEC_PER_SEC

/**
 * gpuoa_stream_lost - tell of a loss
 * @stream: the stream
 * @type: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 * @count: number of reports, or GPUOA_LOST_UNKNOWN
 */
void gpuoa_stream_lost(struct gpuoa_stream *stream, u32 type, u64 count)
{
	if (count != GPUOA_LOST_UNKNOWN)
		atomic64_add(count, &stream->unit->stats.reports_lost);
	stream->sink->ops->lost(stream->sink, type, count);
}

/*
 * How many timer reports are missing right before this one? Its timestamp tells, unless a context
 * filter leaves out reports by intent, or the period is as long as the timestamp's wrap.
 */
static u64 stream_missing_before(struct gpuoa_stream *stream, const void *report)
{
	const struct gpuoa_oa_ops *oa = stream->unit->oa;
	const struct gpuoa_format_desc *format = stream->params.format;
	u32 bits = format->header->timestamp_bits;
	u32 shift = stream->hw.exponent + 1;
	u64 timestamp, periods = 1;

	if (stream->hw.filter || shift >= bits || !oa->is_timer_report(&stream->hw, report))
		return 0;

	timestamp = gpuoa_report_timestamp(format, report);
	if (stream->last_valid)
		periods = ((timestamp - stream->last) & GENMASK_ULL(bits - 1, 0)) >> shift;
	stream->last = timestamp;
	stream->last_valid = true;

	/* A timer that is not quite as documented must not look as if reports were lost. */
	return periods ? periods - 1 : 0;
}

/* Hand on @count reports that stand in one piece, with no gap between them. */
static void stream_hand_on(struct gpuoa_stream *stream, const void *reports, u32 count)
{
	if (!count)
		return;

	gpuoa_counts_take(&stream->counts, reports, stream->ring.report_size, count,
			  stream->count_stride);
	stream->sink->ops->reports(stream->sink, reports, stream->ring.report_size, count,
				   stream->forwarded);
	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);
}

/* Hand on those of @count reports that may be seen, and tell of gaps between them. */
static void stream_forward(struct gpuoa_stream *stream, void *reports, u32 count)
{
	u32 size = stream->ring.report_size;
	u32 begin = 0, i;
	u64 missing;

	for (i = 0; i < count; i++) {
		if (stream->filtered && !gpuoa_filter_report(&stream->filter, reports + i * size)) {
			stream_hand_on(stream, reports + begin * size, i - begin);
			begin = i + 1;
			continue;
		}
		missing = stream_missing_before(stream, reports + i * size);
		if (!missing)
			continue;

		stream_hand_on(stream, reports + begin * size, i - begin);
		begin = i;
		gpuoa_stream_lost(stream, stream->gap_pending ?: GPUOA_RECORD_REPORTS_LOST,
				  missing);
		stream->gap_pending = 0;
	}
	stream_hand_on(stream, reports + begin * size, count - begin);
}

/* Hand on up to @count landed reports and give their slots back. */
static void stream_drain(struct gpuoa_stream *stream, u32 count)
{
	void *reports;
	u32 n;

	if (!count)
		return;

	while (count) {
		reports = gpuoa_ring_peek(&stream->ring, &n);
		n = min(n, count);
		stream_forward(stream, reports, n);
		gpuoa_ring_consume(&stream->ring, n);
		count -= n;
	}
	stream->unit->oa->set_head(&stream->hw, stream->ring.head);
}

static void stream_announce(struct gpuoa_stream *stream)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };

	gpuoa_unit_clock(stream->unit, &clock);
	if (clock.cpu_ns < stream->announce_at)
		return;

	stream->announce_at = gpuoa_stream_aux_quiet(stream) ? U64_MAX :
							       clock.cpu_ns + GPUOA_ANNOUNCE_NS;
	stream->sink->ops->announce(stream->sink, &stream->announcement, &clock);
}

/**
 * gpuoa_stream_hw_stop - let the unit write no more
 * @stream: the stream
 */
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream)
{
	/* Told when the stream is released: printk() must not be called below perf's locks. */
	if (stream->unit->oa->stop(&stream->hw))
		stream->stop_failed = true;
}

/**
 * gpuoa_stream_hw_start - let the unit write
 * @stream: the stream; its hw.first says where to
 */
void gpuoa_stream_hw_start(struct gpuoa_stream *stream)
{
	stream->lost_latched = false;
	gpuoa_filter_gap(&stream->filter);
	gpuoa_counts_rebase(&stream->counts);
	stream->unit->oa->start(&stream->hw);
}

/**
 * gpuoa_stream_note_loss - the unit lost reports
 * @stream: the stream
 * @type: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST
 *
 * A loss whose size the next report can't tell is reported at once. Otherwise remember it: the
 * timestamps around the gap will tell its size, and its place is known then too.
 */
void gpuoa_stream_note_loss(struct gpuoa_stream *stream, u32 type)
{
	gpuoa_filter_gap(&stream->filter);
	if (stream->last_valid)
		stream->gap_pending = type;
	else
		gpuoa_stream_lost(stream, type, GPUOA_LOST_UNKNOWN);
}

/**
 * gpuoa_stream_has_lost - does the unit say, for the first time, that it dropped reports?
 * @stream: the stream
 * @status: what it says
 *
 * Return: whether it does
 */
bool gpuoa_stream_has_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	if (!status->lost || stream->lost_latched)
		return false;
	stream->lost_latched = stream->unit->oa->lost_latches;

	return true;
}

static void stream_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	if (gpuoa_stream_has_lost(stream, status))
		gpuoa_stream_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* The hardware may have overwritten what was not read yet: all of that is lost. */
static void stream_restart(struct gpuoa_stream *stream)
{
	atomic64_inc(&stream->unit->stats.overflows);
	gpuoa_half_full_overflow(stream);
	gpuoa_stream_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);

	gpuoa_stream_hw_stop(stream);
	gpuoa_ring_clear(&stream->ring);
	gpuoa_stream_hw_start(stream);
}

/* Before there is more than a tick may hand on, and before a quarter of the buffer is full */
static u64 stream_fill(const struct gpuoa_stream *stream, bool guarded)
{
	u32 quarter = stream->ring.size / stream->ring.report_size / 4;

	return guarded ? GPUOA_POLL_BUDGET * stream->pace.period_ns :
			 gpuoa_pace_fill(&stream->pace, min_t(u32, quarter, GPUOA_POLL_BUDGET));
}

/* In time for the buffer, unless that is @guarded; not more often than reports come. */
static u64 stream_raw_wait(const struct gpuoa_stream *stream, bool guarded)
{
	const struct gpuoa_pace *pace = &stream->pace;
	u64 shortest = guarded ? pace->period_ns : pace->shortest_ns;
	u64 until;

	if (shortest <= GPUOA_POLL_MAX_NS)
		return clamp_t(u64, stream_fill(stream, guarded), GPUOA_POLL_MIN_NS,
			       GPUOA_POLL_MAX_NS);

	until = gpuoa_pace_next(pace, stream->unit->ops->timestamp(stream->unit->host));

	return min3(until, gpuoa_pace_latency(pace), (u64)GPUOA_ANNOUNCE_NS);
}

/* One look at the unit. Returns ns until the next one. */
static u64 stream_raw_poll(struct gpuoa_stream *stream)
{
	struct gpuoa_hw_status status;
	u32 count = 0, budget = 0;
	bool guarded;

	stream->unit->oa->status(&stream->hw, &status);
	if (status.overflow) {
		stream_restart(stream);
	} else {
		stream_check_lost(stream, &status);
		count = gpuoa_ring_update(&stream->ring, status.tail);
		budget = min_t(u32, count, GPUOA_POLL_BUDGET);
		stream_drain(stream, budget);
	}
	stream->sink->ops->flush(stream->sink);

	guarded = gpuoa_half_full_guards(stream, stream->ring.head, stream->ring.size);

	return count > budget ? GPUOA_POLL_BUSY_NS : stream_raw_wait(stream, guarded);
}

static u64 stream_poll(struct gpuoa_stream *stream)
{
	u64 wait;

	atomic64_inc(&stream->unit->stats.polls);
	stream_announce(stream);
	wait = stream->params.aux ? gpuoa_stream_aux_poll(stream) : stream_raw_poll(stream);
	stream->looked_at = ktime_get_ns();

	return wait;
}

static enum hrtimer_restart stream_timer(struct hrtimer *timer)
{
	struct gpuoa_stream *stream = container_of(timer, struct gpuoa_stream, timer);
	enum hrtimer_restart restart = HRTIMER_NORESTART;
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	/* Stopped, or even started again, while this callback waited for the lock? */
	if (stream->runners && !stream->ended && !hrtimer_is_queued(timer)) {
		hrtimer_forward_now(timer, ns_to_ktime(stream_poll(stream)));
		restart = HRTIMER_RESTART;
	}
	raw_spin_unlock_irqrestore(&stream->lock, flags);

	return restart;
}

/* A loss that no report will measure: what comes next begins anew. */
static void stream_lost_at_end(struct gpuoa_stream *stream, u32 type)
{
	gpuoa_stream_lost(stream, type, GPUOA_LOST_UNKNOWN);
	stream->gap_pending = 0;
	stream->last_valid = false;
}

/* The last look, after the unit was stopped: everything has landed. */
static void stream_poll_stopped(struct gpuoa_stream *stream)
{
	struct gpuoa_hw_status status;

	stream->unit->oa->status(&stream->hw, &status);
	if (status.overflow) {
		atomic64_inc(&stream->unit->stats.overflows);
		stream_lost_at_end(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
		gpuoa_ring_clear(&stream->ring);
	} else {
		stream_check_lost(stream, &status);
		stream_drain(stream, gpuoa_ring_update_idle(&stream->ring, status.tail));
		if (stream->gap_pending)
			stream_lost_at_end(stream, stream->gap_pending);
		gpuoa_ring_rewind(&stream->ring);
	}
	stream->sink->ops->flush(stream->sink);
}

/**
 * gpuoa_stream_init_timer - prepare a stream's poll timer
 * @stream: the stream, with its buffer
 */
void gpuoa_stream_init_timer(struct gpuoa_stream *stream)
{
	hrtimer_setup(&stream->timer, stream_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * gpuoa_stream_name - give a stream a name if it has none
 * @stream: the stream
 * @uuid: UUID of a configuration with the same registers
 *
 * Whoever began with inline registers left it nameless.
 */
void gpuoa_stream_name(struct gpuoa_stream *stream, const char *uuid)
{
	struct gpuoa_record_stream *announcement = &stream->announcement;
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	if (!announcement->uuid[0])
		strscpy(announcement->uuid, uuid, sizeof(announcement->uuid));
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_stream_thin - choose what of each report is forwarded
 * @stream: the stream, which nobody samples
 * @keep: as &gpuoa_attr.keep
 */
void gpuoa_stream_thin(struct gpuoa_stream *stream, const u64 *keep)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	gpuoa_thin_init(&stream->sink->thin, stream->params.format, keep);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

static int stream_run(struct gpuoa_stream *stream)
{
	if (stream->params.aux && !stream->aux.sink.area)
		return -EINVAL;

	if (stream->stop_epoch != stream->unit->epoch) {
		stream->last_valid = false;
		stream->sink->ops->resume(stream->sink, true);
	}
	gpuoa_half_full_start(stream);
	if (stream->params.aux)
		gpuoa_stream_aux_run(stream);
	else
		gpuoa_stream_hw_start(stream);
	hrtimer_start(&stream->timer, 0, HRTIMER_MODE_REL_PINNED_HARD);

	return 0;
}

static void stream_halt(struct gpuoa_stream *stream)
{
	/* A callback that runs right now waits for the lock, and then sees that nobody runs. */
	hrtimer_try_to_cancel(&stream->timer);
	gpuoa_half_full_stop(stream);
	stream->stop_epoch = stream->unit->epoch;
	if (gpuoa_stream_aux_quiet(stream))
		stream->announce_at = 0;
	stream_announce(stream);
	if (stream->params.aux) {
		gpuoa_stream_aux_halt(stream);
		return;
	}
	gpuoa_stream_hw_stop(stream);
	stream_poll_stopped(stream);
}

/**
 * gpuoa_stream_start - begin to sample, or join in
 * @stream: the stream
 *
 * Context: on the unit's CPU, interrupts off
 * Return: 0, or -EINVAL if reports go to an AUX area and there is none
 */
int gpuoa_stream_start(struct gpuoa_stream *stream)
{
	int ret = 0;

	raw_spin_lock(&stream->lock);
	if (!stream->ended) {
		stream->announce_at = 0;
		if (stream->runners)
			stream->sink->ops->resume(stream->sink, false);
		else
			ret = stream_run(stream);
	}
	stream->runners += !ret;
	raw_spin_unlock(&stream->lock);

	return ret;
}

/**
 * gpuoa_stream_stop - end to sample, or leave
 * @stream: the stream
 *
 * Hands on all reports until now if nobody else is left. Who leaves others behind has to look
 * before, together with all that leave with it.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_stop(struct gpuoa_stream *stream)
{
	raw_spin_lock(&stream->lock);
	if (!--stream->runners && !stream->ended)
		stream_halt(stream);
	raw_spin_unlock(&stream->lock);
}

/**
 * gpuoa_stream_end - stop for ever: the unit goes away
 * @stream: the stream
 *
 * Hands on all reports until now first. From here on the stream leaves unit and host alone, whoever
 * starts or stops it.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_end(struct gpuoa_stream *stream)
{
	raw_spin_lock(&stream->lock);
	if (stream->runners) {
		stream_halt(stream);
		stream->sink->ops->gone(stream->sink);
		stream->sink->ops->flush(stream->sink);
	}
	stream->ended = true;
	raw_spin_unlock(&stream->lock);
}

/**
 * gpuoa_stream_look - hand on what has landed until now
 * @stream: the stream
 *
 * Does nothing when somebody looks right now: who reads a count may do so from below, as when a
 * sample is taken that shall hold the counts of others. Nor where a sample is being taken of a
 * software event: perf would take none of ours until that is done.
 *
 * Context: on the unit's CPU; also NMI
 */
void gpuoa_stream_look(struct gpuoa_stream *stream)
{
	unsigned long flags;

	/*
	 * Nobody counts beside an AUX area. Not in an NMI, nor below a tracepoint: a host may take
	 * locks to reach its registers.
	 */
	if (stream->params.aux || in_nmi() || !gpuoa_sink_raw_ready() ||
	    !raw_spin_trylock_irqsave(&stream->lock, flags))
		return;
	if (stream->runners && !stream->ended)
		stream_poll(stream);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/* The next look is now. An interrupt must not take all of the CPU: so not right after the last. */
static void stream_hurry(struct gpuoa_stream *stream)
{
	u64 since = ktime_get_ns() - stream->looked_at;
	u64 wait = since < GPUOA_POLL_BUSY_NS ? GPUOA_POLL_BUSY_NS - since : stream_poll(stream);

	atomic64_inc(&stream->unit->stats.interrupts);
	hrtimer_start(&stream->timer, ns_to_ktime(wait), HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * gpuoa_stream_hurry - do not wait for the poll timer
 * @stream: the stream
 *
 * Context: interrupts off
 * Return: false if the stream runs on another CPU
 */
bool gpuoa_stream_hurry(struct gpuoa_stream *stream)
{
	bool here = true;

	raw_spin_lock(&stream->lock);
	if (stream->runners && !stream->ended) {
		here = stream->half_full.cpu == smp_processor_id();
		if (here)
			stream_hurry(stream);
	}
	raw_spin_unlock(&stream->lock);

	return here;
}

/**
 * gpuoa_stream_count - begin to count, with the next report
 * @stream: the stream
 * @count: what to count; its value goes on
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_count(struct gpuoa_stream *stream, struct gpuoa_count *count)
{
	raw_spin_lock(&stream->lock);
	count->based = false;
	list_add_tail(&count->node, &stream->counts);
	raw_spin_unlock(&stream->lock);
}

/**
 * gpuoa_stream_uncount - end to count, with the last report that was handed on
 * @stream: the stream
 * @count: what is counted
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_uncount(struct gpuoa_stream *stream, struct gpuoa_count *count)
{
	raw_spin_lock(&stream->lock);
	list_del(&count->node);
	raw_spin_unlock(&stream->lock);
}
