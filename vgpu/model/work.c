// SPDX-License-Identifier: GPL-2.0-only
/*
 * work.c - the GPU in the hands of one context: while a batch of it runs, and works.
 */
#include "advance.h"
#include "gpu.h"
#include "oa_run.h"
#include "platforms.h"
#include "tick.h"
#include "work.h"

/**
 * DOC: Who has the GPU
 *
 * As long as no batch runs, contexts take turns and do what the scene says. A batch interrupts that
 * and has the GPU for itself: the OA units see its context come and go. It idles but for its own
 * work. Then the scene goes on where it was.
 */

/* The GPU does @what from tick @start on, which no unit has reached, until something else comes. */
static void work_append(struct sim_gpu *gpu, u64 start, const struct sim_segment *what)
{
	struct sim_segment next = *what;

	next.start = start;
	next.offset = sim_timeline_last(&gpu->timeline)->offset;
	sim_gpu_change(gpu, &next);
}

/* The first tick at which something can change; all units have been advanced to before it. */
static u64 work_next_tick(struct sim_gpu *gpu)
{
	sim_gpu_advance(gpu);

	return max(sim_now(gpu) + 1, sim_timeline_last(&gpu->timeline)->start);
}

/* Write the report of a batch's begin or end; the first unit is the one that sees contexts. */
static void work_report(struct sim_gpu *gpu, bool begin)
{
	struct sim_oa *oa = &gpu->oa[0];

	if (gpu->platform->mmio_trigger)
		sim_oa_trigger(oa, SIM_REASON_MMIO,
			       begin ? GPUOA_MARKER_BATCH_BEGIN : GPUOA_MARKER_BATCH_END);
	else
		sim_oa_trigger(oa, begin ? SIM_REASON_TRIGGER1 : SIM_REASON_TRIGGER2, 0);
}

/**
 * sim_batch_begin - a batch begins
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @slot: of the batch's context
 *
 * Return: the tick from which on the context runs. The batch does nothing before the tick after it,
 * so that the context is seen to run before its reports are
 */
u64 sim_batch_begin(struct sim_gpu *gpu, unsigned int slot)
{
	const struct sim_segment alone = {
		.scene = &gpu->work[SIM_SCENE_IDLE],
		.owner = slot,
	};
	unsigned long flags;
	u64 start;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	start = work_next_tick(gpu);
	gpu->interrupted = *sim_timeline_last(&gpu->timeline);
	gpu->interrupted.skip = sim_segment_skip(&gpu->interrupted, start);
	gpu->batch_runs = true;
	work_append(gpu, start, &alone);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	return start;
}

/**
 * sim_batch_report - write a report for the begin or the end of the batch that runs
 * @gpu: the GPU, not locked
 * @begin: the batch begins; else it ends
 */
void sim_batch_report(struct sim_gpu *gpu, bool begin)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	work_report(gpu, begin);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_batch_end - the batch that runs ends
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @report: write a report for that
 */
void sim_batch_end(struct sim_gpu *gpu, bool report)
{
	unsigned long flags;
	u64 start;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	if (report)
		work_report(gpu, false);
	start = work_next_tick(gpu);
	gpu->batch_runs = false;
	work_append(gpu, start, &gpu->interrupted);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_work - let the batch that runs work
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @slot: of the batch's context
 * @profile: the load is that of the first phase of this scene
 * @clocks: how long, in clocks of the GPU
 * @end_tick: set to the tick at which that is done: it takes whole ticks
 *
 * Return: 0, or -EINVAL: there is no such profile, or it would take longer than a minute
 */
int sim_work(struct sim_gpu *gpu, unsigned int slot, unsigned int profile, u64 clocks,
	     u64 *end_tick)
{
	struct sim_segment work = { .owner = slot }, after;
	unsigned long flags;
	u64 ticks, start;

	if (profile >= SIM_N_SCENES || clocks > U32_MAX)
		return -EINVAL;
	work.scene = &gpu->work[profile];
	ticks = div64_u64((clocks << SIM_FRACTION_BITS) - 1,
			  work.scene->pieces[0].rate[SIM_CLOCK]) +
		1;
	if (!clocks || ticks > 60 * gpu->world.frequency)
		return -EINVAL;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	start = work_next_tick(gpu);
	after = *sim_timeline_last(&gpu->timeline);
	after.skip = sim_segment_skip(&after, start);
	work_append(gpu, start, &work);
	work_append(gpu, start + ticks, &after);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	*end_tick = start + ticks;
	return 0;
}

/**
 * sim_draw - let the batch that runs draw
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @slot: of the batch's context
 * @samples: that are written, at least one; all of them are counted, and not one more
 * @end_tick: set to the tick at which that is done
 */
void sim_draw(struct sim_gpu *gpu, unsigned int slot, u32 samples, u64 *end_tick)
{
	struct sim_segment draw = { .scene = &gpu->work[SIM_WORK_DRAW], .owner = slot }, after;
	struct sim_segment rest = { .scene = &gpu->work[SIM_WORK_DRAW_REST], .owner = slot };
	unsigned long flags;
	u64 tick;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	tick = work_next_tick(gpu);
	after = *sim_timeline_last(&gpu->timeline);
	after.skip = sim_segment_skip(&after, tick);
	if (samples >= SIM_DRAW_SAMPLES)
		work_append(gpu, tick, &draw);
	tick += samples / SIM_DRAW_SAMPLES;
	if (samples % SIM_DRAW_SAMPLES)
		work_append(gpu, tick, &rest);
	tick += samples % SIM_DRAW_SAMPLES / SIM_DRAW_REST_SAMPLES;
	work_append(gpu, tick, &after);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);

	*end_tick = tick;
}

/**
 * sim_work_cut - end the work of the batch that runs, now
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 */
void sim_work_cut(struct sim_gpu *gpu)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	sim_timeline_hasten(&gpu->timeline, sim_now(gpu) + 1);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_retime(&gpu->oa[i]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}
