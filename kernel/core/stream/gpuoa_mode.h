/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_mode.h - delivery of reports: copied into samples (RAW), left in an AUX area, copied into
 * one, or none.
 */
#ifndef _GPUOA_MODE_H
#define _GPUOA_MODE_H

#include <linux/types.h>

#include "gpuoa_sample.h"
#include "uapi/gpuoa.h"

struct gpuoa_aux_area;
struct gpuoa_format_desc;
struct gpuoa_sink;
struct gpuoa_stream;
struct gpuoa_unit;

/**
 * struct gpuoa_mode - delivery of reports to the reader
 *
 * @can_run, @run, @poll, @halt, @report_cut, @lose and @quiet are called with &gpuoa_stream.lock
 *	held, on the unit's CPU with interrupts disabled.
 */
struct gpuoa_mode {
	/** @flags: flags of the mode in the stream's description, GPUOA_ATTR_* */
	u32 flags;

	/**
	 * @in_area: reports are in the AUX area of one event; sharing and counting are not possible
	 */
	bool in_area;

	/**
	 * @check: check whether the unit supports @attr in this mode. Returns 0 or -EOPNOTSUPP.
	 * NULL if it always does.
	 */
	int (*check)(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		     const struct gpuoa_format_desc *format);

	/**
	 * @alloc_buffer: allocate the OABUFFER. NULL if it is attached later. Returns 0 or -errno.
	 * May sleep.
	 */
	int (*alloc_buffer)(struct gpuoa_stream *stream);

	/**
	 * @free_buffer: free the OABUFFER. The hardware has stopped writing unless
	 * &gpuoa_stream.stop_failed. May sleep.
	 */
	void (*free_buffer)(struct gpuoa_stream *stream);

	/** @can_run: check whether there is a buffer. NULL if there always is one. */
	bool (*can_run)(const struct gpuoa_stream *stream);

	/** @run: start sampling */
	void (*run)(struct gpuoa_stream *stream);

	/** @poll: publish new reports; returns the time until the next poll, ns */
	u64 (*poll)(struct gpuoa_stream *stream);

	/** @halt: stop the unit and publish the remaining reports */
	void (*halt)(struct gpuoa_stream *stream);

	/**
	 * @discard: discard unpublished reports, after the unit lost its registers. Called with
	 * &gpuoa_stream.lock held, on any CPU.
	 */
	void (*discard)(struct gpuoa_stream *stream);

	/** @clean: prepare the buffer for the next start. NULL if not needed. May sleep. */
	void (*clean)(struct gpuoa_stream *stream);

	/** @report_cut: report the loss of the reports that @discard discarded */
	void (*report_cut)(struct gpuoa_stream *stream);

	/**
	 * @lose: note a loss at the current position. Returns false if no record of it must be
	 * written. NULL: nothing to note
	 */
	bool (*lose)(struct gpuoa_stream *stream);

	/** @quiet: check whether records must not be written while the unit runs. NULL if never. */
	bool (*quiet)(const struct gpuoa_stream *stream);
};

extern const struct gpuoa_mode gpuoa_mode_raw;
extern const struct gpuoa_mode gpuoa_mode_aux;
extern const struct gpuoa_mode gpuoa_mode_copy;
extern const struct gpuoa_mode gpuoa_mode_none;

/* Number of clock samples in an announcement: one in CLOCK_MONOTONIC and one in perf's clock */
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
 * @mask: dword mask of the reports; changes only while no event samples
 */
struct gpuoa_sink {
	const struct gpuoa_sink_ops *ops;
	struct gpuoa_dword_mask mask;
};

#endif /* _GPUOA_MODE_H */
