/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm.h - memory objects and address spaces of the emulated xe device.
 */
#ifndef _SIM_XE_VM_H
#define _SIM_XE_VM_H

#include <linux/kref.h>
#include <linux/types.h>

struct drm_device;
struct drm_file;
struct sim_vm;
struct sim_xe_file;

/**
 * struct sim_xe_vm - an address space
 * @ref: reference count: one for the file, one for each exec queue
 * @vm: address space of the simulator
 * @long_running: created with DRM_XE_VM_CREATE_FLAG_LR_MODE
 */
struct sim_xe_vm {
	struct kref ref;
	struct sim_vm *vm;
	bool long_running;
};

struct sim_xe_vm *sim_xe_vm_get(struct sim_xe_file *file, u32 id);
void sim_xe_vm_put(struct sim_xe_vm *vm);

int sim_xe_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_gem_mmap_offset_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_vm_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_vm_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_VM_H */
