// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_half_full.c - the interrupt of a buffer that has become half full.
 */
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include <gpuoa_compat.h>

#include "sim.h"

/**
 * DOC: The half-full interrupt
 *
 * It comes when a report is written that makes tail less head reach half of the buffer's size; not
 * again until the driver has moved the head so that it is less. Whoever brings the unit up to the
 * present may find that this has happened, with any lock held, so the interrupt is an irq_work: it
 * comes as soon as interrupts are on, on this CPU.
 *
 * A lazy unit would not notice while nobody asks. So while a driver listens, a timer wakes the unit
 * up when its buffer can be half full at the earliest, by what the timer of the unit and the load
 * can write; again and again until it is. A burst of batches may be ahead of that, and notices by
 * itself.
 */

/* A load changes contexts, or the clock, less often than this. */
#define SIM_CHANGES_HZ 2000

/* So soon the unit is woken up at the earliest: when reports come slowly, and when fast. */
#define SIM_SLOW_NS NSEC_PER_MSEC
#define SIM_FAST_NS (10 * NSEC_PER_USEC)

/* How long do @reports take at least, when so many come in a second? In ns of the host's time */
static u64 reports_ns(const struct sim_gpu *gpu, u64 reports, u64 hz)
{
	return sim_clock_wait(&gpu->clock, div64_u64(reports * gpu->world.frequency, hz));
}

/* How long do reports of @bytes take at least? */
static u64 fill_ns(const struct sim_oa *oa, u32 bytes)
{
	const struct sim_gpu *gpu = oa->gpu;
	u64 reports = DIV_ROUND_UP(bytes, oa->run.format->size);
	u64 hz = 1, ns;

	if (oa->run.timer)
		hz += gpu->world.frequency >> (oa->run.exponent + 1);
	ns = clamp_t(u64, reports_ns(gpu, 1, hz), SIM_FAST_NS, SIM_SLOW_NS);
	if (oa->ops->reasons(oa))
		hz += SIM_CHANGES_HZ;
	return max(ns, reports_ns(gpu, reports, hz));
}

/* The buffer, or what fills it, has changed: when can it be half full? */
void sim_half_full_expect(struct sim_oa *oa)
{
	u32 used = sim_buffer_used(&oa->buffer), half = oa->buffer.size / 2;

	if (!oa->half_full.listener || !oa->running || oa->full || used >= half)
		return;
	hrtimer_start(&oa->half_full.timer, ns_to_ktime(fill_ns(oa, half - used)),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart half_full_timer(struct hrtimer *timer)
{
	struct sim_oa *oa = container_of(timer, struct sim_oa, half_full.timer);
	unsigned long flags;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	sim_oa_advance(oa, sim_now(oa->gpu));
	sim_half_full_expect(oa);
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
	return HRTIMER_NORESTART;
}

/* The buffer has become half full. */
void sim_half_full_interrupt(struct sim_oa *oa)
{
	if (oa->half_full.listener)
		irq_work_queue(&oa->half_full.work);
}

static void half_full_work(struct irq_work *work)
{
	struct sim_oa *oa = container_of(work, struct sim_oa, half_full.work);
	struct gpuoa_unit *listener;
	unsigned long flags;

	raw_spin_lock_irqsave(&oa->gpu->lock, flags);
	listener = oa->half_full.listener;
	raw_spin_unlock_irqrestore(&oa->gpu->lock, flags);
	if (listener)
		gpuoa_unit_half_full(listener);
}

static struct sim_oa *half_full_unit(struct sim_gpu *gpu, enum gpuoa_unit_type type)
{
	unsigned int i = 0;

	while (gpu->platform->units[i].type != type)
		i++;
	return &gpu->oa[i];
}

/* &gpuoa_host_ops.half_full */
int sim_half_full_listen(void *host, enum gpuoa_unit_type type, struct gpuoa_unit *unit)
{
	struct sim_gpu *gpu = host;
	struct sim_oa *oa = half_full_unit(gpu, type);
	unsigned long flags;

	if (!gpu->interrupts)
		return -EOPNOTSUPP;
	raw_spin_lock_irqsave(&gpu->lock, flags);
	oa->half_full.listener = unit;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	if (!unit) {
		hrtimer_cancel(&oa->half_full.timer);
		irq_work_sync(&oa->half_full.work);
	}
	return 0;
}

void sim_half_full_init(struct sim_oa *oa)
{
	oa->half_full.work = IRQ_WORK_INIT_HARD(half_full_work);
	hrtimer_setup(&oa->half_full.timer, half_full_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
}
