// SPDX-License-Identifier: GPL-2.0-only
/*
 * ioctl.c - /dev/gpuoa<N>.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "metric_set.h"
#include "unit.h"

/* Structs grow at their end: copy what both sides know. */
static int arg_out(void __user *to, size_t room, const void *from, size_t size)
{
	if (copy_to_user(to, from, min(room, size)))
		return -EFAULT;
	if (room > size && clear_user(to + size, room - size))
		return -EFAULT;

	return 0;
}

static int ioctl_unit_info(struct gpuoa_unit *unit, void __user *arg, size_t size)
{
	return arg_out(arg, size, &unit->info, sizeof(unit->info));
}

static int ioctl_add_config(struct gpuoa_unit *unit, void __user *arg, size_t size)
{
	struct gpuoa_metric_set *set;
	struct gpuoa_user_regs regs;
	struct gpuoa_config config;
	int ret, copied;

	if (!perfmon_capable())
		return -EACCES;
	ret = copy_struct_from_user(&config, sizeof(config), arg, size);
	if (ret)
		return ret;
	if (!gpuoa_uuid_valid(config.uuid))
		return -EINVAL;

	regs = (struct gpuoa_user_regs){
		.mux = config.mux,
		.boolean = config.boolean,
		.flex = config.flex,
		.n_mux = config.n_mux,
		.n_boolean = config.n_boolean,
		.n_flex = config.n_flex,
	};
	set = gpuoa_metric_set_from_user(unit->oa, &regs);
	if (IS_ERR(set))
		return PTR_ERR(set);
	strscpy(set->uuid, config.uuid, sizeof(set->uuid));

	ret = gpuoa_registry_add(unit, set, &config.id);
	if (ret)
		gpuoa_metric_set_put(set);
	if (ret && ret != -EEXIST)
		return ret;

	copied = arg_out(arg, size, &config, sizeof(config));
	if (copied && !ret)
		gpuoa_registry_remove(unit, config.id);

	return copied ?: ret;
}

static int ioctl_remove_config(struct gpuoa_unit *unit, void __user *arg, size_t size)
{
	u32 id;
	int ret;

	if (!perfmon_capable())
		return -EACCES;
	ret = copy_struct_from_user(&id, sizeof(id), arg, size);
	if (ret)
		return ret;

	return gpuoa_registry_remove(unit, id);
}

static int ioctl_list_configs(struct gpuoa_unit *unit, void __user *arg, size_t size)
{
	struct gpuoa_config_list list;
	int ret, copied;

	ret = copy_struct_from_user(&list, sizeof(list), arg, size);
	if (ret)
		return ret;
	if (list.reserved)
		return -EINVAL;

	ret = gpuoa_registry_list(unit, &list);
	if (ret && ret != -ENOSPC)
		return ret;
	copied = arg_out(arg, size, &list, sizeof(list));

	return copied ?: ret;
}

static int ioctl_clock(struct gpuoa_unit *unit, void __user *arg, size_t size)
{
	struct gpuoa_clock clock;
	int ret;

	ret = copy_struct_from_user(&clock, sizeof(clock), arg, size);
	if (ret)
		return ret;

	ret = gpuoa_unit_clock(unit, &clock);
	if (ret)
		return ret;

	return arg_out(arg, size, &clock, sizeof(clock));
}

static int unit_ioctl(struct gpuoa_unit *unit, unsigned int cmd, void __user *arg)
{
	size_t size = _IOC_SIZE(cmd);

	if (_IOC_TYPE(cmd) != _IOC_TYPE(GPUOA_IOC_UNIT_INFO) || size > PAGE_SIZE)
		return -ENOTTY;

	/* The size in the number is the user's, so numbers are compared without it. */
	switch (_IOC_NR(cmd)) {
	case _IOC_NR(GPUOA_IOC_UNIT_INFO):
		return ioctl_unit_info(unit, arg, size);
	case _IOC_NR(GPUOA_IOC_ADD_CONFIG):
		return ioctl_add_config(unit, arg, size);
	case _IOC_NR(GPUOA_IOC_REMOVE_CONFIG):
		return ioctl_remove_config(unit, arg, size);
	case _IOC_NR(GPUOA_IOC_LIST_CONFIGS):
		return ioctl_list_configs(unit, arg, size);
	case _IOC_NR(GPUOA_IOC_CLOCK):
		return ioctl_clock(unit, arg, size);
	default:
		return -ENOTTY;
	}
}

static long gpuoa_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct gpuoa_unit *unit = file->private_data;
	long ret = -ENODEV;

	down_read(&unit->gone_lock);
	if (!unit->gone)
		ret = unit_ioctl(unit, cmd, (void __user *)arg);
	up_read(&unit->gone_lock);

	return ret;
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
