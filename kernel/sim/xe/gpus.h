/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpus.h - what xe knows of the GPUs that have its face.
 */
#ifndef _SIM_XE_GPUS_H
#define _SIM_XE_GPUS_H

#include <linux/types.h>

#include "third_party/drm/xe_drm.h"

/**
 * struct sim_xe_ip - version of a GT
 * @major: of the architecture
 * @minor: of the release
 */
struct sim_xe_ip {
	u16 major;
	u16 minor;
};

/**
 * struct sim_xe_gpu - a GPU
 * @platform: name of its &struct sim_platform
 * @ips: of the main GT, and of the media GT
 * @engines: all that programs may use, in xe's order
 * @n_engines: how many
 * @vram: bytes of local memory
 */
struct sim_xe_gpu {
	const char *platform;
	struct sim_xe_ip ips[2];
	const struct drm_xe_engine_class_instance *engines;
	unsigned int n_engines;
	u64 vram;
};

const struct sim_xe_gpu *sim_xe_gpu_find(const char *platform);
int sim_xe_engine_unit(const struct drm_xe_engine_class_instance *engine);
const struct drm_xe_engine_class_instance *
sim_xe_engine_find(const struct sim_xe_gpu *gpu, const struct drm_xe_engine_class_instance *engine);

#endif /* _SIM_XE_GPUS_H */
