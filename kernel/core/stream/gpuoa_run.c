// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_run.c - starting, polling and stopping a stream; the mode without reports. */
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <gpuoa_compat.h>

#include "gpuoa_count.h"
#include "gpuoa_mode.h"
#include "gpuoa_perf_hacks.h"
#include "gpuoa_recovery.h"
#include "gpuoa_run.h"
#include "gpuoa_stream.h"
#include "oa/gpuoa_oa.h"
#include "unit/gpuoa_unit.h"

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

/* Poll the unit. Returns the time until the next poll, ns. */
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
	/* The stream may have been stopped or restarted while this callback waited for the lock. */
	if (stream_runs(stream) && !hrtimer_is_queued(timer)) {
		hrtimer_forward_now(timer, ns_to_ktime(stream_poll(stream)));
		restart = HRTIMER_RESTART;
	}
	raw_spin_unlock_irqrestore(&stream->lock, flags);

	return restart;
}

/* Do not poll right after the last poll, so that interrupts cannot saturate the CPU. */
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
 * gpuoa_stream_init_run() - Initialize the polling of a stream.
 * @stream: stream
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
 * gpuoa_stream_set_name() - Set the UUID of a stream that has none.
 * @stream: stream, without UUID if it was opened with inline registers
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
 * gpuoa_stream_set_dword_mask() - Set the dword mask of published reports.
 * @stream: stream without sampling events
 * @dword_mask: dword mask as in &gpuoa_attr.dword_mask
 */
void gpuoa_stream_set_dword_mask(struct gpuoa_stream *stream, const u64 *dword_mask)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	gpuoa_dword_mask_init(&stream->sink->mask, stream->request.format, dword_mask);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

static int stream_run(struct gpuoa_stream *stream)
{
	if (stream->mode->can_run && !stream->mode->can_run(stream))
		return -EINVAL;

	if (stream->stop_epoch != READ_ONCE(stream->unit->epoch)) {
		stream->loss.last_valid = false;
		stream->loss.reported = 0;
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
	 * A callback that runs now waits for the lock and then finds no runners. On another CPU it
	 * cannot interfere with the next start, because perf waits for an RCU grace period before
	 * it migrates events.
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

/* Set the poll interval of the stream to the shortest one of all runners. */
static void stream_update_poll_ns(struct gpuoa_stream *stream)
{
	const struct gpuoa_runner *runner;

	stream->poll_ns = U64_MAX;
	list_for_each_entry(runner, &stream->runners, node)
		stream->poll_ns = min(stream->poll_ns, runner->poll_ns);
}

/*
 * Add a runner to a running stream. Restart the poll timer if it was set for longer than @runner
 * allows.
 */
static void stream_run_too(struct gpuoa_stream *stream, const struct gpuoa_runner *runner)
{
	stream->sink->ops->resume(stream->sink, false);
	if (runner->poll_ns < stream->poll_ns)
		hrtimer_start(&stream->timer, ns_to_ktime(runner->poll_ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * gpuoa_stream_start() - Start sampling, or join a running stream.
 * @stream: stream
 * @runner: user that starts the stream
 *
 * Context: on the unit's CPU, interrupts disabled
 * Return: 0; -EINVAL if reports go to an AUX area and there is none
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
 * gpuoa_stream_stop() - Stop sampling, or leave a running stream.
 * @stream: stream
 * @runner: user that started the stream
 *
 * The last user to stop gets all remaining reports. Before any other user stops, the caller must
 * publish the landed reports with gpuoa_stream_poll_now(). One call is enough for users that stop
 * together.
 *
 * Context: on the unit's CPU, interrupts disabled
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
 * gpuoa_stream_end() - Stop a stream permanently, because the unit is removed.
 * @stream: stream
 *
 * Publishes the remaining reports. Afterwards, starting or stopping the stream does not access the
 * unit or the provider.
 *
 * Context: on the unit's CPU, interrupts disabled
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
 * gpuoa_stream_poll_now() - Publish all reports that have landed.
 * @stream: stream
 *
 * Does nothing while the stream is being polled: perf may read a count during a poll, to put the
 * counts of a group into a sample. Does nothing during a sample of a software event either, because
 * perf would drop nested samples.
 *
 * Context: on the unit's CPU; also NMI
 */
void gpuoa_stream_poll_now(struct gpuoa_stream *stream)
{
	unsigned long flags;

	/*
	 * Do not poll in an NMI or a tracepoint, because a provider may take locks to access its
	 * registers.
	 */
	if (in_nmi() || !gpuoa_perf_can_output() || !raw_spin_trylock_irqsave(&stream->lock, flags))
		return;
	if (stream_runs(stream)) {
		stream->poll_requested = true;
		stream_poll(stream);
		stream->poll_requested = false;
	}
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_stream_mark() - Write a marker to all sampling events.
 * @stream: stream
 * @mark: marker; @mark->value is input, the other fields are output
 *
 * The clock is read under the stream's lock, so that markers are in time order.
 *
 * Context: on the unit's CPU, interrupts disabled
 * Return: 0, or an error as documented for GPUOA_IOC_INSERT_MARKER in uapi/gpuoa.h
 */
int gpuoa_stream_mark(struct gpuoa_stream *stream, struct gpuoa_marker *mark)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };
	const struct device *dev = &stream->unit->dev;
	int ret = 0;

	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	if (!stream_runs(stream)) {
		ret = gpuoa_reject(dev, -ENODATA, "no event is running");
	} else if (stream_quiet(stream)) {
		ret = gpuoa_reject(dev, -EOPNOTSUPP, "a flight recorder cannot store markers");
	} else if (gpuoa_recovery_asleep(stream) || !gpuoa_perf_can_output()) {
		ret = gpuoa_reject(dev, -EAGAIN, "the GPU does not answer");
	} else {
		gpuoa_unit_clock(stream->unit, &clock);
		mark->gpu_ticks = clock.gpu_ticks;
		mark->cpu_ns = clock.cpu_ns;
		mark->error_ns = clock.error_ns;
		if (!stream->sink->ops->mark(stream->sink, mark))
			ret = gpuoa_reject(dev, -ENODATA, "no event samples");
		stream->sink->ops->flush(stream->sink);
	}
	raw_spin_unlock(&stream->lock);

	return ret;
}

/**
 * gpuoa_stream_add_count() - Start counting from the next report on.
 * @stream: stream
 * @count: counter; its value is continued
 *
 * Context: on the unit's CPU, interrupts disabled
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
 * gpuoa_stream_remove_count() - Stop counting after the last published report.
 * @stream: stream
 * @count: counter
 *
 * Context: on the unit's CPU, interrupts disabled
 */
void gpuoa_stream_remove_count(struct gpuoa_stream *stream, struct gpuoa_count *count)
{
	lockdep_assert_irqs_disabled();

	raw_spin_lock(&stream->lock);
	list_del(&count->node);
	raw_spin_unlock(&stream->lock);
}

/**
 * DOC: Query-only mode
 *
 * From gen12 on, a render context has separate counters (OAR). They need the unit's configuration,
 * but OAG may stay off. The stream then contains only its description, clock samples and losses of
 * the unit's registers.
 */

static int none_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		      const struct gpuoa_format_desc *format)
{
	if (!unit->oa->needs_context)
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP, "contexts have no separate counters");

	return 0;
}

static void none_free_buffer(struct gpuoa_stream *stream)
{
}

static void none_run(struct gpuoa_stream *stream)
{
	stream->running = !gpuoa_recovery_wait(stream);
}

static u64 none_poll(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	stream->running = true;
	stream->sink->ops->flush(stream->sink);

	return GPUOA_ANNOUNCE_NS;
}

static void none_halt(struct gpuoa_stream *stream)
{
	stream->running = false;
	gpuoa_stream_report_pending(stream);
	stream->sink->ops->flush(stream->sink);
}

static void none_discard(struct gpuoa_stream *stream)
{
}

const struct gpuoa_mode gpuoa_mode_none = {
	.flags = GPUOA_ATTR_QUERY_ONLY,
	.check = none_check,
	.free_buffer = none_free_buffer,
	.run = none_run,
	.poll = none_poll,
	.halt = none_halt,
	.discard = none_discard,
	.report_cut = gpuoa_stream_report_pending,
};
