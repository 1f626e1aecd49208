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
static struct sim_scene *pin_build(const struct sim_gpu *gpu, u32 step)
{
	struct sim_world world = gpu->world;
	struct sim_scene *scenes;
	unsigned int i;

	scenes = kvcalloc(SIM_N_SCENES + SIM_N_WORKS, sizeof(*scenes), GFP_KERNEL);
	if (!scenes)
		return NULL;
	world.pinned_mhz = step * SIM_PIN_STEP_MHZ;
	for (i = 0; i < SIM_N_SCENES; i++)
		sim_scene_build(&scenes[i], i, &world);
	for (i = 0; i < SIM_N_WORKS; i++)
		sim_work_build(&scenes[SIM_N_SCENES + i], i, &world);

	return scenes;
}

/* The step for a clock. 0, or -ERANGE: the GPU has no such clock */
static int pin_step(const struct sim_gpu *gpu, u32 mhz, u32 *step)
{
	*step = (mhz + SIM_PIN_STEP_MHZ / 2) / SIM_PIN_STEP_MHZ;
	if (mhz && (mhz < gpu->world.min_mhz || mhz > gpu->world.max_mhz || *step >= SIM_N_PINS))
		return -ERANGE;

	return 0;
}

/**
 * sim_gpu_pin_init - make the loads of a GPU that is not pinned
 * @gpu: the GPU, with a world
 *
 * Return: 0, or -ENOMEM; then, too, sim_gpu_pin_fini() frees what it has
 */
int sim_gpu_pin_init(struct sim_gpu *gpu)
{
	gpu->pins[0] = pin_build(gpu, 0);
	if (!gpu->pins[0])
		return -ENOMEM;
	gpu->scenes = gpu->pins[0];
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
 * sim_gpu_pin_prepare() - Make the loads that sim_gpu_pin() needs for a clock.
 * @gpu: the GPU, not locked
 * @mhz: the clock, or 0
 *
 * This allocates memory. The caller holds no lock that a job of the GPU takes, because reclaim may
 * wait for that job's fence.
 *
 * Return: 0, -ENOMEM, or -ERANGE: the GPU has no such clock
 */
int sim_gpu_pin_prepare(struct sim_gpu *gpu, u32 mhz)
{
	struct sim_scene *scenes;
	unsigned long flags;
	u32 step;
	int ret;

	ret = pin_step(gpu, mhz, &step);
	if (ret || READ_ONCE(gpu->pins[step]))
		return ret;
	scenes = pin_build(gpu, step);
	if (!scenes)
		return -ENOMEM;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	if (!gpu->pins[step]) {
		gpu->pins[step] = scenes;
		scenes = NULL;
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	kvfree(scenes);

	return 0;
}

/**
 * sim_gpu_pin() - Pin the clock of a GPU, or release it.
 * @gpu: the GPU, not locked; nothing else changes its timeline meanwhile
 * @mhz: in: the clock, for which sim_gpu_pin_prepare() has made loads, or 0 to release it; out: the
 *	nearest step that the GPU has. A batch that runs does not notice
 *
 * Return: 0, or -ERANGE: the GPU has no such clock
 */
int sim_gpu_pin(struct sim_gpu *gpu, u32 *mhz)
{
	struct sim_segment next, *which;
	struct sim_scene *scenes;
	unsigned long flags;
	u32 step;
	int ret;

	ret = pin_step(gpu, *mhz, &step);
	if (ret)
		return ret;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	scenes = gpu->pins[step];
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
