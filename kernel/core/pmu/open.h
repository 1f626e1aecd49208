/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open.h - an event of the PMU is opened.
 */
#ifndef _GPUOA_OPEN_H
#define _GPUOA_OPEN_H

struct gpuoa_attr;
struct gpuoa_event;
struct gpuoa_pmu;
struct gpuoa_timing;
struct perf_event;

struct gpuoa_event *gpuoa_event_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr,
				    const struct gpuoa_timing *timing);
void gpuoa_event_free(struct gpuoa_event *ours);
int gpuoa_event_init(struct perf_event *event);

#endif /* _GPUOA_OPEN_H */
