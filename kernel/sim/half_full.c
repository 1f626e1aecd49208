// SPDX-License-Identifier: GPL-2.0-only
/*
 * half_full.c - the interrupt of a buffer that has become half full.
 */
#include <linux/errno.h>

#include <gpuoa_compat.h>

#include "half_full.h"
#include "instance.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/gpu.h"

/**
 * DOC: The half-full interrupt
 *
 * Whoever brings a unit up to the present may find that its buffer has become half full, with any
 * lock held. So the interrupt is an irq_work: it comes as soon as interrupts are on, on this CPU.
 *
 * A lazy unit would not notice while nobody asks. So while a driver listens, a timer wakes the unit
 * up when its buffer can be half full at the earliest, again and again until it is. A burst of
 * batches may be ahead of that, and notices by itself.
 *
 * The same timer brings the unit up to the present when a report arrives late in memory (see
 * `land_late_us` in debugfs): readers of memory need not touch a register to see it.
 */

/**
 * sim_half_full_expect - the buffer, or what fills it, has changed
 * @oa: the unit, whose GPU is locked
 */
void sim_half_full_expect(struct sim_oa *oa)
{
	struct sim_half_full *half_full = &sim_attached_of(oa)->half_full;
	u64 ns = sim_oa_landing_ns(oa);

	if (half_full->listener)
		ns = min(ns, sim_oa_half_full_ns(oa));
	if (ns != U64_MAX)
		hrtimer_start(&half_full->timer, ns_to_ktime(ns), HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart half_full_timer(struct hrtimer *timer)
{
	struct sim_attached *attached = container_of(timer, struct sim_attached, half_full.timer);
	struct sim_oa *oa = attached->oa;
	unsigned long flags;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	sim_half_full_expect(oa);
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);

	return HRTIMER_NORESTART;
}

/**
 * sim_half_full_interrupt - the buffer has become half full
 * @oa: the unit, whose GPU is locked
 */
void sim_half_full_interrupt(struct sim_oa *oa)
{
	struct sim_half_full *half_full = &sim_attached_of(oa)->half_full;

	if (half_full->listener)
		irq_work_queue(&half_full->work);
}

static void half_full_work(struct irq_work *work)
{
	struct sim_attached *attached = container_of(work, struct sim_attached, half_full.work);
	struct sim_gpu *gpu = attached->oa->gpu;
	struct gpuoa_unit *listener;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	listener = attached->half_full.listener;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	if (listener)
		gpuoa_unit_half_full(listener);
}

static struct sim_attached *half_full_unit(struct sim_instance *instance,
					   enum gpuoa_unit_type type)
{
	unsigned int i = 0;

	while (instance->gpu.platform->units[i].type != type)
		i++;

	return &instance->attached[i];
}

/**
 * sim_half_full_listen - &gpuoa_host_ops.half_full
 * @host: the instance
 * @type: which of its units
 * @unit: who is told, or NULL
 *
 * Return: 0, or -EOPNOTSUPP: the GPU has no interrupts
 */
int sim_half_full_listen(void *host, enum gpuoa_unit_type type, struct gpuoa_unit *unit)
{
	struct sim_instance *instance = host;
	struct sim_half_full *half_full = &half_full_unit(instance, type)->half_full;
	unsigned long flags;

	if (!instance->interrupts)
		return -EOPNOTSUPP;
	raw_spin_lock_irqsave(&instance->gpu.lock, flags);
	half_full->listener = unit;
	raw_spin_unlock_irqrestore(&instance->gpu.lock, flags);
	if (!unit)
		irq_work_sync(&half_full->work);

	return 0;
}

/**
 * sim_half_full_exit - free the interrupt of a unit, which nobody uses any more
 * @attached: the unit
 */
void sim_half_full_exit(struct sim_attached *attached)
{
	hrtimer_cancel(&attached->half_full.timer);
	irq_work_sync(&attached->half_full.work);
}

/**
 * sim_half_full_init - make the interrupt of a unit
 * @attached: the unit
 */
void sim_half_full_init(struct sim_attached *attached)
{
	attached->half_full.work = IRQ_WORK_INIT_HARD(half_full_work);
	hrtimer_setup(&attached->half_full.timer, half_full_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
}
