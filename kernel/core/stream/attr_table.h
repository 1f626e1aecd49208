/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attr_table.h - attributes of events that are registered under an id: GPUOA_IOC_ADD_ATTR.
 */
#ifndef _GPUOA_ATTR_TABLE_H
#define _GPUOA_ATTR_TABLE_H

#include <linux/kref.h>
#include <linux/types.h>

#include "uapi/gpuoa.h"
#include "unit/gpuoa_limits.h"

struct file;
struct gpuoa_attr_table;
struct gpuoa_metric_set;
struct gpuoa_unit;

/**
 * struct gpuoa_registered_attr - registered attributes; constant once created
 * @refcount: one reference of the table, and one of each perf_event_open() that uses the entry
 * @attr: the attributes; pointers and file descriptor in it are not used
 * @set: the configuration, registered or inline, with a reference
 * @drm_file: file that drm_fd was, with a reference; NULL: no context, or one by hardware id
 * @owner: open file of /dev/gpuoa<N> that the id belongs to
 * @charge: memory of the entry
 * @id: its id
 */
struct gpuoa_registered_attr {
	struct kref refcount;
	struct gpuoa_attr attr;
	struct gpuoa_metric_set *set;
	struct file *drm_file;
	const struct file *owner;
	struct gpuoa_charge charge;
	u32 id;
};

void gpuoa_attr_table_init(struct gpuoa_attr_table *table);
int gpuoa_attr_table_add(struct gpuoa_unit *unit, const struct file *owner, u64 user, u32 *id);
int gpuoa_attr_table_remove(struct gpuoa_unit *unit, const struct file *owner, u32 id);
void gpuoa_attr_table_clear(struct gpuoa_unit *unit, const struct file *owner);
struct gpuoa_registered_attr *gpuoa_attr_table_get(struct gpuoa_unit *unit, u64 id);
void gpuoa_registered_attr_put(struct gpuoa_registered_attr *registered);

#endif /* _GPUOA_ATTR_TABLE_H */
