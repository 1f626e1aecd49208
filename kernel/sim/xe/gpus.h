/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpus.h - static descriptions of the GPUs that can have an emulated xe device.
 */
#ifndef _SIM_XE_GPUS_H
#define _SIM_XE_GPUS_H

#include <linux/types.h>

#include "third_party/drm/xe_drm.h"

/**
 * struct sim_xe_ip - IP version of a GT
 * @major: version of the architecture
 * @minor: version of the release
 */
struct sim_xe_ip {
	u16 major;
	u16 minor;
};

/**
 * struct sim_xe_gpu - a GPU
 * @platform: name of the GPU's &struct sim_platform
 * @ips: IP versions of the main GT and the media GT
 * @engines: engines that programs may use, in xe's order
 * @n_engines: number of @engines
 * @vram: size of local memory, in bytes
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
