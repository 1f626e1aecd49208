// SPDX-License-Identifier: GPL-2.0-only
/*
 * advance.c - all units of a virtual GPU, brought up to the present, and what changes for them.
 */
#include "advance.h"
#include "buffer.h"
#include "gpu.h"
#include "oa_expect.h"
#include "oa_run.h"
#include "tick.h"

/**
 * sim_gpu_advance - bring all units up to the present
 * @gpu: the GPU
 */
void sim_gpu_advance(struct sim_gpu *gpu)
{
	u64 now = sim_now(gpu);
	unsigned int i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_advance(&gpu->oa[i], now);
}

/**
 * sim_gpu_change - append to the timeline
 * @gpu: the GPU; its units have been advanced, but none beyond where @segment begins
 * @segment: what comes
 */
void sim_gpu_change(struct sim_gpu *gpu, const struct sim_segment *segment)
{
	unsigned int i;

	lockdep_assert_held(&gpu->lock);
	sim_timeline_append(&gpu->timeline, segment);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_retime(&gpu->oa[i]);
}

/**
 * sim_gpu_slow - let GPU time pass slower than the CPU's
 * @gpu: the GPU, not locked
 * @slowdown: how many times slower
 */
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	sim_clock_slow(&gpu->clock, gpu->carrier->clock(gpu), slowdown);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_expect(&gpu->oa[i]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_change_begin - the segment with which a change begins now
 * @gpu: the GPU, locked
 *
 * Return: it is like the last one, at the same place of its scene
 */
struct sim_segment sim_gpu_change_begin(struct sim_gpu *gpu)
{
	const struct sim_segment *last = sim_timeline_last(&gpu->timeline);
	struct sim_segment next = *last;

	sim_gpu_advance(gpu);
	next.start = max(sim_now(gpu) + 1, last->start);
	next.skip = sim_segment_skip(last, next.start);

	return next;
}

/**
 * sim_gpu_set_scene - change the load
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @scene: index of the scene. A batch that runs does not notice
 */
void sim_gpu_set_scene(struct sim_gpu *gpu, unsigned int scene)
{
	struct sim_segment next, *which;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = sim_gpu_change_begin(gpu);
	which = gpu->batch_runs ? &gpu->interrupted : &next;
	which->scene = &gpu->scenes[scene];
	which->skip = 0;
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_scene - name of the load
 * @gpu: the GPU; nobody changes its timeline meanwhile
 *
 * Return: the name
 */
const char *sim_gpu_scene(const struct sim_gpu *gpu)
{
	if (gpu->batch_runs)
		return gpu->interrupted.scene->name;

	return sim_timeline_last(&gpu->timeline)->scene->name;
}

/**
 * sim_gpu_set_offset - let the visible timestamp be ahead of the GPU's clock
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @offset: by so many ticks, or by as many as it already is
 */
void sim_gpu_set_offset(struct sim_gpu *gpu, u64 offset)
{
	struct sim_segment next;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = sim_gpu_change_begin(gpu);
	next.offset = max(next.offset, offset);
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_wrap_timestamp - let the lower 32 bits of the visible timestamp wrap soon
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @ms: so soon
 */
void sim_gpu_wrap_timestamp(struct sim_gpu *gpu, u64 ms)
{
	u64 ticks = div_u64(gpu->world.frequency * ms, MSEC_PER_SEC);
	struct sim_segment next;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = sim_gpu_change_begin(gpu);
	next.offset += (u32)(-(u32)(next.start + next.offset) - ticks);
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_snapshot - what MI_REPORT_PERF_COUNT writes now
 * @gpu: the GPU, not locked
 * @slot: of the context whose batch asks
 * @id: report id that it asks for
 * @report: room for SIM_MAX_REPORT bytes
 *
 * Counters that nobody has configured are what they are.
 *
 * Return: bytes of the report
 */
u32 sim_gpu_snapshot(struct sim_gpu *gpu, unsigned int slot, u32 id, u32 *report)
{
	unsigned long flags;
	u32 size;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	size = sim_oa_report_for(&gpu->oa[0], slot, id, report);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	return size;
}

/**
 * sim_gpu_timestamp - the timestamp that reports would show now
 * @gpu: the GPU, not locked
 *
 * Return: the timestamp, in 64 bits
 */
u64 sim_gpu_timestamp(struct sim_gpu *gpu)
{
	unsigned long flags;
	u64 timestamp;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	timestamp = sim_oa_timestamp(&gpu->oa[0]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	return timestamp;
}

/**
 * sim_gpu_read_timestamp - read the timestamp as a driver does
 * @gpu: the GPU, not locked
 *
 * It counts as an access to a register. Units are not advanced, but what they have sent reaches
 * memory by itself, whoever waits for it with interrupts off.
 *
 * Return: the timestamp, in 64 bits; all ones if the GPU is dead
 */
u64 sim_gpu_read_timestamp(struct sim_gpu *gpu)
{
	unsigned long flags;
	unsigned int i;
	u64 timestamp;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	for (i = 0; i < gpu->n_oa; i++)
		sim_buffer_land_late(&gpu->oa[i].buffer, sim_now(gpu));
	timestamp = gpu->dead ? U64_MAX : sim_oa_timestamp(&gpu->oa[0]);
	if (!gpu->awake && !gpu->dead)
		gpu->statistics.asleep_accesses++;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	return timestamp;
}
