// SPDX-License-Identifier: GPL-2.0-only
/*
 * freq.c - sysfs files <device>/tile0/gt<N>/freq0/ of the emulated xe device, in MHz.
 */
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/sysfs.h>
#include <linux/units.h>

#include "../instance.h"
#include "freq.h"
#include "xe.h"

/* The driver data is set before the files are created and cleared after they are removed. */
static const struct gpuoa_unit_desc *freq_desc(struct kobject *kobj)
{
	const struct sim_xe *xe = dev_get_drvdata(kobj_to_dev(kobj->parent->parent->parent));

	return &xe->instance->gpu.platform->desc;
}

static ssize_t show_lowest(struct kobject *kobj, struct kobj_attribute *attr, char *text)
{
	return sysfs_emit(text, "%llu\n", freq_desc(kobj)->gt_min_frequency / HZ_PER_MHZ);
}

static ssize_t show_highest(struct kobject *kobj, struct kobj_attribute *attr, char *text)
{
	return sysfs_emit(text, "%llu\n", freq_desc(kobj)->gt_max_frequency / HZ_PER_MHZ);
}

/* The limits, writable in xe, are read-only here and always span the whole range. */
static struct kobj_attribute min_freq = __ATTR(min_freq, 0444, show_lowest, NULL);
static struct kobj_attribute max_freq = __ATTR(max_freq, 0444, show_highest, NULL);
static struct kobj_attribute rpn_freq = __ATTR(rpn_freq, 0444, show_lowest, NULL);
static struct kobj_attribute rp0_freq = __ATTR(rp0_freq, 0444, show_highest, NULL);

static const struct attribute *const freq_files[] = {
	&min_freq.attr,
	&max_freq.attr,
	&rpn_freq.attr,
	&rp0_freq.attr,
	NULL,
};

/**
 * sim_xe_freq_remove() - Undo sim_xe_freq_create().
 * @xe: the emulated xe device
 */
void sim_xe_freq_remove(struct sim_xe *xe)
{
	unsigned int i;

	for (i = 0; i < SIM_XE_N_GTS; i++) {
		kobject_put(xe->freqs[i]);
		kobject_put(xe->gts[i]);
	}
	kobject_put(xe->tile);
}

/**
 * sim_xe_freq_create() - Create the directories and their files.
 * @xe: the emulated xe device
 * @dev: the PCI device, with @xe as driver data
 *
 * Return: 0, -ENOMEM or an error of sysfs. On error, the caller must call sim_xe_freq_remove().
 */
int sim_xe_freq_create(struct sim_xe *xe, struct device *dev)
{
	char name[8];
	unsigned int i;
	int ret = 0;

	xe->tile = kobject_create_and_add("tile0", &dev->kobj);
	for (i = 0; i < SIM_XE_N_GTS && xe->tile && !ret; i++) {
		snprintf(name, sizeof(name), "gt%u", i);
		xe->gts[i] = kobject_create_and_add(name, xe->tile);
		if (xe->gts[i])
			xe->freqs[i] = kobject_create_and_add("freq0", xe->gts[i]);
		ret = xe->freqs[i] ? sysfs_create_files(xe->freqs[i], freq_files) : -ENOMEM;
	}
	return xe->tile ? ret : -ENOMEM;
}
