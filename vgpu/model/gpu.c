// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpu.c - a virtual GPU: its OA units, clock, power state, context slots and batch work.
 */
#include "buffer.h"
#include "gpu.h"
#include "oa.h"
#include "platforms.h"

/**
 * sim_gpu_advance() - Simulate all units up to the present.
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
 * sim_gpu_change() - Append a segment to the timeline.
 * @gpu: the GPU; no unit has advanced past the start of @segment
 * @segment: the segment
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
 * sim_gpu_slow() - Let GPU time pass slower than CPU time.
 * @gpu: the GPU, not locked
 * @slowdown: CPU time divided by GPU time
 */
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	sim_clock_slow(&gpu->clock, gpu->device_host->clock(gpu), slowdown);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_expect(&gpu->oa[i]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_change_begin() - Prepare a segment that begins now.
 * @gpu: the GPU, locked
 *
 * Return: a segment that continues the last one
 */
static struct sim_segment sim_gpu_change_begin(struct sim_gpu *gpu)
{
	const struct sim_segment *last = sim_timeline_last(&gpu->timeline);
	struct sim_segment next = *last;

	sim_gpu_advance(gpu);
	next.start = max(sim_now(gpu) + 1, last->start);
	next.skip = sim_segment_skip(last, next.start);

	return next;
}

/**
 * sim_gpu_set_workload() - Change the workload.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @workload: index of the workload; it starts after the current batch, if there is one
 */
void sim_gpu_set_workload(struct sim_gpu *gpu, unsigned int workload)
{
	struct sim_segment next, *which;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = sim_gpu_change_begin(gpu);
	which = gpu->batch_runs ? &gpu->interrupted : &next;
	which->workload = &gpu->workloads[workload];
	which->skip = 0;
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_workload() - Get the name of the workload.
 * @gpu: the GPU; the caller serializes changes of its timeline
 *
 * Return: the name
 */
const char *sim_gpu_workload(const struct sim_gpu *gpu)
{
	if (gpu->batch_runs)
		return gpu->interrupted.workload->name;

	return sim_timeline_last(&gpu->timeline)->workload->name;
}

/**
 * sim_gpu_set_offset() - Set the visible timestamp's offset from the GPU clock.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @offset: offset in ticks; ignored if it is less than the current one
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
 * sim_gpu_wrap_timestamp() - Make the low 32 bits of the visible timestamp wrap soon.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @ms: time until the wrap in ms
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
 * sim_gpu_snapshot() - Create the report of an MI_REPORT_PERF_COUNT command.
 * @gpu: the GPU, not locked
 * @slot: time slot of the batch's context
 * @id: report id in the command
 * @report: buffer of SIM_MAX_REPORT bytes
 *
 * Counters without a configuration have arbitrary values.
 *
 * Return: size of the report in bytes
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
 * sim_gpu_timestamp() - Get the visible timestamp.
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
 * sim_gpu_read_timestamp() - Read the timestamp register for a driver.
 * @gpu: the GPU, not locked
 *
 * This counts as a register access. It does not advance the units, but pending reports that are due
 * reach memory, so that a reader can wait for them with interrupts off.
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

/**
 * sim_now() - Get the GPU time.
 * @gpu: the GPU
 *
 * Return: ticks of the timestamp clock, without &sim_segment.offset
 */
u64 sim_now(const struct sim_gpu *gpu)
{
	return sim_clock_tick(&gpu->clock, gpu->device_host->clock(gpu));
}

/**
 * sim_us_to_ticks() - Convert a duration to ticks.
 * @gpu: the GPU
 * @us: duration in us
 *
 * Return: ticks, rounded down
 */
u64 sim_us_to_ticks(const struct sim_gpu *gpu, u32 us)
{
	return div_u64(us * gpu->world.frequency, USEC_PER_SEC);
}

/**
 * sim_gpu_wait() - Get the time until a tick.
 * @gpu: the GPU, not locked
 * @tick: the tick
 *
 * Return: ns of CPU time, 0 if the tick has passed
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

/**
 * sim_slot_find() - Find the time slot of a context.
 * @gpu: the GPU
 * @hw_id: hardware id of the context
 *
 * Return: the slot, or -1 if there is no such context
 */
int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id)
{
	int i;

	for (i = 0; i < SIM_N_SLOTS; i++)
		if (hw_id && gpu->slots[i] == hw_id)
			return i;

	return -1;
}

/**
 * sim_slot_context() - Get the context id that reports have in a slot.
 * @gpu: the GPU
 * @slot: the slot, or SIM_NOBODY
 *
 * Free slots belong to three permanent contexts, like those of a desktop.
 *
 * Return: hardware id of the context; 0 if there is none
 */
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot)
{
	if (slot >= SIM_N_SLOTS)
		return 0;

	return gpu->slots[slot] ?: (1 + slot % 3) << gpu->platform->context_shift;
}

/**
 * sim_slot_set() - Assign a slot to a context.
 * @gpu: the GPU, not locked
 * @slot: the slot
 * @hw_id: hardware id of the context; 0 to free the slot
 */
void sim_slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	/* Reports due before now have the previous context. */
	sim_gpu_advance(gpu);
	gpu->slots[slot] = hw_id;
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_slot_changed(&gpu->oa[i], slot);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_get() - Take a wake reference.
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
 * sim_gpu_put() - Drop a wake reference.
 * @gpu: the GPU, not locked
 *
 * With the last reference, volatile registers lose their values. Reports that are due are written
 * first.
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

/* Reset all registers of a GT; pending reports of its OA units are lost. */
static void gt_reset(struct sim_gpu *gpu, unsigned int gt)
{
	unsigned int i;

	sim_mmio_reset(gpu, gt);
	for (i = 0; i < gpu->n_oa; i++)
		if (gpu->platform->units[i].gt == gt)
			sim_oa_reset(&gpu->oa[i]);
}

/* Reset both GTs. */
static void power_reset(struct sim_gpu *gpu)
{
	sim_gpu_advance(gpu);
	gt_reset(gpu, 0);
	gt_reset(gpu, 1);
}

/**
 * sim_gpu_reset() - Reset the GPU, as a driver does after a hang.
 * @gpu: the GPU, not locked
 *
 * OA units stop, and the configuration of the units and of the NOA network is lost. Contexts and
 * the clock are preserved.
 */
void sim_gpu_reset(struct sim_gpu *gpu)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	power_reset(gpu);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_reset_gt() - Reset a GT, as sim_gpu_reset() does with the GPU.
 * @gpu: the GPU, not locked
 * @gt: 0; 1 is the media GT
 */
void sim_gpu_reset_gt(struct sim_gpu *gpu, unsigned int gt)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	gt_reset(gpu, gt);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_set_dead() - Make the GPU stop responding, or respond again.
 * @gpu: the GPU, not locked
 * @dead: true to stop, as if powered off or unplugged; false to respond again, after a reset
 */
void sim_gpu_set_dead(struct sim_gpu *gpu, bool dead)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	power_reset(gpu);
	gpu->dead = dead;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/*
 * Build all workloads and batch profiles at clock @step, 0 for not pinned. Return NULL if out of
 * memory.
 */
static struct sim_workload *pin_build(const struct sim_gpu *gpu, u32 step)
{
	struct sim_world world = gpu->world;
	struct sim_workload *workloads;
	unsigned int i;

	workloads = kvcalloc(SIM_N_WORKLOADS + SIM_N_WORKS, sizeof(*workloads), GFP_KERNEL);
	if (!workloads)
		return NULL;
	world.pinned_mhz = step * SIM_PIN_STEP_MHZ;
	for (i = 0; i < SIM_N_WORKLOADS; i++)
		sim_workload_build(&workloads[i], i, &world);
	for (i = 0; i < SIM_N_WORKS; i++)
		sim_work_build(&workloads[SIM_N_WORKLOADS + i], i, &world);

	return workloads;
}

/* Convert a clock to a step. Return 0, or -ERANGE if the GPU does not have the clock. */
static int pin_step(const struct sim_gpu *gpu, u32 mhz, u32 *step)
{
	*step = (mhz + SIM_PIN_STEP_MHZ / 2) / SIM_PIN_STEP_MHZ;
	if (mhz && (mhz < gpu->world.min_mhz || mhz > gpu->world.max_mhz || *step >= SIM_N_PINS))
		return -ERANGE;

	return 0;
}

/**
 * sim_gpu_pin_init() - Create the workloads of a GPU with an unpinned clock.
 * @gpu: the GPU, with &sim_gpu.world set
 *
 * Return: 0 or -ENOMEM; after either, sim_gpu_pin_fini() frees everything
 */
static int sim_gpu_pin_init(struct sim_gpu *gpu)
{
	gpu->pins[0] = pin_build(gpu, 0);
	if (!gpu->pins[0])
		return -ENOMEM;
	gpu->workloads = gpu->pins[0];
	gpu->work = gpu->workloads + SIM_N_WORKLOADS;

	return 0;
}

/**
 * sim_gpu_pin_fini() - Free all workloads.
 * @gpu: the GPU, no longer in use
 */
static void sim_gpu_pin_fini(struct sim_gpu *gpu)
{
	unsigned int step;

	for (step = 0; step < SIM_N_PINS; step++)
		kvfree(gpu->pins[step]);
}

/**
 * sim_gpu_pin_prepare() - Create the workloads that sim_gpu_pin() needs for a clock.
 * @gpu: the GPU, not locked
 * @mhz: the clock in MHz, or 0
 *
 * This allocates memory. The caller holds no lock that a job of the GPU takes, because reclaim may
 * wait for that job's fence.
 *
 * Return: 0, -ENOMEM, or -ERANGE if the GPU does not have the clock
 */
int sim_gpu_pin_prepare(struct sim_gpu *gpu, u32 mhz)
{
	struct sim_workload *workloads;
	unsigned long flags;
	u32 step;
	int ret;

	ret = pin_step(gpu, mhz, &step);
	if (ret || READ_ONCE(gpu->pins[step]))
		return ret;
	workloads = pin_build(gpu, step);
	if (!workloads)
		return -ENOMEM;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	if (!gpu->pins[step]) {
		gpu->pins[step] = workloads;
		workloads = NULL;
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	kvfree(workloads);

	return 0;
}

/**
 * sim_gpu_pin() - Pin the clock of a GPU, or release it.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @mhz: in: the clock in MHz, prepared by sim_gpu_pin_prepare(), or 0 to release it; out: the
 *   nearest step of the GPU. The current batch is not affected
 *
 * Return: 0, or -ERANGE if the GPU does not have the clock
 */
int sim_gpu_pin(struct sim_gpu *gpu, u32 *mhz)
{
	struct sim_segment next, *which;
	struct sim_workload *workloads;
	unsigned long flags;
	u32 step;
	int ret;

	ret = pin_step(gpu, *mhz, &step);
	if (ret)
		return ret;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	workloads = gpu->pins[step];
	next = sim_gpu_change_begin(gpu);
	which = gpu->batch_runs ? &gpu->interrupted : &next;
	which->workload = workloads + (which->workload - gpu->workloads);
	gpu->workloads = workloads;
	gpu->work = workloads + SIM_N_WORKLOADS;
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	*mhz = step * SIM_PIN_STEP_MHZ;

	return 0;
}

static int create_load(struct sim_gpu *gpu, unsigned int workload)
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
	sim_timeline_init(&gpu->timeline, sim_now(gpu), &gpu->workloads[workload]);

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
 * sim_gpu_create() - Create a GPU.
 * @gpu: zeroed memory for the GPU
 * @platform: the GPU to simulate
 * @device_host: device host
 * @workload: index of the initial workload
 *
 * Return: 0 or -ENOMEM; after either, sim_gpu_destroy() frees everything
 */
int sim_gpu_create(struct sim_gpu *gpu, const struct sim_platform *platform,
		   const struct sim_device_host *device_host, unsigned int workload)
{
	int ret;

	gpu->platform = platform;
	gpu->device_host = device_host;
	raw_spin_lock_init(&gpu->lock);
	ret = create_load(gpu, workload);
	if (!ret)
		ret = create_units(gpu);
	if (!ret)
		ret = sim_mmio_create(gpu);

	return ret;
}

/**
 * sim_gpu_destroy() - Free everything that a GPU owns, but not the GPU itself.
 * @gpu: the GPU, no longer in use
 */
void sim_gpu_destroy(struct sim_gpu *gpu)
{
	sim_mmio_destroy(gpu);
	kvfree(gpu->oa);
	sim_gpu_pin_fini(gpu);
}

/**
 * DOC: Batches
 *
 * While no batch runs, contexts take turns and execute the workload. A batch preempts the workload
 * and has exclusive use of the GPU: the OA units see a switch to its context and back. The GPU is
 * idle during a batch except for the batch's own work. Afterwards the workload continues where it
 * was.
 */

/* Append @what to the timeline at tick @start, which no unit has reached. */
static void work_append(struct sim_gpu *gpu, u64 start, const struct sim_segment *what)
{
	struct sim_segment next = *what;

	next.start = start;
	next.offset = sim_timeline_last(&gpu->timeline)->offset;
	sim_gpu_change(gpu, &next);
}

/* Advance all units, and get the first tick at which the timeline can change. */
static u64 work_next_tick(struct sim_gpu *gpu)
{
	sim_gpu_advance(gpu);

	return max(sim_now(gpu) + 1, sim_timeline_last(&gpu->timeline)->start);
}

/* Write the report of a batch's beginning or end; only the first unit sees contexts. */
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
 * sim_batch_begin() - Begin a batch.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @slot: time slot of the batch's context
 *
 * Return: the tick of the context switch. The batch starts one tick later, so that the switch
 * precedes its reports.
 */
u64 sim_batch_begin(struct sim_gpu *gpu, unsigned int slot)
{
	const struct sim_segment alone = {
		.workload = &gpu->work[SIM_WORKLOAD_IDLE],
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
 * sim_batch_report() - Write the report of the current batch's beginning or end.
 * @gpu: the GPU, not locked
 * @begin: true for the beginning
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
 * sim_batch_end() - End the current batch.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @report: write a report
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
 * sim_work() - Let the current batch work.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @slot: time slot of the batch's context
 * @profile: index of a workload; the batch executes its first phase
 * @clocks: duration in GPU clocks
 * @end_tick: set to the tick of the end; the duration is rounded up to ticks
 *
 * Return: 0, or -EINVAL if there is no such profile or the duration exceeds a minute
 */
int sim_work(struct sim_gpu *gpu, unsigned int slot, unsigned int profile, u64 clocks,
	     u64 *end_tick)
{
	struct sim_segment work = { .owner = slot }, after;
	unsigned long flags;
	u64 ticks, start;

	if (profile >= SIM_N_WORKLOADS || clocks > U32_MAX)
		return -EINVAL;
	work.workload = &gpu->work[profile];
	ticks = div64_u64((clocks << SIM_FRACTION_BITS) - 1,
			  work.workload->pieces[0].rate[SIM_CLOCK]) +
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
 * sim_draw() - Let the current batch draw.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
 * @slot: time slot of the batch's context
 * @samples: number of samples written, at least 1; counted exactly
 * @end_tick: set to the tick of the end
 */
void sim_draw(struct sim_gpu *gpu, unsigned int slot, u32 samples, u64 *end_tick)
{
	struct sim_segment draw = { .workload = &gpu->work[SIM_WORK_DRAW], .owner = slot }, after;
	struct sim_segment rest = { .workload = &gpu->work[SIM_WORK_DRAW_REST], .owner = slot };
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
 * sim_work_cut() - End the work of the current batch now.
 * @gpu: the GPU, not locked; the caller serializes changes of its timeline
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
