// SPDX-License-Identifier: GPL-2.0-only
/*
 * provider.c - provider of gpuoa.ko for a virtual GPU, and the half-full interrupt.
 */
#include <gpuoa_compat.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/units.h>

#include "context.h"
#include "provider.h"
#include "instance.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"

/**
 * DOC: The half-full interrupt
 *
 * The buffer is found to be half full when a unit is simulated up to the present, which can happen
 * under any lock. So the interrupt is an irq_work: it runs on this CPU as soon as interrupts are
 * enabled.
 *
 * Units are simulated lazily, only when they are accessed. So while a listener is registered, a
 * timer simulates the unit at the earliest time at which its buffer can be half full, and is
 * re-armed until it is. Reports of batches can fill the buffer sooner; writing such a report
 * simulates the unit anyway.
 *
 * The same timer simulates the unit when a late report arrives in memory (see `land_late_us` in
 * debugfs), so that a reader sees it without a register access.
 */

/**
 * sim_half_full_expect() - Re-arm the timer after a change of the buffer or of the report rate.
 * @oa: the unit; the GPU is locked
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
 * sim_half_full_interrupt() - Raise the interrupt: the buffer has become half full.
 * @oa: the unit; the GPU is locked
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
 * sim_half_full_listen() - Implement &gpuoa_provider_ops.half_full.
 * @provider: the instance
 * @type: type of the unit
 * @unit: the unit to notify, or NULL for none
 *
 * Return: 0, or -EOPNOTSUPP if the GPU has no interrupts
 */
static int sim_half_full_listen(void *provider, enum gpuoa_unit_type type, struct gpuoa_unit *unit)
{
	struct sim_instance *instance = provider;
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
 * sim_half_full_exit() - Release the interrupt of an unused unit.
 * @attached: the unit
 */
void sim_half_full_exit(struct sim_attached *attached)
{
	hrtimer_cancel(&attached->half_full.timer);
	irq_work_sync(&attached->half_full.work);
}

/**
 * sim_half_full_init() - Initialize the interrupt of a unit.
 * @attached: the unit
 */
void sim_half_full_init(struct sim_attached *attached)
{
	attached->half_full.work = IRQ_WORK_INIT_HARD(half_full_work);
	hrtimer_setup(&attached->half_full.timer, half_full_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/* @provider: the instance */
static struct sim_gpu *provider_gpu(void *provider)
{
	struct sim_instance *instance = provider;

	return &instance->gpu;
}

static u32 provider_read(void *provider, u32 reg)
{
	return sim_mmio_read(provider_gpu(provider), reg);
}

static void provider_write(void *provider, u32 reg, u32 value)
{
	sim_mmio_write(provider_gpu(provider), reg, value);
}

static void provider_rmw(void *provider, u32 reg, u32 clear, u32 set)
{
	sim_mmio_rmw(provider_gpu(provider), reg, clear, set);
}

static u64 provider_timestamp(void *provider)
{
	return sim_gpu_read_timestamp(provider_gpu(provider));
}

static s64 provider_map(void *provider, struct page **pages, unsigned int n_pages)
{
	return sim_ggtt_map(provider, pages, n_pages);
}

static void provider_unmap(void *provider, u64 gpu_address, unsigned int n_pages)
{
	sim_ggtt_unmap(provider, gpu_address);
}

static int provider_get(void *provider)
{
	sim_gpu_get(provider_gpu(provider));

	return 0;
}

static void provider_put(void *provider)
{
	sim_gpu_put(provider_gpu(provider));
}

/* All contexts share one set of registers here, so writing those is sufficient. */
static int provider_contexts_write(void *provider, const struct gpuoa_register *regs,
				   unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		sim_mmio_write(provider_gpu(provider), regs[i].address, regs[i].value);

	return 0;
}

static int provider_context_write(void *provider, void *context, const struct gpuoa_register *regs,
				  unsigned int count)
{
	return provider_contexts_write(provider, regs, count);
}

/* All GTs of a virtual GPU share one clock. */
static int provider_frequency(void *provider, enum gpuoa_unit_type type, u64 *hz)
{
	struct sim_instance *instance = provider;
	u32 mhz = div_u64(*hz, HZ_PER_MHZ);
	int ret;

	ret = sim_gpu_pin_prepare(&instance->gpu, mhz);
	if (ret)
		return ret;

	ret = -EBUSY;
	mutex_lock(&instance->mutex);
	if (!instance->pinned || instance->pinned == BIT(type))
		ret = sim_gpu_pin(&instance->gpu, &mhz);
	if (!ret)
		instance->pinned = mhz ? BIT(type) : 0;
	mutex_unlock(&instance->mutex);
	*hz = (u64)mhz * HZ_PER_MHZ;

	return ret;
}

const struct gpuoa_provider_ops sim_provider_ops = {
	.read = provider_read,
	.write = provider_write,
	.rmw = provider_rmw,
	.timestamp = provider_timestamp,
	.map = provider_map,
	.unmap = provider_unmap,
	.get = provider_get,
	.put = provider_put,
	.context_get = sim_context_get,
	.context_put = sim_context_put,
	.contexts_write = provider_contexts_write,
	.context_write = provider_context_write,
	.context_batches = sim_context_batches,
	.context_owner = sim_context_owner,
	.half_full = sim_half_full_listen,
	.frequency = provider_frequency,
};
