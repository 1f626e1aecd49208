// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_ioctl.c - file operations of /dev/gpuoa<N>. */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "gpuoa_ioctl.h"
#include "oa/gpuoa_metric_set.h"
#include "pmu/gpuoa_pmu.h"
#include "pmu/gpuoa_stream_fd.h"
#include "stream/gpuoa_request.h"
#include "stream/gpuoa_stream.h"
#include "unit/gpuoa_limits.h"
#include "unit/gpuoa_unit.h"

/* Minimum time between two wake-ups of the GPU by unprivileged users */
#define GPUOA_WAKE_INTERVAL_MS 10

static int ioctl_unit_info(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	int ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	gpuoa_unit_leave(unit);

	return gpuoa_arg_out(arg, size, &unit->info, sizeof(unit->info));
}

static struct gpuoa_metric_set *config_to_set(struct gpuoa_unit *unit, struct gpuoa_config *config)
{
	struct gpuoa_user_regs regs = {
		.mux = config->mux,
		.boolean = config->boolean,
		.flex = config->flex,
		.n_mux = config->n_mux,
		.n_boolean = config->n_boolean,
		.n_flex = config->n_flex,
	};
	struct gpuoa_metric_set *set;

	config->id = 0;
	config->rejected = 0;
	if (config->reserved)
		return ERR_PTR(gpuoa_reject(&unit->dev, -EINVAL, "a reserved field is not 0"));
	if (!gpuoa_uuid_valid(config->uuid))
		return ERR_PTR(gpuoa_reject(&unit->dev, -EINVAL, "the UUID is invalid"));
	set = gpuoa_metric_set_from_user(unit->oa, &regs);
	if (IS_ERR(set))
		config->rejected = regs.rejected;
	else
		strscpy(set->uuid, config->uuid, sizeof(set->uuid));

	return set;
}

static int ioctl_add_config(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_metric_set *set;
	struct gpuoa_config config;
	int ret, copied;

	if (!perfmon_capable())
		return gpuoa_reject(&unit->dev, -EACCES, "configurations need CAP_PERFMON");
	ret = copy_struct_from_user(&config, sizeof(config), arg, size);
	if (ret)
		return ret;
	set = config_to_set(unit, &config);
	if (IS_ERR(set)) {
		ret = PTR_ERR(set);
		/*
		 * Ignore a failure to copy the result: the invalid registers are the error to
		 * return.
		 */
		if (ret == -EINVAL)
			gpuoa_arg_out(arg, size, &config, sizeof(config));
		return ret;
	}

	ret = gpuoa_unit_enter(unit);
	if (!ret) {
		ret = gpuoa_registry_add(&unit->sets, set, &config.id);
		gpuoa_unit_leave(unit);
	}
	if (ret)
		gpuoa_metric_set_put(set);
	if (ret && ret != -EEXIST)
		return ret;
	copied = gpuoa_arg_out(arg, size, &config, sizeof(config));

	return copied ?: ret;
}

static int ioctl_remove_config(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	u32 id;
	int ret;

	if (!perfmon_capable())
		return gpuoa_reject(&unit->dev, -EACCES, "configurations need CAP_PERFMON");
	ret = copy_struct_from_user(&id, sizeof(id), arg, size);
	if (ret)
		return ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	ret = gpuoa_registry_remove(&unit->sets, id);
	gpuoa_unit_leave(unit);

	return ret;
}

/*
 * Limit the rate at which unprivileged users wake a sleeping GPU, because each wake-up costs power
 * and time of a thread shared by all GPUs. A call that comes too early waits.
 */
static int clock_await_turn(struct gpuoa_unit *unit)
{
	unsigned long now;
	int ret;

	if (gpuoa_may_observe() || READ_ONCE(unit->stream))
		return 0;

	ret = mutex_lock_interruptible(&unit->wake_lock);
	if (ret)
		return ret;
	now = jiffies;
	if (time_before(now, unit->next_wake) &&
	    schedule_timeout_interruptible(unit->next_wake - now))
		ret = -ERESTARTSYS;
	else
		unit->next_wake = jiffies + msecs_to_jiffies(GPUOA_WAKE_INTERVAL_MS);
	mutex_unlock(&unit->wake_lock);

	return ret;
}

static int ioctl_clock(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_clock clock;
	int ret;

	ret = copy_struct_from_user(&clock, sizeof(clock), arg, size);
	if (!ret)
		ret = clock_await_turn(unit);
	if (ret)
		return ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	ret = gpuoa_unit_clock_awake(unit, &clock);
	gpuoa_unit_leave(unit);
	if (ret)
		return ret;

	return gpuoa_arg_out(arg, size, &clock, sizeof(clock));
}

static int ioctl_mark(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_marker mark;
	int ret;

	ret = copy_struct_from_user(&mark, sizeof(mark), arg, size);
	if (ret)
		return ret;
	if (mark.reserved)
		return gpuoa_reject(&unit->dev, -EINVAL, "a reserved field is not 0");
	if (!gpuoa_may_observe())
		return gpuoa_reject(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: marks need CAP_PERFMON");

	cpus_read_lock();
	ret = gpuoa_unit_enter(unit);
	if (!ret) {
		ret = gpuoa_stream_add_marker(unit, gpuoa_pmu_cpu(unit), &mark);
		gpuoa_unit_leave(unit);
	}
	cpus_read_unlock();
	if (ret)
		return ret;

	return gpuoa_arg_out(arg, size, &mark, sizeof(mark));
}

static int ioctl_get_user(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_user user;
	int ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	gpuoa_stream_get_user(unit, &user);
	gpuoa_unit_leave(unit);

	return gpuoa_arg_out(arg, size, &user, sizeof(user));
}

/* The unit is entered. */
static int reconfigure(struct gpuoa_unit *unit, u32 id)
{
	struct gpuoa_metric_set *set = gpuoa_registry_get(&unit->sets, id);

	if (!set)
		return gpuoa_reject(&unit->dev, -ENOENT, "no configuration has this id");

	return gpuoa_stream_reconfigure(unit, set, gpuoa_pmu_cpu(unit));
}

static int ioctl_reconfigure(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	u32 id;
	int ret;

	ret = copy_struct_from_user(&id, sizeof(id), arg, size);
	if (ret)
		return ret;

	/*
	 * Take the locks in the same order as gpuoa_unit_unregister(): CPU hotplug first, then the
	 * unit.
	 */
	cpus_read_lock();
	ret = gpuoa_unit_enter(unit);
	if (!ret) {
		ret = reconfigure(unit, id);
		gpuoa_unit_leave(unit);
	}
	cpus_read_unlock();

	return ret;
}

static int ioctl_frequency(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_freq_pin_arg frequency;
	int ret;

	ret = copy_struct_from_user(&frequency, sizeof(frequency), arg, size);
	if (ret)
		return ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	ret = gpuoa_frequency_pin(unit, file, &frequency);
	gpuoa_unit_leave(unit);
	if (ret)
		return ret;

	return gpuoa_arg_out(arg, size, &frequency, sizeof(frequency));
}

static int ioctl_context(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_context_owner_info info;
	int ret;

	ret = copy_struct_from_user(&info, sizeof(info), arg, size);
	if (ret)
		return ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	ret = gpuoa_owner_get(unit, &info);
	gpuoa_unit_leave(unit);
	if (ret)
		return ret;

	return gpuoa_arg_out(arg, size, &info, sizeof(info));
}

static int ioctl_add_attr(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	struct gpuoa_attr_handle handle;
	int ret;

	ret = copy_struct_from_user(&handle, sizeof(handle), arg, size);
	if (ret)
		return ret;
	if (handle.reserved)
		return gpuoa_reject(&unit->dev, -EINVAL, "a reserved field is not 0");
	ret = gpuoa_attr_table_add(unit, file, handle.attr, &handle.id);
	if (ret)
		return ret;
	ret = gpuoa_arg_out(arg, size, &handle, sizeof(handle));
	if (ret)
		gpuoa_attr_table_remove(unit, file, handle.id);

	return ret;
}

static int ioctl_remove_attr(struct file *file, void __user *arg, size_t size)
{
	struct gpuoa_unit *unit = file->private_data;
	u32 id;
	int ret;

	ret = copy_struct_from_user(&id, sizeof(id), arg, size);
	if (ret)
		return ret;

	ret = gpuoa_unit_enter(unit);
	if (ret)
		return ret;
	ret = gpuoa_attr_table_remove(unit, file, id);
	gpuoa_unit_leave(unit);

	return ret;
}

static int ioctl_open_stream(struct file *file, void __user *arg, size_t size)
{
	return gpuoa_stream_fd_open(file->private_data, (uintptr_t)arg);
}

/**
 * struct gpuoa_ioctl - ioctl of /dev/gpuoa<N>
 * @cmd: ioctl number
 * @size_min: size of the first version of the argument, bytes
 * @call: implementation
 */
struct gpuoa_ioctl {
	unsigned int cmd;
	u32 size_min;
	int (*call)(struct file *file, void __user *arg, size_t size);
};

static const struct gpuoa_ioctl ioctls[] = {
	{ GPUOA_IOC_UNIT_INFO, sizeof(struct gpuoa_unit_info), ioctl_unit_info },
	{ GPUOA_IOC_ADD_CONFIG, sizeof(struct gpuoa_config), ioctl_add_config },
	{ GPUOA_IOC_REMOVE_CONFIG, sizeof(u32), ioctl_remove_config },
	{ GPUOA_IOC_GET_CLOCK, sizeof(struct gpuoa_clock), ioctl_clock },
	{ GPUOA_IOC_INSERT_MARKER, sizeof(struct gpuoa_marker), ioctl_mark },
	{ GPUOA_IOC_ADD_ATTR, sizeof(struct gpuoa_attr_handle), ioctl_add_attr },
	{ GPUOA_IOC_REMOVE_ATTR, sizeof(u32), ioctl_remove_attr },
	{ GPUOA_IOC_OPEN_STREAM, GPUOA_ATTR_SIZE_VER0, ioctl_open_stream },
	{ GPUOA_IOC_PIN_FREQ, sizeof(struct gpuoa_freq_pin_arg), ioctl_frequency },
	{ GPUOA_IOC_GET_CONTEXT_OWNER, sizeof(struct gpuoa_context_owner_info), ioctl_context },
	{ GPUOA_IOC_GET_USER, sizeof(struct gpuoa_user), ioctl_get_user },
	{ GPUOA_IOC_RECONFIGURE, sizeof(u32), ioctl_reconfigure },
};

static long gpuoa_ioctl(struct file *file, unsigned int cmd, unsigned long data)
{
	size_t size = _IOC_SIZE(cmd);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ioctls); i++)
		if (GPUOA_IOC_FORM(cmd) == GPUOA_IOC_FORM(ioctls[i].cmd))
			return size < ioctls[i].size_min ?
				       -EINVAL :
				       ioctls[i].call(file, (void __user *)data, size);

	return -ENOTTY;
}

static int gpuoa_open(struct inode *inode, struct file *file)
{
	struct gpuoa_unit *unit = container_of(inode->i_cdev, struct gpuoa_unit, cdev);

	get_device(&unit->dev);
	file->private_data = unit;

	return nonseekable_open(inode, file);
}

static int gpuoa_release(struct inode *inode, struct file *file)
{
	struct gpuoa_unit *unit = file->private_data;

	gpuoa_frequency_close(unit, file);
	gpuoa_attr_table_clear(unit, file);
	put_device(&unit->dev);

	return 0;
}

const struct file_operations gpuoa_unit_fops = {
	.owner = THIS_MODULE,
	.open = gpuoa_open,
	.release = gpuoa_release,
	.unlocked_ioctl = gpuoa_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};
