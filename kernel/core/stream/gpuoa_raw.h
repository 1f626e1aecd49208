/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_raw.h - RAW mode: reports are copied from the OABUFFER into samples. */
#ifndef _GPUOA_RAW_H
#define _GPUOA_RAW_H

#include <linux/list.h>

#include "gpuoa_mode.h"

struct gpuoa_sample;

/**
 * struct gpuoa_sink_raw - delivery as RAW samples to all active events of a PMU
 * @sink: interface to the stream
 * @events: active events, linked by perf_event.hlist_entry
 * @sample: sample under construction
 * @used: used bytes of &gpuoa_sample.room
 * @reports: number of reports in @sample
 * @open: last record of @sample if reports can be appended to it, or NULL
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

#endif /* _GPUOA_RAW_H */
