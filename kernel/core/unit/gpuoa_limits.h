/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_limits.h - limits for users, set by the sysctls dev.gpuoa.*. */
#ifndef _GPUOA_LIMITS_H
#define _GPUOA_LIMITS_H

#include <linux/list.h>
#include <linux/types.h>

struct cred;
struct gpuoa_unit;
struct mm_struct;
struct user_struct;

/**
 * enum gpuoa_charge_kind - kernel objects whose number per user and unit is limited
 * @GPUOA_CHARGE_STREAM: streams of GPUOA_IOC_OPEN_STREAM
 * @GPUOA_CHARGE_ATTR: attributes of GPUOA_IOC_ADD_ATTR
 */
enum gpuoa_charge_kind {
	GPUOA_CHARGE_STREAM,
	GPUOA_CHARGE_ATTR,
};

/**
 * struct gpuoa_charge - an object's memory, charged to the user who created it
 * @link: entry in &gpuoa_unit.charges
 * @kind: kind of the object
 * @unit: unit of the object, with a reference
 * @user: user; &user_struct.locked_vm includes @locked
 * @cred: credentials of @user, with a reference: early kernels of 6.1 do not export free_uid()
 * @mm: address space, with a reference; &mm_struct.pinned_vm includes @pinned
 * @locked: number of pages within the allowance of sysctl dev.gpuoa.mlock_kb
 * @pinned: number of pages above that allowance
 */
struct gpuoa_charge {
	struct list_head link;
	enum gpuoa_charge_kind kind;
	struct gpuoa_unit *unit;
	struct user_struct *user;
	const struct cred *cred;
	struct mm_struct *mm;
	unsigned long locked;
	unsigned long pinned;
};

bool gpuoa_may_observe(void);
bool gpuoa_may_observe_own(void);
unsigned int gpuoa_max_sample_rate(void);
int gpuoa_charge(struct gpuoa_charge *charge, struct gpuoa_unit *unit, enum gpuoa_charge_kind kind,
		 unsigned long pages);
void gpuoa_uncharge(struct gpuoa_charge *charge);
int gpuoa_limits_init(void);
void gpuoa_limits_exit(void);

#endif /* _GPUOA_LIMITS_H */
