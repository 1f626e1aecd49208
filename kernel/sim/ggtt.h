/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ggtt.h - the GPU's global address space (GGTT).
 */
#ifndef _SIM_GGTT_H
#define _SIM_GGTT_H

#include <drm/drm_mm.h>
#include <linux/list.h>

struct page;
struct sim_gpu;
struct sim_instance;

/**
 * struct sim_ggtt - global GPU address space
 * @mm: allocator, under &sim_instance.mutex
 * @mappings: pages that the GPU can reach, changed under &sim_instance.mutex and &sim_gpu.lock
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

#endif /* _SIM_GGTT_H */
