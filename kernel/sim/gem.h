/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gem.h - ioctls for memory objects.
 */
#ifndef _SIM_GEM_H
#define _SIM_GEM_H

struct drm_device;
struct drm_file;

int sim_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_unbind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_GEM_H */
