// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - a stream runs: started, polled, kicked, stopped.
 */
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <gpuoa_compat.h>

#include "count.h"
#include "perf_hacks.h"
#include "recovery.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/refuse.h"
#include "unit/unit.h"

static bool stream_quiet(const struct gpuoa_stream *stream)
{
	return stream->mode->quiet && stream->mode->quiet(stream);
}

static void stream_announce(struct gpuoa_stream *stream)
{
	struct gpuoa_clock clocks[GPUOA_ANNOUNCE_CLOCKS] = {
		{ .clock_id = CLOCK_MONOTONIC },
		{ .clock_id = GPUOA_CLOCK_PERF },
	};

	if (gpuoa_recovery_asleep(stream))
		return;
	gpuoa_unit_clock(stream->unit, &clocks[0]);
	if (clocks[0].cpu_ns < stream->announce_at)
		return;

	gpuoa_unit_clock(stream->unit, &clocks[1]);
	stream->announce_at = stream_quiet(stream) ? U64_MAX : clocks[0].cpu_ns + GPUOA_ANNOUNCE_NS;
	stream->sink->ops->announce(stream->sink, &stream->description, clocks);
}

static bool stream_runs(const struct gpuoa_stream *stream)
{
	return !list_empty(&stream->runners) && !stream->ended;
}

/* Returns ns until the next poll. */
static u64 stream_poll(struct gpuoa_stream *stream)
{
	u64 wait = 0;

	lockdep_assert_held(&stream->lock);
	lockdep_assert_irqs_disabled();

	atomic64_inc(&stream->unit->stats.polls);
	gpuoa_recovery_report(stream);
	stream_announce(stream);
	if (!stream->running)
		wait = gpuoa_recovery_wait(stream);
	if (!wait)
		wait = stream->mode->poll(stream);
	else
		stream->sink->ops->flush(stream->sink);
	stream->polled_at = ktime_get_ns();

	return min(wait, stream->poll_ns);
}

static enum hrtimer_restart stream_timer(struct hrtimer *timer)
{
	struct gpuoa_stream *stream = container_of(timer, struct gpuoa_stream, timer);
	enum hrtimer_restart restart = HRTIMER_NORESTART;
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	/* The stream may have stopped, or started anew, while this callback waited for the lock. */
	if (stream_runs(stream) && !hrtimer_is_queued(timer)) {
		hrtimer_forward_now(timer, ns_to_ktime(stream_poll(stream)));
		restart = HRTIMER_RESTART;
	}
	raw_spin_unlock_irqrestore(&stream->lock, flags);

	return restart;
}

/* An interrupt must not take all of the CPU: no poll right after the last one. */
static void stream_kick(struct gpuoa_stream *stream)
{
	u64 since = ktime_get_ns() - stream->polled_at;
	u64 wait = since < GPUOA_POLL_BUSY_NS ? GPUOA_POLL_BUSY_NS - since : stream_poll(stream);

	atomic64_inc(&stream->unit->stats.interrupts);
	hrtimer_start(&stream->timer, ns_to_ktime(wait), HRTIMER_MODE_REL_PINNED_HARD);
}

/* &gpuoa_half_full.kick */
static bool stream_half_full(struct gpuoa_half_full *half_full)
{
	struct gpuoa_stream *stream = container_of(half_full, struct gpuoa_stream, half_full);
	bool here = true;

	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	if (stream_runs(stream)) {
		here = gpuoa_half_full_here(half_full);
		if (here)
			stream_kick(stream);
	}
	raw_spin_unlock(&stream->lock);

	return here;
}

/**
 * gpuoa_stream_init_run - prepare what polls a stream
 * @stream: the stream
 */
void gpuoa_stream_init_run(struct gpuoa_stream *stream)
{
	INIT_LIST_HEAD(&stream->runners);
	stream->poll_ns = U64_MAX;
	hrtimer_setup(&stream->timer, stream_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	gpuoa_recovery_init(stream);
	gpuoa_half_full_init(&stream->half_full, stream_half_full);
}

/**
 * gpuoa_stream_set_name - give a stream a name if it has none
 * @stream: the stream, which has no name if it was opened with inline registers
 * @uuid: UUID of a configuration with the same registers
 */
void gpuoa_stream_set_name(struct gpuoa_stream *stream, const char *uuid)
{
	struct gpuoa_record_stream *description = &stream->description;
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	if (!description->uuid[0])
		strscpy(description->uuid, uuid, sizeof(description->uuid));
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_stream_set_keep - choose which dwords of each report are published
 * @stream: the stream, which nobody samples
 * @keep: as &gpuoa_attr.keep
 */
void gpuoa_stream_set_keep(struct gpuoa_stream *stream, const u64 *keep)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	gpuoa_thin_init(&stream->sink->thin, stream->request.format, keep);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

static int stream_run(struct gpuoa_stream *stream)
{
	if (stream->mode->can_run && !stream->mode->can_run(stream))
		return -EINVAL;

	if (stream->stop_epoch != READ_ONCE(stream->unit->epoch)) {
		stream->loss.last_valid = false;
		stream->loss.told = 0;
		stream->sink->ops->resume(stream->sink, true);
	}
	gpuoa_half_full_start(&stream->half_full);
	stream->mode->run(stream);
	hrtimer_start(&stream->timer, 0, HRTIMER_MODE_REL_PINNED_HARD);

	return 0;
}

static void stream_halt(struct gpuoa_stream *stream)
{
	/*
	 * A callback that runs right now waits for the lock, and then sees that nobody runs. On
	 * another CPU it cannot be in the way of the next start: core waits for RCU before it
	 * migrates events.
	 */
	hrtimer_try_to_cancel(&stream->timer);
	gpuoa_half_full_stop(&stream->half_full);
	stream->stop_epoch = READ_ONCE(stream->unit->epoch);
	if (stream_quiet(stream))
		stream->announce_at = 0;
	gpuoa_recovery_report(stream);
	stream_announce(stream);
	stream->mode->halt(stream);
}

/* The next poll comes early enough for each of the runners. */
static void stream_update_poll_ns(struct gpuoa_stream *stream)
{
	const struct gpuoa_runner *runner;

	stream->poll_ns = U64_MAX;
	list_for_each_entry(runner, &stream->runners, node)
		stream->poll_ns = min(stream->poll_ns, runner->poll_ns);
}

/* Another runner than the first: the timer may have been set for longer than it wants to wait. */
static void stream_run_too(struct gpuoa_stream *stream, const struct gpuoa_runner *runner)
{
	stream->sink->ops->resume(stream->sink, false);
	if (runner->poll_ns < stream->poll_ns)
		hrtimer_start(&stream->timer, ns_to_ktime(runner->poll_ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * gpuoa_stream_start - begin to sample, or join
 * @stream: the stream
 * @runner: who starts it
 *
 * Context: on the unit's CPU, interrupts off
 * Return: 0, or -EINVAL if reports go to an AUX area and there is none
 */
int gpuoa_stream_start(struct gpuoa_stream *stream, struct gpuoa_runner *runner)
{
	int ret = 0;

	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	if (!stream->ended) {
		stream->announce_at = 0;
		if (!list_empty(&stream->runners))
			stream_run_too(stream, runner);
		else
			ret = stream_run(stream);
	}
	if (!ret) {
		list_add(&runner->node, &stream->runners);
		stream_update_poll_ns(stream);
	}
	raw_spin_unlock(&stream->lock);

	return ret;
}

/**
 * gpuoa_stream_stop - end to sample, or leave
 * @stream: the stream
 * @runner: who has started it
 *
 * The last one to leave gets all reports until now. One that leaves others behind has to poll
 * before, together with all that leave with it.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_stop(struct gpuoa_stream *stream, struct gpuoa_runner *runner)
{
	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	list_del(&runner->node);
	stream_update_poll_ns(stream);
	if (list_empty(&stream->runners) && !stream->ended)
		stream_halt(stream);
	raw_spin_unlock(&stream->lock);
}

/**
 * gpuoa_stream_end - stop for ever: the unit goes away
 * @stream: the stream
 *
 * Publishes all reports until now first. From here on the stream leaves unit and host alone,
 * whoever starts or stops it.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_end(struct gpuoa_stream *stream)
{
	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	if (!list_empty(&stream->runners)) {
		stream_halt(stream);
		stream->sink->ops->gone(stream->sink);
		stream->sink->ops->flush(stream->sink);
	}
	stream->ended = true;
	raw_spin_unlock(&stream->lock);
}

/**
 * gpuoa_stream_poll_now - publish what has landed until now
 * @stream: the stream
 *
 * Does nothing if the stream is being polled right now: a count may be read from below a poll, when
 * a sample is taken that shall hold the counts of other events. Nor does it anything below a sample
 * of a software event: core would take none of ours until that is done.
 *
 * Context: on the unit's CPU; also NMI
 */
void gpuoa_stream_poll_now(struct gpuoa_stream *stream)
{
	unsigned long flags;

	/* Not in an NMI, nor below a tracepoint: a host may take locks to reach its registers. */
	if (in_nmi() || !gpuoa_perf_can_output() || !raw_spin_trylock_irqsave(&stream->lock, flags))
		return;
	if (stream_runs(stream)) {
		stream->asked = true;
		stream_poll(stream);
		stream->asked = false;
	}
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_stream_mark - tell all who sample that a program marked this moment
 * @stream: the stream
 * @mark: in: value; out: all
 *
 * The clock is read with the stream locked, so that marks come in order of time.
 *
 * Context: on the unit's CPU, interrupts off
 * Return: 0, or as uapi/gpuoa.h documents for GPUOA_IOC_MARKER
 */
int gpuoa_stream_mark(struct gpuoa_stream *stream, struct gpuoa_marker *mark)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };
	const struct device *dev = &stream->unit->dev;
	int ret = 0;

	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	if (!stream_runs(stream)) {
		ret = gpuoa_refuse(dev, -ENODATA, "nobody samples");
	} else if (stream_quiet(stream)) {
		ret = gpuoa_refuse(dev, -EOPNOTSUPP, "a flight recorder has no room for marks");
	} else if (gpuoa_recovery_asleep(stream) || !gpuoa_perf_can_output()) {
		ret = gpuoa_refuse(dev, -EAGAIN, "the GPU does not answer");
	} else {
		gpuoa_unit_clock(stream->unit, &clock);
		mark->gpu_ticks = clock.gpu_ticks;
		mark->cpu_ns = clock.cpu_ns;
		mark->error_ns = clock.error_ns;
		if (!stream->sink->ops->mark(stream->sink, mark))
			ret = gpuoa_refuse(dev, -ENODATA, "nobody samples, though some count");
		stream->sink->ops->flush(stream->sink);
	}
	raw_spin_unlock(&stream->lock);

	return ret;
}

/**
 * gpuoa_stream_add_count - begin to count, with the next report
 * @stream: the stream
 * @count: what to count; its value goes on
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_add_count(struct gpuoa_stream *stream, struct gpuoa_count *count)
{
	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	count->based = false;
	list_add_tail(&count->node, &stream->counts);
	raw_spin_unlock(&stream->lock);
}

/**
 * gpuoa_stream_remove_count - end to count, with the last report that was published
 * @stream: the stream
 * @count: what is counted
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_remove_count(struct gpuoa_stream *stream, struct gpuoa_count *count)
{
	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	list_del(&count->node);
	raw_spin_unlock(&stream->lock);
}
