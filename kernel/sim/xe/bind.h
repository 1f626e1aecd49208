/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bind.h - DRM_IOCTL_XE_VM_BIND of the emulated xe device.
 */
#ifndef _SIM_XE_BIND_H
#define _SIM_XE_BIND_H

struct drm_device;
struct drm_file;

int sim_xe_vm_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_BIND_H */
