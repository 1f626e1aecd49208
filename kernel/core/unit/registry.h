/* SPDX-License-Identifier: GPL-2.0-only */
/* registry.h - registry of a unit's configurations, with their directories in sysfs. */
#ifndef _GPUOA_REGISTRY_H
#define _GPUOA_REGISTRY_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

/* Limits the memory of a registry and the time to find a UUID. */
#define GPUOA_REGISTRY_MAX 4096

struct device;
struct gpuoa_builtin_set;
struct gpuoa_metric_set;
struct kobject;

/**
 * struct gpuoa_registry - configurations by id
 * @lock: protects the registry and its directory in sysfs
 * @sets: configurations by id, each with a reference
 * @count: number of @sets
 * @next_id: start of the search for a free id
 * @kobj: metrics/ in sysfs
 */
struct gpuoa_registry {
	struct mutex lock; /* protects the members below */
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
struct gpuoa_metric_set *gpuoa_registry_get(struct gpuoa_registry *registry, u32 id);

#endif /* _GPUOA_REGISTRY_H */
