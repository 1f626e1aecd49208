/* SPDX-License-Identifier: GPL-2.0-only */
/* sysfs.h - attributes in /sys/class/gpuoa/gpuoa<N>/. */
#ifndef _GPUOA_SYSFS_H
#define _GPUOA_SYSFS_H

struct attribute_group;

extern const struct attribute_group *gpuoa_unit_groups[];

#endif /* _GPUOA_SYSFS_H */
