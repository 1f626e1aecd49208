// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_xe_query.c - queries to xe: OA units, topology, engines, clocks. */
#include <linux/err.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "../lease/lease_ioctl.h"
#include "gpu.h"
#include "gpuoa_xe_decode.h"
#include "gpuoa_xe_query.h"
#include "ids.h"

/* Minimum and maximum frequency of the GTs */
#define RP_STATE_CAP 0x138000
#define RP_STATE_CAP_MEDIA 0x138020

/* Size of xe's OABUFFER, bytes, and its maximum if it can be requested */
#define STREAM_BUFFER_SIZE SZ_16M
#define STREAM_BUFFER_SIZE_MAX SZ_128M

/* Size of the user memory for queries */
#define QUERY_ROOM SZ_32K

/* Query xe. Returns the answer, which the caller frees with kfree(), or an ERR_PTR. */
static void *query(struct ioctl_args *args, struct file *file, u32 what, size_t *size)
{
	struct drm_xe_device_query request = { .query = what };
	void __user *to;
	void *answer;
	long ret;

	args->used = 0;
	ret = node_call(args, file, DRM_IOCTL_XE_DEVICE_QUERY, &request, sizeof(request));
	if (ret)
		return ERR_PTR(ret);
	to = ioctl_put(args, NULL, request.size);
	if (!to)
		return ERR_PTR(-ENOMEM);
	request.data = (uintptr_t)to;
	ret = node_call(args, file, DRM_IOCTL_XE_DEVICE_QUERY, &request, sizeof(request));
	if (ret)
		return ERR_PTR(ret);
	answer = kmalloc(request.size, GFP_KERNEL);
	if (!answer)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(answer, to, request.size)) {
		kfree(answer);
		return ERR_PTR(-EFAULT);
	}
	*size = request.size;

	return answer;
}

static int describe_units(struct ioctl_args *args, struct file *file, struct gpu *gpu)
{
	unsigned int i;
	void *units;
	size_t size;

	units = query(args, file, DRM_XE_DEVICE_QUERY_OA_UNITS, &size);
	if (IS_ERR(units))
		return PTR_ERR(units);
	xe_decode_units(gpu, units, size);
	kfree(units);
	for (i = 0; i < gpu->n_units; i++)
		lease_unit_init(&gpu->units[i].lease, &gpu->lease);

	return gpu->n_units ? 0 : -ENODEV;
}

static int describe_topology(struct ioctl_args *args, struct file *file,
			     const struct platform *platform, struct gpuoa_unit_desc *desc)
{
	void *topology;
	size_t size;
	int ret;

	topology = query(args, file, DRM_XE_DEVICE_QUERY_GT_TOPOLOGY, &size);
	if (IS_ERR(topology))
		return PTR_ERR(topology);
	ret = xe_decode_topology(platform, topology, size, desc);
	kfree(topology);

	return ret;
}

static int describe_engines(struct ioctl_args *args, struct file *file,
			    struct gpuoa_unit_desc *desc)
{
	void *engines;
	size_t size;

	engines = query(args, file, DRM_XE_DEVICE_QUERY_ENGINES, &size);
	if (IS_ERR(engines))
		return PTR_ERR(engines);
	desc->n_compute_engines = xe_decode_engines(engines, size);
	kfree(engines);

	return 0;
}

static int query_cycles(struct ioctl_args *args, struct file *file, const struct xe_unit *unit,
			struct drm_xe_query_engine_cycles *cycles)
{
	struct drm_xe_device_query request = {
		.query = DRM_XE_DEVICE_QUERY_ENGINE_CYCLES,
		.size = sizeof(*cycles),
	};
	void __user *to;
	long ret;

	args->used = 0;
	*cycles = (struct drm_xe_query_engine_cycles){ .eci = unit->engine };
	to = ioctl_put(args, cycles, sizeof(*cycles));
	if (!to)
		return -ENOMEM;
	request.data = (uintptr_t)to;
	ret = node_call(args, file, DRM_IOCTL_XE_DEVICE_QUERY, &request, sizeof(request));
	if (!ret && copy_from_user(cycles, to, sizeof(*cycles)))
		ret = -EFAULT;

	return ret;
}

static int describe_clocks(struct ioctl_args *args, struct file *file, struct gpu *gpu,
			   struct gpuoa_unit_desc *desc)
{
	struct drm_xe_query_engine_cycles cycles;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < gpu->n_units && !ret; i++) {
		struct xe_unit *unit = &gpu->units[i];

		ret = query_cycles(args, file, unit, &cycles);
		/* Reports have 56 bits of the clock, so the upper half must be the GPU's. */
		unit->lease.clock_is_64 = cycles.width == 64;
		unit->lease.anchor = (struct clock_anchor){
			.ticks = cycles.engine_cycles,
			.ns = ktime_get_raw_fast_ns(),
		};
		desc->cs_timestamp_bits = cycles.width;
	}

	return ret;
}

/**
 * struct description - arguments and results of a description
 * @gpu: GPU; its units are set
 * @desc: description of the GPU, output
 * @why: reason of a failure, output
 */
struct description {
	struct gpu *gpu;
	struct gpuoa_unit_desc *desc;
	const char *why;
};

static int describe(struct ioctl_args *args, struct file *file, void *data)
{
	struct description *d = data;
	int ret;

	d->why = "xe offers no OA unit of it";
	ret = describe_units(args, file, d->gpu);
	if (ret)
		return ret;
	d->why = "xe does not report its topology";
	ret = describe_topology(args, file, d->gpu->platform, d->desc);
	if (ret)
		return ret;
	d->why = "xe does not report its engines";
	ret = describe_engines(args, file, d->desc);
	if (ret)
		return ret;
	d->why = "xe does not report its clock";
	ret = describe_clocks(args, file, d->gpu, d->desc);
	if (ret)
		return ret;
	d->why = NULL;

	return 0;
}

/**
 * describe_gpu() - Query the description of a GPU from xe.
 * @gpu: GPU with mapped registers; its units are set
 * @desc: description of the GPU, output
 * @why: reason of a failure, output
 *
 * Context: may sleep
 * Return: 0 or -errno
 */
int describe_gpu(struct gpu *gpu, struct gpuoa_unit_desc *desc, const char **why)
{
	struct description d = { .gpu = gpu, .desc = desc };
	int ret;

	*desc = (struct gpuoa_unit_desc){
		.platform = gpu->platform->name,
		.device_id = gpu->lease.pdev->device,
		.revision = gpu->lease.pdev->revision,
		.threads_per_eu = gpu->platform->threads_per_eu,
	};
	d.why = "its render node cannot be opened";
	ret = node_run(&gpu->lease, describe, &d, QUERY_ROOM);
	*why = d.why;

	return ret;
}

/**
 * describe_unit() - Complete the description of a unit.
 * @gpu: GPU
 * @i: index of the unit
 * @desc: description, filled in by describe_gpu()
 *
 * No forcewake is needed for the frequencies: the registers are not in the GT.
 *
 * Context: may sleep
 * Return: 0 or -errno
 */
int describe_unit(struct gpu *gpu, unsigned int i, struct gpuoa_unit_desc *desc)
{
	struct xe_unit *unit = &gpu->units[i];
	u32 caps;
	int ret;

	ret = pm_runtime_resume_and_get(&gpu->lease.pdev->dev);
	if (ret)
		return ret;
	caps = lease_read(&gpu->lease,
			  unit->type == GPUOA_UNIT_OA ? RP_STATE_CAP : RP_STATE_CAP_MEDIA);
	pm_runtime_put_autosuspend(&gpu->lease.pdev->dev);

	desc->unit_type = unit->type;
	/* xe lets them while it has a stream with reports, such as that of the lease. */
	desc->batches_trigger = unit->type == GPUOA_UNIT_OA;
	desc->buffer_size_max = unit->sizes ? STREAM_BUFFER_SIZE_MAX : STREAM_BUFFER_SIZE;
	desc->timestamp_frequency = unit->lease.frequency;
	desc->cs_timestamp_frequency = unit->lease.frequency;
	xe_decode_frequencies(caps, desc);
	desc->gt = unit->engine.gt_id;
	desc->n_engines = unit->n_engines;
	desc->engines = unit->engines;

	return 0;
}

/**
 * struct clock_call - arguments for reading a clock
 * @unit: unit
 * @clock: clock, output
 */
struct clock_call {
	struct xe_unit *unit;
	u64 *clock;
};

static int read_clock(struct ioctl_args *args, struct file *node, void *data)
{
	struct drm_xe_query_engine_cycles cycles;
	const struct clock_call *call = data;
	int ret = query_cycles(args, node, call->unit, &cycles);

	*call->clock = cycles.engine_cycles;

	return ret;
}

/**
 * query_clock() - Implement &lease_driver.read_clock.
 * @unit: unit
 * @clock: clock, output
 *
 * Return: 0 or an error of xe
 */
int query_clock(struct lease_unit *unit, u64 *clock)
{
	struct clock_call call = { xe_unit_of(unit), clock };

	return node_run(unit->gpu, read_clock, &call, PAGE_SIZE);
}
