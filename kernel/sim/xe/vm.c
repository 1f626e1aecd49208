// SPDX-License-Identifier: GPL-2.0-only
/*
 * vm.c - memory objects and address spaces of the xe face: DRM_IOCTL_XE_GEM_* and _VM_*.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../gem.h"
#include "../instance.h"
#include "../model/cs.h"
#include "file.h"
#include "gpus.h"
#include "queue.h"
#include "sync.h"
#include "vm.h"
#include "xe.h"

#define ALL_GEM_FLAGS                                                     \
	(DRM_XE_GEM_CREATE_FLAG_DEFER_BACKING | DRM_XE_GEM_CREATE_FLAG_SCANOUT | \
	 DRM_XE_GEM_CREATE_FLAG_NEEDS_VISIBLE_VRAM)
#define ALL_VM_FLAGS                                                     \
	(DRM_XE_VM_CREATE_FLAG_SCRATCH_PAGE | DRM_XE_VM_CREATE_FLAG_LR_MODE | \
	 DRM_XE_VM_CREATE_FLAG_FAULT_MODE)
#define ALL_BIND_FLAGS                                                     \
	(DRM_XE_VM_BIND_FLAG_READONLY | DRM_XE_VM_BIND_FLAG_IMMEDIATE |    \
	 DRM_XE_VM_BIND_FLAG_NULL | DRM_XE_VM_BIND_FLAG_DUMPABLE)

/* Entries of the page attribute table that xe has for Xe2 */
#define N_PAT 32

/* Bits of placements: system memory, VRAM */
#define VRAM BIT(1)

/* ---- objects -------------------------------------------------------------------------------- */

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
 * sim_xe_gem_create_ioctl - DRM_IOCTL_XE_GEM_CREATE
 * @drm: the DRM device
 * @data: struct drm_xe_gem_create
 * @file: who asks
 *
 * Return: 0, -EINVAL, -ENOMEM, or -ENOENT: there is no such address space
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
	/* That the object shall have no other place makes no difference here. */
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
 * sim_xe_gem_mmap_offset_ioctl - DRM_IOCTL_XE_GEM_MMAP_OFFSET
 * @drm: the DRM device
 * @data: struct drm_xe_gem_mmap_offset
 * @file: who asks
 *
 * Return: 0, -EINVAL, or -ENOENT: there is no such object
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

/* ---- address spaces ------------------------------------------------------------------------- */

static void vm_release(struct kref *ref)
{
	struct sim_xe_vm *vm = container_of(ref, struct sim_xe_vm, ref);

	sim_vm_put(vm->vm);
	kfree(vm);
}

/**
 * sim_xe_vm_put - let go of an address space
 * @vm: the address space
 */
void sim_xe_vm_put(struct sim_xe_vm *vm)
{
	kref_put(&vm->ref, vm_release);
}

/**
 * sim_xe_vm_get - find an address space
 * @file: whose it is
 * @id: its number
 *
 * Return: the address space, held until sim_xe_vm_put(); or NULL
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
 * sim_xe_vm_create_ioctl - DRM_IOCTL_XE_VM_CREATE
 * @drm: the DRM device
 * @data: struct drm_xe_vm_create
 * @file: who asks
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
 * sim_xe_vm_destroy_ioctl - DRM_IOCTL_XE_VM_DESTROY
 * @drm: the DRM device
 * @data: struct drm_xe_vm_destroy
 * @file: who asks
 *
 * Return: 0, -EINVAL, or -ENOENT: there is no such address space
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

/* ---- binding -------------------------------------------------------------------------------- */

/* What each operation may say of an object: none, one, or either */
static bool bind_object_fits(const struct drm_xe_vm_bind_op *op)
{
	bool null = op->flags & DRM_XE_VM_BIND_FLAG_NULL;

	switch (op->op) {
	case DRM_XE_VM_BIND_OP_MAP:
		return null ? !op->obj && !op->obj_offset : op->obj;
	case DRM_XE_VM_BIND_OP_UNMAP_ALL:
		return op->obj && !null && !op->addr && !op->range;
	default:
		return !op->obj && !null;
	}
}

static int bind_check(const struct drm_xe_vm_bind_op *op)
{
	if (op->pat_index >= N_PAT || op->op > DRM_XE_VM_BIND_OP_PREFETCH ||
	    op->flags & ~ALL_BIND_FLAGS || !bind_object_fits(op))
		return -EINVAL;
	if (op->prefetch_mem_region_instance && op->op != DRM_XE_VM_BIND_OP_PREFETCH)
		return -EINVAL;
	if (!PAGE_ALIGNED(op->obj_offset) || !PAGE_ALIGNED(op->addr) || !PAGE_ALIGNED(op->range) ||
	    (!op->range && op->op != DRM_XE_VM_BIND_OP_UNMAP_ALL))
		return -EINVAL;
	return op->op == DRM_XE_VM_BIND_OP_MAP_USERPTR ? -EOPNOTSUPP : 0;
}

static int bind_one(struct sim_vm *vm, struct drm_file *file, const struct drm_xe_vm_bind_op *op)
{
	struct drm_gem_object *object = NULL;
	int ret = 0;

	if (op->obj) {
		object = drm_gem_object_lookup(file, op->obj);
		if (!object)
			return -ENOENT;
	}
	switch (op->op) {
	case DRM_XE_VM_BIND_OP_MAP:
		ret = sim_vm_replace(vm, object, op->obj_offset, op->addr, op->range);
		break;
	case DRM_XE_VM_BIND_OP_UNMAP:
		ret = sim_vm_clear(vm, op->addr, op->range);
		break;
	case DRM_XE_VM_BIND_OP_UNMAP_ALL:
		sim_vm_clear_object(vm, object);
		break;
	default: /* All memory is there already. */
		break;
	}
	if (object)
		drm_gem_object_put(object);
	return ret;
}

static int bind_all(struct sim_vm *vm, struct drm_file *file, const struct drm_xe_vm_bind_op *ops,
		    u32 n)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < n && !ret; i++)
		ret = bind_check(&ops[i]);
	for (i = 0; i < n && !ret; i++)
		ret = bind_one(vm, file, &ops[i]);
	return ret;
}

/* All of it is done when this returns. */
static int vm_bind(struct sim_xe_vm *vm, struct drm_file *file, const struct drm_xe_vm_bind *args)
{
	const struct drm_xe_vm_bind_op *ops = &args->bind;
	struct drm_xe_vm_bind_op *copy = NULL;
	struct sim_xe_syncs syncs = {};
	int ret;

	if (args->num_binds > 1) {
		copy = vmemdup_user(u64_to_user_ptr(args->vector_of_binds),
				    array_size(args->num_binds, sizeof(*copy)));
		if (IS_ERR(copy))
			return PTR_ERR(copy);
		ops = copy;
	}
	ret = sim_xe_syncs_read(&syncs, file, args->syncs, args->num_syncs,
				vm->long_running ? SIM_XE_SYNC_LONG_RUNNING : 0);
	if (!ret)
		ret = sim_xe_syncs_wait(&syncs);
	if (!ret)
		ret = bind_all(vm->vm, file, ops, args->num_binds);
	if (!ret)
		sim_xe_syncs_done(&syncs);
	sim_xe_syncs_free(&syncs);
	kvfree(copy);
	return ret;
}

/**
 * sim_xe_vm_bind_ioctl - DRM_IOCTL_XE_VM_BIND
 * @drm: the DRM device
 * @data: struct drm_xe_vm_bind
 * @file: who asks
 *
 * Return: 0; -EINVAL, -EFAULT, -ENOMEM; -ENOENT: there is no such object or queue; -EOPNOTSUPP: not
 * with memory of the process; what sim_xe_syncs_read() says
 */
int sim_xe_vm_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_xe *xe = sim_xe_of(drm);
	struct drm_xe_vm_bind *args = data;
	struct sim_xe_queue *queue;
	struct sim_xe_vm *vm;
	bool binds = true;
	int ret;

	if (args->pad || args->pad2 || args->reserved[0] || args->reserved[1] ||
	    args->extensions || args->num_syncs > DRM_XE_MAX_SYNCS)
		return -EINVAL;
	if (args->exec_queue_id) {
		queue = sim_xe_queue_get(file->driver_priv, args->exec_queue_id);
		if (!queue)
			return -ENOENT;
		binds = queue->binds;
		sim_xe_queue_put(queue);
	}
	vm = binds ? sim_xe_vm_get(file->driver_priv, args->vm_id) : NULL;
	if (!vm)
		return -EINVAL;
	ret = vm_bind(vm, file, args);
	sim_xe_vm_put(vm);
	wake_up_all(&xe->ufence_wait);
	return ret;
}
