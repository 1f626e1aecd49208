/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_perf_hacks.h - workarounds that depend on internals of the perf core. */
#ifndef _GPUOA_PERF_HACKS_H
#define _GPUOA_PERF_HACKS_H

#include <linux/sizes.h>
#include <linux/types.h>

#include "gpuoa_sample.h"

struct hlist_head;
struct perf_event;
struct perf_sample_data;
struct pmu;

/*
 * Maximum size of a sample. It fits the 16-bit perf_event_header.size, and is at most a quarter of
 * a 32-page ring.
 */
#define GPUOA_RAW_SAMPLE_SIZE SZ_32K

/**
 * struct gpuoa_sample - data of a PERF_SAMPLE_RAW sample
 * @iovec: iovec of the data; its first entry is the start of @room
 * @room: storage for data other than reports. perf writes struct trace_entry to its start.
 */
struct gpuoa_sample {
	struct gpuoa_iovec iovec;
	u8 room[GPUOA_RAW_SAMPLE_SIZE] __aligned(8);
};

bool gpuoa_perf_can_output(void);
bool gpuoa_perf_output(struct hlist_head *events, struct gpuoa_sample *sample, u32 reports);
const struct gpuoa_iovec *gpuoa_perf_iovec(const struct perf_sample_data *data);

unsigned int gpuoa_perf_pending_disable(const struct perf_event *event);
void gpuoa_perf_keep_enabled(struct perf_event *event, unsigned int pending);

void gpuoa_perf_take_all_samples(struct perf_event *event);
void gpuoa_perf_accept_iovec(struct perf_event *event);
void gpuoa_perf_pin(struct perf_event *event);

bool gpuoa_perf_event_get(struct perf_event *event);
void gpuoa_perf_event_put(struct perf_event *event);
bool gpuoa_perf_event_hang_up(struct perf_event *event);

void gpuoa_perf_del_device(struct pmu *pmu);
bool gpuoa_perf_pmu_in_use(const struct pmu *pmu);

#endif /* _GPUOA_PERF_HACKS_H */
