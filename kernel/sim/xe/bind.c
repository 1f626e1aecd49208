// SPDX-License-Identifier: GPL-2.0-only
/*
 * bind.c - DRM_IOCTL_XE_VM_BIND of the emulated xe device: maps objects in an address space.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../memory.h"
#include "bind.h"
#include "file.h"
#include "queue.h"
#include "sync.h"
#include "vm.h"
#include "xe.h"

#define ALL_BIND_FLAGS                                                     \
	(DRM_XE_VM_BIND_FLAG_READONLY | DRM_XE_VM_BIND_FLAG_IMMEDIATE |    \
	 DRM_XE_VM_BIND_FLAG_NULL | DRM_XE_VM_BIND_FLAG_DUMPABLE)

/* Number of entries of the page attribute table on Xe2 */
#define N_PAT 32

/* Check that @op names an object if, and only if, its operation needs one. */
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
	default: /* Prefetch does nothing: all memory is resident. */
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

/* Perform all operations before the ioctl returns, even if user space passes fences. */
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
 * sim_xe_vm_bind_ioctl() - Handle DRM_IOCTL_XE_VM_BIND.
 * @drm: the DRM device
 * @data: struct drm_xe_vm_bind
 * @file: the calling file
 *
 * Return: 0; -EINVAL, -EFAULT or -ENOMEM; -ENOENT if the object or queue does not exist;
 * -EOPNOTSUPP for user memory; or an error of sim_xe_syncs_read()
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
