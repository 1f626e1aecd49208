/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-stream.h - more of streams: what they would be, who has a unit, other sets in place,
 * several units at once, reads that choose, snapshots
 *
 * gpuoa.h has what every reader needs. Rules of results, structs, ownership and threads are those
 * of gpuoa.h.
 */
#ifndef GPUOA_STREAM_H
#define GPUOA_STREAM_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- before opening ------------------------------------------------------------------------- */

/**
 * What would gpuoa_stream_open() make of these options? Nothing is opened, and nobody disturbed.
 *
 * @options: in and out, as there. A @buffer_size of 0 stays 0 with RAW, for the kernel chooses it;
 * @delivery stays GPUOA_DELIVERY_PREFER_AUX if that was asked for. Sizes may turn out to be smaller
 * where the user may lock less memory
 *
 * -ERANGE, -EINVAL, -E2BIG, -ENODEV, -ENOMEM: as gpuoa_stream_open().
 */
GPUOA_API int gpuoa_stream_quantize(struct gpuoa_unit *unit, const struct gpuoa_set *set,
				    struct gpuoa_stream_options *options, char *error,
				    size_t error_size);

/** Who has a unit, and for what. */
struct gpuoa_unit_use {
	char uuid[40]; /* of the configuration; "" if it has none */
	uint32_t format; /* enum gpuoa_report_format */
	uint32_t exponent; /* timer: a report every 2^(exponent+1) ticks */
	uint32_t buffer_size; /* of the OABUFFER, bytes */
	uint32_t streams; /* how many there are, other perf events included */
	uint32_t process; /* that opened the first of them; 0: this process cannot see it */
	char program[16]; /* its name */
	enum gpuoa_delivery delivery; /* _RAW or _AUX */
	bool context_filter;
	bool batches; /* as in gpuoa_stream_options */
};

/**
 * Is a unit in use?
 *
 * @size: sizeof(*use)
 *
 * Returns 1: yes; 0: no, and *@use is all 0. -ENODEV: the GPU is gone. -EOPNOTSUPP: whoever offers
 * the unit does not tell: a stock driver, or a gpuoa.ko that is too old.
 */
GPUOA_API int gpuoa_unit_used(struct gpuoa_unit *unit, struct gpuoa_unit_use *use, size_t size);

/* ---- whose a context is ---------------------------------------------------------------------- */

/** Whose a context of the GPU is. */
struct gpuoa_context_owner {
	uint32_t process; /* that made it, and may have ended; 0: whoever asked could not see it */
	uint32_t handle; /* of the context in its DRM file, as gpuoa_stream_options.context; 0: it
			    has none */
	uint64_t client; /* number of that file: drm-client-id in /proc/<process>/fdinfo/<fd>; 0:
			    not known */
	char program[16]; /* name of the process when it made the context */
	bool gone; /* the context is no more */
};

/**
 * Whose is a context that reports name?
 *
 * A stream asks the kernel, which remembers some contexts that are gone; an id may be used again,
 * so ask soon. A recording says what its recorder has been told, and of an id that was used again
 * the last one; the first call goes through all of the file.
 *
 * @context_id: as gpuoa_report_desc has it
 * @size: sizeof(*owner)
 *
 * -ENOENT: it is nobody's that the kernel or the recording knows. -EACCES: others' contexts are for
 * those who may see reports of them, with CAP_PERFMON or dev.gpuoa.paranoid 0. -EOPNOTSUPP: the
 * GPU's driver does not tell: neither i915-perf nor xe's observation do, nor what i915 tells in
 * fdinfo, for that has no context ids. -ENODEV: the GPU is gone. -ENOMEM.
 */
GPUOA_API int gpuoa_source_context(struct gpuoa_source *source, uint32_t context_id,
				   struct gpuoa_context_owner *owner, size_t size);

/* ---- another set in place ------------------------------------------------------------------- */

/**
 * Have a stream measure another set, of the same unit and report format. Nobody else can take the
 * unit in between. What was measured until then can still be read; the first read behind it says
 * that there is a gap, and from there on all reports are of the new set: open a calculator for it.
 * gpuoa_source_describe() tells the new set at once.
 *
 * All streams that have the unit change with this one, and have to be of this process. Takes as
 * long as the unit takes to be programmed, up to 20 ms.
 *
 * -EOPNOTSUPP: @stream is a recording, a flight recorder or of a stock driver, or the kernel module
 * is too old. -EINVAL: the set needs another format, or is of another platform. -EMEDIUMTYPE: it is of
 * another domain than the unit. -EBUSY: another process has the unit, too, or an event counts.
 * -EIO: the unit could not be programmed, and goes on with what it had. Else as
 * gpuoa_unit_upload().
 */
GPUOA_API int gpuoa_stream_reconfigure(struct gpuoa_source *stream, const struct gpuoa_set *set,
				       char *error, size_t error_size);

/* ---- several units at once ------------------------------------------------------------------ */

/**
 * An activation has units programmed for sets, and keeps them so, without sampling: what is active
 * can be sampled at once, and by nobody else with another set. Reports that batches ask for
 * (MI_REPORT_PERF_COUNT) count it, and flexible EU counters and performance counters are programmed
 * for those who read them elsewhere.
 *
 * Streams of an active unit have to have the set, format, period and buffer size of the activation,
 * as with any other stream; period and format are so if they are left to the library.
 */
struct gpuoa_activation;

/** What a unit shall be programmed for. */
struct gpuoa_activation_entry {
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	uint64_t reserved[2]; /* must be 0 */
};

/**
 * Begin with nothing active.
 *
 * @options: with which streams will be opened; are copied; may be NULL. Of period, rounding, format
 * and buffer size; the rest has no meaning here
 *
 * -EINVAL: @options->size is not set. -E2BIG: @options is of a newer library, and asks for what
 * this one does not know. -ENOMEM.
 */
GPUOA_API int gpuoa_activation_open(const struct gpuoa_stream_options *options,
				    struct gpuoa_activation **activation, char *error,
				    size_t error_size);

/** Deactivate all, and free. Streams that are open keep what they measure. */
GPUOA_API void gpuoa_activation_close(struct gpuoa_activation *activation);

/**
 * Have these sets active, and nothing else: a unit that is not in the list is given free, a unit
 * that has its set already is left alone, and one that changes its set keeps it from others
 * meanwhile. If that fails for one of them, all are as they were before.
 *
 * @entries: @count of them, of any GPUs, one for each unit; 0: nothing. Units must outlive the
 * activation, or the time until they are not in the list any more
 *
 * -EINVAL: two sets for one unit: the text names them. -EBUSY: somebody else has one of the units:
 * the text names who. -E2BIG: reserved words of an entry are not 0. Else as gpuoa_stream_open() and
 * gpuoa_stream_reconfigure().
 */
GPUOA_API int gpuoa_activation_set(struct gpuoa_activation *activation,
				   const struct gpuoa_activation_entry *entries, size_t count,
				   char *error, size_t error_size);

/* ---- reads that choose ---------------------------------------------------------------------- */

/** Which reports a read gives. Zero-initialize, then set @size. */
struct gpuoa_read_options {
	size_t size; /* sizeof(struct gpuoa_read_options), must be set */
	size_t newest; /* pass over all but the newest so many; 0: over none. A stream that runs has
			  what has landed handed on first, in AUX mode, too */
	uint32_t reasons; /* only reports with one of these reasons (enum gpuoa_reason); 0: all */
	uint32_t context_id; /* with context_filter: as gpuoa_report_desc has it */
	bool context_filter; /* only reports that show this context running: the interval behind
				each is its. See gpuoa_calc_options */
	bool peek; /* leave them where they are: the next read gives them again. Streams only */
	const struct gpuoa_set *set; /* any set of the platform, which knows what reports tell;
					NULL: a built-in one */
};

/** What a read found. */
struct gpuoa_read_detail {
	struct gpuoa_read_status status; /* as of gpuoa_source_read(), of all that was passed over,
					    too */
	uint64_t dropped; /* reports passed over since they were not among the newest */
	uint64_t left_out; /* reports with other reasons, or of other contexts */
	struct gpuoa_interval gap; /* with status.gap: from the last report before it to the first
				      one behind it, in ticks; .begin 0: this function gave none
				      before it */
	bool outstanding; /* there is more to be read at once */
	bool has_frequency; /* the reports tell: */
	bool frequency_changed; /*   it changed, since the last report that this function gave */
	uint32_t frequency_mhz; /*   of the GPU's clock, as of the last report */
};

/**
 * Read some of the reports. As gpuoa_source_read(), the reports of one call follow each other
 * without a gap, but for those that are left out between them; with @newest, what is before the
 * last gap is dropped.
 *
 * @options: may be NULL: as gpuoa_source_read(), with all that can be told
 * @detail: out; @size is sizeof(*detail)
 *
 * Returns the number of reports, which may be 0 though there are more (detail->outstanding), or a
 * negative errno of gpuoa_source_read(). -EOPNOTSUPP: reports of this platform do not tell what
 * they should be chosen by, or @options->peek is set for a recording. -ENODATA: they should be
 * chosen, and no set of the platform is known: @options->set would be one. -EINVAL: @options->size
 * is not set. -E2BIG: @options is of a newer library, and asks for what this one does not know.
 */
GPUOA_API int gpuoa_source_read_some(struct gpuoa_source *source, void *reports, size_t max,
				     const struct gpuoa_read_options *options,
				     struct gpuoa_read_detail *detail, size_t size);

/* ---- snapshots ------------------------------------------------------------------------------ */

/**
 * One report, as new as can be: written after this was called. All older ones are dropped. Two of
 * them, and a calculator, make an interval.
 *
 * The report is one of the timer's, so that it comes within two periods (the kernel hands a report
 * on when the next one shows that it is complete), or later if the CPU is busy. Nothing but the
 * time has to be asked of the GPU for that. For a snapshot of a unit that nobody uses, open a
 * stream with as short a period, take it and close: what counters show does not begin at 0, so that
 * only snapshots of one stream can be compared. Beside streams of others, open one with options
 * that are 0: it shares theirs.
 *
 * @report: room for gpuoa_source_desc.report_size bytes
 * @timeout_ms: -1: for ever
 * @detail: out; @size is sizeof(*detail); may be NULL
 *
 * -ETIMEDOUT: none came. -EOPNOTSUPP: @stream is a recording, or a flight recorder, of which nothing
 * comes while it runs. -ECANCELED: the stream is disabled. -ENODEV: the GPU is gone.
 * Else as gpuoa_source_read_some().
 */
GPUOA_API int gpuoa_stream_snapshot(struct gpuoa_source *stream, void *report, int timeout_ms,
				    struct gpuoa_read_detail *detail, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_STREAM_H */
