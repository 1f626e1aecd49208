/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * drm.h - DRM driver of a virtual GPU.
 */
#ifndef _SIM_DRM_H
#define _SIM_DRM_H

#define SIM_NAME "gpuoa_sim"

struct device;
struct sim_instance;

struct sim_instance *sim_drm_create(struct device *parent);

#endif /* _SIM_DRM_H */
