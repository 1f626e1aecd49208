// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_limits.c - limits for users, set by the sysctls dev.gpuoa.*. */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/sysctl.h>

#include <gpuoa_compat.h>

#include "gpuoa_limits.h"
#include "gpuoa_unit.h"

/* Maximum number of objects of each kind that a user without CAP_PERFMON may have per unit */
static const unsigned int user_max[] = {
	[GPUOA_CHARGE_STREAM] = 16,
	[GPUOA_CHARGE_ATTR] = 64,
};

/*
 * Maximum rate without CAP_PERFMON, reports per second. As dev.i915.oa_max_sample_rate, it limits
 * the memory bandwidth that unprivileged users cause.
 */
static int max_sample_rate = 100000;

/*
 * The values 0 and 1 mean the same as in perf_stream_paranoid of i915 and observation_paranoid of
 * xe. With 2, users without CAP_PERFMON have no access at all.
 */
static int paranoid = 1;

/*
 * Memory that a user may lock in addition to RLIMIT_MEMLOCK, in KiB per online CPU. The default is
 * that of kernel.perf_event_mlock_kb, which is not exported; perf and gpuoa share the allowance.
 */
static int mlock_kb = 512 + PAGE_SIZE / SZ_1K;

/* Protects &gpuoa_unit.charges of all units. */
static DEFINE_SPINLOCK(charges_lock);

static struct ctl_table limits_table[] = {
	{
		.procname = "paranoid",
		.data = &paranoid,
		.maxlen = sizeof(paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_TWO,
	},
	{
		.procname = "max_sample_rate",
		.data = &max_sample_rate,
		.maxlen = sizeof(max_sample_rate),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
	},
	{
		.procname = "mlock_kb",
		.data = &mlock_kb,
		.maxlen = sizeof(mlock_kb),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
	},
	{}
};

static struct ctl_table_header *limits_header;

/**
 * gpuoa_may_observe() - Check whether the task may observe other users of the GPU.
 *
 * perf checks its sysctl perf_event_paranoid only after event_init(), and does not export it. This
 * check rejects unprivileged users before the unit is acquired.
 *
 * Return: true with CAP_PERFMON, or if sysctl dev.gpuoa.paranoid is 0
 */
bool gpuoa_may_observe(void)
{
	return !READ_ONCE(paranoid) || perfmon_capable();
}

/**
 * gpuoa_may_observe_own() - Check whether the task may observe its own contexts.
 *
 * Used if gpuoa_may_observe() is false and a stream shows no data of other users.
 *
 * Return: true with CAP_PERFMON, or if sysctl dev.gpuoa.paranoid is less than 2
 */
bool gpuoa_may_observe_own(void)
{
	return READ_ONCE(paranoid) < 2 || perfmon_capable();
}

/**
 * gpuoa_max_sample_rate() - Get sysctl dev.gpuoa.max_sample_rate.
 *
 * Return: maximum rate without CAP_PERFMON, reports per second
 */
unsigned int gpuoa_max_sample_rate(void)
{
	return READ_ONCE(max_sample_rate);
}

/*
 * Count the object. Fail if a user without CAP_PERFMON already has user_max objects of its kind on
 * the unit.
 */
static int charge_object(struct gpuoa_charge *charge)
{
	unsigned int max = perfmon_capable() ? UINT_MAX : user_max[charge->kind];
	struct gpuoa_charge *other;
	unsigned int count = 0;

	spin_lock(&charges_lock);
	list_for_each_entry(other, &charge->unit->charges, link)
		count += other->user == charge->user && other->kind == charge->kind;
	if (count < max)
		list_add(&charge->link, &charge->unit->charges);
	spin_unlock(&charges_lock);

	return count < max ? 0 : -EUSERS;
}

static void uncharge_object(struct gpuoa_charge *charge)
{
	spin_lock(&charges_lock);
	list_del(&charge->link);
	spin_unlock(&charges_lock);
}

/* As in perf_mmap(), pages above the allowance count against RLIMIT_MEMLOCK. */
static int charge_pages(struct gpuoa_charge *charge, unsigned long pages)
{
	unsigned long allowance =
		(READ_ONCE(mlock_kb) >> (PAGE_SHIFT - 10)) * (unsigned long)num_online_cpus();
	unsigned long locked = atomic_long_add_return(pages, &charge->user->locked_vm);
	unsigned long total;

	charge->pinned = locked > allowance ? min(locked - allowance, pages) : 0;
	charge->locked = pages - charge->pinned;
	atomic_long_sub(charge->pinned, &charge->user->locked_vm);
	total = atomic64_add_return(charge->pinned, &charge->mm->pinned_vm);
	if (!charge->pinned || total <= rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT ||
	    capable(CAP_IPC_LOCK))
		return 0;

	atomic64_sub(charge->pinned, &charge->mm->pinned_vm);
	atomic_long_sub(charge->locked, &charge->user->locked_vm);

	return -EPERM;
}

/**
 * gpuoa_charge() - Charge an object and its memory to the current user.
 * @charge: charge, output, for gpuoa_uncharge(); its @user is NULL on failure
 * @unit: unit of the object
 * @kind: kind of the object
 * @pages: number of pages
 *
 * Return: 0; -EUSERS if the user has too many objects of @kind; -EPERM if the memory above the
 * allowance of sysctl dev.gpuoa.mlock_kb exceeds RLIMIT_MEMLOCK
 */
int gpuoa_charge(struct gpuoa_charge *charge, struct gpuoa_unit *unit, enum gpuoa_charge_kind kind,
		 unsigned long pages)
{
	int ret;

	*charge = (struct gpuoa_charge){
		.kind = kind,
		.unit = unit,
		.user = current_user(),
		.mm = current->mm,
	};
	ret = charge_object(charge);
	if (ret) {
		gpuoa_reject(&unit->dev, ret, "the user has too many streams or attributes");
		goto err_user;
	}
	ret = charge_pages(charge, pages);
	if (ret) {
		gpuoa_reject(&unit->dev, ret, "the memory exceeds RLIMIT_MEMLOCK");
		goto err_object;
	}
	charge->cred = get_current_cred();
	mmgrab(charge->mm);
	get_device(&unit->dev);

	return 0;

err_object:
	uncharge_object(charge);
err_user:
	charge->user = NULL;

	return ret;
}

/**
 * gpuoa_uncharge() - Undo gpuoa_charge().
 * @charge: charge
 */
void gpuoa_uncharge(struct gpuoa_charge *charge)
{
	uncharge_object(charge);
	atomic64_sub(charge->pinned, &charge->mm->pinned_vm);
	atomic_long_sub(charge->locked, &charge->user->locked_vm);
	mmdrop(charge->mm);
	put_cred(charge->cred);
	put_device(&charge->unit->dev);
}

/**
 * gpuoa_limits_init() - Register the sysctls.
 *
 * Return: 0 or -ENOMEM
 */
int gpuoa_limits_init(void)
{
	limits_header = gpuoa_compat_register_sysctl("dev/gpuoa", limits_table);

	return limits_header ? 0 : -ENOMEM;
}

/**
 * gpuoa_limits_exit() - Undo gpuoa_limits_init().
 */
void gpuoa_limits_exit(void)
{
	unregister_sysctl_table(limits_header);
}
