// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpus.c - static descriptions of the GPUs that can have an emulated xe device.
 */
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "gpus.h"

#define ENGINE(class_, instance_, gt_)                                                             \
	{                                                                                          \
		.engine_class = DRM_XE_ENGINE_CLASS_##class_, .engine_instance = (instance_),      \
		.gt_id = (gt_),                                                                    \
	}

/* Instances are logical: Battlemage's video decoders VCS0 and VCS2 are instances 0 and 1. */
static const struct drm_xe_engine_class_instance engines_lnl[] = {
	ENGINE(RENDER, 0, 0),	      ENGINE(COPY, 0, 0),	   ENGINE(COMPUTE, 0, 0),
	ENGINE(VIDEO_DECODE, 0, 1), ENGINE(VIDEO_ENHANCE, 0, 1),
};

static const struct drm_xe_engine_class_instance engines_bmg[] = {
	ENGINE(RENDER, 0, 0),	     ENGINE(COPY, 0, 0),	  ENGINE(COMPUTE, 0, 0),
	ENGINE(VIDEO_DECODE, 0, 1),  ENGINE(VIDEO_DECODE, 1, 1),  ENGINE(VIDEO_ENHANCE, 0, 1),
	ENGINE(VIDEO_ENHANCE, 1, 1),
};

#include "platforms_xe.h"

/**
 * sim_xe_gpu_find() - Find the description of a GPU.
 * @platform: name of the GPU's platform
 *
 * Return: the description, or NULL if the platform cannot have an emulated xe device
 */
const struct sim_xe_gpu *sim_xe_gpu_find(const char *platform)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gpus); i++)
		if (!strcmp(gpus[i].platform, platform))
			return &gpus[i];

	return NULL;
}

/**
 * sim_xe_engine_unit() - Find the OA unit that measures an engine.
 * @engine: the engine
 *
 * Return: ID of the unit, or -1 if no unit measures it
 */
int sim_xe_engine_unit(const struct drm_xe_engine_class_instance *engine)
{
	switch (engine->engine_class) {
	case DRM_XE_ENGINE_CLASS_RENDER:
	case DRM_XE_ENGINE_CLASS_COMPUTE:
		return 0;
	case DRM_XE_ENGINE_CLASS_VIDEO_DECODE:
	case DRM_XE_ENGINE_CLASS_VIDEO_ENHANCE:
		return 1;
	default:
		return -1;
	}
}

/**
 * sim_xe_engine_find() - Find an engine.
 * @gpu: description of the GPU
 * @engine: class, instance and GT; the pad is ignored
 *
 * Return: the engine, or NULL
 */
const struct drm_xe_engine_class_instance *
sim_xe_engine_find(const struct sim_xe_gpu *gpu, const struct drm_xe_engine_class_instance *engine)
{
	unsigned int i;

	for (i = 0; i < gpu->n_engines; i++)
		if (gpu->engines[i].engine_class == engine->engine_class &&
		    gpu->engines[i].engine_instance == engine->engine_instance &&
		    gpu->engines[i].gt_id == engine->gt_id)
			return &gpu->engines[i];

	return NULL;
}
