/* SPDX-License-Identifier: GPL-2.0-only */
/* hotplug.h - CPU of a PMU's events. */
#ifndef _GPUOA_HOTPLUG_H
#define _GPUOA_HOTPLUG_H

struct gpuoa_pmu;

int gpuoa_hotplug_add(struct gpuoa_pmu *pmu);
void gpuoa_hotplug_remove(struct gpuoa_pmu *pmu);
unsigned int gpuoa_hotplug_choose_cpu(void);
int gpuoa_hotplug_init(void);
void gpuoa_hotplug_exit(void);

#endif /* _GPUOA_HOTPLUG_H */
