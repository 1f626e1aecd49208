/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - GEM objects, address spaces of contexts, the GGTT, and GPU accesses to them.
 */
#ifndef _SIM_MEMORY_H
#define _SIM_MEMORY_H

#include <linux/types.h>
#include <drm/drm_mm.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/list.h>

struct drm_device;
struct drm_file;
struct drm_gem_object;
struct page;
struct sim_gpu;
struct sim_instance;
struct sim_vm;

int sim_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_unbind_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

int sim_vm_read(struct sim_vm *vm, u64 address, u32 *value);
int sim_vm_write(struct sim_vm *vm, u64 address, u32 value);

/**
 * struct sim_vm - address space
 * @ref: one reference of the owning file, and one per batch
 * @lock: protects @mm. Batches take it for each dword and fences wait for batches, so no memory is
 *   allocated under it
 * @mm: the bindings
 * @end: first address after the address space
 */
struct sim_vm {
	struct kref ref;
	struct mutex lock; /* see above */
	struct drm_mm mm;
	u64 end;
};

struct sim_vm *sim_vm_create(unsigned int address_bits);
void sim_vm_get(struct sim_vm *vm);
void sim_vm_put(struct sim_vm *vm);

/**
 * struct sim_ggtt - global GPU address space
 * @mm: allocator, under &sim_instance.mutex
 * @mappings: pages mapped for the GPU; changed under &sim_instance.mutex and &sim_gpu.lock
 */
struct sim_ggtt {
	struct drm_mm mm;
	struct list_head mappings;
};

int sim_ggtt_create(struct sim_instance *instance);
int sim_ggtt_reserve(struct sim_instance *instance, struct drm_mm_node *node, u64 size);
s64 sim_ggtt_map(struct sim_instance *instance, struct page **pages, unsigned int n_pages);
void sim_ggtt_unmap(struct sim_instance *instance, u64 address);
u8 *sim_ggtt_find(const struct sim_gpu *gpu, u64 address, u64 size);

#endif /* _SIM_MEMORY_H */
