// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_xe_query.c - queries to xe: OA units, topology, engines, clocks. */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/math.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/units.h>

#include <gen12_regs.h>
#include <gen7_regs.h>

#include "../lease/lease_ioctl.h"
#include "gpu.h"
#include "gpuoa_xe_query.h"
#include "ids.h"

/*
 * Unit type of later kernels: OAM of all media engines of a GT. These kernels have other OAM units
 * as well, in the order of their numbers.
 */
#define UNIT_TYPE_OAM_SAG 2

/* Minimum and maximum frequency of the GT, in units of 50/3 MHz */
#define RP_STATE_CAP 0x138000
#define RP_STATE_CAP_MEDIA 0x138020
#define RP_STATE_CAP_FIRST GENMASK(8, 0)
#define RP_STATE_CAP_LAST GENMASK(24, 16)
#define RP_STATE_CAP_MULTIPLIER 50
#define RP_STATE_CAP_DIVIDER 3

/* Timestamps of media engines: a pair of VCS and a VECS every 64 KiB */
#define MEDIA_ENGINES 0x1c0000
#define MEDIA_ENGINES_PAIR 0x10000
#define MEDIA_ENGINES_VCS 0x4000
#define MEDIA_ENGINES_VECS 0x8000
#define ENGINE_TIMESTAMP 0x358

/* Size of xe's OABUFFER, bytes: the default of kernels where OA_BUFFER_SIZE can be requested */
#define STREAM_BUFFER_SIZE SZ_16M

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

/* Get the unit at @at and advance @at to the next one. Returns NULL at the end of the answer. */
static const struct drm_xe_oa_unit *next_unit(const void **at, const void *end)
{
	const struct drm_xe_oa_unit *unit = *at;
	size_t room = end - *at;

	if (room < sizeof(*unit) ||
	    unit->num_engines > (room - sizeof(*unit)) / sizeof(unit->eci[0]))
		return NULL;
	*at += struct_size(unit, eci, unit->num_engines);

	return unit;
}

/* MMIO offset of the timestamp of the unit's first engine, which equals that of its reports */
static u32 clock_of(const struct drm_xe_engine_class_instance *engine)
{
	u32 instance = engine->engine_instance;

	if (engine->engine_class == DRM_XE_ENGINE_CLASS_VIDEO_DECODE)
		return MEDIA_ENGINES + instance / 2 * MEDIA_ENGINES_PAIR +
		       instance % 2 * MEDIA_ENGINES_VCS + ENGINE_TIMESTAMP;
	if (engine->engine_class == DRM_XE_ENGINE_CLASS_VIDEO_ENHANCE)
		return MEDIA_ENGINES + instance * MEDIA_ENGINES_PAIR + MEDIA_ENGINES_VECS +
		       ENGINE_TIMESTAMP;

	return RCS_TIMESTAMP;
}

static void take_unit(struct gpu *gpu, const struct drm_xe_oa_unit *from,
		      enum gpuoa_unit_type type)
{
	static const u32 buffers[] = {
		[GPUOA_UNIT_OA] = OAG_OABUFFER,
		[GPUOA_UNIT_OAM0] = XE2_OAM_SCMI0_BASE + OAM_BUFFER,
		[GPUOA_UNIT_OAM1] = XE2_OAM_SCMI1_BASE + OAM_BUFFER,
		[GPUOA_UNIT_OAMG] = XE2_OAM_SAG_BASE + OAM_BUFFER,
	};
	struct xe_unit *unit = &gpu->units[gpu->n_units++];
	u64 i;

	lease_unit_init(&unit->lease, &gpu->lease);
	unit->lease.frequency = from->oa_timestamp_freq;
	unit->lease.clock = clock_of(&from->eci[0]);
	unit->id = from->oa_unit_id;
	unit->type = type;
	unit->engine = from->eci[0];
	unit->buffer = buffers[type];
	for (i = 0; i < from->num_engines && i < GPUOA_MAX_ENGINES; i++)
		unit->engines[unit->n_engines++] = (struct gpuoa_engine_id){
			.engine_class = from->eci[i].engine_class,
			.instance = from->eci[i].engine_instance,
		};
}

/* Get the enum gpuoa_unit_type of a unit, or -ENODEV if gpuoa has no such type. */
static int type_of(const struct drm_xe_oa_unit *unit, bool has_sag, u32 *n_oam)
{
	if (unit->oa_unit_type == DRM_XE_OA_UNIT_TYPE_OAG)
		return GPUOA_UNIT_OA;
	if (unit->oa_unit_type == UNIT_TYPE_OAM_SAG)
		return GPUOA_UNIT_OAMG;
	if (unit->oa_unit_type != DRM_XE_OA_UNIT_TYPE_OAM)
		return -ENODEV;
	if (!has_sag)
		return GPUOA_UNIT_OAMG;

	return (*n_oam)++ ? GPUOA_UNIT_OAM1 : GPUOA_UNIT_OAM0;
}

static bool find_sag(const struct drm_xe_query_oa_units *units, const void *end)
{
	const void *at = units->oa_units;
	const struct drm_xe_oa_unit *unit;
	bool found = false;
	u32 i;

	for (i = 0; i < units->num_oa_units && (unit = next_unit(&at, end)); i++)
		found |= unit->oa_unit_type == UNIT_TYPE_OAM_SAG;

	return found;
}

/* A unit without engines cannot be opened. */
static void take_units(struct gpu *gpu, const struct drm_xe_query_oa_units *units, const void *end)
{
	bool has_sag = find_sag(units, end);
	const void *at = units->oa_units;
	const struct drm_xe_oa_unit *unit;
	u32 i, n_oam = 0;

	for (i = 0; i < units->num_oa_units && (unit = next_unit(&at, end)); i++) {
		int type = type_of(unit, has_sag, &n_oam);

		if (type >= 0 && unit->num_engines && gpu->n_units < LEASE_UNITS)
			take_unit(gpu, unit, type);
	}
}

static int describe_units(struct ioctl_args *args, struct file *file, struct gpu *gpu)
{
	struct drm_xe_query_oa_units *units;
	size_t size;

	units = query(args, file, DRM_XE_DEVICE_QUERY_OA_UNITS, &size);
	if (IS_ERR(units))
		return PTR_ERR(units);
	if (size >= sizeof(*units))
		take_units(gpu, units, (void *)units + size);
	kfree(units);

	return gpu->n_units ? 0 : -ENODEV;
}

/* Get 64 bits of a mask, from bit 64 * @word on. */
static u64 mask_word(const struct drm_xe_query_topology_mask *mask, u32 word)
{
	u32 i, first = word * sizeof(u64);
	u64 value = 0;

	for (i = 0; i < sizeof(value) && first + i < mask->num_bytes; i++)
		value |= (u64)mask->mask[first + i] << (BITS_PER_BYTE * i);

	return value;
}

static void take_mask(const struct drm_xe_query_topology_mask *mask, struct gpuoa_unit_desc *desc,
		      u32 *eus)
{
	u32 i;

	switch (mask->type) {
	case DRM_XE_TOPO_DSS_GEOMETRY:
	case DRM_XE_TOPO_DSS_COMPUTE:
		for (i = 0; i < GPUOA_MASK_WORDS; i++)
			desc->subslice_mask[i] |= mask_word(mask, i);
		break;
	case DRM_XE_TOPO_L3_BANK:
		desc->l3_bank_mask |= mask_word(mask, 0);
		break;
	case DRM_XE_TOPO_EU_PER_DSS:
	case DRM_XE_TOPO_SIMD16_EU_PER_DSS:
		*eus = max_t(u32, *eus, hweight64(mask_word(mask, 0)));
		break;
	}
}

static void count_slices(const struct platform *platform, struct gpuoa_unit_desc *desc)
{
	u32 i;

	desc->subslice_stride = platform->subslice_stride;
	for (i = 0; i < GPUOA_MASK_WORDS * BITS_PER_LONG_LONG; i++)
		if (desc->subslice_mask[i / 64] & BIT_ULL(i % 64))
			desc->slice_mask |= BIT_ULL(i / platform->subslice_stride);
	desc->n_slices = hweight64(desc->slice_mask);
	for (i = 0; i < GPUOA_MASK_WORDS; i++)
		desc->n_subslices += hweight64(desc->subslice_mask[i]);
}

static int describe_topology(struct ioctl_args *args, struct file *file,
			     const struct platform *platform, struct gpuoa_unit_desc *desc)
{
	const struct drm_xe_query_topology_mask *mask;
	size_t size, at = 0;
	void *answer;
	u32 eus = 0;

	answer = query(args, file, DRM_XE_DEVICE_QUERY_GT_TOPOLOGY, &size);
	if (IS_ERR(answer))
		return PTR_ERR(answer);
	while (size - at >= sizeof(*mask)) {
		mask = answer + at;
		at += sizeof(*mask);
		if (mask->num_bytes > size - at)
			break;
		at += mask->num_bytes;
		take_mask(mask, desc, &eus);
	}
	kfree(answer);
	count_slices(platform, desc);
	desc->n_eus = desc->n_subslices * eus;

	return desc->n_eus ? 0 : -ENODATA;
}

static int describe_engines(struct ioctl_args *args, struct file *file,
			    struct gpuoa_unit_desc *desc)
{
	struct drm_xe_query_engines *engines;
	size_t size;
	u32 i;

	engines = query(args, file, DRM_XE_DEVICE_QUERY_ENGINES, &size);
	if (IS_ERR(engines))
		return PTR_ERR(engines);
	for (i = 0; struct_size(engines, engines, i + 1) <= size && i < engines->num_engines; i++)
		desc->n_compute_engines += engines->engines[i].instance.engine_class ==
					   DRM_XE_ENGINE_CLASS_COMPUTE;
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

static int describe_by(struct ioctl_args *args, struct file *file, struct description *d)
{
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

static int describe(struct ioctl_args *args, void *data)
{
	struct description *d = data;
	struct file *file;
	int ret;

	d->why = "its render node cannot be opened";
	file = node_open(d->gpu->lease.drm);
	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = describe_by(args, file, d);
	node_close(file);

	return ret;
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
	struct description d = { .gpu = gpu, .desc = desc, .why = "no memory" };
	int ret;

	*desc = (struct gpuoa_unit_desc){
		.platform = gpu->platform->name,
		.device_id = gpu->lease.pdev->device,
		.revision = gpu->lease.pdev->revision,
		.threads_per_eu = gpu->platform->threads_per_eu,
		.buffer_size_max = STREAM_BUFFER_SIZE,
	};
	ret = ioctl_run(gpu->lease.worker, describe, &d, QUERY_ROOM);
	*why = d.why;

	return ret;
}

static u64 frequency(u32 cap)
{
	return DIV_ROUND_CLOSEST(cap * RP_STATE_CAP_MULTIPLIER, RP_STATE_CAP_DIVIDER) *
	       (u64)HZ_PER_MHZ;
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
	desc->timestamp_frequency = unit->lease.frequency;
	desc->cs_timestamp_frequency = unit->lease.frequency;
	desc->gt_max_frequency = frequency(FIELD_GET(RP_STATE_CAP_FIRST, caps));
	desc->gt_min_frequency = frequency(FIELD_GET(RP_STATE_CAP_LAST, caps));
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

static int read_clock(struct ioctl_args *args, void *data)
{
	struct drm_xe_query_engine_cycles cycles;
	struct clock_call *call = data;
	struct file *file;
	int ret;

	file = node_open(call->unit->lease.gpu->drm);
	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = query_cycles(args, file, call->unit, &cycles);
	*call->clock = cycles.engine_cycles;
	node_close(file);

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

	return ioctl_run(unit->gpu->worker, read_clock, &call, PAGE_SIZE);
}
