/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_metric_set.h - metric configurations, which are lists of register writes. */
#ifndef _GPUOA_METRIC_SET_H
#define _GPUOA_METRIC_SET_H

#include <linux/kobject.h>
#include <linux/kref.h>
#include <linux/sysfs.h>
#include <linux/types.h>

#include <gpuoa_provider.h>

#include "uapi/gpuoa.h"

struct gpuoa_hw;
struct gpuoa_oa_ops;
struct gpuoa_reg_mask;
struct gpuoa_reg_range;

/**
 * struct gpuoa_builtin_set - configuration that is part of a platform's tables
 * @uuid: UUID
 * @mux: NOA multiplexer
 * @boolean: boolean counters
 * @flex: flexible EU counters
 */
struct gpuoa_builtin_set {
	const char *uuid;
	struct gpuoa_reg_list mux;
	struct gpuoa_reg_list boolean;
	struct gpuoa_reg_list flex;
};

/**
 * struct gpuoa_metric_set - metric configuration; immutable
 * @refcount: reference count; the registry and each stream hold a reference
 * @uuid: UUID, NUL-terminated; empty for an inline configuration
 * @id: value of metric_set in events; 0 for an inline configuration
 * @builtin: configuration that cannot be removed
 * @mux: NOA multiplexer
 * @boolean: boolean counters
 * @flex: flexible EU counters
 * @id_attr: metrics/<uuid>/id in sysfs
 * @attrs: attributes of @group
 * @group: metrics/<uuid>/
 */
struct gpuoa_metric_set {
	struct kref refcount;
	char uuid[GPUOA_UUID_SIZE];
	u32 id;
	bool builtin;
	struct gpuoa_reg_list mux;
	struct gpuoa_reg_list boolean;
	struct gpuoa_reg_list flex;

	struct kobj_attribute id_attr;
	struct attribute *attrs[2];
	struct attribute_group group;
};

/**
 * struct gpuoa_user_regs - register lists of a configuration passed by user space
 * @mux: user pointer to @n_mux struct gpuoa_register
 * @boolean: user pointer to @n_boolean struct gpuoa_register
 * @flex: user pointer to @n_flex struct gpuoa_register
 * @n_mux: number of registers at @mux
 * @n_boolean: number of registers at @boolean
 * @n_flex: number of registers at @flex
 * @rejected: address of the first register that is not allowed, output; 0 if all are allowed
 */
struct gpuoa_user_regs {
	u64 mux;
	u64 boolean;
	u64 flex;
	u32 n_mux;
	u32 n_boolean;
	u32 n_flex;
	u32 rejected;
};

/* An empty list must have a NULL pointer. */
static inline bool gpuoa_list_valid(u32 count, u64 user)
{
	return count || !user;
}

static inline struct gpuoa_metric_set *gpuoa_metric_set_get(struct gpuoa_metric_set *set)
{
	kref_get(&set->refcount);

	return set;
}

int gpuoa_regs_check(const struct gpuoa_reg_range *whitelist, const struct gpuoa_reg_mask *masks,
		     struct gpuoa_register *regs, u32 count);
bool gpuoa_uuid_valid(const char *uuid);
bool gpuoa_metric_set_equal(const struct gpuoa_metric_set *a, const struct gpuoa_metric_set *b);
struct gpuoa_metric_set *gpuoa_metric_set_from_user(const struct gpuoa_oa_ops *oa,
						    struct gpuoa_user_regs *user);
struct gpuoa_metric_set *gpuoa_metric_set_from_builtin(const struct gpuoa_builtin_set *builtin);
void gpuoa_metric_set_put(struct gpuoa_metric_set *set);
void gpuoa_metric_set_write_noa(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set);
int gpuoa_metric_set_program(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set);

#endif /* _GPUOA_METRIC_SET_H */
