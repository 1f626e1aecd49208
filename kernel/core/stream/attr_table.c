// SPDX-License-Identifier: GPL-2.0-only
/*
 * attr_table.c - attributes of events that are registered under an id: GPUOA_IOC_ADD_ATTR.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/pfn.h>
#include <linux/sched/user.h>
#include <linux/slab.h>

#include "attr.h"
#include "attr_table.h"
#include "oa/metric_set.h"
#include "request.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Registered attributes
 *
 * perf_event_open() runs pmu->event_init() in an SRCU read-side section, so struct gpuoa_attr in
 * user memory can only be read there without page faults. GPUOA_IOC_ADD_ATTR copies all of it
 * beforehand, register lists included, and resolves drm_fd; perf_event_open() then needs the id
 * only.
 *
 * The entry holds a reference to the DRM file. This cannot form a cycle, because
 * &gpuoa_provider_ops.context_get has accepted the file as one of the GPU's DRM node.
 */

/* Limits the memory of a table */
#define ATTR_TABLE_MAX 4096

static void registered_attr_free(struct gpuoa_registered_attr *registered)
{
	if (registered->set)
		gpuoa_metric_set_put(registered->set);
	if (registered->drm_file)
		fput(registered->drm_file);
	if (registered->charge.user)
		gpuoa_uncharge(&registered->charge);
	kfree(registered);
}

static void registered_attr_release(struct kref *refcount)
{
	registered_attr_free(container_of(refcount, struct gpuoa_registered_attr, refcount));
}

/**
 * gpuoa_registered_attr_put() - Release a reference to registered attributes.
 * @registered: registered attributes
 */
void gpuoa_registered_attr_put(struct gpuoa_registered_attr *registered)
{
	kref_put(&registered->refcount, registered_attr_release);
}

/* Copies everything that is in user memory. */
static int registered_attr_fill(struct gpuoa_registered_attr *registered, struct gpuoa_unit *unit,
				u64 user)
{
	struct gpuoa_attr *attr = &registered->attr;
	size_t size = sizeof(*registered);
	int ret;

	ret = gpuoa_attr_from_user(&unit->dev, user, attr);
	if (!ret)
		ret = gpuoa_request_check(unit, attr);
	if (ret)
		return ret;

	if (!attr->metric_set) {
		registered->set = gpuoa_request_inline_set(unit, attr);
		if (IS_ERR(registered->set)) {
			ret = PTR_ERR(registered->set);
			registered->set = NULL;
			return ret;
		}
		size += sizeof(struct gpuoa_register) *
			((size_t)attr->n_mux + attr->n_boolean + attr->n_flex);
	}
	if (attr->flags & GPUOA_ATTR_CONTEXT && !(attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)) {
		registered->drm_file = fget(attr->drm_fd);
		if (!registered->drm_file)
			return -EBADF;
	}

	return gpuoa_charge(&registered->charge, unit, GPUOA_CHARGE_ATTR, PFN_UP(size));
}

/* Look up the configuration and the context, as an event would. The unit is entered. */
static int registered_attr_find(struct gpuoa_registered_attr *registered, struct gpuoa_unit *unit)
{
	struct gpuoa_request request = {};
	int ret;

	if (registered->set)
		request.set = gpuoa_metric_set_get(registered->set);
	ret = gpuoa_request_find(&request, unit, &registered->attr, registered);
	if (ret)
		return ret;
	if (!registered->set)
		registered->set = gpuoa_metric_set_get(request.set);
	gpuoa_request_release(&request, unit);

	return 0;
}

static int attr_table_insert(struct gpuoa_attr_table *table,
			     struct gpuoa_registered_attr *registered, u32 *id)
{
	int ret = -ENOSPC;

	mutex_lock(&table->lock);
	/* Ids are not reused soon: a user may still have the old one. */
	if (table->count < ATTR_TABLE_MAX)
		ret = xa_alloc_cyclic(&table->entries, &registered->id, registered,
				      XA_LIMIT(1, INT_MAX), &table->next_id, GFP_KERNEL_ACCOUNT);
	if (ret >= 0) {
		table->count++;
		*id = registered->id;
	}
	mutex_unlock(&table->lock);

	return min(ret, 0);
}

/**
 * gpuoa_attr_table_add() - Register attributes of events.
 * @unit: the unit
 * @owner: open file of /dev/gpuoa<N> that the id belongs to
 * @user: user pointer to struct gpuoa_attr
 * @id: out: the id
 *
 * Context: may sleep, accesses user memory
 * Return: 0, or a negative errno as uapi/gpuoa.h documents for GPUOA_IOC_ADD_ATTR
 */
int gpuoa_attr_table_add(struct gpuoa_unit *unit, const struct file *owner, u64 user, u32 *id)
{
	struct gpuoa_registered_attr *registered;
	int ret;

	if (!gpuoa_may_observe())
		return gpuoa_reject(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: events need CAP_PERFMON");

	registered = kzalloc(sizeof(*registered), GFP_KERNEL_ACCOUNT);
	if (!registered)
		return -ENOMEM;
	kref_init(&registered->refcount);
	registered->owner = owner;

	ret = registered_attr_fill(registered, unit, user);
	if (ret)
		goto err_free;
	ret = gpuoa_unit_enter(unit);
	if (ret)
		goto err_free;
	ret = registered_attr_find(registered, unit);
	if (!ret)
		ret = attr_table_insert(&unit->attrs, registered, id);
	gpuoa_unit_leave(unit);
	if (ret)
		goto err_free;

	return 0;

err_free:
	registered_attr_free(registered);

	return ret;
}

static void attr_table_drop(struct gpuoa_attr_table *table,
			    struct gpuoa_registered_attr *registered)
{
	lockdep_assert_held(&table->lock);

	xa_erase(&table->entries, registered->id);
	table->count--;
	gpuoa_registered_attr_put(registered);
}

/**
 * gpuoa_attr_table_remove() - Remove an id; events that were opened with it are not affected.
 * @unit: the unit
 * @owner: open file of /dev/gpuoa<N>
 * @id: the id
 *
 * Return: 0, or -ENOENT if @owner has not registered @id
 */
int gpuoa_attr_table_remove(struct gpuoa_unit *unit, const struct file *owner, u32 id)
{
	struct gpuoa_attr_table *table = &unit->attrs;
	struct gpuoa_registered_attr *registered;
	int ret = -ENOENT;

	mutex_lock(&table->lock);
	registered = xa_load(&table->entries, id);
	if (registered && registered->owner == owner) {
		attr_table_drop(table, registered);
		ret = 0;
	}
	mutex_unlock(&table->lock);

	return ret;
}

/**
 * gpuoa_attr_table_clear() - Remove the ids of an open file, or all.
 * @unit: the unit
 * @owner: open file of /dev/gpuoa<N> that is closed; NULL: remove all ids, because the unit is gone
 */
void gpuoa_attr_table_clear(struct gpuoa_unit *unit, const struct file *owner)
{
	struct gpuoa_attr_table *table = &unit->attrs;
	struct gpuoa_registered_attr *registered;
	unsigned long id;

	mutex_lock(&table->lock);
	xa_for_each(&table->entries, id, registered)
		if (!owner || registered->owner == owner)
			attr_table_drop(table, registered);
	mutex_unlock(&table->lock);
}

/**
 * gpuoa_attr_table_get() - Find registered attributes.
 * @unit: the unit
 * @id: the id, from user space
 *
 * Return: registered attributes with a reference for the caller, or an ERR_PTR: -ENOENT if there is
 * no such id, or it belongs to another user and the caller has no CAP_PERFMON
 */
struct gpuoa_registered_attr *gpuoa_attr_table_get(struct gpuoa_unit *unit, u64 id)
{
	struct gpuoa_attr_table *table = &unit->attrs;
	struct gpuoa_registered_attr *registered = NULL;

	mutex_lock(&table->lock);
	if (id <= INT_MAX)
		registered = xa_load(&table->entries, id);
	if (registered && registered->charge.user != current_user() && !perfmon_capable())
		registered = NULL;
	if (registered)
		kref_get(&registered->refcount);
	mutex_unlock(&table->lock);

	if (!registered)
		return ERR_PTR(gpuoa_reject(&unit->dev, -ENOENT, "no attributes have this id"));

	return registered;
}

/**
 * gpuoa_attr_table_init() - Initialize an empty table.
 * @table: out: the table
 */
void gpuoa_attr_table_init(struct gpuoa_attr_table *table)
{
	mutex_init(&table->lock);
	xa_init_flags(&table->entries, XA_FLAGS_ALLOC1);
}
