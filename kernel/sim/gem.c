// SPDX-License-Identifier: GPL-2.0-only
/*
 * gem.c - memory objects, and where a file's batches see them.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <linux/iosys-map.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <gpuoa_compat.h>

#include "context.h"
#include "gem.h"
#include "uapi/gpuoa_sim.h"

/**
 * DOC: Memory
 *
 * Programs choose the addresses of their objects and bind them, once, with an ioctl. So there are
 * no relocations, no lists of objects beside each batch, and commands, results and whatever a
 * profiler notes agree on addresses. This is what xe has and what i915 does for softpinned objects.
 *
 * The CPU mapping of an object lives as long as its binding: the GPU is the CPU here.
 */

/* The first page stays free, so that an address of 0 is always a mistake. */
#define VM_START SZ_4K

/**
 * struct sim_binding - an object in an address space
 * @node: the addresses
 * @object: what is there, with a reference
 * @map: where the CPU sees it
 */
struct sim_binding {
	struct drm_mm_node node;
	struct drm_gem_object *object;
	struct iosys_map map;
};

/**
 * sim_vm_create - make an address space
 * @address_bits: bits of an address
 *
 * Return: the address space, with a reference; or NULL
 */
struct sim_vm *sim_vm_create(unsigned int address_bits)
{
	struct sim_vm *vm = kzalloc(sizeof(*vm), GFP_KERNEL);

	if (!vm)
		return NULL;
	kref_init(&vm->ref);
	mutex_init(&vm->lock);
	vm->end = BIT_ULL(address_bits);
	drm_mm_init(&vm->mm, VM_START, vm->end - VM_START);
	return vm;
}

/* The binding is out of the address space; the reference to its object is the caller's. */
static void binding_free(struct sim_binding *binding)
{
	drm_gem_vunmap_unlocked(binding->object, &binding->map);
	kfree(binding);
}

static void binding_remove(struct sim_binding *binding)
{
	struct drm_gem_object *object = binding->object;

	binding_free(binding);
	drm_gem_object_put(object);
}

static void vm_release(struct kref *ref)
{
	struct sim_vm *vm = container_of(ref, struct sim_vm, ref);
	struct drm_mm_node *node, *next;

	drm_mm_for_each_node_safe(node, next, &vm->mm) {
		drm_mm_remove_node(node);
		binding_remove(container_of(node, struct sim_binding, node));
	}
	drm_mm_takedown(&vm->mm);
	mutex_destroy(&vm->lock);
	kfree(vm);
}

/**
 * sim_vm_get - hold an address space
 * @vm: the address space
 */
void sim_vm_get(struct sim_vm *vm)
{
	kref_get(&vm->ref);
}

/**
 * sim_vm_put - let go of an address space
 * @vm: the address space
 */
void sim_vm_put(struct sim_vm *vm)
{
	kref_put(&vm->ref, vm_release);
}

/* What covers @address, or NULL. */
static struct sim_binding *vm_find(struct sim_vm *vm, u64 address)
{
	struct drm_mm_node *node;

	lockdep_assert_held(&vm->lock);
	if (address >= vm->end)
		return NULL;
	drm_mm_for_each_node_in_range(node, &vm->mm, address, address + 1)
		return container_of(node, struct sim_binding, node);
	return NULL;
}

/* Where the CPU sees the dword at @address, a multiple of 4, or NULL. */
static u32 *vm_dword(struct sim_vm *vm, u64 address)
{
	struct sim_binding *binding = vm_find(vm, address);

	return binding ? binding->map.vaddr + (address - binding->node.start) : NULL;
}

/**
 * sim_vm_read - read memory as the GPU does
 * @vm: the address space
 * @address: where, a multiple of 4
 * @value: gets the dword
 *
 * Return: 0, or -EFAULT: nothing is there
 */
int sim_vm_read(struct sim_vm *vm, u64 address, u32 *value)
{
	u32 *at;

	mutex_lock(&vm->lock);
	at = vm_dword(vm, address);
	if (at)
		*value = READ_ONCE(*at);
	mutex_unlock(&vm->lock);
	return at ? 0 : -EFAULT;
}

/**
 * sim_vm_write - write memory as the GPU does
 * @vm: the address space
 * @address: where, a multiple of 4
 * @value: the dword
 *
 * Return: 0, or -EFAULT: nothing is there
 */
int sim_vm_write(struct sim_vm *vm, u64 address, u32 value)
{
	u32 *at;

	mutex_lock(&vm->lock);
	at = vm_dword(vm, address);
	if (at) {
		/* A program that sees it sees all that was written before. */
		smp_store_release(at, value);
	}
	mutex_unlock(&vm->lock);
	return at ? 0 : -EFAULT;
}

/**
 * sim_gem_create_ioctl - DRM_IOCTL_GPUOA_SIM_GEM_CREATE
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_gem_create
 * @file: who asks
 *
 * Return: 0, or an errno as uapi/gpuoa_sim.h says
 */
int sim_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_gpuoa_sim_gem_create *args = data;
	struct drm_gem_shmem_object *object;
	int ret;

	if (args->pad || !args->size || args->size > GPUOA_SIM_GEM_MAX_SIZE)
		return -EINVAL;
	object = drm_gem_shmem_create(drm, PAGE_ALIGN(args->size));
	if (IS_ERR(object))
		return PTR_ERR(object);
	args->size = object->base.size;
	args->offset = drm_vma_node_offset_addr(&object->base.vma_node);
	/* The handle keeps it from now on. */
	ret = drm_gem_handle_create(file, &object->base, &args->handle);
	drm_gem_object_put(&object->base);
	return ret;
}

static struct sim_binding *binding_create(struct drm_gem_object *object, u64 address)
{
	struct sim_binding *binding = kzalloc(sizeof(*binding), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!binding)
		return ERR_PTR(-ENOMEM);
	binding->object = object;
	binding->node.start = address;
	binding->node.size = object->size;
	ret = drm_gem_vmap_unlocked(object, &binding->map);
	if (ret) {
		kfree(binding);
		return ERR_PTR(ret);
	}
	return binding;
}

/* Takes over the reference to @object, unless it fails. */
static int vm_bind(struct sim_vm *vm, struct drm_gem_object *object, u64 address)
{
	struct sim_binding *binding;
	int ret;

	if (address < VM_START || address >= vm->end || object->size > vm->end - address)
		return -EINVAL;
	binding = binding_create(object, address);
	if (IS_ERR(binding))
		return PTR_ERR(binding);

	mutex_lock(&vm->lock);
	ret = drm_mm_reserve_node(&vm->mm, &binding->node);
	mutex_unlock(&vm->lock);
	if (!ret)
		return 0;
	binding_free(binding);
	return ret == -ENOSPC ? -EEXIST : ret;
}

/**
 * sim_bind_ioctl - DRM_IOCTL_GPUOA_SIM_BIND
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_bind
 * @file: who asks
 *
 * Return: 0, or an errno as uapi/gpuoa_sim.h says
 */
int sim_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_bind *args = data;
	struct drm_gem_object *object;
	int ret;

	if (args->pad || !IS_ALIGNED(args->address, SZ_4K))
		return -EINVAL;
	object = drm_gem_object_lookup(file, args->handle);
	if (!object)
		return -ENOENT;
	ret = vm_bind(priv->vm, object, args->address);
	if (ret)
		drm_gem_object_put(object);
	return ret;
}

/* Take what begins at @address out of the address space. */
static struct sim_binding *vm_unbind(struct sim_vm *vm, u64 address)
{
	struct sim_binding *binding;

	mutex_lock(&vm->lock);
	binding = vm_find(vm, address);
	if (binding && binding->node.start != address)
		binding = NULL;
	if (binding)
		drm_mm_remove_node(&binding->node);
	mutex_unlock(&vm->lock);
	return binding;
}

/**
 * sim_unbind_ioctl - DRM_IOCTL_GPUOA_SIM_UNBIND
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_bind
 * @file: who asks
 *
 * Return: 0, or an errno as uapi/gpuoa_sim.h says
 */
int sim_unbind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_bind *args = data;
	struct sim_binding *binding;

	if (args->pad || args->handle)
		return -EINVAL;
	binding = vm_unbind(priv->vm, args->address);
	if (!binding)
		return -ENOENT;
	binding_remove(binding);
	return 0;
}
