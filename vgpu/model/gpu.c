// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpu.c - a virtual GPU: its units, time, power, contexts and work.
 */
#include "buffer.h"
#include "gpu.h"
#include "oa.h"
#include "platforms.h"

static int sim_gpu_pin_init(struct sim_gpu *gpu);
static void sim_gpu_pin_fini(struct sim_gpu *gpu);

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

/**
 * sim_gpu_advance - bring all units up to the present
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
 * sim_gpu_change - append to the timeline
 * @gpu: the GPU; its units have been advanced, but none beyond where @segment begins
 * @segment: what comes
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
 * sim_gpu_slow - let GPU time pass slower than the CPU's
 * @gpu: the GPU, not locked
 * @slowdown: how many times slower
 */
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	sim_gpu_advance(gpu);
	sim_clock_slow(&gpu->clock, gpu->carrier->clock(gpu), slowdown);
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_expect(&gpu->oa[i]);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_change_begin - the segment with which a change begins now
 * @gpu: the GPU, locked
 *
 * Return: it is like the last one, at the same place of its scene
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
 * sim_gpu_set_scene - change the load
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @scene: index of the scene. A batch that runs does not notice
 */
void sim_gpu_set_scene(struct sim_gpu *gpu, unsigned int scene)
{
	struct sim_segment next, *which;
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	next = sim_gpu_change_begin(gpu);
	which = gpu->batch_runs ? &gpu->interrupted : &next;
	which->scene = &gpu->scenes[scene];
	which->skip = 0;
	sim_gpu_change(gpu, &next);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

/**
 * sim_gpu_scene - name of the load
 * @gpu: the GPU; nobody changes its timeline meanwhile
 *
 * Return: the name
 */
const char *sim_gpu_scene(const struct sim_gpu *gpu)
{
	if (gpu->batch_runs)
		return gpu->interrupted.scene->name;

	return sim_timeline_last(&gpu->timeline)->scene->name;
}

/**
 * sim_gpu_set_offset - let the visible timestamp be ahead of the GPU's clock
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @offset: by so many ticks, or by as many as it already is
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
 * sim_gpu_wrap_timestamp - let the lower 32 bits of the visible timestamp wrap soon
 * @gpu: the GPU, not locked; nobody else changes its timeline meanwhile
 * @ms: so soon
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
 * sim_gpu_snapshot - what MI_REPORT_PERF_COUNT writes now
 * @gpu: the GPU, not locked
 * @slot: of the context whose batch asks
 * @id: report id that it asks for
 * @report: room for SIM_MAX_REPORT bytes
 *
 * Counters that nobody has configured are what they are.
 *
 * Return: bytes of the report
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
 * sim_gpu_timestamp - the timestamp that reports would show now
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
 * sim_gpu_read_timestamp - read the timestamp as a driver does
 * @gpu: the GPU, not locked
 *
 * It counts as an access to a register. Units are not advanced, but what they have sent reaches
 * memory by itself, whoever waits for it with interrupts off.
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

/**
 * sim_slot_find - find the time slot of a context
 * @gpu: the GPU
 * @hw_id: name of the context in hardware
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
 * sim_slot_context - what reports call the context that runs in a slot
 * @gpu: the GPU
 * @slot: the slot, or SIM_NOBODY
 *
 * Slots that nobody has taken belong to three contexts that are always there, as a desktop's would
 * be.
 *
 * Return: the context's name in hardware; 0 if there is none
 */
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot)
{
	if (slot >= SIM_N_SLOTS)
		return 0;

	return gpu->slots[slot] ?: (1 + slot % 3) << gpu->platform->context_shift;
}

/**
 * sim_slot_set - give a slot to a context
 * @gpu: the GPU, not locked
 * @slot: the slot
 * @hw_id: name of the context in hardware; 0: the slot is free
 */
void sim_slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	/* What was reported until now was the one before. */
	sim_gpu_advance(gpu);
	gpu->slots[slot] = hw_id;
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_slot_changed(&gpu->oa[i], slot);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

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
static int sim_gpu_pin_init(struct sim_gpu *gpu)
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
static void sim_gpu_pin_fini(struct sim_gpu *gpu)
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
