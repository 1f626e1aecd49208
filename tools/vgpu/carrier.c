// SPDX-License-Identifier: MIT
/*
 * carrier.c - the device model in this process: its time, its memory, and who runs on it.
 */
#include <time.h>

#include "carrier.h"
#include "engine.h"
#include "kernel/sim/model/create.h"
#include "kernel/sim/model/oa.h"
#include "kernel/sim/model/platforms.h"
#include "kernel/sim/model/power.h"
#include "kernel/sim/model/slot.h"
#include "kernel/sim/model/work.h"
#include "registers.h"
#include "vgpu.h"

static struct vgpu *vgpu_of(const struct sim_gpu *gpu)
{
	return container_of(gpu, struct vgpu, gpu);
}

/* ---- time --------------------------------------------------------------------------------- */

static u64 cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static u64 carrier_clock(const struct sim_gpu *gpu)
{
	struct vgpu *vgpu = vgpu_of(gpu);

	if (!vgpu->time.burst)
		vgpu->time.ns = max(vgpu->time.ns, cpu_ns());

	return vgpu->time.ns;
}

/**
 * vgpu_time_burst - a burst of commands begins or ends
 * @vgpu: the GPU
 * @burst: it begins
 *
 * Time may be a little ahead of the CPU's when it ends. It does not go back.
 */
void vgpu_time_burst(struct vgpu *vgpu, bool burst)
{
	if (burst)
		carrier_clock(&vgpu->gpu);
	vgpu->time.burst = burst;
}

/**
 * vgpu_time_pass - time passes in a burst
 * @vgpu: the GPU
 * @ns: so much
 */
void vgpu_time_pass(struct vgpu *vgpu, u64 ns)
{
	vgpu->time.ns += ns;
}

/* ---- memory and registers ----------------------------------------------------------------- */

static u8 *carrier_memory(const struct sim_gpu *gpu, u64 address, u64 size)
{
	return vgpu_memory_view(vgpu_of(gpu), address, size);
}

static void carrier_unknown(struct sim_gpu *gpu, u32 reg)
{
	vgpu_log(vgpu_of(gpu), "the model does not know register %#x\n", reg);
}

static const struct sim_carrier carrier = {
	.clock = carrier_clock,
	.memory = carrier_memory,
	.unknown = carrier_unknown,
};

static u32 model_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return sim_mmio_read(&vgpu->gpu, reg);
}

static void model_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	sim_mmio_write(&vgpu->gpu, reg, value);
}

const struct vgpu_behaviour vgpu_model_registers = { model_read, model_write };

/* What contexts switch on stays a register of the engine, which keeps it for each of them. */
static bool belongs_to_engine(const struct vgpu *vgpu, u32 reg)
{
	return reg == vgpu->engines[0].base + RING_CONTEXT_CONTROL;
}

static int carrier_registers(struct vgpu *vgpu)
{
	const struct sim_register_range *range;
	struct vgpu_rule *rule = vgpu->model_rules;
	int ret = 0;

	for (range = vgpu->gpu.mmio.ranges; range->last && !ret; range++) {
		if (belongs_to_engine(vgpu, range->first))
			continue;
		if (rule == vgpu->model_rules + VGPU_MAX_MODEL_RULES)
			return -ENOSPC;
		rule->first = range->first;
		rule->last = range->last;
		rule->is = &vgpu_model_registers;
		ret = vgpu_mmio_add(vgpu, rule++);
	}

	return ret;
}

/**
 * vgpu_carrier_init - make the device model
 * @vgpu: the GPU
 * @scene: what the GPU does while nobody asks it to do anything
 *
 * Return: 0 or a negative errno
 */
int vgpu_carrier_init(struct vgpu *vgpu, unsigned int scene)
{
	const struct sim_platform *model = sim_platform_find(vgpu->platform->model);
	int ret;

	if (!model)
		return -ENODEV;
	ret = sim_gpu_create(&vgpu->gpu, model, &carrier, scene);
	if (ret)
		return ret;
	sim_gpu_get(&vgpu->gpu);

	return carrier_registers(vgpu);
}

/**
 * vgpu_carrier_destroy - free the device model
 * @vgpu: the GPU
 */
void vgpu_carrier_destroy(struct vgpu *vgpu)
{
	sim_gpu_destroy(&vgpu->gpu);
}

/* ---- who runs ----------------------------------------------------------------------------- */

/* The slot of a context; one that has none gets that which has not been used for longest. */
static unsigned int slot_of(struct vgpu *vgpu, u32 hw_id)
{
	struct vgpu_slots *slots = &vgpu->slots;
	unsigned int i, slot = 0;

	for (i = 0; i < SIM_N_SLOTS && slots->hw_id[slot] != hw_id; i++)
		if (slots->hw_id[i] == hw_id || slots->used[i] < slots->used[slot])
			slot = i;
	slots->used[slot] = ++slots->now;
	if (slots->hw_id[slot] != hw_id) {
		slots->hw_id[slot] = hw_id;
		sim_slot_set(&vgpu->gpu, slot, hw_id);
	}

	return slot;
}

/* Time for what began to be seen before what follows: two ticks of the slowest clock */
#define SEEN_NS 200

/**
 * vgpu_engine_runs - a context runs from now on
 * @engine: the engine; the OA units see those of the render engine only
 * @hw_id: its name in reports
 */
void vgpu_engine_runs(struct vgpu_engine *engine, u32 hw_id)
{
	struct vgpu *vgpu = engine->vgpu;

	if (engine->class->class != VGPU_RENDER || !hw_id)
		return;
	vgpu_engine_stops(engine);
	engine->slot = slot_of(vgpu, hw_id);
	sim_batch_begin(&vgpu->gpu, engine->slot);
	vgpu_time_pass(vgpu, SEEN_NS);
}

/**
 * vgpu_engine_stops - the context runs no more
 * @engine: the engine
 */
void vgpu_engine_stops(struct vgpu_engine *engine)
{
	struct vgpu *vgpu = engine->vgpu;

	if (engine->slot < 0)
		return;
	if (engine->work)
		sim_work_cut(&vgpu->gpu);
	sim_batch_end(&vgpu->gpu, false);
	vgpu_time_pass(vgpu, SEEN_NS);
	engine->slot = -1;
}

/**
 * vgpu_engine_works - the context works for some time, in which the engine takes no commands
 * @engine: the engine
 * @scene: what the work is like
 * @clocks: how long, in clocks of the GPU
 */
void vgpu_engine_works(struct vgpu_engine *engine, unsigned int scene, u64 clocks)
{
	struct vgpu *vgpu = engine->vgpu;
	u64 end;

	if (engine->slot < 0 || sim_work(&vgpu->gpu, engine->slot, scene, clocks, &end))
		return;
	engine->work = true;
	engine->work_end = end;
}

/**
 * vgpu_engine_draws - the context draws, and the engine takes no commands meanwhile
 * @engine: the engine
 * @samples: that it writes
 */
void vgpu_engine_draws(struct vgpu_engine *engine, u32 samples)
{
	if (engine->slot < 0 || !samples)
		return;
	sim_draw(&engine->vgpu->gpu, engine->slot, samples, &engine->work_end);
	engine->work = true;
}

/* Where counters begin in a report: behind id, timestamp, context and clock */
#define REPORT_COUNTERS 3

/* On gen12, a context counts for itself, if it has been told to. */
static bool counts_for_itself(struct vgpu_engine *engine)
{
	const u32 *control = vgpu_engine_reg(engine, RING_CONTEXT_CONTROL);

	return *control & CONTEXT_CONTROL_OAR &&
	       vgpu_mmio_read(engine->vgpu, OAR_CONTROL) & OAR_CONTROL_ENABLE;
}

/**
 * vgpu_engine_report - what MI_REPORT_PERF_COUNT writes
 * @engine: the render engine
 * @id: that it asks for
 * @report: gets the report
 *
 * Return: its size in bytes
 */
u32 vgpu_engine_report(struct vgpu_engine *engine, u32 id, u32 *report)
{
	struct vgpu *vgpu = engine->vgpu;
	unsigned int slot = engine->slot < 0 ? SIM_NOBODY : (unsigned int)engine->slot;
	u32 size = sim_gpu_snapshot(&vgpu->gpu, slot, id, report);

	if (vgpu->gpu.oa[0].ops->per_context && !counts_for_itself(engine))
		memset(report + REPORT_COUNTERS, 0, size - REPORT_COUNTERS * sizeof(u32));

	return size;
}

/* ---- RC6 ---------------------------------------------------------------------------------- */

#define RC_CONTROL_RC6 BIT(18)
#define RC6_UNIT_NS 1280

static bool anybody_awake(struct vgpu *vgpu)
{
	static const u32 wakes[] = {
		GEN7_FORCEWAKE,
		GEN9_FORCEWAKE_MEDIA,
		GEN9_FORCEWAKE_RENDER,
		GEN11_FORCEWAKE_MEDIA_VDBOX,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 4,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 8,
		GEN11_FORCEWAKE_MEDIA_VDBOX + 12,
		GEN11_FORCEWAKE_MEDIA_VEBOX,
		GEN11_FORCEWAKE_MEDIA_VEBOX + 4,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wakes); i++)
		if (*vgpu_reg(vgpu, wakes[i]) & 0xffff)
			return true;
	for (i = 0; i < vgpu->n_engines; i++)
		if (!vgpu_engine_is_idle(&vgpu->engines[i]))
			return true;

	return false;
}

/**
 * vgpu_power_update - let the GPU fall asleep if it may and nobody needs it, or wake up
 * @vgpu: the GPU
 */
void vgpu_power_update(struct vgpu *vgpu)
{
	bool asleep = *vgpu_reg(vgpu, GEN6_RC_CONTROL) & RC_CONTROL_RC6 && !anybody_awake(vgpu);
	struct vgpu_sleep *sleep = &vgpu->sleep;

	if (asleep == sleep->asleep)
		return;
	sleep->asleep = asleep;
	if (asleep) {
		sleep->since = cpu_ns();
		sim_gpu_put(&vgpu->gpu);
	} else {
		sleep->residency_ns += cpu_ns() - sleep->since;
		sim_gpu_get(&vgpu->gpu);
	}
}

static u32 residency_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	u64 ns = vgpu->sleep.residency_ns;

	if (vgpu->sleep.asleep)
		ns += cpu_ns() - vgpu->sleep.since;

	return ns / RC6_UNIT_NS;
}

const struct vgpu_behaviour vgpu_residency = { .read = residency_read };
