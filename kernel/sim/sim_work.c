// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_work.c - the GPU in the hands of one context: while a batch of it runs, and works.
 */
#include <linux/delay.h>
#include <linux/math64.h>

#include "sim.h"
#include "sim_context.h"

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

/* A batch of @context begins. */
void sim_batch_begin(struct sim_gpu *gpu, const struct sim_context *context)
{
	const struct sim_segment alone = {
		.scene = &gpu->work[SIM_SCENE_IDLE],
		.owner = context->slot,
	};
	unsigned long flags;
	u64 start;

	mutex_lock(&gpu->mutex);
	raw_spin_lock_irqsave(&gpu->lock, flags);
	start = work_next_tick(gpu);
	gpu->interrupted = *sim_timeline_last(&gpu->timeline);
	gpu->interrupted.skip = sim_segment_skip(&gpu->interrupted, start);
	gpu->batch_runs = true;
	work_append(gpu, start, &alone);
	/* The context must be seen to run before its report is. */
	while (sim_now(gpu) <= start)
		ndelay(100);
	sim_gpu_advance(gpu);
	if (context->reports_batches)
		work_report(gpu, true);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	mutex_unlock(&gpu->mutex);
}

/* The batch of @context that runs ends. */
void sim_batch_end(struct sim_gpu *gpu, const struct sim_context *context)
{
	unsigned long flags;
	u64 start;

	mutex_lock(&gpu->mutex);
	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	if (context->reports_batches)
		work_report(gpu, false);
	start = work_next_tick(gpu);
	gpu->batch_runs = false;
	work_append(gpu, start, &gpu->interrupted);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	mutex_unlock(&gpu->mutex);
}

/*
 * Let the context in @slot, of which a batch runs, work for @clocks of the GPU's clock, with a load
 * as in the first phase of scene @profile. @end_tick is when that is done: it takes whole ticks.
 * -EINVAL: no such profile, or longer than a minute.
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
			  work.scene->pieces[0].rate[SIM_CLOCK]) + 1;
	if (!clocks || ticks > 60 * gpu->world.frequency)
		return -EINVAL;

	mutex_lock(&gpu->mutex);
	raw_spin_lock_irqsave(&gpu->lock, flags);
	start = work_next_tick(gpu);
	after = *sim_timeline_last(&gpu->timeline);
	after.skip = sim_segment_skip(&after, start);
	work_append(gpu, start, &work);
	work_append(gpu, start + ticks, &after);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	mutex_unlock(&gpu->mutex);

	*end_tick = start + ticks;
	return 0;
}

/* &gpuoa_host_ops.context_batches */
int sim_context_batches(void *host, void *context, bool report)
{
	struct sim_gpu *gpu = host;
	struct sim_context *which = context;

	mutex_lock(&gpu->mutex);
	which->reports_batches = report;
	mutex_unlock(&gpu->mutex);
	return 0;
}
