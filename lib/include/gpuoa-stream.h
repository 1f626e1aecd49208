/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-stream.h - further operations on streams
 *
 *   before opening          actual options, current users of a unit
 *   owners of contexts      process that created a context
 *   another set in place    reconfiguration of an open stream
 *   reads that choose       filtered reads
 *
 * Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_STREAM_H
#define GPUOA_STREAM_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- before opening ------------------------------------------------------------------------- */

/**
 * gpuoa_stream_resolve_options() - Compute the options that gpuoa_stream_open() would choose,
 * without opening a stream.
 * @options: in and out, mandatory. With RAW, a @buffer_size of 0 remains 0, because the kernel
 *   chooses it. GPUOA_DELIVERY_PREFER_AUX remains. Actual sizes may be smaller if the user may lock
 *   less memory
 *
 * Return: 0, or -ERANGE, -EINVAL, -E2BIG or -ENOMEM as gpuoa_stream_open().
 */
GPUOA_API int gpuoa_stream_resolve_options(struct gpuoa_unit *unit, const struct gpuoa_set *set,
					   struct gpuoa_stream_options *options, char *error,
					   size_t error_size);

/** struct gpuoa_unit_user - The current user of a unit, and the configuration in use. */
struct gpuoa_unit_user {
	char uuid[40]; /* UUID of the register configuration; "" if none */
	uint32_t format; /* enum gpuoa_report_format */
	/* exponent of the timer: it triggers a report every 2^(exponent+1) ticks */
	uint32_t exponent;
	uint32_t buffer_size; /* size of the OABUFFER, bytes */
	/* number of streams on the unit, including perf events of other programs */
	uint32_t streams;
	/* Id of the process that opened the first stream; 0: not visible to this process. */
	uint32_t process;
	char program[16]; /* name of that process */
	enum gpuoa_delivery delivery; /* _RAW or _AUX */
	bool context_filter;
	bool batch_boundary_reports; /* as in gpuoa_stream_options */
};

/**
 * gpuoa_unit_get_user() - Describe the current user of a unit.
 * @use: result, zeroed if the unit is idle
 * @size: sizeof(*use)
 *
 * Return: 1: in use. 0: idle. -ENODEV: the GPU was removed. -EOPNOTSUPP: the unit's driver does not
 * report it: a stock driver, or an old gpuoa.ko.
 */
GPUOA_API int gpuoa_unit_get_user(struct gpuoa_unit *unit, struct gpuoa_unit_user *use,
				  size_t size);

/* ---- owners of contexts --------------------------------------------------------------------- */

/** struct gpuoa_context_owner - Owner of a GPU context. */
struct gpuoa_context_owner {
	/*
	 * Id of the process that created the context, which may have exited; 0: not visible to the
	 * caller.
	 */
	uint32_t process;
	/* handle of the context in its DRM file, as in gpuoa_stream_options.context; 0: none */
	uint32_t handle;
	/* Id of the DRM file: drm-client-id in /proc/<process>/fdinfo/<fd>; 0: unknown. */
	uint64_t client;
	char program[16]; /* name that the process had when it created the context */
	bool gone; /* the context has been destroyed */
};

/**
 * gpuoa_reader_context() - Find the owner of a context id in reports.
 * @context_id: as in gpuoa_report_desc
 * @size: sizeof(*owner)
 *
 * For a stream, the kernel is queried, which remembers some destroyed contexts. Ids are reused, so
 * call it soon. For a recording, the owner is the one that the recorder stored; if an id was
 * reused, the last one. The first call scans the whole file.
 *
 * Return: 0, or:
 * -ENOENT: the kernel or the recording does not know the id
 * -EACCES: the context is of another user; CAP_PERFMON or a dev.gpuoa.paranoid of 0 is needed
 * -EOPNOTSUPP: the driver does not report owners. Neither i915-perf nor xe's observation does, and
 *   i915's fdinfo has no context ids
 * -ENODEV: the GPU was removed
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_reader_context(struct gpuoa_reader *reader, uint32_t context_id,
				   struct gpuoa_context_owner *owner, size_t size);

/* ---- another set in place ------------------------------------------------------------------- */

/**
 * gpuoa_stream_reconfigure() - Change the metric set of an open stream.
 * @set: set of the same unit and report format
 *
 * The unit stays in use throughout. Reports measured before can still be read. The next read
 * reports a gap; all reports after it are of the new set, and need a new calculator.
 * gpuoa_reader_describe() returns the new set at once.
 *
 * All streams of the unit change together, and must be of this process. Takes up to 20 ms, the time
 * to program the unit.
 *
 * Return: 0, an error of gpuoa_unit_add_set(), or:
 * -EOPNOTSUPP: @stream is a recording, a flight recorder, of a stock driver, or of an old gpuoa.ko
 * -EINVAL: the set has another format, or is of another platform
 * -EMEDIUMTYPE: the set is of another domain than the unit
 * -EBUSY: another process uses the unit, an event counts, or the stream is being recorded
 * -EIO: the unit could not be programmed, and continues with the previous set
 */
GPUOA_API int gpuoa_stream_reconfigure(struct gpuoa_reader *stream, const struct gpuoa_set *set,
				       char *error, size_t error_size);

/* ---- reads that choose: filtered reads ------------------------------------------------------ */

/** struct gpuoa_read_options - Filter of a read. Zero-initialize, then set @size. */
struct gpuoa_read_options {
	size_t size; /* sizeof(struct gpuoa_read_options), mandatory */
	/*
	 * Number of reports to read: the newest ones, skipping all older ones; 0: all reports. If
	 * the stream is running, the hardware is polled first, also in AUX mode.
	 */
	size_t newest;
	/* return only reports with one of these reasons (enum gpuoa_reason); 0: all */
	uint32_t reasons;
	/* id of the context, as in gpuoa_report_desc; valid if context_filter */
	uint32_t context_id;
	/* Return only reports after which the context @context_id runs: see gpuoa_calc_options. */
	bool context_filter;
	/* do not consume the reports: the next read returns them again. For streams only */
	bool peek;
	/*
	 * Any set of the platform, which determines how the report header is decoded; NULL: a
	 * built-in one.
	 */
	const struct gpuoa_set *set;
};

/** struct gpuoa_read_detail - Events found by a filtered read. */
struct gpuoa_read_detail {
	/* Events as in gpuoa_reader_read(), including those of skipped reports. */
	struct gpuoa_read_status status;
	uint64_t dropped; /* number of reports skipped because they were not among the newest */
	uint64_t left_out; /* number of reports skipped because of their reason or context */
	/*
	 * If @status has a gap: GPU time of the last report before it and of the first report after
	 * it, ticks. @gap.begin is 0 if this function has returned no report before the gap.
	 */
	struct gpuoa_interval gap;
	bool outstanding; /* there is more data that can be read without waiting */
	bool has_frequency; /* reports have the clock frequency */
	/* the frequency has changed since the last report that this function returned */
	bool frequency_changed;
	uint32_t frequency_mhz; /* frequency of the GPU's clock in the last report, MHz */
};

/**
 * gpuoa_reader_read_filtered() - Read reports through a filter.
 * @reports: buffer for @max reports of gpuoa_reader_desc.report_size bytes
 * @options: may be NULL: no filter
 * @detail: result, mandatory
 * @size: sizeof(*detail)
 *
 * As with gpuoa_reader_read(), the reports of one call have no gap between them, except for reports
 * that the filter skipped. With @newest, reports before the last gap are skipped.
 *
 * Return: the number of reports, which may be 0 although there are more (detail->outstanding), an
 * error of gpuoa_reader_read(), or:
 * -EOPNOTSUPP: reports of this platform have no reason or context, or @options->peek is set for a
 *   recording
 * -ENODATA: no set of the platform is known to decode report headers: set @options->set
 * -EINVAL: @options->size is not set
 * -E2BIG: @options has nonzero fields that this library does not know
 */
GPUOA_API int gpuoa_reader_read_filtered(struct gpuoa_reader *reader, void *reports, size_t max,
					 const struct gpuoa_read_options *options,
					 struct gpuoa_read_detail *detail, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_STREAM_H */
