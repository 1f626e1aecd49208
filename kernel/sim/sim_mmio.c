// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_mmio.c - register file of a virtual GPU: which registers exist, what a write changes, a log
 * of writes.
 */
#include <drm/drm_managed.h>
#include <linux/device.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "sim.h"

/**
 * DOC: Register accesses
 *
 * The rules of real hardware hold: a sleeping GPU answers 0 and forgets writes; registers that do
 * not exist read as 0; some registers have write enables in their upper half. What a driver does
 * wrong is counted, so that tests can demand that it does nothing wrong, and does not otherwise
 * disturb.
 *
 * Accesses come from any context, also from inside the scheduler, where printing could deadlock:
 * hence the irq_work for the one message that there is.
 */

/* The register's range and, in @index, its place in &sim_mmio.values. */
static const struct sim_register_range *mmio_find(const struct sim_gpu *gpu, u32 reg, u32 *index)
{
	const struct sim_register_range *range;
	u32 base = 0;

	for (range = gpu->mmio.ranges; range->last; range++) {
		if (reg >= range->first && reg <= range->last && IS_ALIGNED(reg, sizeof(u32))) {
			*index = base + (reg - range->first) / sizeof(u32);
			return range;
		}
		base += (range->last - range->first) / sizeof(u32) + 1;
	}
	return NULL;
}

/* Stored value of a register that exists. */
u32 sim_mmio_peek(const struct sim_gpu *gpu, u32 reg)
{
	u32 index;

	return mmio_find(gpu, reg, &index) ? gpu->mmio.values[index] : 0;
}

/* What the hardware itself does to a register. */
void sim_mmio_poke(struct sim_gpu *gpu, u32 reg, u32 value)
{
	u32 index;

	if (mmio_find(gpu, reg, &index))
		gpu->mmio.values[index] = value;
}

static void mmio_notice(struct irq_work *work)
{
	struct sim_gpu *gpu = container_of(work, struct sim_gpu, mmio.notice);

	dev_notice_ratelimited(gpu->drm.dev, "no register at %#x\n", READ_ONCE(gpu->mmio.unknown));
}

static const struct sim_register_range *mmio_access(struct sim_gpu *gpu, u32 reg, u32 *index)
{
	const struct sim_register_range *range;

	if (!gpu->awake) {
		gpu->statistics.asleep_accesses++;
		return NULL;
	}
	range = mmio_find(gpu, reg, index);
	if (!range) {
		gpu->statistics.unknown_accesses++;
		WRITE_ONCE(gpu->mmio.unknown, reg);
		irq_work_queue(&gpu->mmio.notice);
		return NULL;
	}
	if (range->flags & SIM_REG_OA)
		sim_oa_advance(&gpu->oa[range->unit], sim_now(gpu));
	return range;
}

/* The value that shows when @value is stored. */
static u32 mmio_value(struct sim_gpu *gpu, const struct sim_register_range *range, u32 reg,
		      u32 value)
{
	struct sim_oa *oa = &gpu->oa[range->unit];

	return range->flags & SIM_REG_OA ? oa->ops->read(oa, reg, value) : value;
}

u32 sim_mmio_read(struct sim_gpu *gpu, u32 reg)
{
	const struct sim_register_range *range;
	unsigned long flags;
	u32 value = 0, index;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	range = mmio_access(gpu, reg, &index);
	if (range)
		value = mmio_value(gpu, range, reg, gpu->mmio.values[index]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return value;
}

void sim_mmio_write(struct sim_gpu *gpu, u32 reg, u32 value)
{
	const struct sim_register_range *range;
	u32 index, writable, before, *stored;
	struct sim_oa *oa;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	range = mmio_access(gpu, reg, &index);
	if (range) {
		stored = &gpu->mmio.values[index];
		writable = range->writable;
		if (range->flags & SIM_REG_MASKED)
			writable &= value >> 16;
		before = *stored;
		*stored = (before & ~writable) | (value & writable);
		gpu->mmio.log[gpu->mmio.n_logged++ % SIM_LOG_SIZE] =
			(struct sim_register_value) { .reg = reg, .value = value };
		oa = &gpu->oa[range->unit];
		if (range->flags & SIM_REG_OA)
			oa->ops->written(oa, reg, value, before, range->flags);
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/* Registers that no power context saves lose their values. */
void sim_mmio_sleep(struct sim_gpu *gpu)
{
	const struct sim_register_range *range;
	u32 base = 0;

	for (range = gpu->mmio.ranges; range->last; range++) {
		u32 n = (range->last - range->first) / sizeof(u32) + 1;

		if (range->flags & SIM_REG_VOLATILE)
			memset(gpu->mmio.values + base, 0, n * sizeof(u32));
		base += n;
	}
}

/* Registers that are not 0. */
void sim_mmio_print(struct sim_gpu *gpu, struct seq_file *m)
{
	const struct sim_register_range *range;
	unsigned long flags;
	u32 reg, value, index = 0;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	for (range = gpu->mmio.ranges; range->last; range++) {
		for (reg = range->first; reg <= range->last; reg += sizeof(u32)) {
			value = mmio_value(gpu, range, reg, gpu->mmio.values[index++]);
			if (value)
				seq_printf(m, "%#x %#x\n", reg, value);
		}
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

int sim_mmio_print_log(struct sim_gpu *gpu, struct seq_file *m)
{
	struct sim_mmio *mmio = &gpu->mmio;
	struct sim_register_value *log;
	unsigned long flags;
	u64 i, n;

	log = kvcalloc(SIM_LOG_SIZE, sizeof(*log), GFP_KERNEL);
	if (!log)
		return -ENOMEM;
	raw_spin_lock_irqsave(&gpu->lock, flags);
	n = mmio->n_logged;
	memcpy(log, mmio->log, SIM_LOG_SIZE * sizeof(*log));
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	i = n > SIM_LOG_SIZE ? n - SIM_LOG_SIZE : 0;
	if (i)
		seq_printf(m, "# %llu older ones\n", i);
	for (; i < n; i++)
		seq_printf(m, "%#x %#x\n", log[i % SIM_LOG_SIZE].reg, log[i % SIM_LOG_SIZE].value);
	kvfree(log);
	return 0;
}

void sim_mmio_clear_log(struct sim_gpu *gpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->mmio.n_logged = 0;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

static void mmio_destroy(struct drm_device *drm, void *data)
{
	struct sim_mmio *mmio = data;

	irq_work_sync(&mmio->notice);
	kvfree(mmio->ranges);
	kvfree(mmio->values);
	kvfree(mmio->log);
}

/* Put the tables into one, whose end is zeros; @ranges NULL: just count. Returns the registers. */
u32 sim_mmio_join(const struct sim_platform *platform, struct sim_register_range *ranges,
		  unsigned int *n_ranges)
{
	const struct sim_register_range *range;
	unsigned int i;
	u32 n = 0;

	*n_ranges = 0;
	for (i = 0; i < SIM_MAX_TABLES && platform->ranges[i]; i++) {
		for (range = platform->ranges[i]; range->last; range++) {
			if (ranges)
				ranges[*n_ranges] = *range;
			++*n_ranges;
			n += (range->last - range->first) / sizeof(u32) + 1;
		}
	}
	return n;
}

int sim_mmio_create(struct sim_gpu *gpu)
{
	const struct sim_register_value *reset = gpu->platform->reset;
	struct sim_mmio *mmio = &gpu->mmio;
	unsigned int n_ranges;
	u32 n;
	int err;

	n = sim_mmio_join(gpu->platform, NULL, &n_ranges);
	init_irq_work(&mmio->notice, mmio_notice);
	err = drmm_add_action_or_reset(&gpu->drm, mmio_destroy, mmio);
	if (err)
		return err;
	mmio->ranges = kvcalloc(n_ranges + 1, sizeof(*mmio->ranges), GFP_KERNEL);
	mmio->values = kvcalloc(n, sizeof(*mmio->values), GFP_KERNEL);
	mmio->log = kvcalloc(SIM_LOG_SIZE, sizeof(*mmio->log), GFP_KERNEL);
	if (!mmio->ranges || !mmio->values || !mmio->log)
		return -ENOMEM;
	sim_mmio_join(gpu->platform, mmio->ranges, &n_ranges);
	for (; reset && reset->reg; reset++)
		sim_mmio_poke(gpu, reset->reg, reset->value);
	return 0;
}
