/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink.h - where a stream's reports go.
 */
#ifndef _GPUOA_SINK_H
#define _GPUOA_SINK_H

#include <linux/types.h>

#include "thin.h"
#include "uapi/gpuoa.h"

struct gpuoa_sink;

/* One in CLOCK_MONOTONIC, one in perf's own clock */
#define GPUOA_ANNOUNCE_CLOCKS 2

/**
 * struct gpuoa_sink_ops - how a sink takes what a stream gives
 *
 * All are called in order of time, on the unit's CPU with interrupts off.
 */
struct gpuoa_sink_ops {
	/**
	 * @announce: what comes, and GPUOA_ANNOUNCE_CLOCKS clock pairs; repeated now and then for
	 * those who begin to listen later
	 */
	void (*announce)(struct gpuoa_sink *sink, const struct gpuoa_record_stream *stream,
			 const struct gpuoa_clock *clocks);

	/** @reports: @count reports without a gap; @first is the number of the first one */
	void (*reports)(struct gpuoa_sink *sink, const void *reports, u32 report_size, u32 count,
			u64 first);

	/** @lost: a gap: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST */
	void (*lost)(struct gpuoa_sink *sink, u32 type, u64 count);

	/** @resume: an event was enabled; @stopped: the unit was off until now */
	void (*resume)(struct gpuoa_sink *sink, bool stopped);

	/** @status: what the unit said, GPUOA_STATUS_*; that is no gap */
	void (*status)(struct gpuoa_sink *sink, u32 flags);

	/** @mark: a program marked this moment; false if nobody listens */
	bool (*mark)(struct gpuoa_sink *sink, const struct gpuoa_marker *mark);

	/** @gone: the unit is no more; nothing comes after this but a flush */
	void (*gone)(struct gpuoa_sink *sink);

	/** @flush: that was all for now */
	void (*flush)(struct gpuoa_sink *sink);
};

/**
 * struct gpuoa_sink - a sink
 * @ops: how it works
 * @thin: what of each report is wanted; changes while nobody samples
 */
struct gpuoa_sink {
	const struct gpuoa_sink_ops *ops;
	struct gpuoa_thin thin;
};

#endif /* _GPUOA_SINK_H */
