// SPDX-License-Identifier: GPL-2.0-only
/*
 * registry.c - the configurations of a unit that have an id, and what sysfs shows of them.
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/string.h>

#include "oa/metric_set.h"
#include "registry.h"

static ssize_t id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct gpuoa_metric_set *set = container_of(attr, struct gpuoa_metric_set, id_attr);

	return sysfs_emit(buf, "%u\n", set->id);
}

static void registry_init_sysfs(struct gpuoa_metric_set *set)
{
	sysfs_attr_init(&set->id_attr.attr);
	set->id_attr.attr.name = "id";
	set->id_attr.attr.mode = 0444;
	set->id_attr.show = id_show;
	set->attrs[0] = &set->id_attr.attr;
	set->group.name = set->uuid;
	set->group.attrs = set->attrs;
}

static struct gpuoa_metric_set *registry_find_uuid(struct gpuoa_registry *registry,
						   const char *uuid)
{
	struct gpuoa_metric_set *set;
	unsigned long id;

	lockdep_assert_held(&registry->lock);

	xa_for_each(&registry->sets, id, set)
		if (!strcasecmp(set->uuid, uuid))
			return set;

	return NULL;
}

/* The built-in configuration has an id of its own. */
static struct xa_limit registry_ids(const struct gpuoa_metric_set *set)
{
	return set->builtin ? XA_LIMIT(GPUOA_TEST_OA_ID, GPUOA_TEST_OA_ID) :
			      XA_LIMIT(GPUOA_TEST_OA_ID + 1, INT_MAX);
}

/**
 * gpuoa_registry_add - give a configuration an id
 * @registry: the registry
 * @set: the configuration, with its UUID; on success its reference becomes the registry's
 * @id: out: its id, or on -EEXIST that of the equal one
 *
 * Return: 0, -EEXIST if the UUID stands for the same registers already, -EADDRINUSE if for others,
 * -ENOSPC if there are GPUOA_REGISTRY_MAX configurations, or what allocation and sysfs say
 */
int gpuoa_registry_add(struct gpuoa_registry *registry, struct gpuoa_metric_set *set, u32 *id)
{
	struct gpuoa_metric_set *other;
	int ret;

	mutex_lock(&registry->lock);

	other = registry_find_uuid(registry, set->uuid);
	if (other) {
		*id = other->id;
		ret = gpuoa_metric_set_equal(set, other) ? -EEXIST : -EADDRINUSE;
		goto out;
	}

	ret = -ENOSPC;
	if (registry->count >= GPUOA_REGISTRY_MAX)
		goto out;

	/* Ids are not reused soon: a user may still have the old one. */
	ret = xa_alloc_cyclic(&registry->sets, &set->id, set, registry_ids(set), &registry->next_id,
			      GFP_KERNEL);
	if (ret < 0)
		goto out;

	registry_init_sysfs(set);
	ret = sysfs_create_group(registry->kobj, &set->group);
	if (ret) {
		xa_erase(&registry->sets, set->id);
		goto out;
	}
	registry->count++;
	*id = set->id;
out:
	mutex_unlock(&registry->lock);

	return ret;
}

static void registry_drop(struct gpuoa_registry *registry, struct gpuoa_metric_set *set)
{
	lockdep_assert_held(&registry->lock);

	xa_erase(&registry->sets, set->id);
	registry->count--;
	sysfs_remove_group(registry->kobj, &set->group);
	gpuoa_metric_set_put(set);
}

/**
 * gpuoa_registry_remove - take a configuration's id away
 * @registry: the registry
 * @id: its id
 *
 * Return: 0, -ENOENT if nothing has this id, -EPERM for the built-in one
 */
int gpuoa_registry_remove(struct gpuoa_registry *registry, u32 id)
{
	struct gpuoa_metric_set *set;
	int ret = 0;

	mutex_lock(&registry->lock);
	set = xa_load(&registry->sets, id);
	if (!set)
		ret = -ENOENT;
	else if (set->builtin)
		ret = -EPERM;
	else
		registry_drop(registry, set);
	mutex_unlock(&registry->lock);

	return ret;
}

/**
 * gpuoa_registry_get - find a configuration
 * @registry: the registry
 * @id: its id
 *
 * Return: the configuration with a reference for the caller, or NULL
 */
struct gpuoa_metric_set *gpuoa_registry_get(struct gpuoa_registry *registry, u32 id)
{
	struct gpuoa_metric_set *set;

	mutex_lock(&registry->lock);
	set = xa_load(&registry->sets, id);
	if (set)
		kref_get(&set->refcount);
	mutex_unlock(&registry->lock);

	return set;
}

/**
 * gpuoa_registry_list - list all configurations
 * @registry: the registry
 * @entries: out: room for @max of them
 * @max: room
 *
 * Return: number of configurations, which may be more than @max
 */
u32 gpuoa_registry_list(struct gpuoa_registry *registry, struct gpuoa_config_entry *entries,
			u32 max)
{
	struct gpuoa_metric_set *set;
	unsigned long id;
	u32 count = 0;

	mutex_lock(&registry->lock);
	xa_for_each(&registry->sets, id, set) {
		if (count < max) {
			entries[count] = (struct gpuoa_config_entry){ .id = set->id };
			strscpy(entries[count].uuid, set->uuid, sizeof(entries[count].uuid));
		}
		count++;
	}
	mutex_unlock(&registry->lock);

	return count;
}

static int registry_add_builtin(struct gpuoa_registry *registry,
				const struct gpuoa_builtin_set *builtin)
{
	struct gpuoa_metric_set *set = gpuoa_metric_set_from_builtin(builtin);
	u32 id;
	int ret;

	if (IS_ERR(set))
		return PTR_ERR(set);

	ret = gpuoa_registry_add(registry, set, &id);
	if (ret)
		gpuoa_metric_set_put(set);

	return ret;
}

/**
 * gpuoa_registry_init - make a unit's registry
 * @registry: out
 * @dev: the unit's class device, which is there
 * @builtin: configuration that is in it from the beginning, or NULL
 *
 * Return: 0 or a negative errno
 */
int gpuoa_registry_init(struct gpuoa_registry *registry, struct device *dev,
			const struct gpuoa_builtin_set *builtin)
{
	int ret;

	mutex_init(&registry->lock);
	xa_init_flags(&registry->sets, XA_FLAGS_ALLOC1);

	registry->kobj = kobject_create_and_add("metrics", &dev->kobj);
	if (!registry->kobj)
		return -ENOMEM;

	ret = builtin ? registry_add_builtin(registry, builtin) : 0;
	if (ret)
		kobject_put(registry->kobj);

	return ret;
}

/**
 * gpuoa_registry_fini - forget all configurations
 * @registry: the registry
 */
void gpuoa_registry_fini(struct gpuoa_registry *registry)
{
	struct gpuoa_metric_set *set;
	unsigned long id;

	mutex_lock(&registry->lock);
	xa_for_each(&registry->sets, id, set)
		registry_drop(registry, set);
	mutex_unlock(&registry->lock);

	kobject_put(registry->kobj);
}
