// SPDX-License-Identifier: GPL-2.0-only
/*
 * power.c - a virtual GPU awake and asleep.
 */
#include "advance.h"
#include "gpu.h"
#include "oa.h"
#include "power.h"

/**
 * sim_gpu_get() - keep the GPU awake
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
 * sim_gpu_put() - undo sim_gpu_get()
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
