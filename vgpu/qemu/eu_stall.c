// SPDX-License-Identifier: MIT
/*
 * eu_stall.c - EU stall sampling: registers, and kernels in the memory of contexts.
 */
#include <errno.h>

#include "engine.h"
#include "eu_stall.h"
#include "memory.h"
#include "mmio.h"
#include "vgpu.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/platforms.h"

/* MTL_MCR_SELECTOR: selects one of several instances of a register, or all for writes */
#define MCR_SELECTOR 0xfd4
#define MCR_MULTICAST BIT(31)
#define MCR_GROUP GENMASK(11, 8)
#define MCR_INSTANCE GENMASK(3, 0)

static struct vgpu *vgpu_of(struct sim_eu_stall *unit)
{
	return container_of(unit, struct vgpu, eu_stall.unit);
}

static u32 *unit_memory(struct sim_eu_stall *unit, u32 address)
{
	return vgpu_ggtt(vgpu_of(unit), address);
}

static const u32 *unit_code(struct sim_eu_stall *unit, u64 offset)
{
	const struct vgpu_eu_stall *stalls = &vgpu_of(unit)->eu_stall;

	return vgpu_ppgtt(stalls->engine, stalls->base + offset);
}

static const struct sim_eu_stall_ops ops = { unit_memory, unit_code };

/* Get the number of clocks since the kernel started. */
static u64 clocks_now(const struct vgpu *vgpu)
{
	const struct vgpu_eu_stall *stalls = &vgpu->eu_stall;
	u64 now = sim_now(&vgpu->gpu);

	if (now >= stalls->end)
		return stalls->unit.clocks;
	if (now <= stalls->begin)
		return 0;

	return mul_u64_u64_div_u64(stalls->unit.clocks, now - stalls->begin,
				   stalls->end - stalls->begin);
}

/**
 * vgpu_eu_stall_advance() - Sample up to the present.
 * @vgpu: the GPU
 */
void vgpu_eu_stall_advance(struct vgpu *vgpu)
{
	if (vgpu->eu_stall.engine)
		sim_eu_stall_advance(&vgpu->eu_stall.unit, clocks_now(vgpu));
}

/**
 * vgpu_eu_stall_begin() - Sample a kernel that a walker has started.
 * @engine: the engine, which is busy with it
 * @start: offset of the kernel from the instruction base
 * @groups: number of thread groups
 * @clocks: duration in GPU clocks
 */
void vgpu_eu_stall_begin(struct vgpu_engine *engine, u64 start, u64 groups, u64 clocks)
{
	struct vgpu *vgpu = engine->vgpu;
	struct vgpu_eu_stall *stalls = &vgpu->eu_stall;

	if (!stalls->unit.n_cores || !engine->work)
		return;
	if (stalls->engine)
		vgpu_eu_stall_end(stalls->engine);
	stalls->engine = engine;
	stalls->base = engine->state.instructions;
	stalls->begin = sim_now(&vgpu->gpu);
	stalls->end = max(engine->work_end, stalls->begin + 1);
	sim_eu_stall_begin(&stalls->unit, start, groups, clocks);
	if (!stalls->unit.n_instructions)
		vgpu_log(vgpu, "%s: no instructions at %#llx + %#llx: not sampled\n",
			 engine->class->name, (unsigned long long)stalls->base,
			 (unsigned long long)start);
}

/**
 * vgpu_eu_stall_end() - End the kernel of an engine, if it runs one.
 * @engine: the engine
 */
void vgpu_eu_stall_end(struct vgpu_engine *engine)
{
	struct vgpu *vgpu = engine->vgpu;

	if (vgpu->eu_stall.engine != engine)
		return;
	sim_eu_stall_end(&vgpu->eu_stall.unit, clocks_now(vgpu));
	vgpu->eu_stall.engine = NULL;
}

/* ---- registers ---------------------------------------------------------------------------- */

static unsigned int selected_core(struct vgpu *vgpu)
{
	u32 selector = *vgpu_reg(vgpu, MCR_SELECTOR);

	return FIELD_GET(MCR_GROUP, selector) * vgpu->eu_stall.cores_per_group +
	       FIELD_GET(MCR_INSTANCE, selector);
}

static u32 register_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	vgpu_eu_stall_advance(vgpu);

	return sim_eu_stall_read(&vgpu->eu_stall.unit, reg, selected_core(vgpu));
}

static void register_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	struct sim_eu_stall *unit = &vgpu->eu_stall.unit;
	bool all = *vgpu_reg(vgpu, MCR_SELECTOR) & MCR_MULTICAST;

	if (vgpu->eu_stall.engine)
		sim_eu_stall_flush(unit, clocks_now(vgpu));
	sim_eu_stall_write(unit, reg, all ? SIM_STALL_ALL_CORES : selected_core(vgpu), value);
}

static const struct vgpu_behaviour eu_stall_registers = { register_read, register_write };

static const struct vgpu_rule rule = { SIM_STALL_FIRST, SIM_STALL_LAST, &eu_stall_registers };

/**
 * vgpu_eu_stall_reset() - Reset the units, as a reset of the GT or of an engine with EUs does.
 * @vgpu: the GPU
 */
void vgpu_eu_stall_reset(struct vgpu *vgpu)
{
	sim_eu_stall_reset(&vgpu->eu_stall.unit);
	vgpu->eu_stall.engine = NULL;
}

/**
 * vgpu_eu_stall_init() - Create the units, if the GPU has them: from Xe2 on.
 * @vgpu: the GPU
 *
 * Return: 0 or -ENOSPC
 */
int vgpu_eu_stall_init(struct vgpu *vgpu)
{
	const struct gpuoa_unit_desc *desc = &vgpu->gpu.platform->desc;

	if (vgpu->platform->version < 2000)
		return 0;
	sim_eu_stall_init(&vgpu->eu_stall.unit, &ops, desc->n_subslices,
			  desc->n_eus / desc->n_subslices);
	/* Drivers compute this from the GuC's description of the hardware, which has the same. */
	vgpu->eu_stall.cores_per_group = DIV_ROUND_UP(desc->n_subslices, desc->n_slices);
	*vgpu_reg(vgpu, MCR_SELECTOR) = MCR_MULTICAST;

	return vgpu_mmio_add(vgpu, &rule);
}

/* ---- control interface -------------------------------------------------------------------- */

/**
 * vgpu_eu_stall_request() - Execute a request of the control interface.
 * @vgpu: the GPU
 * @words: "" prints all samples; "clear" prints and forgets them; "lose N" drops the next N
 *   records; "pause 0|1" stops sampling; "reset" resets the units
 * @m: output
 *
 * Return: 0, -EINVAL if the request is unknown, or -ENODEV if the GPU has no such units
 */
int vgpu_eu_stall_request(struct vgpu *vgpu, const char *words, struct seq_file *m)
{
	struct sim_eu_stall *unit = &vgpu->eu_stall.unit;
	unsigned int value;

	if (!unit->n_cores)
		return -ENODEV;
	if (vgpu->eu_stall.engine)
		sim_eu_stall_flush(unit, clocks_now(vgpu));
	if (!*words || !strcmp(words, "clear")) {
		sim_eu_stall_print(unit, m);
		if (*words)
			sim_eu_stall_clear(unit);
	} else if (sscanf(words, "lose %u", &value) == 1) {
		unit->lose = value;
	} else if (sscanf(words, "pause %u", &value) == 1) {
		unit->paused = value;
	} else if (!strcmp(words, "reset")) {
		vgpu_eu_stall_reset(vgpu);
	} else {
		return -EINVAL;
	}

	return 0;
}
