// SPDX-License-Identifier: GPL-2.0-only
/*
 * pin.c - a virtual GPU whose clock is pinned: its loads, once more, at that clock.
 *
 * Loads are exact functions of time at a clock of their own. So each clock that the GPU was pinned
 * at has a set of loads, which lasts as long as the GPU, for the history has them. Only clocks
 * differ between sets, so that a load goes on at another clock where it was.
 */
#include "advance.h"
#include "gpu.h"
#include "pin.h"
#include "platforms.h"

/* Loads, then what batches do, at clock @step; step 0: as each load has it. NULL: no memory. */
static struct sim_scene *pin_scenes(struct sim_gpu *gpu, u32 step)
{
	struct sim_world world = gpu->world;
	struct sim_scene *scenes = gpu->pins[step];
	unsigned int i;

	if (scenes)
		return scenes;
	scenes = kvcalloc(SIM_N_SCENES + SIM_N_WORKS, sizeof(*scenes), GFP_KERNEL);
	if (!scenes)
		return NULL;
	world.pinned_mhz = step * SIM_PIN_STEP_MHZ;
	for (i = 0; i < SIM_N_SCENES; i++)
		sim_scene_build(&scenes[i], i, &world);
	for (i = 0; i < SIM_N_WORKS; i++)
		sim_work_build(&scenes[SIM_N_SCENES + i], i, &world);
	gpu->pins[step] = scenes;

	return scenes;
}

/**
 * sim_gpu_pin_init - make the loads of a GPU that is not pinned
 * @gpu: the GPU, with a world
 *
 * Return: 0, or -ENOMEM; then, too, sim_gpu_pin_fini() frees what it has
 */
int sim_gpu_pin_init(struct sim_gpu *gpu)
{
	gpu->scenes = pin_scenes(gpu, 0);
	if (!gpu->scenes)
		return -ENOMEM;
	gpu->work = gpu->scenes + SIM_N_SCENES;

	return 0;
}

/**
 * sim_gpu_pin_fini - free all loads
 * @gpu: the GPU; nobody uses it any more
 */
void sim_gpu_pin_fini(struct sim_gpu *gpu)
{
	unsigned int step;

	for (step = 0; step < SIM_N_PINS; step++)
		kvfree(gpu->pins[step]);
}

/**
 * sim_gpu_pin - pin the clock of a GPU, or let it go
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @mhz: in: 0: let it go; out: what it is, the nearest step that the GPU has. A batch that runs
 *	does not notice
 *
 * Return: 0, or -ENOMEM, or -ERANGE: the GPU has no such clock
 */
int sim_gpu_pin(struct sim_gpu *gpu, u32 *mhz)
{
	u32 step = (*mhz + SIM_PIN_STEP_MHZ / 2) / SIM_PIN_STEP_MHZ;
	struct sim_segment next, *which;
	struct sim_scene *scenes;
	unsigned long flags;

	if (*mhz && (*mhz < gpu->world.min_mhz || *mhz > gpu->world.max_mhz || step >= SIM_N_PINS))
		return -ERANGE;
	scenes = pin_scenes(gpu, step);
	if (!scenes)
		return -ENOMEM;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = sim_gpu_change_begin(gpu);
	which = gpu->batch_runs ? &gpu->interrupted : &next;
	which->scene = scenes + (which->scene - gpu->scenes);
	gpu->scenes = scenes;
	gpu->work = scenes + SIM_N_SCENES;
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	*mhz = step * SIM_PIN_STEP_MHZ;

	return 0;
}
