// SPDX-License-Identifier: GPL-2.0-only
/*
 * address_space.c - address spaces of batches: what is bound where.
 */
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <linux/iosys-map.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <gpuoa_compat.h>

#include "address_space.h"

/* The first page stays free, so that an address of 0 is always a mistake. */
#define VM_START SZ_4K

/**
 * struct sim_mapping - an object that the CPU sees
 * @ref: one for each binding that has a part of it
 * @object: the object, with a reference
 * @map: where the CPU sees it
 */
struct sim_mapping {
	struct kref ref;
	struct drm_gem_object *object;
	struct iosys_map map;
};

/**
 * struct sim_binding - an object, or a part of it, in an address space
 * @node: the addresses
 * @mapping: what is there; NULL: nothing, but reads find 0 and writes are dropped
 * @offset: of the first address in the object
 * @removed: in a list of those that are not in the address space any more
 */
struct sim_binding {
	struct drm_mm_node node;
	struct sim_mapping *mapping;
	u64 offset;
	struct list_head removed;
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

static void mapping_release(struct kref *ref)
{
	struct sim_mapping *mapping = container_of(ref, struct sim_mapping, ref);

	gpuoa_compat_gem_vunmap(mapping->object, &mapping->map);
	drm_gem_object_put(mapping->object);
	kfree(mapping);
}

static struct sim_mapping *mapping_create(struct drm_gem_object *object)
{
	struct sim_mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!mapping)
		return ERR_PTR(-ENOMEM);
	kref_init(&mapping->ref);
	ret = gpuoa_compat_gem_vmap(object, &mapping->map);
	if (ret) {
		kfree(mapping);
		return ERR_PTR(ret);
	}
	drm_gem_object_get(object);
	mapping->object = object;
	return mapping;
}

/* The binding is out of the address space. */
static void binding_free(struct sim_binding *binding)
{
	if (binding->mapping)
		kref_put(&binding->mapping->ref, mapping_release);
	kfree(binding);
}

static void vm_release(struct kref *ref)
{
	struct sim_vm *vm = container_of(ref, struct sim_vm, ref);
	struct drm_mm_node *node, *next;

	drm_mm_for_each_node_safe(node, next, &vm->mm) {
		drm_mm_remove_node(node);
		binding_free(container_of(node, struct sim_binding, node));
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

/**
 * sim_vm_dword - where the CPU sees a dword
 * @vm: the address space, locked
 * @address: of the dword, a multiple of 4
 * @dword: gets where, NULL: there is no memory
 *
 * Return: 0, or -EFAULT: nothing is bound there
 */
int sim_vm_dword(struct sim_vm *vm, u64 address, u32 **dword)
{
	struct sim_binding *binding = vm_find(vm, address);

	*dword = NULL;
	if (!binding)
		return vm->scratch ? 0 : -EFAULT;
	if (binding->mapping)
		*dword = binding->mapping->map.vaddr + binding->offset +
			 (address - binding->node.start);
	return 0;
}

/* @object NULL: there is no memory behind it. */
static struct sim_binding *binding_create(struct drm_gem_object *object, u64 offset, u64 address,
					  u64 size)
{
	struct sim_binding *binding = kzalloc(sizeof(*binding), GFP_KERNEL_ACCOUNT);
	struct sim_mapping *mapping = NULL;

	if (!binding)
		return ERR_PTR(-ENOMEM);
	if (object) {
		mapping = mapping_create(object);
		if (IS_ERR(mapping)) {
			kfree(binding);
			return ERR_CAST(mapping);
		}
	}
	binding->mapping = mapping;
	binding->offset = offset;
	binding->node.start = address;
	binding->node.size = size;
	return binding;
}

static bool vm_has(const struct sim_vm *vm, u64 address, u64 size)
{
	return address >= VM_START && address < vm->end && size <= vm->end - address;
}

/**
 * sim_vm_bind - bind an object where nothing is bound
 * @vm: the address space
 * @object: the object
 * @address: where
 *
 * Return: 0; -EEXIST: something is bound there; -EINVAL: it is not all in the address space;
 * -ENOMEM
 */
int sim_vm_bind(struct sim_vm *vm, struct drm_gem_object *object, u64 address)
{
	struct sim_binding *binding;
	int ret;

	if (!vm_has(vm, address, object->size))
		return -EINVAL;
	binding = binding_create(object, 0, address, object->size);
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

static void vm_drop(struct sim_binding *binding, struct list_head *removed)
{
	drm_mm_remove_node(&binding->node);
	list_add(&binding->removed, removed);
}

static void bindings_free(struct list_head *removed)
{
	struct sim_binding *binding, *next;

	list_for_each_entry_safe(binding, next, removed, removed)
		binding_free(binding);
}

/* Put a part of what was there back: there is room, so it works. */
static void vm_put_back(struct sim_vm *vm, struct sim_binding *binding, u64 from, u64 to)
{
	binding->offset += from - binding->node.start;
	binding->node.start = from;
	binding->node.size = to - from;
	WARN_ON(drm_mm_reserve_node(&vm->mm, &binding->node));
}

/* Take [address, end) out of a binding; @spare gets what is left behind it, and is NULL then. */
static void vm_cut(struct sim_vm *vm, struct sim_binding *binding, u64 address, u64 end,
		   struct sim_binding **spare, struct list_head *removed)
{
	u64 first = binding->node.start, last = first + binding->node.size;

	drm_mm_remove_node(&binding->node);
	if (last > end && first < address) {
		**spare = (struct sim_binding){
			.node.start = first,
			.mapping = binding->mapping,
			.offset = binding->offset,
		};
		if (binding->mapping)
			kref_get(&binding->mapping->ref);
		vm_put_back(vm, *spare, end, last);
		*spare = NULL;
	}
	binding->node.start = first;
	if (first < address)
		vm_put_back(vm, binding, first, address);
	else if (last > end)
		vm_put_back(vm, binding, end, last);
	else
		list_add(&binding->removed, removed);
}

/* What overlaps [address, end), or NULL */
static struct sim_binding *vm_overlap(struct sim_vm *vm, u64 address, u64 end)
{
	struct drm_mm_node *node;

	drm_mm_for_each_node_in_range(node, &vm->mm, address, end)
		return container_of(node, struct sim_binding, node);
	return NULL;
}

/* @binding, if not NULL, is put where it says. */
static int vm_exchange(struct sim_vm *vm, u64 address, u64 size, struct sim_binding *binding)
{
	struct sim_binding *spare = kzalloc(sizeof(*spare), GFP_KERNEL_ACCOUNT), *old;
	LIST_HEAD(removed);
	int ret = 0;

	if (!spare)
		return -ENOMEM;
	mutex_lock(&vm->lock);
	while ((old = vm_overlap(vm, address, address + size)))
		vm_cut(vm, old, address, address + size, &spare, &removed);
	if (binding)
		ret = drm_mm_reserve_node(&vm->mm, &binding->node);
	mutex_unlock(&vm->lock);
	bindings_free(&removed);
	kfree(spare);
	return ret;
}

/**
 * sim_vm_replace - bind a part of an object, whatever was bound there before
 * @vm: the address space
 * @object: the object; NULL: there shall be no memory, but accesses are no faults
 * @offset: of the part in the object
 * @address: where
 * @size: bytes
 *
 * Return: 0; -EINVAL: it is not all in the address space, or in the object; -ENOMEM
 */
int sim_vm_replace(struct sim_vm *vm, struct drm_gem_object *object, u64 offset, u64 address,
		   u64 size)
{
	struct sim_binding *binding;
	int ret;

	if (!size || !vm_has(vm, address, size))
		return -EINVAL;
	if (object && (offset > object->size || size > object->size - offset))
		return -EINVAL;
	binding = binding_create(object, offset, address, size);
	if (IS_ERR(binding))
		return PTR_ERR(binding);
	ret = vm_exchange(vm, address, size, binding);
	if (ret)
		binding_free(binding);
	return ret;
}

/**
 * sim_vm_clear - take all out of a range of addresses
 * @vm: the address space
 * @address: the first address
 * @size: bytes
 *
 * Return: 0, -EINVAL: that is not all in the address space; -ENOMEM
 */
int sim_vm_clear(struct sim_vm *vm, u64 address, u64 size)
{
	if (!size || !vm_has(vm, address, size))
		return -EINVAL;

	return vm_exchange(vm, address, size, NULL);
}

/**
 * sim_vm_clear_object - take an object out of an address space, wherever it is bound
 * @vm: the address space
 * @object: the object
 *
 * Return: number of bindings that it had
 */
int sim_vm_clear_object(struct sim_vm *vm, const struct drm_gem_object *object)
{
	struct drm_mm_node *node, *next;
	LIST_HEAD(removed);
	int n = 0;

	mutex_lock(&vm->lock);
	drm_mm_for_each_node_safe(node, next, &vm->mm) {
		struct sim_binding *binding = container_of(node, struct sim_binding, node);

		if (binding->mapping && binding->mapping->object == object) {
			vm_drop(binding, &removed);
			n++;
		}
	}
	mutex_unlock(&vm->lock);
	bindings_free(&removed);
	return n;
}

/**
 * sim_vm_unbind - take a binding out of an address space
 * @vm: the address space
 * @address: its first address
 *
 * Return: 0, -ENOENT: none begins there
 */
int sim_vm_unbind(struct sim_vm *vm, u64 address)
{
	struct sim_binding *binding;

	mutex_lock(&vm->lock);
	binding = vm_find(vm, address);
	if (binding && binding->node.start != address)
		binding = NULL;
	if (binding)
		drm_mm_remove_node(&binding->node);
	mutex_unlock(&vm->lock);
	if (!binding)
		return -ENOENT;
	binding_free(binding);
	return 0;
}
