// SPDX-License-Identifier: GPL-2.0-only
/*
 * platforms.c - table of the GPUs that can be simulated, from platforms/platforms.txt.
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

/*
 * GPUs of each generation by name and members of their description. platforms/platforms.txt names
 * these macros.
 */
#define MODEL_GEN7(name_, ...)			\
	{					\
		.name = (name_),		\
		.desc = { __VA_ARGS__ },	\
		.ranges = { sim_ranges_gen7 },	\
		.reset = sim_reset_gen7,	\
		.cs = &sim_cs_gen7,		\
		.units = ONE_UNIT(sim_oa_gen7),	\
		.named_by_address = true,	\
	}

#define MODEL_GEN8(name_, ...)						\
	{								\
		.name = (name_),					\
		.desc = { __VA_ARGS__, .context_mask = 0x1fffff },	\
		.ranges = { sim_ranges_gen8 },				\
		.cs = &sim_cs_gen8,					\
		.units = ONE_UNIT(sim_oa_gen8),				\
	}

#define MODEL_GEN9(name_, ...)						\
	{								\
		.name = (name_),					\
		.desc = { __VA_ARGS__, .context_mask = 0x1fffff },	\
		.ranges = { sim_ranges_gen8, sim_ranges_gen9 },		\
		.cs = &sim_cs_gen8,					\
		.units = ONE_UNIT(sim_oa_gen9),				\
	}

#define MODEL_GEN11(name_, ...)						\
	{								\
		.name = (name_),					\
		.desc = { __VA_ARGS__, .context_mask = 0x7ff << 5 },	\
		.ranges = { sim_ranges_gen8, sim_ranges_gen9 },		\
		.cs = &sim_cs_gen8,					\
		.units = ONE_UNIT(sim_oa_gen11),			\
		.context_shift = 5,					\
	}

#define MODEL_GEN12(name_, ...)						\
	{								\
		.name = (name_),					\
		.desc = { __VA_ARGS__, .context_mask = 0x7ff << 5 },	\
		.ranges = { sim_ranges_oag, sim_ranges_gen12 },		\
		.cs = &sim_cs_gen12,					\
		.units = ONE_UNIT(sim_oag_gen12),			\
		.context_shift = 5,					\
	}

/*
 * On DG2 and Meteor Lake, OA timestamps count the undivided crystal clock, those of commands half
 * of it.
 */
#define MODEL_DG2(name_, ...)								\
	{										\
		.name = (name_),							\
		.desc = { __VA_ARGS__, .context_mask = 0xffff << 7 },			\
		.ranges = { sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_dg2 },	\
		.cs = &sim_cs_gen12_7,							\
		.cs_timestamp_shift = 1,						\
		.units = { UNIT(GPUOA_UNIT_OA, sim_oag_mtl, 0, engines_compute) },	\
		.context_shift = 7,							\
		.mmio_trigger = true,							\
	}

#define MODEL_MTL(name_, ...)								\
	{										\
		.name = (name_),							\
		.desc = { __VA_ARGS__, .context_mask = 0xffff << 7 },			\
		.ranges = {								\
			sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_mtl,		\
			sim_ranges_media_gt, sim_ranges_oam_mtl,			\
		},									\
		.cs = &sim_cs_gen12_7,							\
		.cs_timestamp_shift = 1,						\
		.units = {								\
			UNIT(GPUOA_UNIT_OA, sim_oag_mtl, 0, engines_compute),		\
			UNIT(GPUOA_UNIT_OAM0, sim_oam_mtl, 1, engines_media_mtl),	\
		},									\
		.context_shift = 7,							\
		.mmio_trigger = true,							\
	}

#define MODEL_LNL(name_, ...)								\
	{										\
		.name = (name_),							\
		.desc = { __VA_ARGS__, .context_mask = 0xffff << 7 },			\
		.ranges = {								\
			sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_xe2,		\
			sim_ranges_media_gt, sim_ranges_oam_xe2_scmi0,			\
			sim_ranges_oam_xe2_sag,						\
		},									\
		.cs = &sim_cs_xe2,							\
		.units = {								\
			UNIT(GPUOA_UNIT_OA, sim_oag_xe2, 0, engines_compute),		\
			UNIT(GPUOA_UNIT_OAM0, sim_oam_xe2_scmi0, 1, engines_media0),	\
			{ .type = GPUOA_UNIT_OAMG, .ops = &sim_oam_xe2_sag, .gt = 1 },	\
		},									\
		.context_shift = 7,							\
		.mmio_trigger = true,							\
	}

#define MODEL_BMG(name_, ...)								\
	{										\
		.name = (name_),							\
		.desc = { __VA_ARGS__, .context_mask = 0xffff << 7 },			\
		.ranges = {								\
			sim_ranges_oag, sim_ranges_oag_gen12_5, sim_ranges_xe2,		\
			sim_ranges_media_gt, sim_ranges_oam_xe2_scmi0,			\
			sim_ranges_oam_xe2_sag, sim_ranges_oam_xe2_scmi1,		\
		},									\
		.cs = &sim_cs_xe2,							\
		.units = {								\
			UNIT(GPUOA_UNIT_OA, sim_oag_xe2, 0, engines_compute),		\
			UNIT(GPUOA_UNIT_OAM0, sim_oam_xe2_scmi0, 1, engines_media0),	\
			{ .type = GPUOA_UNIT_OAMG, .ops = &sim_oam_xe2_sag, .gt = 1 },	\
			UNIT(GPUOA_UNIT_OAM1, sim_oam_xe2_scmi1, 1, engines_media1),	\
		},									\
		.context_shift = 7,							\
		.mmio_trigger = true,							\
	}

#include "platforms_model.h"

/**
 * sim_platform_find() - Find a platform.
 * @name: name of the platform
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
 * @index: index of the platform
 *
 * Return: its name, or NULL if there are fewer platforms
 */
const char *sim_platform_name(unsigned int index)
{
	return index < ARRAY_SIZE(platforms) ? platforms[index].name : NULL;
}
