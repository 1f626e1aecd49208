/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exec.h - batches of the xe face run.
 */
#ifndef _SIM_XE_EXEC_H
#define _SIM_XE_EXEC_H

struct drm_device;
struct drm_file;

int sim_xe_exec_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_wait_user_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_EXEC_H */
