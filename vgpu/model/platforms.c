// SPDX-License-Identifier: GPL-2.0-only
/*
 * platforms.c - table of the GPUs that can be simulated.
 */
#include "cs.h"
#include "gen12.h"
#include "gen7.h"
#include "gen8.h"
#include "oam.h"
#include "platforms.h"
#include "xe2.h"

/*
 * Engines that a unit counts for. In i915 OAG counts the render engine only, in xe also the compute
 * engines. The media units are on the second GT, which has media engines only. On Battlemage each
 * of two media units counts a codec and a post-processor, and OAMG the blocks that they share.
 */
static const struct gpuoa_engine_id engines_render[] = { { GPUOA_ENGINE_CLASS_RENDER, 0 } };

static const struct gpuoa_engine_id engines_compute[] = {
	{ GPUOA_ENGINE_CLASS_RENDER, 0 },
	{ GPUOA_ENGINE_CLASS_COMPUTE, 0 },
};

static const struct gpuoa_engine_id engines_media_mtl[] = {
	{ GPUOA_ENGINE_CLASS_VIDEO, 0 },
	{ GPUOA_ENGINE_CLASS_VIDEO, 2 },
	{ GPUOA_ENGINE_CLASS_VIDEO_ENHANCE, 0 },
};

static const struct gpuoa_engine_id engines_media0[] = {
	{ GPUOA_ENGINE_CLASS_VIDEO, 0 },
	{ GPUOA_ENGINE_CLASS_VIDEO_ENHANCE, 0 },
};

static const struct gpuoa_engine_id engines_media1[] = {
	{ GPUOA_ENGINE_CLASS_VIDEO, 2 },
	{ GPUOA_ENGINE_CLASS_VIDEO_ENHANCE, 1 },
};

#define UNIT(type_, ops_, gt_, engines_)                                           \
	{                                                                          \
		.type = (type_), .ops = &(ops_), .gt = (gt_), .engines = engines_, \
		.n_engines = ARRAY_SIZE(engines_),                                 \
	}

/* Haswell and gen8 to gen12 have one OA unit. */
#define ONE_UNIT(ops_)                                       \
	{                                                    \
		UNIT(GPUOA_UNIT_OA, ops_, 0, engines_render) \
	}

static const struct sim_platform platforms[] = {
	{
		/* Core i7-4770, HD Graphics 4600 */
		.name = "hsw_gt2",
		.desc = {
			.platform = "hsw",
			.timestamp_frequency = 12500000,
			.gt_min_frequency = 350000000,
			.gt_max_frequency = 1200000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0x3 },
			.device_id = 0x0412,
			.revision = 0x06,
			.n_slices = 1,
			.n_subslices = 2,
			.n_eus = 20,
			.threads_per_eu = 7,
			.subslice_stride = 3,
		},
		.ranges = { sim_ranges_gen7 },
		.reset = sim_reset_gen7,
		.cs = &sim_cs_gen7,
		.units = ONE_UNIT(sim_oa_gen7),
		.named_by_address = true,
	},
	{
		/* Core i7-5500U, HD Graphics 5500 */
		.name = "bdw_gt2",
		.desc = {
			.platform = "bdw",
			.timestamp_frequency = 12500000,
			.gt_min_frequency = 300000000,
			.gt_max_frequency = 950000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0x7 },
			.device_id = 0x1616,
			.revision = 0x09,
			.n_slices = 1,
			.n_subslices = 3,
			.n_eus = 24,
			.threads_per_eu = 7,
			.subslice_stride = 3,
			.context_mask = 0x1fffff,
		},
		.ranges = { sim_ranges_gen8 },
		.cs = &sim_cs_gen8,
		.units = ONE_UNIT(sim_oa_gen8),
	},
	{
		/* Core i7-6700K, HD Graphics 530 */
		.name = "skl_gt2",
		.desc = {
			.platform = "sklgt2",
			.timestamp_frequency = 12000000,
			.gt_min_frequency = 350000000,
			.gt_max_frequency = 1150000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0x7 },
			.device_id = 0x1912,
			.revision = 0x06,
			.n_slices = 1,
			.n_subslices = 3,
			.n_eus = 24,
			.threads_per_eu = 7,
			.subslice_stride = 3,
			.context_mask = 0x1fffff,
		},
		.ranges = { sim_ranges_gen8, sim_ranges_gen9 },
		.cs = &sim_cs_gen8,
		.units = ONE_UNIT(sim_oa_gen9),
	},
	{
		/* Core i7-1065G7, Iris Plus Graphics G7 */
		.name = "icl_gt2",
		.desc = {
			.platform = "icl",
			.timestamp_frequency = 12000000,
			.gt_min_frequency = 300000000,
			.gt_max_frequency = 1100000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0xff },
			.device_id = 0x8a52,
			.revision = 0x07,
			.n_slices = 1,
			.n_subslices = 8,
			.n_eus = 64,
			.threads_per_eu = 7,
			.subslice_stride = 8,
			.context_mask = 0x7ff << 5,
		},
		.ranges = { sim_ranges_gen8, sim_ranges_gen9 },
		.cs = &sim_cs_gen8,
		.units = ONE_UNIT(sim_oa_gen11),
		.context_shift = 5,
	},
	{
		/* Core i7-1185G7, Iris Xe Graphics */
		.name = "tgl_gt2",
		.desc = {
			.platform = "tglgt2",
			.timestamp_frequency = 19200000,
			.gt_min_frequency = 100000000,
			.gt_max_frequency = 1350000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0x3f },
			.device_id = 0x9a49,
			.revision = 0x01,
			.n_slices = 1,
			.n_subslices = 6,
			.n_eus = 96,
			.threads_per_eu = 7,
			.subslice_stride = 6,
			.context_mask = 0x7ff << 5,
		},
		.ranges = { sim_ranges_oag, sim_ranges_gen12 },
		.cs = &sim_cs_gen12,
		.units = ONE_UNIT(sim_oag_gen12),
		.context_shift = 5,
	},
	{
		/* Core i7-11700, UHD Graphics 750 */
		.name = "rkl_gt1",
		.desc = {
			.platform = "rkl",
			.timestamp_frequency = 19200000,
			.gt_min_frequency = 350000000,
			.gt_max_frequency = 1300000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0x3 },
			.device_id = 0x4c8a,
			.revision = 0x04,
			.n_slices = 1,
			.n_subslices = 2,
			.n_eus = 32,
			.threads_per_eu = 7,
			.subslice_stride = 6,
			.context_mask = 0x7ff << 5,
		},
		.ranges = { sim_ranges_oag, sim_ranges_gen12 },
		.cs = &sim_cs_gen12,
		.units = ONE_UNIT(sim_oag_gen12),
		.context_shift = 5,
	},
	{
		/* Core Ultra 5 125U, four Xe cores; timestamps count the crystal clock */
		.name = "mtl_gt2",
		.desc = {
			.platform = "mtlgt2",
			.timestamp_frequency = 38400000,
			.gt_min_frequency = 100000000,
			.gt_max_frequency = 1850000000,
			.slice_mask = 0x1,
			.subslice_mask = { 0xf },
			.device_id = 0x7d45,
			.revision = 0x08,
			.n_slices = 1,
			.n_subslices = 4,
			.n_eus = 64,
			.threads_per_eu = 8,
			.subslice_stride = 4,
			.n_compute_engines = 1,
			.context_mask = 0xffff << 7,
		},
		.ranges = {
			sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_mtl,
			sim_ranges_media_gt, sim_ranges_oam_mtl,
		},
		.cs = &sim_cs_gen12_7,
		.cs_timestamp_shift = 1,
		.units = {
			UNIT(GPUOA_UNIT_OA, sim_oag_mtl, 0, engines_compute),
			UNIT(GPUOA_UNIT_OAM0, sim_oam_mtl, 1, engines_media_mtl),
		},
		.context_shift = 7,
		.mmio_trigger = true,
	},
	{
		/* Core Ultra 7 258V, Arc Graphics 140V */
		.name = "lnl",
		.desc = {
			.platform = "lnl",
			.timestamp_frequency = 19200000,
			.gt_min_frequency = 100000000,
			.gt_max_frequency = 1950000000,
			.slice_mask = 0x3,
			.subslice_mask = { 0xff },
			.device_id = 0x64a0,
			.revision = 0x04,
			.n_slices = 2,
			.n_subslices = 8,
			.n_eus = 64,
			.threads_per_eu = 8,
			.l3_bank_mask = 0xff,
			.subslice_stride = 4,
			.n_compute_engines = 1,
			.context_mask = 0xffff << 7,
		},
		.ranges = {
			sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_xe2,
			sim_ranges_media_gt, sim_ranges_oam_xe2_scmi0, sim_ranges_oam_xe2_sag,
		},
		.cs = &sim_cs_xe2,
		.units = {
			UNIT(GPUOA_UNIT_OA, sim_oag_xe2, 0, engines_compute),
			UNIT(GPUOA_UNIT_OAM0, sim_oam_xe2_scmi0, 1, engines_media0),
			{ .type = GPUOA_UNIT_OAMG, .ops = &sim_oam_xe2_sag, .gt = 1 },
		},
		.context_shift = 7,
		.mmio_trigger = true,
	},
	{
		/* Arc B580 */
		.name = "bmg",
		.desc = {
			.platform = "bmg",
			.timestamp_frequency = 19200000,
			.gt_min_frequency = 400000000,
			.gt_max_frequency = 2850000000,
			.slice_mask = 0x1f,
			.subslice_mask = { 0xfffff },
			.device_id = 0xe20b,
			.revision = 0x00,
			.n_slices = 5,
			.n_subslices = 20,
			.n_eus = 160,
			.threads_per_eu = 8,
			.l3_bank_mask = 0xffffffff,
			.subslice_stride = 4,
			.n_compute_engines = 1,
			.context_mask = 0xffff << 7,
		},
		.ranges = {
			sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_xe2,
			sim_ranges_media_gt, sim_ranges_oam_xe2_scmi0, sim_ranges_oam_xe2_sag,
			sim_ranges_oam_xe2_scmi1,
		},
		.cs = &sim_cs_xe2,
		.units = {
			UNIT(GPUOA_UNIT_OA, sim_oag_xe2, 0, engines_compute),
			UNIT(GPUOA_UNIT_OAM0, sim_oam_xe2_scmi0, 1, engines_media0),
			{ .type = GPUOA_UNIT_OAMG, .ops = &sim_oam_xe2_sag, .gt = 1 },
			UNIT(GPUOA_UNIT_OAM1, sim_oam_xe2_scmi1, 1, engines_media1),
		},
		.context_shift = 7,
		.mmio_trigger = true,
	},
};

/**
 * sim_platform_find() - Find a platform.
 * @name: its name
 *
 * Return: the platform, or NULL
 */
const struct sim_platform *sim_platform_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];

	return NULL;
}

/**
 * sim_platform_name() - Get the name of a platform.
 * @index: its index
 *
 * Return: its name, or NULL if there are fewer platforms
 */
const char *sim_platform_name(unsigned int index)
{
	return index < ARRAY_SIZE(platforms) ? platforms[index].name : NULL;
}
