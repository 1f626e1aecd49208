// SPDX-License-Identifier: GPL-2.0-only
/*
 * mmio.c - register file of a virtual GPU, and the registers without a unit.
 */
#include "gen12.h"
#include "gen8.h"
#include "gpu.h"
#include "mmio.h"
#include "oa.h"
#include "platforms.h"
#include "select.h"

/**
 * DOC: Register accesses
 *
 * Accesses follow the rules of hardware: registers of a sleeping GPU read as 0 and ignore writes;
 * those of a dead one read as all ones, as on PCI; registers that do not exist read as 0; some
 * registers have write enables in their upper half. The driver's errors are only counted, so that
 * tests can check for them.
 *
 * Accesses come from any context, including the scheduler, where printing could deadlock. So the
 * model does not print: it counts, and calls the device host.
 */

/* Find the register's range, and set @index to its index in &sim_mmio.values. */
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

/**
 * sim_mmio_peek() - Get the stored value of a register.
 * @gpu: the GPU
 * @reg: MMIO offset
 *
 * Return: the value; 0 if the register does not exist
 */
u32 sim_mmio_peek(const struct sim_gpu *gpu, u32 reg)
{
	u32 index;

	return mmio_find(gpu, reg, &index) ? gpu->mmio.values[index] : 0;
}

/**
 * sim_mmio_poke() - Change a register as the hardware does.
 * @gpu: the GPU
 * @reg: MMIO offset
 * @value: new value of the register
 */
static void sim_mmio_poke(struct sim_gpu *gpu, u32 reg, u32 value)
{
	u32 index;

	if (mmio_find(gpu, reg, &index))
		gpu->mmio.values[index] = value;
}

static const struct sim_register_range *mmio_access(struct sim_gpu *gpu, u32 reg, u32 *index)
{
	const struct sim_register_range *range;

	if (gpu->dead)
		return NULL;
	if (!gpu->awake) {
		gpu->statistics.asleep_accesses++;
		return NULL;
	}
	range = mmio_find(gpu, reg, index);
	if (!range) {
		gpu->statistics.unknown_accesses++;
		if (gpu->device_host->unknown)
			gpu->device_host->unknown(gpu, reg);
		return NULL;
	}
	if (range->flags & SIM_REG_OA)
		sim_oa_advance(&gpu->oa[range->unit], sim_now(gpu));
	return range;
}

/* Get the value that a driver reads while @value is stored. */
static u32 mmio_value(struct sim_gpu *gpu, const struct sim_register_range *range, u32 reg,
		      u32 value)
{
	struct sim_oa *oa = &gpu->oa[range->unit];

	return range->flags & SIM_REG_OA ? oa->ops->read(oa, reg, value) : value;
}

/**
 * sim_mmio_read() - Read a register as a driver.
 * @gpu: the GPU, not locked
 * @reg: MMIO offset
 *
 * Context: any
 *
 * Return: the value that the driver reads
 */
u32 sim_mmio_read(struct sim_gpu *gpu, u32 reg)
{
	const struct sim_register_range *range;
	unsigned long flags;
	u32 value = 0, index;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	range = mmio_access(gpu, reg, &index);
	if (range)
		value = mmio_value(gpu, range, reg, gpu->mmio.values[index]);
	else if (gpu->dead)
		value = ~0;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return value;
}

static void mmio_store(struct sim_gpu *gpu, const struct sim_register_range *range, u32 index,
		       u32 reg, u32 value)
{
	u32 *stored = &gpu->mmio.values[index], before = *stored, writable = range->writable;
	struct sim_oa *oa = &gpu->oa[range->unit];

	if (range->flags & SIM_REG_MASKED)
		writable &= value >> 16;
	*stored = (before & ~writable) | (value & writable);
	gpu->mmio.log[gpu->mmio.n_logged++ % SIM_LOG_SIZE] =
		(struct sim_register_value){ .reg = reg, .value = value };
	if (range->flags & SIM_REG_OA)
		oa->ops->written(oa, reg, value, before, range->flags);
}

/**
 * sim_mmio_write() - Write a register as a driver.
 * @gpu: the GPU, not locked
 * @reg: MMIO offset
 * @value: value to write
 *
 * Context: any
 */
void sim_mmio_write(struct sim_gpu *gpu, u32 reg, u32 value)
{
	const struct sim_register_range *range;
	unsigned long flags;
	u32 index;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	range = mmio_access(gpu, reg, &index);
	if (range)
		mmio_store(gpu, range, index, reg, value);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_mmio_rmw() - Read, modify and write a register as a driver, atomically.
 * @gpu: the GPU, not locked
 * @reg: MMIO offset
 * @clear: bits to clear
 * @set: bits to set after that
 *
 * Context: any
 */
void sim_mmio_rmw(struct sim_gpu *gpu, u32 reg, u32 clear, u32 set)
{
	const struct sim_register_range *range;
	unsigned long flags;
	u32 index, value;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	range = mmio_access(gpu, reg, &index);
	if (range) {
		value = mmio_value(gpu, range, reg, gpu->mmio.values[index]);
		mmio_store(gpu, range, index, reg, (value & ~clear) | set);
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_mmio_sleep() - Clear the registers that are lost in power-down.
 * @gpu: the GPU
 */
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

/* Get the index of the GT of a register. */
static unsigned int gt_of(u32 reg)
{
	return reg >= MEDIA_GT_BASE;
}

/**
 * sim_mmio_reset() - Set the registers of a GT to their reset values.
 * @gpu: the GPU
 * @gt: 0; 1 is the media GT
 */
void sim_mmio_reset(struct sim_gpu *gpu, unsigned int gt)
{
	const struct sim_register_value *reset = gpu->platform->reset;
	const struct sim_register_range *range;
	u32 n, index = 0;

	for (range = gpu->mmio.ranges; range->last; range++) {
		n = (range->last - range->first) / sizeof(u32) + 1;
		if (gt_of(range->first) == gt)
			memset(gpu->mmio.values + index, 0, n * sizeof(*gpu->mmio.values));
		index += n;
	}
	for (; reset && reset->reg; reset++)
		if (gt_of(reset->reg) == gt)
			sim_mmio_poke(gpu, reset->reg, reset->value);
}

/**
 * sim_mmio_print() - Print the registers that are not 0.
 * @gpu: the GPU, not locked
 * @m: output file
 */
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

/**
 * sim_mmio_print_log() - Print the last register writes.
 * @gpu: the GPU, not locked
 * @m: output file
 *
 * Return: 0 or -ENOMEM
 */
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

/**
 * sim_mmio_clear_log() - Clear the log of register writes.
 * @gpu: the GPU, not locked
 */
void sim_mmio_clear_log(struct sim_gpu *gpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->mmio.n_logged = 0;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/* Concatenate a platform's tables, unless @ranges is NULL. Return the number of registers. */
static u32 mmio_join(const struct sim_platform *platform, struct sim_register_range *ranges,
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

/**
 * sim_mmio_create() - Create the register file of a platform.
 * @gpu: the GPU
 *
 * Return: 0 or -ENOMEM; after either, sim_mmio_destroy() frees everything
 */
int sim_mmio_create(struct sim_gpu *gpu)
{
	struct sim_mmio *mmio = &gpu->mmio;
	unsigned int n_ranges;

	mmio->n_values = mmio_join(gpu->platform, NULL, &n_ranges);
	mmio->ranges = kvcalloc(n_ranges + 1, sizeof(*mmio->ranges), GFP_KERNEL);
	mmio->values = kvcalloc(mmio->n_values, sizeof(*mmio->values), GFP_KERNEL);
	mmio->log = kvcalloc(SIM_LOG_SIZE, sizeof(*mmio->log), GFP_KERNEL);
	if (!mmio->ranges || !mmio->values || !mmio->log)
		return -ENOMEM;
	mmio_join(gpu->platform, mmio->ranges, &n_ranges);
	sim_mmio_reset(gpu, 0);
	sim_mmio_reset(gpu, 1);

	return 0;
}

/**
 * sim_mmio_destroy() - Free the register file.
 * @gpu: the GPU
 */
void sim_mmio_destroy(struct sim_gpu *gpu)
{
	struct sim_mmio *mmio = &gpu->mmio;

	kvfree(mmio->ranges);
	kvfree(mmio->values);
	kvfree(mmio->log);
}

/* The upper dword of a counter has its event select above the upper bits of its value. */
#define PERFCNT_EVENT GENMASK(31, 12)
#define PERFCNT_VALUE GENMASK(11, 0)

static unsigned int perfcnt_number(u32 reg)
{
	return (reg - SIM_PERFCNT_FIRST) / sizeof(u64);
}

/**
 * sim_perfcnt_select() - Set the sources of the OA_PERFCNT counters.
 * @oa: unit of the counters
 * @first: index of the first one
 * @selection: set to the sources
 *
 * These counters count at most one event per clock, and nothing without an event select.
 */
void sim_perfcnt_select(struct sim_oa *oa, unsigned int first, struct sim_selection *selection)
{
	unsigned int i;

	for (i = 0; i < SIM_N_PERFCNT; i++) {
		u32 reg = SIM_PERFCNT_FIRST + i * sizeof(u64) + sizeof(u32);
		u32 event = sim_mmio_peek(oa->gpu, reg) & PERFCNT_EVENT;

		if (event)
			selection->sources[first + i] =
				sim_source_of_hash(sim_hash(SIM_HASH_START, reg, event), 1);
	}
}

/**
 * sim_perfcnt_read() - Read a register of the OA_PERFCNT counters.
 * @oa: unit of the counters
 * @first: index of the first counter
 * @reg: MMIO offset
 * @value: value stored there
 *
 * Return: half of a counter; the upper half includes the event select
 */
u32 sim_perfcnt_read(struct sim_oa *oa, unsigned int first, u32 reg, u32 value)
{
	u64 count = sim_oa_counter(oa, first + perfcnt_number(reg));

	if (!(reg & 4))
		return lower_32_bits(count);

	return (value & PERFCNT_EVENT) | (upper_32_bits(count) & PERFCNT_VALUE);
}

/**
 * sim_rpstat_gen8() - Get the value of RPSTAT on gen8.
 * @oa: the unit that sees the workload
 *
 * Return: the GPU clock in steps of 50 MHz
 */
u32 sim_rpstat_gen8(struct sim_oa *oa)
{
	return FIELD_PREP(GENMASK(13, 7), sim_oa_mhz(oa) / 50);
}

/**
 * sim_rpstat_gen9() - Get the value of RPSTAT on gen9 to gen12.
 * @oa: the unit that sees the workload
 *
 * Return: the GPU clock in steps of 50/3 MHz
 */
u32 sim_rpstat_gen9(struct sim_oa *oa)
{
	return FIELD_PREP(GENMASK(31, 23), sim_ratio(sim_oa_mhz(oa)));
}
