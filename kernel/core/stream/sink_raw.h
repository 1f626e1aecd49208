/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink_raw.h - reports as PERF_SAMPLE_RAW samples.
 */
#ifndef _GPUOA_SINK_RAW_H
#define _GPUOA_SINK_RAW_H

#include <linux/list.h>

#include "sink.h"

struct gpuoa_sample;

/**
 * struct gpuoa_sink_raw - reports as RAW samples, for all active events of a PMU
 * @sink: the interface to the stream
 * @events: active events, linked by perf_event.hlist_entry
 * @sample: the sample that is being filled
 * @used: how much of &gpuoa_sample.room is
 * @reports: number of reports in it
 * @open: its last record if that is of GPUOA_RECORD_REPORTS and can grow, or NULL
 */
struct gpuoa_sink_raw {
	struct gpuoa_sink sink;
	struct hlist_head events;
	struct gpuoa_sample *sample;
	u32 used;
	u32 reports;
	struct gpuoa_record_reports *open;
};

int gpuoa_sink_raw_init(struct gpuoa_sink_raw *raw);
void gpuoa_sink_raw_fini(struct gpuoa_sink_raw *raw);

#endif /* _GPUOA_SINK_RAW_H */
