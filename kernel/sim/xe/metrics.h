/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics.h - configurations of OA units: what programs have added.
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
 * struct sim_xe_metrics - a configuration
 * @ref: one for the list, one for each stream that has it
 * @id: its number
 * @uuid: its name
 * @n: number of @regs
 * @regs: registers in the order in which they are written
 * @show: the file that tells the id
 * @attrs: that, for @group
 * @group: its directory
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
