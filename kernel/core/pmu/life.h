/* SPDX-License-Identifier: GPL-2.0-only */
/* life.h - lifetime of a PMU. */
#ifndef _GPUOA_LIFE_H
#define _GPUOA_LIFE_H

struct gpuoa_life;
struct gpuoa_pmu;
struct perf_event;

void gpuoa_life_init(struct gpuoa_life *life);
void gpuoa_life_end(struct gpuoa_pmu *pmu);
void gpuoa_life_get(struct gpuoa_pmu *pmu);
void gpuoa_life_put(struct gpuoa_pmu *pmu);
int gpuoa_life_add(struct gpuoa_pmu *pmu, struct perf_event *event);
void gpuoa_life_remove(struct gpuoa_pmu *pmu, struct perf_event *event);
void gpuoa_life_before_migration(struct gpuoa_pmu *pmu);
void gpuoa_life_after_migration(struct gpuoa_pmu *pmu);
int gpuoa_life_start(void);
void gpuoa_life_exit(void);

#endif /* _GPUOA_LIFE_H */
