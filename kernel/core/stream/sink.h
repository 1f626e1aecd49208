/* SPDX-License-Identifier: GPL-2.0-only */
/* sink.h - destination of a stream's reports. */
#ifndef _GPUOA_SINK_H
#define _GPUOA_SINK_H

#include <linux/types.h>

#include "thin.h"
#include "uapi/gpuoa.h"

struct gpuoa_sink;

/* One clock sample in CLOCK_MONOTONIC and one in perf's clock */
#define GPUOA_ANNOUNCE_CLOCKS 2

/**
 * struct gpuoa_sink_ops - callbacks of a sink
 *
 * Called in time order, on the unit's CPU with interrupts disabled.
 */
struct gpuoa_sink_ops {
	/**
	 * @announce: write the stream's description and GPUOA_ANNOUNCE_CLOCKS clock samples;
	 * repeated for readers that start late
	 */
	void (*announce)(struct gpuoa_sink *sink, const struct gpuoa_record_stream *stream,
			 const struct gpuoa_clock *clocks);

	/** @reports: write @count gapless reports; @first is the number of the first one */
	void (*reports)(struct gpuoa_sink *sink, const void *reports, u32 report_size, u32 count,
			u64 first);

	/** @lost: write a loss: GPUOA_RECORD_BUFFER_OVERFLOW or GPUOA_RECORD_REPORTS_LOST */
	void (*lost)(struct gpuoa_sink *sink, u32 type, u64 count);

	/** @resume: report an enabled event; @stopped: the unit was off before */
	void (*resume)(struct gpuoa_sink *sink, bool stopped);

	/** @status: write GPUOA_STATUS_* flags, which do not imply a gap */
	void (*status)(struct gpuoa_sink *sink, u32 flags);

	/** @mark: write a marker; returns false if no event samples */
	bool (*mark)(struct gpuoa_sink *sink, const struct gpuoa_marker *mark);

	/** @gone: report the removal of the unit; only @flush may follow */
	void (*gone)(struct gpuoa_sink *sink);

	/** @flush: write all pending records */
	void (*flush)(struct gpuoa_sink *sink);
};

/**
 * struct gpuoa_sink - destination of reports
 * @ops: callbacks
 * @thin: dword mask of the reports; changes only while no event samples
 */
struct gpuoa_sink {
	const struct gpuoa_sink_ops *ops;
	struct gpuoa_thin thin;
};

#endif /* _GPUOA_SINK_H */
