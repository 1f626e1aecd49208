// SPDX-License-Identifier: MIT
/* xe_gpu.c - query xe for the GPU of a unit */
#include "reader/xe/xe_gpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/platforms.h"
#include "reader/xe/xe_query.h"

#define FIRST_VERSION 20 /* graphics IP version of Xe2 */

/* Of a GPU that platforms.txt does not know */
#define CORES_PER_SLICE 4
#define THREADS_PER_EU 8

static int read_config(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	const struct gpu_platform *platform;
	size_t size;
	int err;
	struct drm_xe_query_config *config =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_CONFIG, &size, &err);

	if (!config)
		return err;
	desc->device_id = config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] & 0xffff;
	desc->revision = config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] >> 16 & 0xff;
	free(config);
	platform = gpu_platform_of_device(desc->device_id);
	if (platform)
		strcpy(desc->platform, platform->name);
	return 0;
}

/* Fails for GPUs before Xe2: they belong to i915, and xe supports them only experimentally. */
static int read_gts(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	bool known = false;
	size_t size;
	int err;
	struct drm_xe_query_gt_list *list =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_GT_LIST, &size, &err);

	if (!list)
		return err;
	for (uint32_t i = 0; i < list->num_gt; i++) {
		const struct drm_xe_gt *gt = &list->gt_list[i];

		known |= gt->type == DRM_XE_QUERY_GT_TYPE_MAIN && gt->ip_ver_major >= FIRST_VERSION;
		if (gt->gt_id != desc->gt)
			continue;
		desc->tile = gt->tile_id;
		desc->cs_timestamp_frequency = gt->reference_clock;
	}
	free(list);
	desc->cs_timestamp_bits = 64;
	return known ? 0 : -EOPNOTSUPP;
}

/* 64 bits of a mask, from bit 64 * @word on */
static uint64_t mask_of(const struct drm_xe_query_topology_mask *mask, uint32_t word)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < sizeof(value) && 8 * word + i < mask->num_bytes; i++)
		value |= (uint64_t)mask->mask[8 * word + i] << 8 * i;
	return value;
}

/* Add a topology mask; media GTs have none. */
static void take_mask(struct gpuoa_unit_desc *desc, const struct drm_xe_query_topology_mask *mask,
		      uint32_t *eus)
{
	const uint64_t value = mask_of(mask, 0);

	switch (mask->type) {
	case DRM_XE_TOPO_DSS_GEOMETRY:
	case DRM_XE_TOPO_DSS_COMPUTE:
		desc->subslice_mask |= value;
		desc->subslice_mask_high |= mask_of(mask, 1);
		break;
	case DRM_XE_TOPO_L3_BANK:
		desc->l3_bank_mask |= value;
		break;
	case DRM_XE_TOPO_EU_PER_DSS:
	case DRM_XE_TOPO_SIMD16_EU_PER_DSS:
		if (value)
			*eus = (uint32_t)__builtin_popcountll(value);
		break;
	}
}

/* xe does not report these numbers. */
static uint32_t usual(const struct gpuoa_unit_desc *desc, enum gpu_fact fact, uint32_t otherwise)
{
	const struct gpu_platform *platform = gpu_platform_of_device(desc->device_id);
	const uint64_t value = platform ? gpu_usual(platform, desc->device_id, fact) : 0;

	return value ? (uint32_t)value : otherwise;
}

static int read_topology(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	const uint32_t stride = usual(desc, GPU_SUBSLICE_STRIDE, CORES_PER_SLICE);
	uint32_t eus = 0;
	size_t size, at = 0;
	int err;
	uint8_t *answer = xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_GT_TOPOLOGY, &size, &err);

	if (!answer)
		return err;
	while (size - at >= sizeof(struct drm_xe_query_topology_mask)) {
		const struct drm_xe_query_topology_mask *mask = (const void *)(answer + at);

		at += sizeof(*mask);
		if (mask->num_bytes > size - at)
			break;
		at += mask->num_bytes;
		take_mask(desc, mask, &eus);
	}
	free(answer);

	desc->subslice_stride = stride;
	for (uint32_t i = 0; i < 128; i++)
		if ((i < 64 ? desc->subslice_mask : desc->subslice_mask_high) >> i % 64 & 1)
			desc->slice_mask |= UINT64_C(1) << i / stride % 64;
	desc->slice_count = (uint32_t)__builtin_popcountll(desc->slice_mask);
	desc->subslice_count = (uint32_t)(__builtin_popcountll(desc->subslice_mask) +
					  __builtin_popcountll(desc->subslice_mask_high));
	desc->eu_count = desc->subslice_count * eus;
	desc->threads_per_eu = usual(desc, GPU_THREADS, THREADS_PER_EU);
	return desc->subslice_count ? 0 : -ENODATA;
}

static int read_engines(struct xe_unit *unit)
{
	size_t size;
	int err;
	struct drm_xe_query_engines *engines =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_ENGINES, &size, &err);

	if (!engines)
		return err;
	for (uint32_t i = 0; i < engines->num_engines; i++)
		if (engines->engines[i].instance.engine_class == DRM_XE_ENGINE_CLASS_COMPUTE)
			unit->drm.unit.desc.compute_engine_count++;
	free(engines);
	return 0;
}

int xe_gpu_describe(struct xe_unit *unit)
{
	int err = read_config(unit);

	if (!err)
		err = read_gts(unit);
	if (!err)
		err = read_topology(unit);
	return err ? err : read_engines(unit);
}
