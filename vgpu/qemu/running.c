// SPDX-License-Identifier: MIT
/*
 * running.c - the context that runs on an engine: what the device model sees of it, and its clock.
 */
#include "carrier.h"
#include "engine.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"
#include "registers.h"
#include "running.h"
#include "vgpu.h"

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

/* ---- its clock ---------------------------------------------------------------------------- */

/**
 * vgpu_clock_goes_on - a context comes: its clock goes on from where it stood
 * @engine: the engine
 */
void vgpu_clock_goes_on(struct vgpu_engine *engine)
{
	engine->came = sim_now(&engine->vgpu->gpu);
}

/**
 * vgpu_clock_read - ticks for which the present context has run
 * @engine: the engine
 *
 * Return: modulo 2^32
 */
u32 vgpu_clock_read(struct vgpu_engine *engine)
{
	if (!engine->active)
		return engine->timestamp;

	return engine->timestamp + (sim_now(&engine->vgpu->gpu) - engine->came);
}

/**
 * vgpu_clock_set - the context's clock is set
 * @engine: the engine
 * @value: it shows that now
 */
void vgpu_clock_set(struct vgpu_engine *engine, u32 value)
{
	engine->timestamp = value;
	engine->came = sim_now(&engine->vgpu->gpu);
}
