// SPDX-License-Identifier: GPL-2.0-only
/*
 * ggtt.c - the GPU's global address space (GGTT): where pages are, and what memory is at an
 * address.
 */
#include <drm/drm_managed.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ggtt.h"
#include "instance.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"

/*
 * Low addresses stay free, as they do on real machines (the BIOS's framebuffer), so that an
 * address of 0 is always a mistake.
 */
#define GGTT_START SZ_16M
#define GGTT_END SZ_2G

/**
 * struct ggtt_mapping - pages at consecutive addresses
 * @node: the addresses
 * @link: in &sim_ggtt.mappings
 * @memory: where the CPU sees the pages
 */
struct ggtt_mapping {
	struct drm_mm_node node;
	struct list_head link;
	u8 *memory;
};

/**
 * sim_ggtt_reserve - take addresses
 * @instance: the GPU, with its mutex held
 * @node: gets them; drm_mm_remove_node() gives them back
 * @size: how many bytes, a power of two, to which they are aligned
 *
 * Return: 0, or -ENOSPC or -ENOMEM
 */
int sim_ggtt_reserve(struct sim_instance *instance, struct drm_mm_node *node, u64 size)
{
	lockdep_assert_held(&instance->mutex);

	return drm_mm_insert_node_generic(&instance->ggtt.mm, node, size, size, 0,
					  DRM_MM_INSERT_BEST);
}

/**
 * sim_ggtt_map - let the GPU reach pages
 * @instance: the GPU
 * @pages: the pages
 * @n_pages: how many, a power of two
 *
 * Return: their address for the GPU, or a negative errno
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
 * sim_ggtt_unmap - undo sim_ggtt_map()
 * @instance: the GPU
 * @address: what that returned
 *
 * The pages belong to their owner again when this returns, so nothing may still be on its way to
 * them.
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
 * sim_ggtt_find - &sim_carrier.memory
 * @gpu: the GPU
 * @address: GPU address
 * @size: bytes from there on
 *
 * Return: where the CPU sees them, or NULL if they are not all there
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
 * sim_ggtt_create - make the address space of a GPU; it goes with the DRM device
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
