// SPDX-License-Identifier: GPL-2.0-only
/*
 * recovery.c - what a unit needs in process context before it can be started again.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/timekeeping.h>
#include <linux/time64.h>

#include <gpuoa_compat.h>

#include "mode.h"
#include "program.h"
#include "recovery.h"
#include "ring.h"
#include "run.h"
#include "stream.h"
#include "unit/unit.h"

/**
 * DOC: Recovery
 *
 * A stream is polled with interrupts off. Some things take too long for that, or may sleep: to
 * clear a large buffer that has overflowed, and to program a unit anew that has lost its registers
 * by a reset or while the GPU was off. For these the stream pauses. Its work does them, and the
 * next poll starts the unit again.
 *
 * The work is queued by an irq_work: a stream may pause below locks of the scheduler. It takes no
 * lock but &gpuoa_stream.lock, so those who hold others can wait for it.
 *
 * Hosts tell of resets and of sleep (gpuoa_unit_reset(), gpuoa_unit_suspend()). Where they do not,
 * a poll that finds nothing new asks whether the unit is still on. A GPU that does not answer reads
 * as all ones: it is left alone, but for a look each second. As often a host is asked whose unit
 * somebody else has taken meanwhile.
 *
 * While a stream pauses, nothing but the work touches the unit and its buffer.
 */

/* How often a poll asks whether the work is done, or whether the GPU or its unit is back. */
#define GPUOA_RECOVERY_POLL_NS (500 * NSEC_PER_USEC)
#define GPUOA_RECOVERY_GONE_NS NSEC_PER_SEC

/* How long a unit may take to stop when it is waited for in process context, as i915 and xe do */
#define GPUOA_RECOVERY_STOP_MS 50

static void recovery_kick(struct irq_work *kick)
{
	struct gpuoa_recovery *recovery = container_of(kick, struct gpuoa_recovery, kick);

	queue_work(GPUOA_UNBOUND_WQ, &recovery->work);
}

/* All that has to be done until now. 0, or what the host says. */
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
		wait = GPUOA_RING_HOLE_NS / NSEC_PER_USEC;
	recovery->linger = false;
	recovery->pending = false;
	raw_spin_unlock_irq(&stream->lock);

	gpuoa_recovery_await_stop(stream);
	/* Until now, the last reports may be on their way. */
	usleep_range(wait, 2 * wait);
	/* What the unit has sent arrives before the answer to a read. */
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

/* Likewise, and the log tells of an error once, however often it is tried. */
static int recovery_try(struct gpuoa_stream *stream)
{
	const struct device *dev = &stream->unit->dev;
	int before = READ_ONCE(stream->recovery.error);
	int error = recovery_run(stream);

	if (error == before)
		return error;
	if (error == -EBUSY)
		dev_warn(dev, "somebody has taken the OA unit meanwhile; its events wait for it\n");
	else if (error)
		dev_err(dev, "the OA unit could not be programmed anew: %d\n", error);
	else if (before == -EBUSY)
		dev_info(dev, "the OA unit is back\n");

	return error;
}

static void recovery_work(struct work_struct *work)
{
	recovery_try(container_of(work, struct gpuoa_stream, recovery.work));
}

/**
 * gpuoa_recovery_init - begin with a unit that needs nothing
 * @stream: the stream
 */
void gpuoa_recovery_init(struct gpuoa_stream *stream)
{
	stream->recovery.ready = true;
	init_irq_work(&stream->recovery.kick, recovery_kick);
	INIT_WORK(&stream->recovery.work, recovery_work);
}

/**
 * gpuoa_recovery_cancel - nothing is done any more when this returns
 * @stream: the stream, which nobody polls
 *
 * Context: may sleep
 */
void gpuoa_recovery_cancel(struct gpuoa_stream *stream)
{
	irq_work_sync(&stream->recovery.kick);
	cancel_work_sync(&stream->recovery.work);
}

/**
 * gpuoa_recovery_pause - let the work do its part before the unit is started again
 * @stream: the stream, which does not run
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
 * gpuoa_recovery_reprogram - have the unit programmed before it is started again
 * @stream: the stream, which does not run
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
 * gpuoa_recovery_finish - wait until the unit has been programmed
 * @stream: the stream, after gpuoa_recovery_reprogram()
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 * Return: 0, -EBUSY if somebody else has taken the unit, or -EIO if the host could not
 */
int gpuoa_recovery_finish(struct gpuoa_stream *stream)
{
	int error;

	irq_work_sync(&stream->recovery.kick);
	flush_work(&stream->recovery.work);
	error = READ_ONCE(stream->recovery.error);

	return !error || error == -EBUSY ? error : -EIO;
}

/* The unit is off, and nobody knows what it had written. */
static void recovery_cut(struct gpuoa_stream *stream)
{
	struct gpuoa_recovery *recovery = &stream->recovery;

	lockdep_assert_held(&stream->lock);

	recovery->ready = false;
	recovery->program = true;
	recovery->error = 0;
	recovery->cut |= stream->running;
	stream->running = false;
	stream->mode->spoil(stream);
}

/**
 * gpuoa_recovery_check - has the unit lost its registers?
 * @stream: the stream, which runs
 * @status: what the unit says
 *
 * Context: &gpuoa_stream.lock held
 * Return: false if it has; then the stream runs no more, until it has recovered
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

/* Each second, however often the stream is polled */
static void recovery_retry(struct gpuoa_stream *stream)
{
	u64 now = ktime_get_ns();

	if (now < stream->recovery.retry_at)
		return;
	stream->recovery.retry_at = now + GPUOA_RECOVERY_GONE_NS;
	gpuoa_recovery_pause(stream);
}

/**
 * gpuoa_recovery_wait - may the unit be started?
 * @stream: the stream, which does not run
 *
 * Context: &gpuoa_stream.lock held
 * Return: 0 if it may; else ns until it is to be asked again
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
 * gpuoa_recovery_report - tell the reader that the unit had lost its registers, if it had
 * @stream: the stream
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
 * gpuoa_recovery_asleep - is the unit not to be touched, and its clock neither?
 * @stream: the stream
 *
 * Context: &gpuoa_stream.lock held
 * Return: true if the GPU is suspended, does not answer, or is being programmed
 */
bool gpuoa_recovery_asleep(const struct gpuoa_stream *stream)
{
	const struct gpuoa_recovery *recovery = &stream->recovery;

	return recovery->suspended || recovery->gone || recovery->programming;
}

/**
 * gpuoa_recovery_await_stop - wait longer for a unit that did not stop in time
 * @stream: the stream, which does not run
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
 * gpuoa_recovery_reset - the host has reset the GPU
 * @stream: the stream
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
 * gpuoa_recovery_suspend - the GPU will sleep: leave it alone
 * @stream: the stream
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
 * gpuoa_recovery_resume - the GPU is awake again: program the unit anew
 * @stream: the stream
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 * Return: 0, or what the host says; then the unit stays off until it is reset or resumed
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
