// SPDX-License-Identifier: GPL-2.0-only
/* registry.c - registry of a unit's configurations, with their directories in sysfs. */
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

/* GPUOA_TEST_OA_ID is reserved for the built-in configuration. */
static struct xa_limit registry_ids(const struct gpuoa_metric_set *set)
{
	return set->builtin ? XA_LIMIT(GPUOA_TEST_OA_ID, GPUOA_TEST_OA_ID) :
			      XA_LIMIT(GPUOA_TEST_OA_ID + 1, INT_MAX);
}

/**
 * gpuoa_registry_add() - Add a configuration.
 * @registry: registry
 * @set: configuration with a UUID; on success the registry takes over the reference
 * @id: id of @set, or of the existing configuration on -EEXIST; output
 *
 * Return: 0; -EEXIST if the UUID exists with the same registers; -EADDRINUSE if it exists with
 * other registers; -ENOSPC if there are GPUOA_REGISTRY_MAX configurations; or an error of the
 * allocation or of sysfs
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

	/* Avoid early reuse of ids, because a user may still hold an old one. */
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
 * gpuoa_registry_remove() - Remove a configuration.
 * @registry: registry
 * @id: id of the configuration
 *
 * Return: 0; -ENOENT if the id does not exist; -EPERM for the built-in configuration
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
 * gpuoa_registry_get() - Get a configuration by id.
 * @registry: registry
 * @id: id of the configuration
 *
 * Return: the configuration with a reference, or NULL
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
 * gpuoa_registry_init() - Initialize the registry of a unit.
 * @registry: registry, output
 * @dev: registered class device of the unit
 * @builtin: built-in configuration, or NULL
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
 * gpuoa_registry_fini() - Remove all configurations.
 * @registry: registry
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
