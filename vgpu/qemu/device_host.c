// SPDX-License-Identifier: MIT
/*
 * device_host.c - device host of the model in this process: its time, memory and registers.
 */
#include <time.h>

#include "device_host.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/platforms.h"
#include "registers.h"
#include "vgpu.h"
#include "memory.h"

static struct vgpu *vgpu_of(const struct sim_gpu *gpu)
{
	return container_of(gpu, struct vgpu, gpu);
}

/* ---- time --------------------------------------------------------------------------------- */

/**
 * vgpu_time_cpu() - Get the CPU time.
 *
 * Return: CLOCK_MONOTONIC in ns
 */
u64 vgpu_time_cpu(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static u64 device_host_clock(const struct sim_gpu *gpu)
{
	struct vgpu *vgpu = vgpu_of(gpu);

	if (!vgpu->time.burst)
		vgpu->time.ns = max(vgpu->time.ns, vgpu_time_cpu());

	return vgpu->time.ns;
}

/**
 * vgpu_time_burst() - Begin or end a burst of commands.
 * @vgpu: the GPU
 * @burst: true to begin
 *
 * GPU time may be slightly ahead of CPU time at the end of a burst. It never goes back.
 */
void vgpu_time_burst(struct vgpu *vgpu, bool burst)
{
	if (burst)
		device_host_clock(&vgpu->gpu);
	vgpu->time.burst = burst;
}

/**
 * vgpu_time_pass() - Advance time in a burst.
 * @vgpu: the GPU
 * @ns: duration in ns
 */
void vgpu_time_pass(struct vgpu *vgpu, u64 ns)
{
	vgpu->time.ns += ns;
}

/* ---- memory and registers ----------------------------------------------------------------- */

static u8 *device_host_memory(const struct sim_gpu *gpu, u64 address, u64 size)
{
	return vgpu_map_ggtt(vgpu_of(gpu), address, size);
}

static void device_host_unknown(struct sim_gpu *gpu, u32 reg)
{
	vgpu_log(vgpu_of(gpu), "the model does not know register %#x\n", reg);
}

static const struct sim_device_host device_host = {
	.clock = device_host_clock,
	.memory = device_host_memory,
	.unknown = device_host_unknown,
};

static u32 model_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	return sim_mmio_read(&vgpu->gpu, reg);
}

static void model_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg, u32 value)
{
	sim_mmio_write(&vgpu->gpu, reg, value);
}

/* Registers implemented by the model */
static const struct vgpu_behaviour model_registers = { model_read, model_write };

/* RING_CONTEXT_CONTROL remains a register of the engine, which saves it with each context. */
static bool belongs_to_engine(const struct vgpu *vgpu, u32 reg)
{
	return reg == vgpu->engines[0].base + RING_CONTEXT_CONTROL;
}

static int device_host_registers(struct vgpu *vgpu)
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
		rule->is = &model_registers;
		ret = vgpu_mmio_add(vgpu, rule++);
	}

	return ret;
}

/**
 * vgpu_device_host_init() - Create the device model.
 * @vgpu: the GPU
 * @workload: index of the workload while no batch runs
 *
 * Return: 0 or a negative errno
 */
int vgpu_device_host_init(struct vgpu *vgpu, unsigned int workload)
{
	const struct sim_platform *model = sim_platform_find(vgpu->platform->model);
	int ret;

	if (!model)
		return -ENODEV;
	ret = sim_gpu_create(&vgpu->gpu, model, &device_host, workload);
	if (ret)
		return ret;
	sim_gpu_get(&vgpu->gpu);

	return device_host_registers(vgpu);
}

/**
 * vgpu_device_host_destroy() - Free the device model.
 * @vgpu: the GPU
 */
void vgpu_device_host_destroy(struct vgpu *vgpu)
{
	sim_gpu_destroy(&vgpu->gpu);
}
