// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_ggtt.c - the GPU's global address space (GGTT): where pages are, and what memory is at an
 * address.
 */
#include <drm/drm_managed.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "sim.h"

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

/*
 * Take @size bytes of addresses, a power of two, aligned to it. They are given back by
 * drm_mm_remove_node().
 */
int sim_ggtt_reserve(struct sim_gpu *gpu, struct drm_mm_node *node, u64 size)
{
	lockdep_assert_held(&gpu->mutex);
	return drm_mm_insert_node_generic(&gpu->ggtt.mm, node, size, size, 0, DRM_MM_INSERT_BEST);
}

s64 sim_ggtt_map(struct sim_gpu *gpu, struct page **pages, unsigned int n_pages)
{
	struct ggtt_mapping *mapping;
	unsigned long flags;
	int err;

	if (!is_power_of_2(n_pages))
		return -EINVAL;

	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	if (!mapping)
		return -ENOMEM;
	mapping->memory = vmap(pages, n_pages, VM_MAP, PAGE_KERNEL);
	if (!mapping->memory) {
		err = -ENOMEM;
		goto err_free;
	}

	mutex_lock(&gpu->mutex);
	err = sim_ggtt_reserve(gpu, &mapping->node, (u64)n_pages << PAGE_SHIFT);
	if (err)
		goto err_unlock;
	raw_spin_lock_irqsave(&gpu->lock, flags);
	list_add(&mapping->link, &gpu->ggtt.mappings);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	mutex_unlock(&gpu->mutex);
	return mapping->node.start;

err_unlock:
	mutex_unlock(&gpu->mutex);
	vunmap(mapping->memory);
err_free:
	kfree(mapping);
	return err;
}

static struct ggtt_mapping *ggtt_find(const struct sim_gpu *gpu, u64 address, u64 size)
{
	struct ggtt_mapping *mapping;

	list_for_each_entry(mapping, &gpu->ggtt.mappings, link) {
		const struct drm_mm_node *node = &mapping->node;

		if (address >= node->start && address - node->start < node->size &&
		    size <= node->size - (address - node->start))
			return mapping;
	}
	return NULL;
}

/*
 * The pages belong to their owner again when this returns, so nothing may still be on its way to
 * them.
 */
void sim_ggtt_unmap(struct sim_gpu *gpu, u64 address)
{
	struct ggtt_mapping *mapping;
	unsigned long flags;
	unsigned int i;

	mutex_lock(&gpu->mutex);
	raw_spin_lock_irqsave(&gpu->lock, flags);
	mapping = ggtt_find(gpu, address, 1);
	if (mapping) {
		sim_gpu_advance(gpu);
		for (i = 0; i < gpu->n_oa; i++)
			sim_oa_unmapped(&gpu->oa[i], mapping->node.start, mapping->node.size);
		list_del(&mapping->link);
	}
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
	if (mapping)
		drm_mm_remove_node(&mapping->node);
	mutex_unlock(&gpu->mutex);

	if (mapping) {
		vunmap(mapping->memory);
		kfree(mapping);
	}
}

/* Where the CPU sees [address, address + size), or NULL if it is not all there. */
u8 *sim_ggtt_find(const struct sim_gpu *gpu, u64 address, u64 size)
{
	struct ggtt_mapping *mapping = ggtt_find(gpu, address, size);

	return mapping ? mapping->memory + (address - mapping->node.start) : NULL;
}

static void ggtt_destroy(struct drm_device *drm, void *data)
{
	struct sim_ggtt *ggtt = data;

	drm_mm_takedown(&ggtt->mm);
}

int sim_ggtt_create(struct sim_gpu *gpu)
{
	INIT_LIST_HEAD(&gpu->ggtt.mappings);
	drm_mm_init(&gpu->ggtt.mm, GGTT_START, GGTT_END - GGTT_START);
	return drmm_add_action_or_reset(&gpu->drm, ggtt_destroy, &gpu->ggtt);
}
