// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_provider.c - registration of OA units by providers, their class devices with statistics,
 * and init and exit of gpuoa.ko; see kernel/include/gpuoa_provider.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <generated/utsrelease.h>
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/time64.h>
#include <linux/version.h>

#include <gpuoa_compat.h>
#include <gpuoa_provider.h>

#include "gpuoa_ioctl.h"
#include "oa/gpuoa_oa.h"
#include "oa/gpuoa_report.h"
#include "oa/platform.h"
#include "pmu/gpuoa_pmu.h"
#include "stream/gpuoa_attr.h"
#include "stream/gpuoa_request.h"
#include "stream/gpuoa_stream.h"
#include "unit/gpuoa_limits.h"
#include "unit/gpuoa_unit.h"

static struct gpuoa_unit *dev_to_unit(struct device *dev)
{
	return container_of(dev, struct gpuoa_unit, dev);
}

#define INFO_ATTR(name, field, format)                                                             \
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)   \
	{                                                                                          \
		return sysfs_emit(buf, format "\n", dev_to_unit(dev)->info.field);                 \
	}                                                                                          \
	static DEVICE_ATTR_RO(name)

INFO_ATTR(platform, platform, "%s");
INFO_ATTR(tile, tile, "%u");

/* Show the unit's name as used by the metric definitions. */
static ssize_t unit_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	static const char *const names[GPUOA_UNIT_TYPES] = {
		[GPUOA_UNIT_OA] = "OA",
		[GPUOA_UNIT_OAM0] = "OAM0",
		[GPUOA_UNIT_OAM1] = "OAM1",
		[GPUOA_UNIT_OAMG] = "OAMG",
	};

	return sysfs_emit(buf, "%s\n", names[dev_to_unit(dev)->info.unit_type]);
}
static DEVICE_ATTR_RO(unit);

static struct attribute *info_attrs[] = {
	&dev_attr_platform.attr,
	&dev_attr_unit.attr,
	&dev_attr_tile.attr,
	NULL,
};

static const struct attribute_group info_group = {
	.attrs = info_attrs,
};

#define STATS_ATTR(name)                                                                           \
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)   \
	{                                                                                          \
		return sysfs_emit(buf, "%lld\n", atomic64_read(&dev_to_unit(dev)->stats.name));    \
	}                                                                                          \
	static DEVICE_ATTR_ADMIN_RO(name)

/*
 * These files are readable by root only, because the number of reports reveals when contexts of
 * other users run.
 */
STATS_ATTR(reports_forwarded);
STATS_ATTR(reports_lost);
STATS_ATTR(overflows);
STATS_ATTR(resets);
STATS_ATTR(opens);
STATS_ATTR(polls);
STATS_ATTR(interrupts);

static struct attribute *stats_attrs[] = {
	&dev_attr_reports_forwarded.attr,
	&dev_attr_reports_lost.attr,
	&dev_attr_overflows.attr,
	&dev_attr_resets.attr,
	&dev_attr_opens.attr,
	&dev_attr_polls.attr,
	&dev_attr_interrupts.attr,
	NULL,
};

static const struct attribute_group stats_group = {
	.name = "statistics",
	.attrs = stats_attrs,
};

static const struct attribute_group *gpuoa_unit_groups[] = {
	&info_group,
	&stats_group,
	NULL,
};

#define GPUOA_MAX_UNITS 256

static DEFINE_IDA(unit_ida);
static dev_t unit_devt;

/*
 * Give the file the same permissions as a render node. A udev rule assigns it to the group render.
 */
static char *unit_devnode(GPUOA_DEVNODE_CONST struct device *dev, umode_t *mode)
{
	if (mode)
		*mode = 0660;

	return NULL;
}

static struct class unit_class = {
	.name = "gpuoa",
	.dev_groups = gpuoa_unit_groups,
	.devnode = unit_devnode,
};

static void unit_release(struct device *dev)
{
	struct gpuoa_unit *unit = container_of(dev, struct gpuoa_unit, dev);

	ida_free(&unit_ida, unit->index);
	gpuoa_pmu_free(unit);
	kfree(unit);
}

static u64 unit_features(const struct gpuoa_oa_ops *oa, const struct gpuoa_provider_ops *ops,
			 const struct gpuoa_unit_desc *desc)
{
	u64 features = GPUOA_FEATURE_AUX;

	if (gpuoa_unit_measures_contexts(oa, ops))
		features |= GPUOA_FEATURE_CONTEXT;
	if (ops->context_batches)
		features |= GPUOA_FEATURE_BATCH_BOUNDARY_REPORTS;
	if (oa->flex)
		features |= GPUOA_FEATURE_FLEX;
	if (ops->half_full)
		features |= GPUOA_FEATURE_HALF_FULL;
	if (oa->isolates_contexts)
		features |= GPUOA_FEATURE_OWN_REPORTS;
	if (oa->needs_context && gpuoa_unit_measures_contexts(oa, ops))
		features |= GPUOA_FEATURE_QUERY_ONLY;
	if (ops->frequency)
		features |= GPUOA_FEATURE_FREQUENCY;
	if (desc->batches_trigger)
		features |= GPUOA_FEATURE_MARKERS;
	if (ops->context_owner)
		features |= GPUOA_FEATURE_CONTEXT_NAMES;
	if (ops->map)
		features |= GPUOA_FEATURE_ZERO_COPY;
	if (oa->splits_reports)
		features |= GPUOA_FEATURE_SPLIT_REPORTS;

	return features;
}

static void unit_init_info(struct gpuoa_unit *unit, const struct device *parent,
			   const struct gpuoa_unit_desc *desc)
{
	const struct gpuoa_oa_ops *oa = unit->oa;
	u32 i;

	unit->info = (struct gpuoa_unit_info){
		.timestamp_frequency = desc->timestamp_frequency ?:
					       unit->platform->timestamp_frequency,
		.gt_min_frequency = desc->gt_min_frequency,
		.gt_max_frequency = desc->gt_max_frequency,
		.slice_mask = desc->slice_mask,
		.device_id = desc->device_id,
		.revision = desc->revision,
		.n_slices = desc->n_slices,
		.n_subslices = desc->n_subslices,
		.n_eus = desc->n_eus,
		.threads_per_eu = desc->threads_per_eu,
		.default_format = oa->default_format,
		.exponent_max = oa->exponent_max,
		.buffer_size_min = oa->buffer_size_min,
		.buffer_size_max = min(desc->buffer_size_max ?: U32_MAX, oa->buffer_size_max),
		.timestamp_bits = gpuoa_attr_format(oa, oa->default_format)->header->timestamp_bits,
		.l3_bank_mask = desc->l3_bank_mask,
		.subslice_stride = desc->subslice_stride,
		.n_compute_engines = desc->n_compute_engines,
		.unit_type = desc->unit_type,
		.cs_timestamp_frequency = desc->cs_timestamp_frequency,
		.cs_timestamp_bits = desc->cs_timestamp_bits,
		.features = unit_features(oa, unit->ops, desc),
		.tile = desc->tile,
		.gt = desc->gt,
		.n_engines = desc->n_engines,
	};
	memcpy(unit->info.subslice_mask, desc->subslice_mask, sizeof(unit->info.subslice_mask));
	if (desc->n_engines)
		memcpy(unit->info.engines, desc->engines,
		       flex_array_size(&unit->info, engines, desc->n_engines));
	strscpy(unit->info.platform, desc->platform, sizeof(unit->info.platform));
	snprintf(unit->info.pmu, sizeof(unit->info.pmu), "gpuoa%d", unit->index);
	strscpy(unit->info.parent, dev_name(parent), sizeof(unit->info.parent));
	for (i = 0; i < oa->n_formats; i++)
		unit->info.formats[oa->formats[i].id / 64] |= BIT_ULL(oa->formats[i].id % 64);
}

static bool engines_valid(const struct gpuoa_unit_desc *desc)
{
	u32 i;

	if (desc->n_engines > GPUOA_MAX_ENGINES)
		return false;
	for (i = 0; i < desc->n_engines; i++)
		if (desc->engines[i].engine_class > GPUOA_ENGINE_CLASS_COMPUTE)
			return false;

	return true;
}

static bool desc_valid(const struct gpuoa_unit_desc *desc)
{
	return desc->unit_type < GPUOA_UNIT_TYPES && desc->platform &&
	       strlen(desc->platform) < sizeof_field(struct gpuoa_unit_info, platform) &&
	       desc->timestamp_frequency < NSEC_PER_SEC && engines_valid(desc);
}

/* Allocate a named unit without registering it. Released by put_device(). */
static struct gpuoa_unit *unit_alloc(struct device *parent, const struct gpuoa_unit_desc *desc,
				     const struct gpuoa_provider_ops *ops, void *provider,
				     struct module *owner)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find(desc->platform);
	const struct gpuoa_oa_ops *oa = platform ? platform->units[desc->unit_type] : NULL;
	struct gpuoa_unit *unit;
	int index;

	if (!oa)
		return ERR_PTR(-ENODEV);
	if (!gpuoa_hw_ops_valid(oa, ops))
		return ERR_PTR(-EINVAL);

	unit = kzalloc(sizeof(*unit), GFP_KERNEL);
	if (!unit)
		return ERR_PTR(-ENOMEM);

	index = ida_alloc_max(&unit_ida, GPUOA_MAX_UNITS - 1, GFP_KERNEL);
	if (index < 0) {
		kfree(unit);
		return ERR_PTR(index);
	}

	unit->index = index;
	unit->platform = platform;
	unit->oa = oa;
	unit->noa_delay_us = desc->noa_delay_us ?: oa->noa_delay_us;
	unit->context_mask = oa->context_mask ?: desc->context_mask ?: U32_MAX;
	unit->ops = ops;
	unit->provider = provider;
	unit->owner = owner;
	init_rwsem(&unit->gone_lock);
	unit->gone = true;
	mutex_init(&unit->stream_lock);
	mutex_init(&unit->wake_lock);
	unit->next_wake = jiffies;
	gpuoa_frequency_init(unit);
	gpuoa_attr_table_init(&unit->attrs);
	INIT_LIST_HEAD(&unit->charges);
	unit_init_info(unit, parent, desc);

	device_initialize(&unit->dev);
	unit->dev.parent = parent;
	unit->dev.class = &unit_class;
	unit->dev.release = unit_release;
	unit->dev.devt = MKDEV(MAJOR(unit_devt), index);

	return unit;
}

struct gpuoa_unit *gpuoa_unit_register(struct device *parent, const struct gpuoa_unit_desc *desc,
				       const struct gpuoa_provider_ops *ops, void *provider,
				       struct module *owner)
{
	struct gpuoa_unit *unit;
	int ret;

	if (!desc_valid(desc))
		return ERR_PTR(-EINVAL);

	unit = unit_alloc(parent, desc, ops, provider, owner);
	if (IS_ERR(unit))
		return unit;
	ret = dev_set_name(&unit->dev, "%s", unit->info.pmu);
	if (ret)
		goto err_device;

	/* Until registration is complete, no uevent is sent and the file returns -ENODEV. */
	dev_set_uevent_suppress(&unit->dev, true);
	cdev_init(&unit->cdev, &gpuoa_unit_fops);
	unit->cdev.owner = THIS_MODULE;
	ret = cdev_device_add(&unit->cdev, &unit->dev);
	if (ret)
		goto err_device;

	ret = gpuoa_registry_init(&unit->sets, &unit->dev,
				  gpuoa_platform_test_set(unit->platform, unit->info.unit_type));
	if (ret)
		goto err_cdev;

	ret = gpuoa_pmu_register(unit);
	if (ret)
		goto err_registry;

	gpuoa_unit_set_gone(unit, false);
	dev_set_uevent_suppress(&unit->dev, false);
	kobject_uevent(&unit->dev.kobj, KOBJ_ADD);

	return unit;

err_registry:
	gpuoa_registry_fini(&unit->sets);
err_cdev:
	cdev_device_del(&unit->cdev, &unit->dev);
err_device:
	put_device(&unit->dev);

	return ERR_PTR(ret);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_register);

void gpuoa_unit_unregister(struct gpuoa_unit *unit)
{
	/*
	 * End all accesses to the provider, because open files and events outlive it. CPU hotplug
	 * is blocked, so that no running event is being migrated.
	 */
	cpus_read_lock();
	gpuoa_unit_set_gone(unit, true);
	gpuoa_stream_end_on(unit, gpuoa_pmu_cpu(unit));
	cpus_read_unlock();
	gpuoa_stream_detach(unit);
	gpuoa_frequency_take_away(unit);
	gpuoa_attr_table_clear(unit, NULL);

	gpuoa_registry_fini(&unit->sets);
	cdev_device_del(&unit->cdev, &unit->dev);
	gpuoa_pmu_unregister(unit);
	put_device(&unit->dev);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_unregister);

void gpuoa_unit_reset(struct gpuoa_unit *unit)
{
	gpuoa_stream_reset(unit);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_reset);

void gpuoa_unit_suspend(struct gpuoa_unit *unit)
{
	gpuoa_stream_suspend(unit);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_suspend);

int gpuoa_unit_resume(struct gpuoa_unit *unit)
{
	return gpuoa_stream_resume(unit);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_resume);

void gpuoa_unit_half_full(struct gpuoa_unit *unit)
{
	gpuoa_half_full_raise(&unit->stream->half_full);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_half_full);

/**
 * gpuoa_class_init() - Register the device class and allocate device numbers.
 *
 * Return: 0 or a negative errno
 */
static int gpuoa_class_init(void)
{
	int ret;

	ret = alloc_chrdev_region(&unit_devt, 0, GPUOA_MAX_UNITS, "gpuoa");
	if (ret)
		return ret;

	ret = class_register(&unit_class);
	if (ret)
		unregister_chrdev_region(unit_devt, GPUOA_MAX_UNITS);

	return ret;
}

/**
 * gpuoa_class_exit() - Undo gpuoa_class_init().
 */
static void gpuoa_class_exit(void)
{
	class_unregister(&unit_class);
	unregister_chrdev_region(unit_devt, GPUOA_MAX_UNITS);
	ida_destroy(&unit_ida);
}

/*
 * There is no Kconfig, because modules out of the tree are not configured with the kernel; so their
 * dependencies are checked here. gpuoa reads reports as little-endian words, and reads u64
 * variables without locks.
 */
#if !defined(CONFIG_64BIT) || defined(__BIG_ENDIAN)
#error "gpuoa needs a little-endian kernel of 64 bits"
#endif
/* Samples are written by perf_tp_event(). */
#if !defined(CONFIG_PERF_EVENTS) || !defined(CONFIG_EVENT_TRACING)
#error "gpuoa needs CONFIG_PERF_EVENTS and CONFIG_EVENT_TRACING"
#endif

/*
 * Log if the kernel is newer than all tested ones, because the module uses internals of the perf
 * core that may change in each version.
 */
static void __init gpuoa_note_kernel(void)
{
	if (LINUX_VERSION_CODE >= KERNEL_VERSION(GPUOA_LINUX_MAJOR, GPUOA_LINUX_MINOR + 1, 0))
		pr_notice("version %s was tested on Linux %u.%u and older, not on %s\n",
			  GPUOA_VERSION, GPUOA_LINUX_MAJOR, GPUOA_LINUX_MINOR, UTS_RELEASE);
}

static int __init gpuoa_init(void)
{
	int ret;

	gpuoa_note_kernel();
	ret = gpuoa_limits_init();
	if (ret)
		return ret;

	ret = gpuoa_class_init();
	if (ret)
		goto err_limits;

	ret = gpuoa_pmu_init();
	if (ret)
		goto err_class;

	return 0;

err_class:
	gpuoa_class_exit();
err_limits:
	gpuoa_limits_exit();

	return ret;
}

static void __exit gpuoa_exit(void)
{
	gpuoa_pmu_exit();
	gpuoa_class_exit();
	gpuoa_limits_exit();
}

module_init(gpuoa_init);
module_exit(gpuoa_exit);

MODULE_DESCRIPTION("Hardware metrics of Intel GPUs: the Observation Architecture as a perf PMU");
MODULE_LICENSE("GPL");
MODULE_VERSION(GPUOA_VERSION);
