/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * observation.h - DRM_IOCTL_XE_OBSERVATION.
 */
#ifndef _SIM_XE_OBSERVATION_H
#define _SIM_XE_OBSERVATION_H

struct drm_device;
struct drm_file;

int sim_xe_observation_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_OBSERVATION_H */
