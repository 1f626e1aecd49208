/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * query.h - DRM_IOCTL_XE_DEVICE_QUERY.
 */
#ifndef _SIM_XE_QUERY_H
#define _SIM_XE_QUERY_H

struct drm_device;
struct drm_file;

int sim_xe_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_QUERY_H */
