/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * registry.h - the configurations of a unit that have an id, and what sysfs shows of them.
 */
#ifndef _GPUOA_REGISTRY_H
#define _GPUOA_REGISTRY_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

/* Bounds the memory of a registry, and the time to look for a UUID */
#define GPUOA_REGISTRY_MAX 4096

struct device;
struct gpuoa_builtin_set;
struct gpuoa_config_entry;
struct gpuoa_metric_set;
struct kobject;

/**
 * struct gpuoa_registry - configurations by id
 * @lock: protects all of it, and what it shows in sysfs
 * @sets: configurations by id; each holds a reference
 * @count: number of @sets
 * @next_id: where to look for a free id
 * @kobj: metrics/ in sysfs
 */
struct gpuoa_registry {
	struct mutex lock; /* all below */
	struct xarray sets;
	u32 count;
	u32 next_id;
	struct kobject *kobj;
};

int gpuoa_registry_init(struct gpuoa_registry *registry, struct device *dev,
			const struct gpuoa_builtin_set *builtin);
void gpuoa_registry_fini(struct gpuoa_registry *registry);
int gpuoa_registry_add(struct gpuoa_registry *registry, struct gpuoa_metric_set *set, u32 *id);
int gpuoa_registry_remove(struct gpuoa_registry *registry, u32 id);
u32 gpuoa_registry_list(struct gpuoa_registry *registry, struct gpuoa_config_entry *entries,
			u32 max);
struct gpuoa_metric_set *gpuoa_registry_get(struct gpuoa_registry *registry, u32 id);

#endif /* _GPUOA_REGISTRY_H */
