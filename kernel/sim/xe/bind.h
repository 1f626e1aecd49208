/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bind.h - objects get addresses in an address space of the xe face.
 */
#ifndef _SIM_XE_BIND_H
#define _SIM_XE_BIND_H

struct drm_device;
struct drm_file;

int sim_xe_vm_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_BIND_H */
