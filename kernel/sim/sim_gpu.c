// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_gpu.c - a virtual GPU as a whole: its clock, its load, its OA units.
 */
#include <drm/drm_managed.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/time64.h>
#include <linux/units.h>

#include "sim.h"

/*
 * Ticks of the GPU's timestamp clock, as the hardware counts them: not adjusted by
 * &sim_segment.offset.
 */
u64 sim_now(const struct sim_gpu *gpu)
{
	return sim_clock_tick(&gpu->clock, ktime_get_ns());
}

/* ns to sleep until @tick; 0: it has come */
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

/* Let GPU time pass @slowdown times slower than the CPU's. */
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	sim_clock_slow(&gpu->clock, ktime_get_ns(), slowdown);
	for (i = 0; i < gpu->n_oa; i++)
		sim_half_full_expect(&gpu->oa[i]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/* Bring all units up to the present. */
void sim_gpu_advance(struct sim_gpu *gpu)
{
	u64 now = sim_now(gpu);
	unsigned int i;

	lockdep_assert_held(&gpu->lock);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_advance(&gpu->oa[i], now);
}

/* Append to the timeline; no unit has been advanced beyond where the segment begins. */
void sim_gpu_change(struct sim_gpu *gpu, const struct sim_segment *segment)
{
	unsigned int i;

	lockdep_assert_held(&gpu->mutex);
	lockdep_assert_held(&gpu->lock);
	sim_timeline_append(&gpu->timeline, segment);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_retime(&gpu->oa[i]);
}

/*
 * What MI_REPORT_PERF_COUNT in a batch of the context in @slot writes now; @report has room for
 * SIM_MAX_REPORT bytes. Returns how many it has. Counters that nobody has configured are what they
 * are.
 */
u32 sim_oa_snapshot(struct sim_gpu *gpu, unsigned int slot, u32 id, u32 *report)
{
	unsigned long flags;
	u32 size;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	size = sim_oa_report_for(&gpu->oa[0], slot, id, report);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	return size;
}

static void gpu_free(struct drm_device *drm, void *memory)
{
	kvfree(memory);
}

static void *gpu_alloc(struct sim_gpu *gpu, size_t n, size_t size)
{
	void *memory = kvcalloc(n, size, GFP_KERNEL);

	if (!memory || drmm_add_action_or_reset(&gpu->drm, gpu_free, memory))
		return NULL;
	return memory;
}

static int gpu_init_load(struct sim_gpu *gpu, unsigned int scene)
{
	const struct gpuoa_unit_desc *desc = &gpu->platform->desc;
	unsigned int i;

	gpu->world = (struct sim_world) {
		.frequency = desc->timestamp_frequency,
		.slot_ticks = div_u64(desc->timestamp_frequency, MSEC_PER_SEC),
		.max_mhz = div_u64(desc->gt_max_frequency, HZ_PER_MHZ),
		.n_eus = desc->n_eus,
	};
	gpu->scenes = gpu_alloc(gpu, SIM_N_SCENES, sizeof(*gpu->scenes));
	gpu->work = gpu_alloc(gpu, SIM_N_SCENES, sizeof(*gpu->work));
	if (!gpu->scenes || !gpu->work)
		return -ENOMEM;
	for (i = 0; i < SIM_N_SCENES; i++) {
		sim_scene_build(&gpu->scenes[i], i, &gpu->world);
		sim_work_build(&gpu->work[i], i, &gpu->world);
	}
	sim_clock_init(&gpu->clock, gpu->world.frequency);
	sim_timeline_init(&gpu->timeline, sim_now(gpu), &gpu->scenes[scene]);
	return 0;
}

static int gpu_init_units(struct sim_gpu *gpu)
{
	const struct sim_unit *units = gpu->platform->units;
	unsigned int i;

	while (gpu->n_oa < SIM_MAX_UNITS && units[gpu->n_oa].ops)
		gpu->n_oa++;
	gpu->oa = gpu_alloc(gpu, gpu->n_oa, sizeof(*gpu->oa));
	if (!gpu->oa)
		return -ENOMEM;
	for (i = 0; i < gpu->n_oa; i++) {
		sim_oa_init(&gpu->oa[i], gpu, units[i].ops);
		sim_half_full_init(&gpu->oa[i]);
	}
	return 0;
}

/* All that needs no undoing beyond that of the DRM device. */
int sim_gpu_init(struct sim_gpu *gpu, unsigned int scene)
{
	int err;

	raw_spin_lock_init(&gpu->lock);
	err = drmm_mutex_init(&gpu->drm, &gpu->mutex);
	if (!err)
		err = gpu_init_load(gpu, scene);
	if (!err)
		err = gpu_init_units(gpu);
	if (!err)
		err = sim_mmio_create(gpu);
	if (!err)
		err = sim_ggtt_create(gpu);
	if (!err)
		err = sim_exec_create(gpu);
	return err;
}
