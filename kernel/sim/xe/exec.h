/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exec.h - DRM_IOCTL_XE_EXEC and DRM_IOCTL_XE_WAIT_USER_FENCE of the emulated xe device.
 */
#ifndef _SIM_XE_EXEC_H
#define _SIM_XE_EXEC_H

struct drm_device;
struct drm_file;

int sim_xe_exec_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_wait_user_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_EXEC_H */
