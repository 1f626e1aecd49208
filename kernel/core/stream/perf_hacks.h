/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_hacks.h - what we do with core's internals, for want of an interface.
 */
#ifndef _GPUOA_PERF_HACKS_H
#define _GPUOA_PERF_HACKS_H

#include <linux/types.h>

struct hlist_head;
struct perf_event;
struct pmu;

bool gpuoa_perf_can_output(void);
bool gpuoa_perf_output(struct hlist_head *events, void *sample, u32 size, u32 reports);

unsigned int gpuoa_perf_pending_disable(const struct perf_event *event);
void gpuoa_perf_keep_enabled(struct perf_event *event, unsigned int pending);

void gpuoa_perf_take_all_samples(struct perf_event *event);
void gpuoa_perf_pin(struct perf_event *event);

bool gpuoa_perf_event_get(struct perf_event *event);
void gpuoa_perf_event_put(struct perf_event *event);
bool gpuoa_perf_event_hang_up(struct perf_event *event);

void gpuoa_perf_del_device(struct pmu *pmu);
bool gpuoa_perf_pmu_in_use(const struct pmu *pmu);

#endif /* _GPUOA_PERF_HACKS_H */
