/* SPDX-License-Identifier: GPL-2.0-only */
/* event.h - private data of an event, allocated before perf creates the event. */
#ifndef _GPUOA_EVENT_H
#define _GPUOA_EVENT_H

struct gpuoa_attr;
struct gpuoa_event;
struct gpuoa_pmu;
struct gpuoa_registered_attr;
struct gpuoa_timing;

struct gpuoa_event *gpuoa_event_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr,
				    const struct gpuoa_timing *timing,
				    const struct gpuoa_registered_attr *registered);
void gpuoa_event_free(struct gpuoa_event *ours);

#endif /* _GPUOA_EVENT_H */
