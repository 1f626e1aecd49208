// SPDX-License-Identifier: GPL-2.0-only
/*
 * half_full.c - a buffer that is half full interrupts: from the host's interrupt to a poll.
 */
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/processor.h>

#include "half_full.h"
#include "oa/oa.h"
#include "unit/unit.h"

/**
 * DOC: Half full
 *
 * Reports come in bursts where not only the timer makes them: a context switch may write one every
 * ten microseconds, or none for a minute. A poll timer alone has to expect the worst all the time.
 * Where the host has the OA unit's interrupt, the interrupt guards the buffer instead, and the
 * timer only serves readers that wait for reports.
 *
 * The interrupt comes once, when the buffer becomes half full, and again only after it was less
 * than that. A poll that leaves the buffer half full, since the reader is slow or reports have not
 * landed, will not be interrupted: it paces itself as if there were no interrupt. So the tail is
 * read once more behind the new head (gpuoa_half_full_guards()). What becomes half full later
 * interrupts, and what was so earlier was seen.
 *
 * Interrupts come on any CPU, the unit is polled on the one where the events are. irq_work cannot
 * be queued to another CPU by a module; a call of a function there can, but must not be queued
 * twice, nor can it be waited for: hence &gpuoa_half_full.queued and &gpuoa_half_full.calls.
 *
 * Nothing but wake-ups depends on the interrupt. If it is late or lost, the buffer overflows, the
 * timer's next poll notices the overflow as always, and the stream relies on the timer from then
 * on.
 */

/* Returns false if the stream does not run. */
static bool half_full_call(struct gpuoa_half_full *half_full)
{
	int cpu = READ_ONCE(half_full->cpu);

	return cpu >= 0 && !smp_call_function_single_async(cpu, &half_full->call);
}

/**
 * gpuoa_half_full_raise - have the unit polled soon, on the CPU where the stream runs
 * @half_full: the interrupt
 *
 * Context: any, any CPU
 */
void gpuoa_half_full_raise(struct gpuoa_half_full *half_full)
{
	unsigned long flags;

	/* No CPU goes offline while interrupts are off here. */
	local_irq_save(flags);
	/* A call that has not begun yet will see what this one would. */
	if (!atomic_xchg(&half_full->queued, 1)) {
		atomic_inc(&half_full->calls);
		if (!half_full_call(half_full)) {
			atomic_set(&half_full->queued, 0);
			atomic_dec(&half_full->calls);
		}
	}
	local_irq_restore(flags);
}

static void half_full_arrive(void *data)
{
	struct gpuoa_half_full *half_full = data;

	/* Before the poll: a later interrupt finds nothing queued, and queues a call of its own. */
	atomic_xchg(&half_full->queued, 0);
	/* The stream may have moved to another CPU while this call was on its way. */
	if (!half_full->kick(half_full))
		gpuoa_half_full_raise(half_full);
	atomic_dec(&half_full->calls);
}

/**
 * gpuoa_half_full_init - begin without an interrupt
 * @half_full: out
 * @kick: what the interrupt shall bring about
 */
void gpuoa_half_full_init(struct gpuoa_half_full *half_full, gpuoa_kick_t kick)
{
	half_full->kick = kick;
	half_full->cpu = -1;
	INIT_CSD(&half_full->call, half_full_arrive, half_full);
}

/**
 * gpuoa_half_full_enable - ask the host for the interrupt
 * @half_full: the interrupt
 * @unit: the unit
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 */
void gpuoa_half_full_enable(struct gpuoa_half_full *half_full, struct gpuoa_unit *unit)
{
	lockdep_assert_held(&unit->stream_lock);

	half_full->on = unit->ops->half_full &&
			!unit->ops->half_full(unit->host, unit->info.unit_type, unit);
}

/**
 * gpuoa_half_full_disable - undo gpuoa_half_full_enable()
 * @half_full: the interrupt
 * @unit: the unit
 *
 * When it returns, no interrupt brings a poll any more.
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 */
void gpuoa_half_full_disable(struct gpuoa_half_full *half_full, struct gpuoa_unit *unit)
{
	lockdep_assert_held(&unit->stream_lock);

	if (half_full->on)
		unit->ops->half_full(unit->host, unit->info.unit_type, NULL);
	spin_until_cond(!atomic_read_acquire(&half_full->calls));
	half_full->on = false;
}

/**
 * gpuoa_half_full_start - the stream starts on this CPU
 * @half_full: the interrupt
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_half_full_start(struct gpuoa_half_full *half_full)
{
	half_full->relied = false;
	half_full->late = false;
	WRITE_ONCE(half_full->cpu, smp_processor_id());
}

/**
 * gpuoa_half_full_stop - the stream runs no more
 * @half_full: the interrupt
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_half_full_stop(struct gpuoa_half_full *half_full)
{
	WRITE_ONCE(half_full->cpu, -1);
}

/**
 * gpuoa_half_full_here - does the stream run on this CPU?
 * @half_full: the interrupt
 *
 * Context: &gpuoa_stream.lock held
 * Return: true if it does
 */
bool gpuoa_half_full_here(const struct gpuoa_half_full *half_full)
{
	return half_full->cpu == smp_processor_id();
}

/**
 * gpuoa_half_full_guards - will the interrupt come before the buffer is full?
 * @half_full: the interrupt
 * @hw: the unit
 * @head: what the hardware was told of the reader's progress
 * @used: bytes of the buffer that hold reports
 *
 * Context: &gpuoa_stream.lock held
 * Return: false if there is no interrupt, or the buffer is half full already
 */
bool gpuoa_half_full_guards(struct gpuoa_half_full *half_full, const struct gpuoa_hw *hw, u32 head,
			    u32 used)
{
	u32 tail, filled;

	if (!half_full->on || half_full->late)
		return false;
	tail = hw->oa->tail(hw);
	filled = tail >= head ? tail - head : tail + used - head;
	half_full->relied = filled < hw->buffer_size / 2;

	return half_full->relied;
}

/**
 * gpuoa_half_full_overflow - the buffer was full
 * @half_full: the interrupt
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_half_full_overflow(struct gpuoa_half_full *half_full)
{
	half_full->late |= half_full->relied;
}
