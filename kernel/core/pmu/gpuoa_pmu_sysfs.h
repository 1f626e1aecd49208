/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_pmu_sysfs.h - sysfs files of a PMU: format/, cpumask, and events/ for the perf tool. */
#ifndef _GPUOA_PMU_SYSFS_H
#define _GPUOA_PMU_SYSFS_H

struct attribute_group;
struct gpuoa_names;
struct gpuoa_unit;

extern const struct attribute_group gpuoa_pmu_format_group;
extern const struct attribute_group gpuoa_pmu_cpumask_group;

struct gpuoa_names *gpuoa_names_new(const struct gpuoa_unit *unit);
const struct attribute_group *gpuoa_names_group(const struct gpuoa_names *names);
void gpuoa_names_free(struct gpuoa_names *names);

#endif /* _GPUOA_PMU_SYSFS_H */
