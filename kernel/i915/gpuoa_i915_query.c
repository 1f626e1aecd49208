// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_i915_query.c - queries to i915: topology, clocks, submission, contexts. */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/units.h>

#include <gen7_regs.h>
#include <gpuoa_provider.h>
#include <uapi/drm/i915_drm.h>

#include "../lease/lease_ioctl.h"
#include "gpu.h"
#include "gpuoa_i915_query.h"
#include "ids.h"

static int read_clock(struct ioctl_args *args, struct file *node, void *low)
{
	struct drm_i915_reg_read reg = { .offset = RCS_TIMESTAMP | I915_REG_READ_8B_WA };
	int ret = node_ioctl(node, DRM_IOCTL_I915_REG_READ, &reg);

	*(u32 *)low = reg.val;

	return ret;
}

/**
 * query_clock() - Read the clock of a GPU, which i915 wakes if it sleeps.
 * @gpu: GPU
 * @low: lower 32 bits of the clock, output
 *
 * Context: may sleep
 * Return: 0 or an error of i915
 */
int query_clock(struct gpu *gpu, u32 *low)
{
	return node_run(&gpu->lease, read_clock, low, PAGE_SIZE);
}

/**
 * query_context() - Check that a DRM file has a context.
 * @file: DRM file of this GPU
 * @handle: handle of the context
 *
 * Context: may sleep
 * Return: 0; -ENOENT if there is no such context; or another error of i915
 */
int query_context(const struct file *file, u32 handle)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = handle,
		.param = I915_CONTEXT_PARAM_PRIORITY,
	};

	return node_ioctl(file, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param);
}

/* Minimum and maximum GPU frequency, in units of 50 MHz */
#define RP_STATE_CAP 0x145998
#define RP_STATE_CAP_LOW_POWER 0x138170
#define RP_STATE_CAP_FIRST GENMASK(7, 0)
#define RP_STATE_CAP_LAST GENMASK(23, 16)
#define RP_STATE_CAP_UNIT (50 * HZ_PER_MHZ)

/* Upper bound of the size of a topology, bytes */
#define TOPOLOGY_MAX 1024

/**
 * struct description - arguments and results of a description
 * @gpu: GPU
 * @desc: description of the unit, output
 * @topology: topology of the GPU, output
 * @why: reason of a failure, output
 */
struct description {
	struct gpu *gpu;
	struct gpuoa_unit_desc *desc;
	struct drm_i915_query_topology_info *topology;
	const char *why;
};

/* Get a parameter of i915. Returns its value or -errno. */
static int get_param(struct ioctl_args *args, struct file *file, int param)
{
	int value = 0, __user *to = ioctl_put(args, &value, sizeof(value));
	struct drm_i915_getparam get = { .param = param, .value = to };
	int ret;

	if (!to)
		return -ENOMEM;
	ret = node_ioctl(file, DRM_IOCTL_I915_GETPARAM, &get);
	if (!ret && get_user(value, to))
		ret = -EFAULT;

	return ret ?: value;
}

static int get_topology(struct ioctl_args *args, struct file *file,
			struct drm_i915_query_topology_info *topology)
{
	void __user *to = ioctl_put(args, NULL, TOPOLOGY_MAX);
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_TOPOLOGY_INFO,
		.length = TOPOLOGY_MAX,
		.data_ptr = (uintptr_t)to,
	};
	void __user *items = ioctl_put(args, &item, sizeof(item));
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)items };
	int ret;

	if (!to || !items)
		return -ENOMEM;
	ret = node_ioctl(file, DRM_IOCTL_I915_QUERY, &query);
	if (ret)
		return ret;
	if (copy_from_user(&item, items, sizeof(item)) ||
	    copy_from_user(topology, to, TOPOLOGY_MAX))
		return -EFAULT;

	return item.length < 0 ? item.length : 0;
}

static bool topology_bit(const struct drm_i915_query_topology_info *topology, u32 offset, u32 bit)
{
	offset += bit / BITS_PER_BYTE;

	return offset < TOPOLOGY_MAX - sizeof(*topology) &&
	       topology->data[offset] & BIT(bit % BITS_PER_BYTE);
}

static void count_eus(const struct drm_i915_query_topology_info *topology, u32 subslice,
		      struct gpuoa_unit_desc *desc)
{
	u32 eus = topology->eu_offset + subslice * topology->eu_stride;
	u32 eu;

	for (eu = 0; eu < topology->max_eus_per_subslice; eu++)
		desc->n_eus += topology_bit(topology, eus, eu);
}

static int describe_topology(const struct drm_i915_query_topology_info *topology,
			     struct gpuoa_unit_desc *desc)
{
	u32 slice, subslice, subslices;

	if (topology->max_slices > BITS_PER_LONG_LONG ||
	    topology->max_slices * topology->max_subslices > GPUOA_MASK_WORDS * 64)
		return -EOVERFLOW;
	desc->subslice_stride = topology->max_subslices;
	for (slice = 0; slice < topology->max_slices; slice++) {
		if (!topology_bit(topology, 0, slice))
			continue;
		desc->slice_mask |= BIT_ULL(slice);
		subslices = topology->subslice_offset + slice * topology->subslice_stride;
		for (subslice = 0; subslice < topology->max_subslices; subslice++) {
			u32 n = slice * topology->max_subslices + subslice;

			if (!topology_bit(topology, subslices, subslice))
				continue;
			desc->subslice_mask[n / 64] |= BIT_ULL(n % 64);
			count_eus(topology, n, desc);
		}
	}
	desc->n_slices = hweight64(desc->slice_mask);
	desc->n_subslices = hweight64(desc->subslice_mask[0]) + hweight64(desc->subslice_mask[1]);

	return desc->n_eus ? 0 : -ENODATA;
}

/* No forcewake is needed: the register is not in the GT. */
static int describe_frequencies(struct gpu *gpu, struct gpuoa_unit_desc *desc)
{
	bool low_power = gpu->platform->low_power;
	u32 caps;
	int ret;

	ret = pm_runtime_resume_and_get(&gpu->lease.pdev->dev);
	if (ret)
		return ret;
	caps = gpu_read(gpu, low_power ? RP_STATE_CAP_LOW_POWER : RP_STATE_CAP);
	pm_runtime_put_autosuspend(&gpu->lease.pdev->dev);

	desc->gt_max_frequency = FIELD_GET(RP_STATE_CAP_FIRST, caps) * RP_STATE_CAP_UNIT;
	desc->gt_min_frequency = FIELD_GET(RP_STATE_CAP_LAST, caps) * RP_STATE_CAP_UNIT;
	if (low_power)
		swap(desc->gt_max_frequency, desc->gt_min_frequency);

	return 0;
}

/*
 * On all supported GPUs, the OA timestamp and the timestamp of the command streamers are the same.
 */
static int describe_clock(struct ioctl_args *args, struct file *file, struct gpu *gpu)
{
	struct drm_i915_reg_read reg = { .offset = RCS_TIMESTAMP | I915_REG_READ_8B_WA };
	int frequency, ret;

	frequency = get_param(args, file, I915_PARAM_CS_TIMESTAMP_FREQUENCY);
	if (frequency <= 0)
		return frequency ?: -ENODATA;
	ret = node_ioctl(file, DRM_IOCTL_I915_REG_READ, &reg);
	if (ret)
		return ret;
	gpu->unit.frequency = frequency;
	gpu->unit.anchor = (struct clock_anchor){ .ticks = reg.val, .ns = ktime_get_raw_fast_ns() };

	return 0;
}

static int describe(struct ioctl_args *args, struct file *file, void *data)
{
	struct description *d = data;
	struct gpu *gpu = d->gpu;
	int ret;

	d->why = "i915 has no i915-perf for it";
	ret = get_param(args, file, I915_PARAM_PERF_REVISION);
	if (ret < 0)
		return ret;
	d->why = "i915 does not report its clock";
	ret = describe_clock(args, file, gpu);
	if (ret)
		return ret;
	d->why = "i915 does not report its topology";
	ret = get_topology(args, file, d->topology);
	ret = ret ?: describe_topology(d->topology, d->desc);
	if (ret)
		return ret;
	d->why = "its frequencies cannot be read";
	ret = describe_frequencies(gpu, d->desc);
	if (ret)
		return ret;

	d->why = "i915 does not report how contexts are submitted";
	ret = get_param(args, file, I915_PARAM_HAS_SCHEDULER);
	if (ret < 0)
		return ret;
	gpu->guc = ret & I915_SCHEDULER_CAP_STATIC_PRIORITY_MAP;
	d->why = NULL;

	return 0;
}

/**
 * describe_gpu() - Query the description of a GPU from i915.
 * @gpu: GPU with mapped registers; its clock is initialized
 * @desc: description, output
 * @why: reason of a failure, output
 *
 * Context: may sleep
 * Return: 0 or -errno
 */
int describe_gpu(struct gpu *gpu, struct gpuoa_unit_desc *desc, const char **why)
{
	struct description d = { .gpu = gpu, .desc = desc, .why = "no memory" };
	int ret;

	*desc = (struct gpuoa_unit_desc){
		.platform = gpu->platform->name,
		.unit_type = GPUOA_UNIT_OA,
		.device_id = gpu->lease.pdev->device,
		.revision = gpu->lease.pdev->revision,
		.threads_per_eu = gpu->platform->threads_per_eu,
	};
	*why = d.why;
	d.topology = kzalloc(TOPOLOGY_MAX, GFP_KERNEL);
	if (!d.topology)
		return -ENOMEM;
	d.why = "its render node cannot be opened";
	ret = node_run(&gpu->lease, describe, &d, PAGE_SIZE);
	kfree(d.topology);
	*why = d.why;
	desc->timestamp_frequency = gpu->unit.frequency;
	desc->context_mask = gpu->platform->generation->context_mask;
	desc->cs_timestamp_frequency = gpu->unit.frequency;
	desc->cs_timestamp_bits = 36;

	return ret;
}
