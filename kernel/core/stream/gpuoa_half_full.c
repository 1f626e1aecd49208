// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_half_full.c - half-full interrupt of a buffer, routed to a poll on the stream's CPU. */
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/processor.h>

#include "gpuoa_half_full.h"
#include "oa/gpuoa_oa.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Half-full interrupt
 *
 * If the timer is not the only source, reports come in bursts: context switches may cause one every
 * 10 us, or none for a minute. A poll timer alone must always assume the maximum rate. If the
 * provider has the interrupt of the OA unit, the interrupt protects the buffer from overflow, and
 * the timer only serves readers that wait for reports.
 *
 * The interrupt is raised once when the buffer becomes half full, and again only after the fill
 * level has dropped below half. It is not raised if a poll leaves the buffer half full because the
 * reader is slow or reports have not landed; the poll interval is then computed as if there were no
 * interrupt. The tail is therefore read again after the head was updated
 * (gpuoa_half_full_guards()): this detects a buffer that is already half full, and a later change
 * raises the interrupt.
 *
 * The interrupt may arrive on any CPU, but the unit is polled on the CPU of its events. A module
 * cannot queue irq_work to another CPU. It can queue a function call there, but must not queue it
 * twice and cannot wait for it; &gpuoa_half_full.queued and &gpuoa_half_full.calls serve these
 * purposes.
 *
 * The interrupt only affects wake-ups. If it is late or lost, the buffer overflows, the next timer
 * poll detects the overflow as usual, and the stream relies on the timer from then on.
 */

/* Queue the call on the stream's CPU. Returns false if the stream is stopped. */
static bool half_full_call(struct gpuoa_half_full *half_full)
{
	int cpu = READ_ONCE(half_full->cpu);

	return cpu >= 0 && !smp_call_function_single_async(cpu, &half_full->call);
}

/**
 * gpuoa_half_full_raise() - Queue a poll on the stream's CPU.
 * @half_full: interrupt
 *
 * Context: any, on any CPU
 */
void gpuoa_half_full_raise(struct gpuoa_half_full *half_full)
{
	unsigned long flags;

	/* CPUs cannot go offline while interrupts are disabled here. */
	local_irq_save(flags);
	/* A queued call that has not started handles this interrupt as well. */
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

	/* Clear @queued before the poll, so that a later interrupt queues another call. */
	atomic_xchg(&half_full->queued, 0);
	/* The stream may have moved to another CPU while the call was queued. */
	if (!half_full->kick(half_full))
		gpuoa_half_full_raise(half_full);
	atomic_dec(&half_full->calls);
}

/**
 * gpuoa_half_full_init() - Initialize without an interrupt.
 * @half_full: interrupt, output
 * @kick: callback that polls the unit
 */
void gpuoa_half_full_init(struct gpuoa_half_full *half_full, gpuoa_kick_t kick)
{
	half_full->kick = kick;
	half_full->cpu = -1;
	INIT_CSD(&half_full->call, half_full_arrive, half_full);
}

/**
 * gpuoa_half_full_enable() - Enable the provider's interrupt, if available.
 * @half_full: interrupt
 * @unit: OA unit
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 */
void gpuoa_half_full_enable(struct gpuoa_half_full *half_full, struct gpuoa_unit *unit)
{
	lockdep_assert_held(&unit->stream_lock);

	half_full->on = unit->ops->half_full &&
			!unit->ops->half_full(unit->provider, unit->info.unit_type, unit);
}

/**
 * gpuoa_half_full_disable() - Disable the interrupt and wait for unfinished calls.
 * @half_full: interrupt
 * @unit: OA unit
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 */
void gpuoa_half_full_disable(struct gpuoa_half_full *half_full, struct gpuoa_unit *unit)
{
	lockdep_assert_held(&unit->stream_lock);

	if (half_full->on)
		unit->ops->half_full(unit->provider, unit->info.unit_type, NULL);
	spin_until_cond(!atomic_read_acquire(&half_full->calls));
	half_full->on = false;
}

/**
 * gpuoa_half_full_start() - Route the interrupt to this CPU.
 * @half_full: interrupt
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
 * gpuoa_half_full_stop() - Ignore the interrupt until the next start.
 * @half_full: interrupt
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_half_full_stop(struct gpuoa_half_full *half_full)
{
	WRITE_ONCE(half_full->cpu, -1);
}

/**
 * gpuoa_half_full_here() - Check whether the stream runs on this CPU.
 * @half_full: interrupt
 *
 * Context: &gpuoa_stream.lock held
 * Return: true if it does
 */
bool gpuoa_half_full_here(const struct gpuoa_half_full *half_full)
{
	return half_full->cpu == smp_processor_id();
}

/**
 * gpuoa_half_full_guards() - Check whether the interrupt will be raised before the buffer is full.
 * @half_full: interrupt
 * @hw: OA unit
 * @head: head programmed into the hardware, offset in bytes
 * @used: size of the area used for reports, bytes
 *
 * Context: &gpuoa_stream.lock held
 * Return: false if there is no interrupt or the buffer is already half full
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
 * gpuoa_half_full_overflow() - Ignore the interrupt from now on if it should have come earlier.
 * @half_full: interrupt of a buffer that has overflowed
 *
 * Context: &gpuoa_stream.lock held
 */
void gpuoa_half_full_overflow(struct gpuoa_half_full *half_full)
{
	half_full->late |= half_full->relied;
}
