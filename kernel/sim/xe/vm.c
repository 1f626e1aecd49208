// SPDX-License-Identifier: GPL-2.0-only
/*
 * vm.c - memory objects and address spaces of the emulated xe device: DRM_IOCTL_XE_GEM_*,
 * DRM_IOCTL_XE_VM_CREATE and DRM_IOCTL_XE_VM_DESTROY.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../memory.h"
#include "../instance.h"
#include "vgpu/model/cs.h"
#include "file.h"
#include "gpus.h"
#include "vm.h"
#include "xe.h"

#define ALL_GEM_FLAGS                                                     \
	(DRM_XE_GEM_CREATE_FLAG_DEFER_BACKING | DRM_XE_GEM_CREATE_FLAG_SCANOUT | \
	 DRM_XE_GEM_CREATE_FLAG_NEEDS_VISIBLE_VRAM)
#define ALL_VM_FLAGS                                                     \
	(DRM_XE_VM_CREATE_FLAG_SCRATCH_PAGE | DRM_XE_VM_CREATE_FLAG_LR_MODE | \
	 DRM_XE_VM_CREATE_FLAG_FAULT_MODE)

/* Placement bit of VRAM; that of system memory is BIT(0) */
#define VRAM BIT(1)

static int gem_check(const struct sim_xe *xe, const struct drm_xe_gem_create *args)
{
	u32 placements = xe->gpu->vram ? BIT(0) | VRAM : BIT(0);

	if (args->extensions || args->pad[0] || args->pad[1] || args->pad[2] ||
	    args->reserved[0] || args->reserved[1] || args->handle)
		return -EINVAL;
	if (!args->placement || args->placement & ~placements || args->flags & ~ALL_GEM_FLAGS)
		return -EINVAL;
	if (!args->size || !PAGE_ALIGNED(args->size))
		return -EINVAL;
	if (args->flags & DRM_XE_GEM_CREATE_FLAG_NEEDS_VISIBLE_VRAM && !(args->placement & VRAM))
		return -EINVAL;
	if (args->cpu_caching != DRM_XE_GEM_CPU_CACHING_WC &&
	    (args->cpu_caching != DRM_XE_GEM_CPU_CACHING_WB || args->placement & VRAM ||
	     args->flags & DRM_XE_GEM_CREATE_FLAG_SCANOUT))
		return -EINVAL;
	return 0;
}

/**
 * sim_xe_gem_create_ioctl() - Handle DRM_IOCTL_XE_GEM_CREATE.
 * @drm: the DRM device
 * @data: struct drm_xe_gem_create
 * @file: the calling file
 *
 * Return: 0, -EINVAL, -ENOMEM, or -ENOENT if the address space does not exist
 */
int sim_xe_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_gem_create *args = data;
	struct drm_gem_shmem_object *object;
	struct sim_xe_vm *vm;
	int ret;

	ret = gem_check(sim_xe_of(drm), args);
	if (ret)
		return ret;
	/* vm_id makes an object private to the address space, which is not enforced here. */
	if (args->vm_id) {
		vm = sim_xe_vm_get(file->driver_priv, args->vm_id);
		if (!vm)
			return -ENOENT;
		sim_xe_vm_put(vm);
	}
	object = drm_gem_shmem_create(drm, args->size);
	if (IS_ERR(object))
		return PTR_ERR(object);
	ret = drm_gem_handle_create(file, &object->base, &args->handle);
	drm_gem_object_put(&object->base);
	return ret;
}

/**
 * sim_xe_gem_mmap_offset_ioctl() - Handle DRM_IOCTL_XE_GEM_MMAP_OFFSET.
 * @drm: the DRM device
 * @data: struct drm_xe_gem_mmap_offset
 * @file: the calling file
 *
 * Return: 0, -EINVAL, or -ENOENT if the object does not exist
 */
int sim_xe_gem_mmap_offset_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_gem_mmap_offset *args = data;
	struct drm_gem_object *object;

	if (args->extensions || args->reserved[0] || args->reserved[1] || args->flags)
		return -EINVAL;
	object = drm_gem_object_lookup(file, args->handle);
	if (!object)
		return -ENOENT;
	args->offset = drm_vma_node_offset_addr(&object->vma_node);
	drm_gem_object_put(object);
	return 0;
}

static void vm_release(struct kref *ref)
{
	struct sim_xe_vm *vm = container_of(ref, struct sim_xe_vm, ref);

	sim_vm_put(vm->vm);
	kfree(vm);
}

/**
 * sim_xe_vm_put() - Drop a reference to an address space.
 * @vm: the address space
 */
void sim_xe_vm_put(struct sim_xe_vm *vm)
{
	kref_put(&vm->ref, vm_release);
}

/**
 * sim_xe_vm_get() - Find an address space by its ID.
 * @file: open file that owns the address space
 * @id: ID of the address space
 *
 * Return: the address space with a reference for the caller, or NULL
 */
struct sim_xe_vm *sim_xe_vm_get(struct sim_xe_file *file, u32 id)
{
	struct sim_xe_vm *vm;

	xa_lock(&file->vms);
	vm = xa_load(&file->vms, id);
	if (vm)
		kref_get(&vm->ref);
	xa_unlock(&file->vms);

	return vm;
}

static struct sim_xe_vm *vm_create(struct sim_xe *xe, u32 flags)
{
	struct sim_xe_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);

	if (!vm)
		return NULL;
	kref_init(&vm->ref);
	vm->vm = sim_vm_create(xe->instance->gpu.platform->cs->address_bits);
	if (!vm->vm) {
		kfree(vm);
		return NULL;
	}
	vm->vm->scratch = flags & DRM_XE_VM_CREATE_FLAG_SCRATCH_PAGE;
	vm->long_running = flags & DRM_XE_VM_CREATE_FLAG_LR_MODE;
	return vm;
}

/**
 * sim_xe_vm_create_ioctl() - Handle DRM_IOCTL_XE_VM_CREATE.
 * @drm: the DRM device
 * @data: struct drm_xe_vm_create
 * @file: the calling file
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int sim_xe_vm_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_xe_file *priv = file->driver_priv;
	struct drm_xe_vm_create *args = data;
	bool faults = args->flags & DRM_XE_VM_CREATE_FLAG_FAULT_MODE;
	struct sim_xe_vm *vm;
	int ret;

	if (args->extensions || args->reserved[0] || args->reserved[1] ||
	    args->flags & ~ALL_VM_FLAGS)
		return -EINVAL;
	if (faults && (args->flags & DRM_XE_VM_CREATE_FLAG_SCRATCH_PAGE ||
		       !(args->flags & DRM_XE_VM_CREATE_FLAG_LR_MODE)))
		return -EINVAL;
	vm = vm_create(sim_xe_of(drm), args->flags);
	if (!vm)
		return -ENOMEM;
	ret = xa_alloc(&priv->vms, &args->vm_id, vm, xa_limit_32b, GFP_KERNEL);
	if (ret)
		sim_xe_vm_put(vm);
	return ret;
}

/**
 * sim_xe_vm_destroy_ioctl() - Handle DRM_IOCTL_XE_VM_DESTROY.
 * @drm: the DRM device
 * @data: struct drm_xe_vm_destroy
 * @file: the calling file
 *
 * Return: 0, -EINVAL, or -ENOENT if the address space does not exist
 */
int sim_xe_vm_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_xe_file *priv = file->driver_priv;
	struct drm_xe_vm_destroy *args = data;
	struct sim_xe_vm *vm;

	if (args->pad || args->reserved[0] || args->reserved[1])
		return -EINVAL;
	vm = xa_erase(&priv->vms, args->vm_id);
	if (!vm)
		return -ENOENT;
	sim_xe_vm_put(vm);
	return 0;
}
