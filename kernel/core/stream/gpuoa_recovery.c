// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_recovery.c - start and stop of a unit, lost reports, and the work in process context before
 * a unit can be restarted.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include <gpuoa_compat.h>

#include "gpuoa_count.h"
#include "gpuoa_mode.h"
#include "gpuoa_program.h"
#include "gpuoa_recovery.h"
#include "gpuoa_ring.h"
#include "gpuoa_run.h"
#include "gpuoa_stream.h"
#include "oa/gpuoa_report.h"
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
	if (stream->mode->lose && !stream->mode->lose(stream))
		return;
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

/**
 * DOC: Recovery
 *
 * A stream is polled with interrupts disabled. Some operations take too long for that or may sleep:
 * clearing a large buffer after an overflow, and reprogramming a unit that lost its registers in a
 * reset or while the GPU was off. The stream pauses for these. A work item performs them, and the
 * next poll restarts the unit.
 *
 * The work is queued by an irq_work, because a stream may pause under scheduler locks. It takes no
 * lock except &gpuoa_stream.lock, so callers that hold other locks can wait for it.
 *
 * Providers report resets and suspends by gpuoa_unit_reset() and gpuoa_unit_suspend(). Without such
 * a report, a poll that finds no new reports checks whether the unit is still enabled. A GPU that
 * does not respond reads as all ones. It is then checked once per second only. A unit that another
 * user has taken is requested from the provider at the same interval.
 *
 * While a stream is paused, only the work accesses the unit and its buffer.
 */

/*
 * Intervals at which to check whether the recovery work has finished, and whether a GPU responds
 * again or a unit is free again.
 */
#define GPUOA_RECOVERY_POLL_NS (500 * NSEC_PER_USEC)
#define GPUOA_RECOVERY_GONE_NS NSEC_PER_SEC

/* Timeout for a unit to stop in process context, as in i915 and xe. */
#define GPUOA_RECOVERY_STOP_MS 50

static void recovery_kick(struct irq_work *kick)
{
	struct gpuoa_recovery *recovery = container_of(kick, struct gpuoa_recovery, kick);

	queue_work(GPUOA_UNBOUND_WQ, &recovery->work);
}

/* Perform all pending steps. Returns 0 or an error of the provider. */
static int recovery_run(struct gpuoa_stream *stream)
{
	struct gpuoa_recovery *recovery = &stream->recovery;
	u64 wait = GPUOA_RING_LAND_NS / NSEC_PER_USEC;
	bool program;
	int ret = 0;

	raw_spin_lock_irq(&stream->lock);
	program = recovery->program;
	recovery->program = false;
	recovery->programming = program;
	if (recovery->linger)
		wait = GPUOA_RING_MISSING_NS / NSEC_PER_USEC;
	recovery->linger = false;
	recovery->pending = false;
	raw_spin_unlock_irq(&stream->lock);

	gpuoa_recovery_await_stop(stream);
	/* Wait for reports that may still be on their way to memory. */
	usleep_range(wait, 2 * wait);
	/*
	 * Read a register, because earlier memory writes of the unit arrive before the reply to
	 * that read.
	 */
	if (!program)
		stream->unit->oa->tail(&stream->hw);
	if (stream->mode->clean)
		stream->mode->clean(stream);
	if (program)
		ret = gpuoa_program_again(stream);

	raw_spin_lock_irq(&stream->lock);
	recovery->error = ret;
	recovery->program |= ret;
	recovery->programming = ret;
	recovery->ready = !ret && !recovery->pending && !recovery->gone && !recovery->suspended;
	raw_spin_unlock_irq(&stream->lock);

	return ret;
}

/* Call recovery_run(), and log each change of its error once. */
static int recovery_try(struct gpuoa_stream *stream)
{
	const struct device *dev = &stream->unit->dev;
	int before = READ_ONCE(stream->recovery.error);
	int error = recovery_run(stream);

	if (error == before)
		return error;
	if (error == -EBUSY)
		dev_warn(dev, "another driver has acquired the OA unit; its events wait for it\n");
	else if (error)
		dev_err(dev, "the OA unit could not be programmed again: %d\n", error);
	else if (before == -EBUSY)
		dev_info(dev, "the OA unit is back\n");

	return error;
}

static void recovery_work(struct work_struct *work)
{
	recovery_try(container_of(work, struct gpuoa_stream, recovery.work));
}

/**
 * gpuoa_recovery_init() - Initialize the recovery of a stream as ready.
 * @stream: stream
 */
void gpuoa_recovery_init(struct gpuoa_stream *stream)
{
	stream->recovery.ready = true;
	init_irq_work(&stream->recovery.kick, recovery_kick);
	INIT_WORK(&stream->recovery.work, recovery_work);
}

/**
 * gpuoa_recovery_cancel() - Cancel the work and wait for it to finish.
 * @stream: stream, which is not polled
 *
 * Context: may sleep
 */
void gpuoa_recovery_cancel(struct gpuoa_stream *stream)
{
	irq_work_sync(&stream->recovery.kick);
	cancel_work_sync(&stream->recovery.work);
}

/**
 * gpuoa_recovery_pause() - Queue the work, which must finish before the unit is restarted.
 * @stream: stream, not running
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_recovery_pause(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	stream->recovery.ready = false;
	stream->recovery.pending = true;
	irq_work_queue(&stream->recovery.kick);
}

/**
 * gpuoa_recovery_reprogram() - Queue the work to reprogram the unit before it is restarted.
 * @stream: stream, not running
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_recovery_reprogram(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	stream->recovery.program = true;
	stream->recovery.error = 0;
	gpuoa_recovery_pause(stream);
}

/**
 * gpuoa_recovery_finish() - Wait until the unit is programmed.
 * @stream: stream, after gpuoa_recovery_reprogram()
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 * Return: 0; -EBUSY if another user has taken the unit; -EIO for other errors of the provider
 */
int gpuoa_recovery_finish(struct gpuoa_stream *stream)
{
	int error;

	irq_work_sync(&stream->recovery.kick);
	flush_work(&stream->recovery.work);
	error = READ_ONCE(stream->recovery.error);

	return !error || error == -EBUSY ? error : -EIO;
}

/* The unit is off, and its unpublished reports are not valid. */
static void recovery_cut(struct gpuoa_stream *stream)
{
	struct gpuoa_recovery *recovery = &stream->recovery;

	lockdep_assert_held(&stream->lock);

	recovery->ready = false;
	recovery->program = true;
	recovery->error = 0;
	recovery->cut |= stream->running;
	stream->running = false;
	stream->mode->discard(stream);
}

/**
 * gpuoa_recovery_check() - Check whether the unit has lost its registers.
 * @stream: running stream
 * @status: status of the unit
 *
 * Context: &gpuoa_stream.lock held
 * Return: false if it has; the stream is then stopped until it has recovered
 */
bool gpuoa_recovery_check(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	const struct gpuoa_hw *hw = &stream->hw;
	bool moved;

	if (status->gone) {
		stream->recovery.gone = true;
		recovery_cut(stream);
		return false;
	}

	moved = status->tail != stream->polled_tail;
	stream->polled_tail = status->tail;
	if ((moved && status->tail < hw->buffer_size) || hw->oa->runs(hw))
		return true;
	recovery_cut(stream);
	gpuoa_recovery_pause(stream);

	return false;
}

/* Retry once per second, independently of the poll interval. */
static void recovery_retry(struct gpuoa_stream *stream)
{
	u64 now = ktime_get_ns();

	if (now < stream->recovery.retry_at)
		return;
	stream->recovery.retry_at = now + GPUOA_RECOVERY_GONE_NS;
	gpuoa_recovery_pause(stream);
}

/**
 * gpuoa_recovery_wait() - Check whether the unit may be started.
 * @stream: stream, not running
 *
 * Context: &gpuoa_stream.lock held
 * Return: 0 if it may be started; otherwise the time until the next check, ns
 */
u64 gpuoa_recovery_wait(struct gpuoa_stream *stream)
{
	struct gpuoa_recovery *recovery = &stream->recovery;
	struct gpuoa_hw_status status;

	lockdep_assert_held(&stream->lock);

	if (recovery->ready)
		return 0;
	if (recovery->error == -EBUSY && !recovery->suspended)
		recovery_retry(stream);
	if (recovery->suspended || recovery->error)
		return GPUOA_RECOVERY_GONE_NS;
	if (recovery->gone) {
		stream->unit->oa->status(&stream->hw, &status);
		if (status.gone)
			return GPUOA_RECOVERY_GONE_NS;
		recovery->gone = false;
		gpuoa_recovery_pause(stream);
	}

	return GPUOA_RECOVERY_POLL_NS;
}

/**
 * gpuoa_recovery_report() - Report a loss of the unit's registers to the reader, if there was one.
 * @stream: stream
 *
 * Context: &gpuoa_stream.lock held, on the unit's CPU
 */
void gpuoa_recovery_report(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	if (!stream->recovery.cut)
		return;
	stream->recovery.cut = false;
	atomic64_inc(&stream->unit->stats.resets);
	stream->loss.pending = GPUOA_RECORD_REPORTS_LOST;
	stream->mode->report_cut(stream);
}

/**
 * gpuoa_recovery_asleep() - Check whether the unit and its clock must not be accessed.
 * @stream: stream
 *
 * Context: &gpuoa_stream.lock held
 * Return: true if the GPU is suspended, does not respond, or is being programmed
 */
bool gpuoa_recovery_asleep(const struct gpuoa_stream *stream)
{
	const struct gpuoa_recovery *recovery = &stream->recovery;

	return recovery->suspended || recovery->gone || recovery->programming;
}

/**
 * gpuoa_recovery_await_stop() - Wait longer for a unit that did not stop in time.
 * @stream: stream, not running
 *
 * Context: may sleep
 * Return: true if the unit has stopped
 */
bool gpuoa_recovery_await_stop(struct gpuoa_stream *stream)
{
	unsigned int ms;

	for (ms = 0; stream->stop_failed && ms < GPUOA_RECOVERY_STOP_MS; ms++) {
		usleep_range(USEC_PER_MSEC, 2 * USEC_PER_MSEC);
		stream->stop_failed = stream->unit->oa->stop(&stream->hw) == -ETIMEDOUT;
	}

	return !stream->stop_failed;
}

/**
 * gpuoa_recovery_reset() - Handle a reset of the GPU.
 * @stream: stream
 *
 * Context: &gpuoa_unit.stream_lock held
 */
void gpuoa_recovery_reset(struct gpuoa_stream *stream)
{
	struct gpuoa_recovery *recovery = &stream->recovery;
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	recovery_cut(stream);
	recovery->gone = false;
	if (!recovery->suspended)
		gpuoa_recovery_pause(stream);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_recovery_suspend() - Stop accessing the GPU before it is suspended.
 * @stream: stream
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 */
void gpuoa_recovery_suspend(struct gpuoa_stream *stream)
{
	struct gpuoa_recovery *recovery = &stream->recovery;
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	if (stream->running)
		stream->unit->oa->stop(&stream->hw);
	recovery_cut(stream);
	recovery->suspended = true;
	raw_spin_unlock_irqrestore(&stream->lock, flags);
	gpuoa_recovery_cancel(stream);
	gpuoa_program_suspend(stream);
}

/**
 * gpuoa_recovery_resume() - Reprogram the unit after the GPU was resumed.
 * @stream: stream
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 * Return: 0, or an error of the provider; the unit then stays off until it is reset or resumed
 */
int gpuoa_recovery_resume(struct gpuoa_stream *stream)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	stream->recovery.suspended = false;
	stream->recovery.gone = false;
	raw_spin_unlock_irqrestore(&stream->lock, flags);

	return recovery_try(stream);
}
