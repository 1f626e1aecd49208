/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink_raw.h - reports as PERF_SAMPLE_RAW samples.
 */
#ifndef _GPUOA_SINK_RAW_H
#define _GPUOA_SINK_RAW_H

#include <linux/list.h>
#include <linux/sizes.h>

#include "sink.h"

/* perf_event_header.size is 16 bits wide; a quarter of a ring of 32 pages is a good neighbour. */
#define GPUOA_RAW_SAMPLE_SIZE SZ_32K

/**
 * struct gpuoa_sink_raw - reports as RAW samples, for all active events of a PMU
 * @sink: the interface to the stream
 * @events: active events, linked by perf_event.hlist_entry
 * @sample: room for one sample, GPUOA_RAW_SAMPLE_SIZE bytes
 * @used: how much of it is filled; sizeof(struct gpuoa_raw) if it holds no record
 * @reports: number of reports in it
 * @open: its last record if that is of GPUOA_RECORD_REPORTS and can grow, or NULL
 */
struct gpuoa_sink_raw {
	struct gpuoa_sink sink;
	struct hlist_head events;
	void *sample;
	u32 used;
	u32 reports;
	struct gpuoa_record_reports *open;
};

int gpuoa_sink_raw_init(struct gpuoa_sink_raw *raw);
void gpuoa_sink_raw_fini(struct gpuoa_sink_raw *raw);

#endif /* _GPUOA_SINK_RAW_H */
