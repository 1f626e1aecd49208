// SPDX-License-Identifier: GPL-2.0-only
/*
 * query.c - DRM_IOCTL_XE_DEVICE_QUERY: describes the GPU to programs.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "../instance.h"
#include "vgpu/model/gpu.h"
#include "gpus.h"
#include "query.h"
#include "xe.h"

/*
 * Size of the buffer in which each answer is built, so that the answer's size is known. If the
 * caller passes size 0, only this size is returned; any other size must match it exactly.
 */
#define ANSWER_MAX SZ_4K

/**
 * struct answer - the answer to a query
 * @data: zero-initialized buffer of ANSWER_MAX bytes
 * @size: number of bytes used
 */
struct answer {
	u8 *data;
	size_t size;
};

static void *answer_add(struct answer *answer, size_t size)
{
	void *at = answer->data + answer->size;

	answer->size += size;
	return at;
}

static int query_engines(struct sim_xe *xe, struct answer *answer)
{
	struct drm_xe_query_engines *engines = answer_add(answer, sizeof(*engines));
	struct drm_xe_engine *engine;
	unsigned int i;

	for (i = 0; i < xe->gpu->n_engines; i++) {
		engine = answer_add(answer, sizeof(*engine));
		engine->instance = xe->gpu->engines[i];
	}
	engines->num_engines = i;
	return 0;
}

/* VRAM is simulated with system memory. The amount in use is not reported. */
static int query_mem_regions(struct sim_xe *xe, struct answer *answer)
{
	struct drm_xe_query_mem_regions *regions = answer_add(answer, sizeof(*regions));
	struct drm_xe_mem_region *region = answer_add(answer, sizeof(*region));

	region->mem_class = DRM_XE_MEM_REGION_CLASS_SYSMEM;
	region->min_page_size = PAGE_SIZE;
	region->total_size = (u64)totalram_pages() << PAGE_SHIFT;
	regions->num_mem_regions = 1;
	if (!xe->gpu->vram)
		return 0;

	region = answer_add(answer, sizeof(*region));
	region->mem_class = DRM_XE_MEM_REGION_CLASS_VRAM;
	region->instance = 1;
	region->min_page_size = PAGE_SIZE;
	region->total_size = xe->gpu->vram;
	region->cpu_visible_size = xe->gpu->vram;
	regions->num_mem_regions = 2;
	return 0;
}

static int query_config(struct sim_xe *xe, struct answer *answer)
{
	const struct gpuoa_unit_desc *desc = &xe->instance->gpu.platform->desc;
	const u32 n_params = DRM_XE_QUERY_CONFIG_MAX_EXEC_QUEUE_PRIORITY + 1;
	struct drm_xe_query_config *config;

	config = answer_add(answer, struct_size(config, info, n_params));
	config->num_params = n_params;
	config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] = desc->device_id |
							      desc->revision << 16;
	if (xe->gpu->vram)
		config->info[DRM_XE_QUERY_CONFIG_FLAGS] = DRM_XE_QUERY_CONFIG_FLAG_HAS_VRAM;
	config->info[DRM_XE_QUERY_CONFIG_MIN_ALIGNMENT] = SZ_4K;
	config->info[DRM_XE_QUERY_CONFIG_VA_BITS] = 48;
	/* xe's priorities are low, normal and high; only CAP_SYS_NICE allows high. */
	config->info[DRM_XE_QUERY_CONFIG_MAX_EXEC_QUEUE_PRIORITY] = capable(CAP_SYS_NICE) ? 2 : 1;
	return 0;
}

static int query_gt_list(struct sim_xe *xe, struct answer *answer)
{
	struct drm_xe_query_gt_list *list = answer_add(answer, sizeof(*list));
	unsigned int i;

	for (i = 0; i < SIM_XE_N_GTS; i++) {
		struct drm_xe_gt *gt = answer_add(answer, sizeof(*gt));

		gt->type = i ? DRM_XE_QUERY_GT_TYPE_MEDIA : DRM_XE_QUERY_GT_TYPE_MAIN;
		gt->gt_id = i;
		gt->reference_clock = xe->instance->gpu.platform->desc.timestamp_frequency;
		gt->near_mem_regions = xe->gpu->vram ? BIT(1) : BIT(0);
		gt->far_mem_regions = xe->gpu->vram ? BIT(0) : 0;
		gt->ip_ver_major = xe->gpu->ips[i].major;
		gt->ip_ver_minor = xe->gpu->ips[i].minor;
	}
	list->num_gt = SIM_XE_N_GTS;
	return 0;
}

/*
 * On real GPUs, the GuC firmware provides this table. There is no firmware here, so the answer is
 * empty.
 */
static int query_hwconfig(struct sim_xe *xe, struct answer *answer)
{
	return 0;
}

static void answer_mask(struct answer *answer, u16 gt, u16 type, u64 value, u32 n_bytes)
{
	struct drm_xe_query_topology_mask *mask = answer_add(answer, sizeof(*mask));
	__le64 bytes = cpu_to_le64(value);

	mask->gt_id = gt;
	mask->type = type;
	mask->num_bytes = n_bytes;
	memcpy(answer_add(answer, n_bytes), &bytes, sizeof(bytes));
}

/* Each mask has the same number of bytes as in xe. A media GT has no Xe cores. */
static int query_gt_topology(struct sim_xe *xe, struct answer *answer)
{
	const struct gpuoa_unit_desc *desc = &xe->instance->gpu.platform->desc;
	u32 eus = desc->n_eus / desc->n_subslices;
	unsigned int gt;

	for (gt = 0; gt < SIM_XE_N_GTS; gt++) {
		u64 dss = gt ? 0 : desc->subslice_mask[0];

		answer_mask(answer, gt, DRM_XE_TOPO_DSS_GEOMETRY, dss, 16);
		answer_mask(answer, gt, DRM_XE_TOPO_DSS_COMPUTE, dss, 16);
		answer_mask(answer, gt, DRM_XE_TOPO_L3_BANK, gt ? 0 : desc->l3_bank_mask, 8);
		answer_mask(answer, gt, DRM_XE_TOPO_SIMD16_EU_PER_DSS,
			    gt ? 0 : GENMASK_ULL(eus - 1, 0), 8);
	}
	return 0;
}

static int cpu_clock_read(s32 clockid, u64 *ns)
{
	switch (clockid) {
	case CLOCK_MONOTONIC:
		*ns = ktime_get_ns();
		return 0;
	case CLOCK_MONOTONIC_RAW:
		*ns = ktime_get_raw_ns();
		return 0;
	case CLOCK_REALTIME:
		*ns = ktime_get_real_ns();
		return 0;
	case CLOCK_BOOTTIME:
		*ns = ktime_get_boottime_ns();
		return 0;
	case CLOCK_TAI:
		*ns = ktime_get_clocktai_ns();
		return 0;
	default:
		return -EINVAL;
	}
}

/* All engines share the timestamp counter of the GPU, which has 64 bits since Xe2. */
static int query_engine_cycles(struct sim_xe *xe, struct drm_xe_device_query *query)
{
	struct drm_xe_query_engine_cycles __user *user = u64_to_user_ptr(query->data);
	struct sim_gpu *gpu = &xe->instance->gpu;
	struct drm_xe_query_engine_cycles cycles;
	u64 begin;
	int ret;

	if (!query->size) {
		query->size = sizeof(cycles);
		return 0;
	}
	if (query->size != sizeof(cycles))
		return -EINVAL;
	if (copy_from_user(&cycles, user, sizeof(cycles)))
		return -EFAULT;
	if (!sim_xe_engine_find(xe->gpu, &cycles.eci))
		return -EINVAL;

	sim_gpu_get(gpu);
	begin = local_clock();
	ret = cpu_clock_read(cycles.clockid, &cycles.cpu_timestamp);
	cycles.engine_cycles = sim_gpu_read_timestamp(gpu);
	cycles.cpu_delta = local_clock() - begin;
	sim_gpu_put(gpu);
	if (ret)
		return ret;

	cycles.width = 64;
	return copy_to_user(user, &cycles, sizeof(cycles)) ? -EFAULT : 0;
}

/*
 * Query a firmware version. A virtual GPU has no microcontroller with firmware, so valid queries
 * fail with -ENODEV.
 */
static int query_uc_fw_version(struct drm_xe_device_query *query)
{
	struct drm_xe_query_uc_fw_version version;

	if (!query->size) {
		query->size = sizeof(version);
		return 0;
	}
	if (query->size != sizeof(version))
		return -EINVAL;
	if (copy_from_user(&version, u64_to_user_ptr(query->data), sizeof(version)))
		return -EFAULT;
	if (version.pad || version.pad2 || version.reserved ||
	    version.uc_type > XE_QUERY_UC_TYPE_HUC)
		return -EINVAL;
	return -ENODEV;
}

static int query_oa_units(struct sim_xe *xe, struct answer *answer)
{
	struct drm_xe_query_oa_units *units = answer_add(answer, sizeof(*units));
	unsigned int i, j;

	for (i = 0; i < SIM_XE_MAX_UNITS; i++) {
		struct drm_xe_oa_unit *unit = answer_add(answer, sizeof(*unit));

		unit->oa_unit_id = i;
		unit->oa_unit_type = xe->units[i].type;
		unit->capabilities = DRM_XE_OA_CAPS_BASE | DRM_XE_OA_CAPS_SYNCS;
		unit->oa_timestamp_freq = xe->instance->gpu.platform->desc.timestamp_frequency;
		for (j = 0; j < xe->gpu->n_engines; j++) {
			struct drm_xe_engine_class_instance *engine;

			if (sim_xe_engine_unit(&xe->gpu->engines[j]) != i)
				continue;
			engine = answer_add(answer, sizeof(*engine));
			*engine = xe->gpu->engines[j];
			unit->num_engines++;
		}
	}
	units->num_oa_units = i;
	return 0;
}

static int (*const answers[])(struct sim_xe *xe, struct answer *answer) = {
	[DRM_XE_DEVICE_QUERY_ENGINES] = query_engines,
	[DRM_XE_DEVICE_QUERY_MEM_REGIONS] = query_mem_regions,
	[DRM_XE_DEVICE_QUERY_CONFIG] = query_config,
	[DRM_XE_DEVICE_QUERY_GT_LIST] = query_gt_list,
	[DRM_XE_DEVICE_QUERY_HWCONFIG] = query_hwconfig,
	[DRM_XE_DEVICE_QUERY_GT_TOPOLOGY] = query_gt_topology,
	[DRM_XE_DEVICE_QUERY_OA_UNITS] = query_oa_units,
};

static int query_answer(struct sim_xe *xe, struct drm_xe_device_query *query)
{
	struct answer answer = { .data = kzalloc(ANSWER_MAX, GFP_KERNEL) };
	int ret;

	if (!answer.data)
		return -ENOMEM;
	ret = answers[query->query](xe, &answer);
	if (ret)
		goto out;
	if (!query->size)
		query->size = answer.size;
	else if (query->size != answer.size)
		ret = -EINVAL;
	else if (copy_to_user(u64_to_user_ptr(query->data), answer.data, answer.size))
		ret = -EFAULT;
out:
	kfree(answer.data);
	return ret;
}

/**
 * sim_xe_query_ioctl() - Handle DRM_IOCTL_XE_DEVICE_QUERY.
 * @drm: the DRM device
 * @data: struct drm_xe_device_query
 * @file: the calling file
 *
 * Return: 0, -EINVAL, -EFAULT, -ENOMEM, or -ENODEV for a query of a firmware version
 */
int sim_xe_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_device_query *query = data;
	struct sim_xe *xe = sim_xe_of(drm);

	if (query->extensions || query->reserved[0] || query->reserved[1])
		return -EINVAL;
	switch (query->query) {
	case DRM_XE_DEVICE_QUERY_ENGINE_CYCLES:
		return query_engine_cycles(xe, query);
	case DRM_XE_DEVICE_QUERY_UC_FW_VERSION:
		return query_uc_fw_version(query);
	default:
		if (query->query >= ARRAY_SIZE(answers))
			return -EINVAL;
		return query_answer(xe, query);
	}
}
