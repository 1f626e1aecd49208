// SPDX-License-Identifier: GPL-2.0-only
/* sysfs.c - /sys/class/gpuoa/gpuoa<N>/: description and statistics of a unit. */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "oa/oa.h"
#include "oa/platform.h"
#include "sysfs.h"
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

/* The names are those of the metric definitions. */
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

/* Readable by root only: the number of reports reveals when contexts of other users run. */
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

const struct attribute_group *gpuoa_unit_groups[] = {
	&info_group,
	&stats_group,
	NULL,
};
