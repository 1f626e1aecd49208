// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - GEM objects, address spaces of contexts, the GGTT, and GPU accesses to them.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_managed.h>
#include <gpuoa_compat.h>
#include <linux/iosys-map.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "context.h"
#include "instance.h"
#include "memory.h"
#include "uapi/gpuoa_sim.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"

/**
 * DOC: Memory
 *
 * Programs choose the addresses of their objects and bind each once with an ioctl. So there are no
 * relocations and no object lists per batch, and an address means the same in commands, results and
 * profiler records. xe works in this way, and i915 with softpinned objects.
 *
 * An object is mapped for the CPU as long as it is bound, because the CPU performs the accesses of
 * the GPU.
 */

/* The first page is never bound, so that an address of 0 is always an error. */
#define VM_START SZ_4K

/**
 * struct sim_binding - an object in an address space
 * @node: the addresses
 * @object: the object, with a reference
 * @map: CPU address of the object
 */
struct sim_binding {
	struct drm_mm_node node;
	struct drm_gem_object *object;
	struct iosys_map map;
};

/**
 * sim_vm_create() - Create an address space.
 * @address_bits: number of bits of an address
 *
 * Return: the address space with a reference, or NULL
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

/* Free a binding that is already removed from the address space. */
static void binding_free(struct sim_binding *binding)
{
	gpuoa_compat_gem_vunmap(binding->object, &binding->map);
	drm_gem_object_put(binding->object);
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
 * sim_vm_get() - Take a reference to an address space.
 * @vm: the address space
 */
void sim_vm_get(struct sim_vm *vm)
{
	kref_get(&vm->ref);
}

/**
 * sim_vm_put() - Drop a reference to an address space.
 * @vm: the address space
 */
void sim_vm_put(struct sim_vm *vm)
{
	kref_put(&vm->ref, vm_release);
}

/* Get the binding that contains @address, or NULL. */
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

/*
 * Set @dword to the CPU address of the dword at @address, a multiple of 4. Returns 0, or -EFAULT if
 * nothing is bound there.
 */
static int sim_vm_dword(struct sim_vm *vm, u64 address, u32 **dword)
{
	struct sim_binding *binding = vm_find(vm, address);

	if (!binding)
		return -EFAULT;
	*dword = binding->map.vaddr + (address - binding->node.start);
	return 0;
}

static struct sim_binding *binding_create(struct drm_gem_object *object, u64 address)
{
	struct sim_binding *binding = kzalloc(sizeof(*binding), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!binding)
		return ERR_PTR(-ENOMEM);
	ret = gpuoa_compat_gem_vmap(object, &binding->map);
	if (ret) {
		kfree(binding);
		return ERR_PTR(ret);
	}
	drm_gem_object_get(object);
	binding->object = object;
	binding->node.start = address;
	binding->node.size = object->size;
	return binding;
}

static bool vm_has(const struct sim_vm *vm, u64 address, u64 size)
{
	return address >= VM_START && address < vm->end && size <= vm->end - address;
}

/**
 * sim_vm_bind() - Bind an object at unused addresses.
 * @vm: the address space
 * @object: the object
 * @address: first address of the object
 *
 * Return: 0, -EEXIST if something is bound there, -EINVAL if the object exceeds the address space,
 * or -ENOMEM
 */
static int sim_vm_bind(struct sim_vm *vm, struct drm_gem_object *object, u64 address)
{
	struct sim_binding *binding;
	int ret;

	if (!vm_has(vm, address, object->size))
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
 * sim_vm_unbind() - Remove a binding from an address space.
 * @vm: the address space
 * @address: first address of the binding
 *
 * Return: 0, or -ENOENT if no binding begins there
 */
static int sim_vm_unbind(struct sim_vm *vm, u64 address)
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

/**
 * sim_gem_create_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_GEM_CREATE.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_gem_create
 * @file: the calling file
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
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
	/* Drop the reference of this function, because the handle holds one now. */
	ret = drm_gem_handle_create(file, &object->base, &args->handle);
	drm_gem_object_put(&object->base);
	return ret;
}

/**
 * sim_bind_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_BIND.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_bind
 * @file: the calling file
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
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
	ret = sim_vm_bind(priv->vm, object, args->address);
	drm_gem_object_put(object);
	return ret;
}

/**
 * sim_unbind_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_UNBIND.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_bind
 * @file: the calling file
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
 */
int sim_unbind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_bind *args = data;

	if (args->pad || args->handle)
		return -EINVAL;
	return sim_vm_unbind(priv->vm, args->address);
}

/**
 * sim_vm_read() - Read memory as the GPU does.
 * @vm: the address space
 * @address: address of the dword, a multiple of 4
 * @value: set to the dword
 *
 * Return: 0, or -EFAULT if nothing is bound there
 */
int sim_vm_read(struct sim_vm *vm, u64 address, u32 *value)
{
	u32 *at;
	int ret;

	mutex_lock(&vm->lock);
	ret = sim_vm_dword(vm, address, &at);
	*value = ret ? 0 : READ_ONCE(*at);
	mutex_unlock(&vm->lock);
	return ret;
}

/**
 * sim_vm_write() - Write memory as the GPU does.
 * @vm: the address space
 * @address: address of the dword, a multiple of 4
 * @value: the dword
 *
 * Return: 0, or -EFAULT if nothing is bound there
 */
int sim_vm_write(struct sim_vm *vm, u64 address, u32 value)
{
	u32 *at;
	int ret;

	mutex_lock(&vm->lock);
	ret = sim_vm_dword(vm, address, &at);
	if (!ret) {
		/* A reader that sees this value also sees all earlier writes. */
		smp_store_release(at, value);
	}
	mutex_unlock(&vm->lock);
	return ret;
}

/*
 * Low addresses stay unused, as on real machines (the BIOS's framebuffer), so that an address of 0
 * is always an error.
 */
#define GGTT_START SZ_16M
#define GGTT_END SZ_2G

/**
 * struct ggtt_mapping - pages at consecutive addresses
 * @node: the addresses
 * @link: entry in &sim_ggtt.mappings
 * @memory: CPU address of the pages
 */
struct ggtt_mapping {
	struct drm_mm_node node;
	struct list_head link;
	u8 *memory;
};

/**
 * sim_ggtt_reserve() - Reserve addresses.
 * @instance: the GPU, with &sim_instance.mutex held
 * @node: set to the addresses, to be released by drm_mm_remove_node()
 * @size: size in bytes, a power of two; also the alignment
 *
 * Return: 0, -ENOSPC or -ENOMEM
 */
int sim_ggtt_reserve(struct sim_instance *instance, struct drm_mm_node *node, u64 size)
{
	lockdep_assert_held(&instance->mutex);

	return drm_mm_insert_node_generic(&instance->ggtt.mm, node, size, size, 0,
					  DRM_MM_INSERT_BEST);
}

/**
 * sim_ggtt_map() - Map pages for the GPU.
 * @instance: the GPU
 * @pages: the pages
 * @n_pages: number of pages, a power of two
 *
 * Return: their GPU address, or a negative errno
 */
s64 sim_ggtt_map(struct sim_instance *instance, struct page **pages, unsigned int n_pages)
{
	struct ggtt_mapping *mapping;
	unsigned long flags;
	int ret;

	if (!is_power_of_2(n_pages))
		return -EINVAL;

	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	if (!mapping)
		return -ENOMEM;
	mapping->memory = vmap(pages, n_pages, VM_MAP, PAGE_KERNEL);
	if (!mapping->memory) {
		ret = -ENOMEM;
		goto err_free;
	}

	mutex_lock(&instance->mutex);
	ret = sim_ggtt_reserve(instance, &mapping->node, (u64)n_pages << PAGE_SHIFT);
	if (ret)
		goto err_unlock;
	raw_spin_lock_irqsave(&instance->gpu.lock, flags);
	list_add(&mapping->link, &instance->ggtt.mappings);
	raw_spin_unlock_irqrestore(&instance->gpu.lock, flags);
	mutex_unlock(&instance->mutex);

	return mapping->node.start;

err_unlock:
	mutex_unlock(&instance->mutex);
	vunmap(mapping->memory);
err_free:
	kfree(mapping);
	return ret;
}

static struct ggtt_mapping *ggtt_find(const struct sim_instance *instance, u64 address,
				      u64 size)
{
	struct ggtt_mapping *mapping;

	list_for_each_entry(mapping, &instance->ggtt.mappings, link) {
		const struct drm_mm_node *node = &mapping->node;

		if (address >= node->start && address - node->start < node->size &&
		    size <= node->size - (address - node->start))
			return mapping;
	}
	return NULL;
}

/**
 * sim_ggtt_unmap() - Undo sim_ggtt_map().
 * @instance: the GPU
 * @address: the address returned by sim_ggtt_map()
 *
 * Pending late reports to the pages are dropped: the pages belong to their owner again when this
 * returns.
 */
void sim_ggtt_unmap(struct sim_instance *instance, u64 address)
{
	struct sim_gpu *gpu = &instance->gpu;
	struct ggtt_mapping *mapping;
	unsigned long flags;
	unsigned int i;

	mutex_lock(&instance->mutex);
	raw_spin_lock_irqsave(&gpu->lock, flags);
	mapping = ggtt_find(instance, address, 1);
	if (mapping) {
		sim_gpu_advance(gpu);
		for (i = 0; i < gpu->n_oa; i++)
			sim_oa_unmapped(&gpu->oa[i], mapping->node.start, mapping->node.size);
		list_del(&mapping->link);
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	if (mapping)
		drm_mm_remove_node(&mapping->node);
	mutex_unlock(&instance->mutex);

	if (mapping) {
		vunmap(mapping->memory);
		kfree(mapping);
	}
}

/**
 * sim_ggtt_find() - Implement &sim_device_host.memory.
 * @gpu: the GPU
 * @address: GPU address
 * @size: size in bytes
 *
 * Return: CPU address, or NULL if the range is not mapped completely
 */
u8 *sim_ggtt_find(const struct sim_gpu *gpu, u64 address, u64 size)
{
	struct ggtt_mapping *mapping = ggtt_find(sim_instance_of(gpu), address, size);

	return mapping ? mapping->memory + (address - mapping->node.start) : NULL;
}

static void ggtt_destroy(struct drm_device *drm, void *data)
{
	struct sim_ggtt *ggtt = data;

	drm_mm_takedown(&ggtt->mm);
}

/**
 * sim_ggtt_create() - Create the global address space of a GPU; it is released with the DRM device.
 * @instance: the GPU
 *
 * Return: 0 or -ENOMEM
 */
int sim_ggtt_create(struct sim_instance *instance)
{
	struct sim_ggtt *ggtt = &instance->ggtt;

	INIT_LIST_HEAD(&ggtt->mappings);
	drm_mm_init(&ggtt->mm, GGTT_START, GGTT_END - GGTT_START);

	return drmm_add_action_or_reset(&instance->drm, ggtt_destroy, ggtt);
}
