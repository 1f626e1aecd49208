// SPDX-License-Identifier: GPL-2.0-only
/*
 * power.c - a virtual GPU awake, asleep, reset and dead.
 */
#include "advance.h"
#include "gpu.h"
#include "oa_run.h"
#include "power.h"

/**
 * sim_gpu_get - keep the GPU awake
 * @gpu: the GPU, not locked
 */
void sim_gpu_get(struct sim_gpu *gpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->awake++;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_put - undo sim_gpu_get()
 * @gpu: the GPU, not locked
 *
 * With the last user, registers that are not saved lose their values. Reports that were due until
 * then are written before.
 */
void sim_gpu_put(struct sim_gpu *gpu)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	if (!--gpu->awake) {
		sim_gpu_advance(gpu);
		sim_mmio_sleep(gpu);
		for (i = 0; i < gpu->n_oa; i++)
			sim_oa_sleep(&gpu->oa[i]);
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/* All registers have the values that they come up with; what was on its way to memory is lost. */
static void power_reset(struct sim_gpu *gpu)
{
	unsigned int i;

	sim_gpu_advance(gpu);
	sim_mmio_reset(gpu);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_reset(&gpu->oa[i]);
}

/**
 * sim_gpu_reset - reset the GPU, as a driver does when it hangs
 * @gpu: the GPU, not locked
 *
 * OA units stop and forget all that was programmed; so does the NOA network. Contexts, and the
 * clock, stay.
 */
void sim_gpu_reset(struct sim_gpu *gpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	power_reset(gpu);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_set_dead - let the GPU stop answering, or answer again
 * @gpu: the GPU, not locked
 * @dead: it does not answer, as one that is off or has fallen off its bus. When it answers again it
 *	has been reset
 */
void sim_gpu_set_dead(struct sim_gpu *gpu, bool dead)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	power_reset(gpu);
	gpu->dead = dead;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}
