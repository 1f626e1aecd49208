// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_unit.c - OA unit: configurations, access to its provider, clock, frequency pin, and owners
 * of contexts.
 *
 * A frequency pin belongs to an open file of /dev/gpuoa<N> and is released when the file is closed,
 * so also when the process is killed. The provider restores the previous frequency limits.
 */
#include <linux/capability.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <gpuoa_provider.h>

#include "gpuoa_limits.h"
#include "gpuoa_unit.h"
#include "oa/gpuoa_metric_set.h"

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

static int clock_now(s32 clock_id, u64 *ns)
{
	switch (clock_id) {
	case CLOCK_MONOTONIC:
		*ns = ktime_get_ns();
		return 0;
	case CLOCK_MONOTONIC_RAW:
		*ns = ktime_get_raw_ns();
		return 0;
	case CLOCK_BOOTTIME:
		*ns = ktime_get_boottime_ns();
		return 0;
	case CLOCK_REALTIME:
		*ns = ktime_get_real_ns();
		return 0;
	case CLOCK_TAI:
		*ns = ktime_get_clocktai_ns();
		return 0;
	case GPUOA_CLOCK_PERF:
		/* Read the clock that perf_clock() reads, because perf_clock() is not exported. */
		*ns = local_clock();
		return 0;
	default:
		return -EINVAL;
	}
}

/* Sample the GPU's clock by @read, and take the middle of two CPU clock reads as its time. */
static int unit_clock_by(struct gpuoa_unit *unit, struct gpuoa_clock *clock,
			 int (*read)(struct gpuoa_unit *unit, u64 *ticks))
{
	u64 before = 0, after = 0;
	int ret;

	/* CLOCK_REALTIME and CLOCK_TAI may be set back between the reads. */
	do {
		ret = clock_now(clock->clock_id, &before);
		if (!ret)
			ret = read(unit, &clock->gpu_ticks);
		clock_now(clock->clock_id, &after);
	} while (after < before);

	clock->cpu_ns = before + (after - before) / 2;
	clock->error_ns = min_t(u64, (after - before + 1) / 2, U32_MAX);

	return ret;
}

static int clock_read_awake(struct gpuoa_unit *unit, u64 *ticks)
{
	*ticks = unit->ops->timestamp(unit->provider);

	return 0;
}

static int clock_read_asleep(struct gpuoa_unit *unit, u64 *ticks)
{
	return unit->ops->clock(unit->provider, ticks);
}

/**
 * gpuoa_unit_clock() - Sample the GPU and CPU clocks at the same time.
 * @unit: OA unit, kept awake by the provider
 * @clock: @clock->clock_id is input, the other fields are output
 *
 * The CPU clock is read before and after the GPU clock. The error of the middle is at most half of
 * the difference.
 *
 * Context: any
 * Return: 0; -EINVAL for an unknown clock
 */
int gpuoa_unit_clock(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	unsigned long flags;
	int ret;

	local_irq_save(flags);
	ret = unit_clock_by(unit, clock, clock_read_awake);
	local_irq_restore(flags);

	return ret;
}

/* &gpuoa_unit.stream_lock prevents a suspend by the provider. */
static int unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	int ret;

	lockdep_assert_held(&unit->stream_lock);

	if (unit->suspended)
		return -EAGAIN;
	if (unit->ops->clock)
		return unit_clock_by(unit, clock, clock_read_asleep);

	ret = unit->ops->get(unit->provider);
	if (ret)
		return ret;
	ret = gpuoa_unit_clock(unit, clock);
	unit->ops->put(unit->provider);

	return ret;
}

/**
 * gpuoa_unit_clock_awake() - Sample the GPU and CPU clocks, waking the GPU if needed.
 * @unit: OA unit, after gpuoa_unit_enter()
 * @clock: @clock->clock_id is input, the other fields are output
 *
 * Context: may sleep
 * Return: 0; -EINVAL for an unknown clock; -EAGAIN if the GPU is suspended; or an error of the
 * provider
 */
int gpuoa_unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	int ret;

	mutex_lock(&unit->stream_lock);
	ret = unit_clock_awake(unit, clock);
	mutex_unlock(&unit->stream_lock);

	return ret;
}

/**
 * gpuoa_unit_enter() - Prevent the removal of a unit.
 * @unit: OA unit
 *
 * The provider and the registry stay valid until gpuoa_unit_leave(). The caller must not access
 * user memory in between: a page fault may block indefinitely, and gpuoa_unit_unregister() would
 * wait for it.
 *
 * Return: 0; -ENODEV if the unit was removed
 */
int gpuoa_unit_enter(struct gpuoa_unit *unit)
{
	down_read(&unit->gone_lock);
	if (!unit->gone)
		return 0;
	up_read(&unit->gone_lock);

	return -ENODEV;
}

/**
 * gpuoa_unit_leave() - Undo gpuoa_unit_enter().
 * @unit: OA unit
 */
void gpuoa_unit_leave(struct gpuoa_unit *unit)
{
	up_read(&unit->gone_lock);
}

/**
 * gpuoa_unit_set_gone() - Set whether the unit is removed.
 * @unit: OA unit
 * @gone: true: gpuoa_unit_enter() fails from now on
 *
 * Waits until every caller that entered the unit has left it.
 *
 * Context: may sleep
 */
void gpuoa_unit_set_gone(struct gpuoa_unit *unit, bool gone)
{
	down_write(&unit->gone_lock);
	/* Use WRITE_ONCE(), because gpuoa_unit_is_gone() reads @gone without the lock. */
	WRITE_ONCE(unit->gone, gone);
	up_write(&unit->gone_lock);
}

/* The result describes other users, so the caller must be allowed to observe them. */
static int owner_check(const struct gpuoa_unit *unit, const struct gpuoa_context_owner_info *info)
{
	if (info->flags || info->pid || info->handle || info->client)
		return gpuoa_reject(&unit->dev, -EINVAL, "an output field is not 0");
	if (!unit->ops->context_owner)
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP, "the provider does not name contexts");
	if (!gpuoa_may_observe())
		return gpuoa_reject(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: names of contexts need CAP_PERFMON");

	return 0;
}

/**
 * gpuoa_owner_get() - Get the owner of a context.
 * @unit: OA unit, after gpuoa_unit_enter()
 * @info: context id on input; owner on output
 *
 * Context: may sleep; pids are those of the current PID namespace
 * Return: 0, or an error as documented for &struct gpuoa_context_owner_info
 */
int gpuoa_owner_get(struct gpuoa_unit *unit, struct gpuoa_context_owner_info *info)
{
	struct gpuoa_provider_owner owner = {};
	int ret;

	ret = owner_check(unit, info);
	if (ret)
		return ret;
	ret = unit->ops->context_owner(unit->provider, info->id, unit->context_mask, &owner);
	if (ret)
		return ret;

	*info = (struct gpuoa_context_owner_info){
		.id = info->id,
		.flags = owner.gone ? GPUOA_CONTEXT_GONE : 0,
		.pid = pid_vnr(owner.process),
		.handle = owner.handle,
		.client = owner.client,
	};
	if (info->pid)
		strscpy(info->comm, owner.comm, sizeof(info->comm));
	put_pid(owner.process);

	return 0;
}

/**
 * gpuoa_frequency_init() - Initialize without a frequency pin.
 * @unit: OA unit
 */
void gpuoa_frequency_init(struct gpuoa_unit *unit)
{
	mutex_init(&unit->frequency.lock);
}

static int pin_allowed(struct gpuoa_unit *unit, const struct gpuoa_freq_pin_arg *frequency)
{
	const struct gpuoa_unit_info *info = &unit->info;

	if (!unit->ops->frequency)
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP, "the provider does not pin clocks");
	/* CAP_PERFMON is not sufficient, because a pin slows down all users of the GPU. */
	if (!capable(CAP_SYS_ADMIN))
		return gpuoa_reject(&unit->dev, -EPERM, "pinning a clock needs CAP_SYS_ADMIN");
	if (frequency->hz &&
	    (frequency->hz < info->gt_min_frequency || frequency->hz > info->gt_max_frequency))
		return gpuoa_reject(&unit->dev, -ERANGE, "the GPU has no such clock");

	return 0;
}

static int pin(struct gpuoa_unit *unit, struct file *file, u64 hz)
{
	struct gpuoa_pin *pin = &unit->frequency;
	int ret;

	lockdep_assert_held(&pin->lock);
	if (pin->owner && pin->owner != file)
		return gpuoa_reject(&unit->dev, -EBUSY, "another file has pinned the clock");
	if (!pin->owner && !hz)
		return 0;
	ret = unit->ops->frequency(unit->provider, unit->info.unit_type, &hz);
	if (ret)
		return ret;
	pin->owner = hz ? file : NULL;
	pin->hz = hz;

	return 0;
}

/**
 * gpuoa_frequency_pin() - Pin or release the frequency, or query the pin.
 * @unit: OA unit, after gpuoa_unit_enter()
 * @file: owner of the pin
 * @frequency: request on input; pinned frequency on output
 *
 * Context: may sleep
 * Return: 0, or an error as documented for &struct gpuoa_freq_pin_arg
 */
int gpuoa_frequency_pin(struct gpuoa_unit *unit, struct file *file,
			struct gpuoa_freq_pin_arg *frequency)
{
	int ret = 0;

	if (frequency->flags & ~GPUOA_PIN_FREQ_SET || frequency->reserved)
		return gpuoa_reject(&unit->dev, -EINVAL, "an unknown flag, or a reserved field");
	if (frequency->flags & GPUOA_PIN_FREQ_SET)
		ret = pin_allowed(unit, frequency);
	if (ret)
		return ret;

	mutex_lock(&unit->frequency.lock);
	if (frequency->flags & GPUOA_PIN_FREQ_SET)
		ret = pin(unit, file, frequency->hz);
	frequency->hz = unit->frequency.owner == file ? unit->frequency.hz : 0;
	mutex_unlock(&unit->frequency.lock);

	return ret;
}

/* Release the pin. */
static void let_go(struct gpuoa_unit *unit)
{
	u64 hz = 0;

	lockdep_assert_held(&unit->frequency.lock);
	unit->ops->frequency(unit->provider, unit->info.unit_type, &hz);
	unit->frequency.owner = NULL;
	unit->frequency.hz = 0;
}

/**
 * gpuoa_frequency_close() - Release the pin of a file.
 * @unit: OA unit
 * @file: file
 *
 * Context: may sleep
 */
void gpuoa_frequency_close(struct gpuoa_unit *unit, struct file *file)
{
	/* gpuoa_frequency_take_away() has already released the pin of a removed unit. */
	if (gpuoa_unit_enter(unit))
		return;
	mutex_lock(&unit->frequency.lock);
	if (unit->frequency.owner == file)
		let_go(unit);
	mutex_unlock(&unit->frequency.lock);
	gpuoa_unit_leave(unit);
}

/**
 * gpuoa_frequency_take_away() - Release the pin of a unit that is being removed.
 * @unit: OA unit, after gpuoa_unit_set_gone()
 *
 * Context: may sleep
 */
void gpuoa_frequency_take_away(struct gpuoa_unit *unit)
{
	mutex_lock(&unit->frequency.lock);
	if (unit->frequency.owner)
		let_go(unit);
	mutex_unlock(&unit->frequency.lock);
}
