// SPDX-License-Identifier: GPL-2.0-only
/*
 * tick.c - the time of a virtual GPU, by the clock of its carrier.
 */
#include "gpu.h"
#include "tick.h"

/**
 * sim_now - the time of the GPU
 * @gpu: the GPU
 *
 * Return: ticks of its timestamp clock, as the hardware counts them: not adjusted by
 * &sim_segment.offset
 */
u64 sim_now(const struct sim_gpu *gpu)
{
	return sim_clock_tick(&gpu->clock, gpu->carrier->clock(gpu));
}

/**
 * sim_us_to_ticks - ticks in a time
 * @gpu: the GPU
 * @us: the time
 *
 * Return: ticks, rounded down
 */
u64 sim_us_to_ticks(const struct sim_gpu *gpu, u32 us)
{
	return div_u64(us * gpu->world.frequency, USEC_PER_SEC);
}

/**
 * sim_gpu_wait - how long to wait for a moment
 * @gpu: the GPU, not locked
 * @tick: the moment
 *
 * Return: ns of the CPU's time until then, 0 if it has come
 */
u64 sim_gpu_wait(struct sim_gpu *gpu, u64 tick)
{
	unsigned long flags;
	u64 now, ns = 0;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	now = sim_now(gpu);
	if (now < tick)
		ns = sim_clock_wait(&gpu->clock, tick - now);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	return ns;
}
