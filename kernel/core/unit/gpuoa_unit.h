/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_unit.h - OA unit gpuoa<N>. */
#ifndef _GPUOA_UNIT_H
#define _GPUOA_UNIT_H

#include <linux/atomic.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/ioctl.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include <gpuoa_provider.h>
#include "oa/gpuoa_oa.h"
#include "uapi/gpuoa.h"

struct file;
struct gpuoa_builtin_set;
struct gpuoa_context_owner_info;
struct gpuoa_freq_pin_arg;
struct gpuoa_metric_set;
struct gpuoa_platform;
struct gpuoa_pmu;
struct gpuoa_stream;
struct kobject;

/*
 * Maximum number of configurations in a registry, to limit its memory and the time to find a UUID
 */
#define GPUOA_REGISTRY_MAX 4096

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

/**
 * struct gpuoa_stats - statistics in sysfs
 * @reports_forwarded: number of published reports
 * @reports_lost: number of reports known to be missing
 * @overflows: number of times the OABUFFER was full and the unit was restarted
 * @resets: number of times the unit lost its registers while running
 * @opens: number of times the unit was acquired
 * @polls: number of polls of the running unit
 * @interrupts: number of half-full interrupts of the provider
 */
struct gpuoa_stats {
	atomic64_t reports_forwarded;
	atomic64_t reports_lost;
	atomic64_t overflows;
	atomic64_t resets;
	atomic64_t opens;
	atomic64_t polls;
	atomic64_t interrupts;
};

/**
 * struct gpuoa_pin - frequency pin
 * @lock: protects the struct
 * @owner: file that owns the pin, or NULL
 * @hz: pinned frequency, Hz
 */
struct gpuoa_pin {
	struct mutex lock; /* protects the struct */
	struct file *owner;
	u64 hz;
};

/**
 * struct gpuoa_attr_table - registered attributes of events, struct gpuoa_registered_attr
 * @lock: protects all members of the table
 * @entries: attributes by id; each holds a reference
 * @count: number of @entries
 * @next_id: start of the search for a free id
 */
struct gpuoa_attr_table {
	struct mutex lock; /* see above */
	struct xarray entries;
	u32 count;
	u32 next_id;
};

/**
 * struct gpuoa_unit - OA unit
 *
 * @dev: class device gpuoa<N>; its release frees the unit
 * @cdev: /dev/gpuoa<N>
 * @index: N
 * @platform: GPU platform
 * @oa: backend of the hardware generation
 * @context_mask: bits of a report's context id that identify a context
 * @noa_delay_us: time the MUX takes to switch, us
 * @ops: callbacks of the provider
 * @provider: first argument of @ops
 * @owner: module of the provider; each event holds a reference
 * @info: description for user space
 * @gone_lock: read-locked while the provider is used, write-locked to remove it
 * @gone: the provider was removed; written under @gone_lock
 * @sets: metric configurations by id
 * @stats: statistics
 * @stream_lock: protects @stream and its number of users
 * @stream: stream that uses the unit, or NULL
 * @suspended: the GPU is suspended; protected by @stream_lock
 * @epoch: number of perf transactions on the PMU; written on the unit's CPU, where streams start
 *	and stop
 * @wake_lock: protects @next_wake
 * @next_wake: time from which an unprivileged user may wake the GPU again, jiffies
 * @frequency: frequency pin
 * @charges: objects of users and their memory, struct gpuoa_charge; see gpuoa_limits.c
 * @attrs: registered attributes of events
 * @pmu: PMU gpuoa<N>, allocated and freed by pmu/
 */
struct gpuoa_unit {
	struct device dev;
	struct cdev cdev;
	int index;

	const struct gpuoa_platform *platform;
	const struct gpuoa_oa_ops *oa;
	u32 context_mask;
	u32 noa_delay_us;
	const struct gpuoa_provider_ops *ops;
	void *provider;
	struct module *owner;
	struct gpuoa_unit_info info;

	struct rw_semaphore gone_lock;
	bool gone;

	struct gpuoa_registry sets;
	struct gpuoa_stats stats;

	struct mutex stream_lock; /* stream and its users */
	struct gpuoa_stream *stream;
	bool suspended;
	u32 epoch;

	struct mutex wake_lock; /* next_wake */
	unsigned long next_wake;

	struct gpuoa_pin frequency;
	struct list_head charges;
	struct gpuoa_attr_table attrs;

	struct gpuoa_pmu *pmu;
};

/**
 * gpuoa_unit_is_gone() - Check without a lock whether the unit was removed.
 * @unit: OA unit
 *
 * The result may be stale. A caller that depends on it must hold a lock that
 * gpuoa_unit_unregister() takes after it has set @unit->gone.
 *
 * Return: true if it was removed
 */
static inline bool gpuoa_unit_is_gone(const struct gpuoa_unit *unit)
{
	return READ_ONCE(unit->gone);
}

/**
 * gpuoa_unit_measures_contexts() - Check whether the unit can count for a context given by its
 * handle.
 * @oa: backend
 * @ops: callbacks of the provider
 *
 * Return: true if it can
 */
static inline bool gpuoa_unit_measures_contexts(const struct gpuoa_oa_ops *oa,
						const struct gpuoa_provider_ops *ops)
{
	return oa->filters_contexts && ops->context_get &&
	       (!oa->needs_context || ops->context_write || ops->configure);
}

/**
 * gpuoa_reject() - Log the reason of an error.
 * @dev: class device of the unit, or NULL
 * @err: negative errno
 * @why: reason
 *
 * Return: @err
 */
static inline int gpuoa_reject(const struct device *dev, int err, const char *why)
{
	dev_dbg(dev, "rejected with %d: %s\n", err, why);

	return err;
}

/* Ioctl number without the size of its argument, which depends on the program's header version */
#define GPUOA_IOC_FORM(cmd) ((cmd) & ~IOCSIZE_MASK)

/**
 * gpuoa_arg_out() - Copy a result to user space, truncated or zero-extended to the user's size.
 * @to: user pointer to the result
 * @room: size of the user's struct, from the ioctl number, bytes
 * @from: result
 * @size: size of the result, bytes
 *
 * Return: 0 or -EFAULT
 */
static inline int gpuoa_arg_out(void __user *to, size_t room, const void *from, size_t size)
{
	if (copy_to_user(to, from, min(room, size)))
		return -EFAULT;
	if (room > size && clear_user(to + size, room - size))
		return -EFAULT;

	return 0;
}

int gpuoa_registry_init(struct gpuoa_registry *registry, struct device *dev,
			const struct gpuoa_builtin_set *builtin);
void gpuoa_registry_fini(struct gpuoa_registry *registry);
int gpuoa_registry_add(struct gpuoa_registry *registry, struct gpuoa_metric_set *set, u32 *id);
int gpuoa_registry_remove(struct gpuoa_registry *registry, u32 id);
struct gpuoa_metric_set *gpuoa_registry_get(struct gpuoa_registry *registry, u32 id);

int gpuoa_unit_enter(struct gpuoa_unit *unit);
void gpuoa_unit_leave(struct gpuoa_unit *unit);
void gpuoa_unit_set_gone(struct gpuoa_unit *unit, bool gone);
int gpuoa_unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock);
int gpuoa_unit_clock(struct gpuoa_unit *unit, struct gpuoa_clock *clock);

int gpuoa_owner_get(struct gpuoa_unit *unit, struct gpuoa_context_owner_info *info);

void gpuoa_frequency_init(struct gpuoa_unit *unit);
int gpuoa_frequency_pin(struct gpuoa_unit *unit, struct file *file,
			struct gpuoa_freq_pin_arg *frequency);
void gpuoa_frequency_close(struct gpuoa_unit *unit, struct file *file);
void gpuoa_frequency_take_away(struct gpuoa_unit *unit);

#endif /* _GPUOA_UNIT_H */
