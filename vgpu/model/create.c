// SPDX-License-Identifier: GPL-2.0-only
/*
 * create.c - a virtual GPU is made and freed.
 */
#include "create.h"
#include "gpu.h"
#include "oa_run.h"
#include "pin.h"
#include "platforms.h"
#include "tick.h"

static int create_load(struct sim_gpu *gpu, unsigned int scene)
{
	const struct gpuoa_unit_desc *desc = &gpu->platform->desc;
	int ret;

	gpu->world = (struct sim_world){
		.frequency = desc->timestamp_frequency,
		.slot_ticks = div_u64(desc->timestamp_frequency, MSEC_PER_SEC),
		.min_mhz = div_u64(desc->gt_min_frequency, HZ_PER_MHZ),
		.max_mhz = div_u64(desc->gt_max_frequency, HZ_PER_MHZ),
		.n_eus = desc->n_eus,
	};
	ret = sim_gpu_pin_init(gpu);
	if (ret)
		return ret;
	sim_clock_init(&gpu->clock, gpu->world.frequency);
	sim_timeline_init(&gpu->timeline, sim_now(gpu), &gpu->scenes[scene]);

	return 0;
}

static int create_units(struct sim_gpu *gpu)
{
	const struct sim_unit *units = gpu->platform->units;
	unsigned int i, n = 0;

	while (n < SIM_MAX_UNITS && units[n].ops)
		n++;
	gpu->oa = kvcalloc(n, sizeof(*gpu->oa), GFP_KERNEL);
	if (!gpu->oa)
		return -ENOMEM;
	gpu->n_oa = n;
	for (i = 0; i < n; i++)
		sim_oa_init(&gpu->oa[i], gpu, units[i].ops);

	return 0;
}

/**
 * sim_gpu_create - make a GPU
 * @gpu: zeroed memory for it
 * @platform: what it simulates
 * @carrier: who runs it
 * @scene: its load at first
 *
 * Return: 0, or -ENOMEM; then, too, sim_gpu_destroy() frees what it has
 */
int sim_gpu_create(struct sim_gpu *gpu, const struct sim_platform *platform,
		   const struct sim_carrier *carrier, unsigned int scene)
{
	int ret;

	gpu->platform = platform;
	gpu->carrier = carrier;
	raw_spin_lock_init(&gpu->lock);
	ret = create_load(gpu, scene);
	if (!ret)
		ret = create_units(gpu);
	if (!ret)
		ret = sim_mmio_create(gpu);

	return ret;
}

/**
 * sim_gpu_destroy - free all that a GPU has, but not itself
 * @gpu: the GPU; nobody uses it any more
 */
void sim_gpu_destroy(struct sim_gpu *gpu)
{
	sim_mmio_destroy(gpu);
	kvfree(gpu->oa);
	sim_gpu_pin_fini(gpu);
}
