/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_pmu_lifetime.h - lifetime of a PMU: CPU hotplug, and removal while events are open. */
#ifndef _GPUOA_PMU_LIFETIME_H
#define _GPUOA_PMU_LIFETIME_H

struct gpuoa_lifetime;
struct gpuoa_pmu;
struct perf_event;

void gpuoa_lifetime_init(struct gpuoa_lifetime *lifetime);
void gpuoa_lifetime_end(struct gpuoa_pmu *pmu);
void gpuoa_lifetime_get(struct gpuoa_pmu *pmu);
void gpuoa_lifetime_put(struct gpuoa_pmu *pmu);
int gpuoa_lifetime_add(struct gpuoa_pmu *pmu, struct perf_event *event);
void gpuoa_lifetime_remove(struct gpuoa_pmu *pmu, struct perf_event *event);
int gpuoa_lifetime_start(void);
void gpuoa_lifetime_exit(void);

int gpuoa_hotplug_add(struct gpuoa_pmu *pmu);
void gpuoa_hotplug_remove(struct gpuoa_pmu *pmu);
unsigned int gpuoa_hotplug_choose_cpu(void);
int gpuoa_hotplug_init(void);
void gpuoa_hotplug_exit(void);

#endif /* _GPUOA_PMU_LIFETIME_H */
