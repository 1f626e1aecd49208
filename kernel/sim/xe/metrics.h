/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics.h - OA configurations that programs have added.
 */
#ifndef _SIM_XE_METRICS_H
#define _SIM_XE_METRICS_H

#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/sysfs.h>
#include <linux/types.h>
#include <linux/uuid.h>

#include "vgpu/model/mmio.h"

struct sim_xe;

/**
 * struct sim_xe_metrics - an OA configuration
 * @ref: reference count: one for &sim_xe.metrics, one for each stream that uses it
 * @id: ID
 * @uuid: UUID, the name of the sysfs directory
 * @n: number of @regs
 * @regs: register values, in programming order
 * @show: sysfs attribute "id"
 * @attrs: attributes of @group
 * @group: sysfs directory
 */
struct sim_xe_metrics {
	struct kref ref;
	u32 id;
	char uuid[UUID_STRING_LEN + 1];
	u32 n;
	struct sim_register_value *regs;
	struct kobj_attribute show;
	struct attribute *attrs[2];
	struct attribute_group group;
};

int sim_xe_metrics_init(struct sim_xe *xe);
void sim_xe_metrics_exit(struct sim_xe *xe);
struct sim_xe_metrics *sim_xe_metrics_get(struct sim_xe *xe, u64 id);
void sim_xe_metrics_put(struct sim_xe_metrics *metrics);
int sim_xe_metrics_add(struct sim_xe *xe, u64 param);
int sim_xe_metrics_remove(struct sim_xe *xe, u64 param);

#endif /* _SIM_XE_METRICS_H */
