/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-reader.h - OA units, and readers of raw reports: streams and recordings
 *
 * Conventions are those of gpuoa.h, which includes this header.
 */
#ifndef GPUOA_READER_H
#define GPUOA_READER_H

#include "gpuoa-report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- units ---------------------------------------------------------------------------------- */

/** struct gpuoa_unit - An open OA unit of this machine. */
struct gpuoa_unit;

/** enum gpuoa_unit_feature - Optional capabilities of a unit. Bit mask. */
enum gpuoa_unit_feature {
	GPUOA_UNIT_CONTEXT = 1 << 0, /* gpuoa_stream_options.context_filter */
	/* gpuoa_stream_options.batch_boundary_reports */
	GPUOA_UNIT_BATCH_BOUNDARY_REPORTS = 1 << 1,
	GPUOA_UNIT_FLEX = 1 << 2, /* sets with flexible EU registers */
	/* the driver that provides the unit may have a half-full interrupt */
	GPUOA_UNIT_HALF_FULL = 1 << 3,
	/* contexts of the user's own processes can be measured without privileges */
	GPUOA_UNIT_OWN_REPORTS = 1 << 4,
	GPUOA_UNIT_QUERY_ONLY = 1 << 5, /* gpuoa_stream_options.query_only */
	/* the driver that provides the unit can pin the clock: gpuoa_freq_pin_set() */
	GPUOA_UNIT_FREQUENCY = 1 << 6,
	GPUOA_UNIT_MARKERS = 1 << 7, /* gpuoa_marker_commands() of gpuoa-query.h */
	GPUOA_UNIT_CONTEXT_NAMES = 1 << 8, /* gpuoa_reader_context() of gpuoa-stream.h */
	GPUOA_UNIT_AUX = 1 << 9, /* GPUOA_DELIVERY_AUX */
	/* a report that crosses the end of an AUX area continues at its start */
	GPUOA_UNIT_SPLIT_REPORTS = 1 << 10,
	GPUOA_UNIT_ZERO_COPY = 1 << 11, /* the GPU writes to an AUX area, and nothing is copied */
};

/**
 * enum gpuoa_engine_kind - Kinds of engines, with the values of i915 and xe: rcs, bcs, vcs, vecs,
 * ccs.
 */
enum gpuoa_engine_kind {
	GPUOA_ENGINE_RENDER,
	GPUOA_ENGINE_COPY,
	GPUOA_ENGINE_VIDEO,
	GPUOA_ENGINE_VIDEO_ENHANCE,
	GPUOA_ENGINE_COMPUTE,
};

/** struct gpuoa_engine - An engine of a GT. Fixed: the struct never changes. */
struct gpuoa_engine {
	uint16_t kind; /* enum gpuoa_engine_kind */
	uint16_t instance;
};

#define GPUOA_UNIT_ENGINES 16

/** struct gpuoa_unit_desc - Description of an OA unit. */
struct gpuoa_unit_desc {
	/*
	 * Name of the unit: "gpuoa0" (also the name of its PMU and of its files in /dev and sysfs),
	 * "i915:0" (a unit of /dev/dri/card0), "xe:0", "xe:0.1".
	 */
	char name[16];
	char platform[16]; /* "hsw" */
	uint64_t timestamp_frequency; /* Hz */
	uint64_t gt_min_frequency; /* Hz */
	uint64_t gt_max_frequency; /* Hz */
	uint64_t slice_mask;
	uint64_t subslice_mask; /* its first 64 bits */
	uint64_t subslice_mask_high; /* bits 64 to 127 */
	uint64_t formats; /* bit n: enum gpuoa_report_format n */
	uint32_t default_format;
	uint32_t device_id;
	uint32_t revision;
	uint32_t slice_count;
	uint32_t subslice_count;
	uint32_t eu_count;
	uint32_t threads_per_eu;
	uint32_t exponent_max;
	uint32_t buffer_size_min; /* bytes */
	uint32_t buffer_size_max; /* bytes */
	uint32_t timestamp_bits;
	uint32_t pmu_type;
	/* device that the unit belongs to: a PCI address or the name of a platform device */
	char parent[64];
	uint64_t l3_bank_mask; /* 0 before Xe2 */
	/* number of bits of subslice_mask per slice; 0: platform default */
	uint32_t subslice_stride;
	uint32_t compute_engine_count; /* 0 before gen12.5 */
	/*
	 * Domain of the sets that the unit can measure, as in gpuoa_set_desc.domain: "OA", "OAM0";
	 * "" if the library does not know this kind of unit.
	 */
	char domain[16];
	/* frequency of the timestamps that commands write, Hz; 0: unknown */
	uint64_t cs_timestamp_frequency;
	/* number of valid bits of timestamps that commands write; 0: unknown */
	uint32_t cs_timestamp_bits;
	uint32_t reserved; /* 0 */
	uint64_t features; /* enum gpuoa_unit_feature */
	uint16_t tile; /* tile of the GPU */
	uint16_t gt; /* number of the GT on the GPU, counted over all tiles */
	uint32_t engine_count;
	/*
	 * Engines that the unit measures, all of GT @gt. The list is empty if engines share the
	 * unit's counters, or if the driver does not report the engines.
	 */
	struct gpuoa_engine engines[GPUOA_UNIT_ENGINES];
	/*
	 * Driver that provides the unit: "gpuoa" is gpuoa.ko, "i915" is i915-perf of the stock
	 * driver, "xe" is the observation interface of the stock driver; "" in a recording.
	 */
	char driver[8];
};

/**
 * gpuoa_unit_list() - List the names of this machine's OA units ("gpuoa0", "i915:0", "xe:0").
 * @names: array of @max names of 16 bytes; NULL with @max 0 to query the number only
 *
 * Units of a GPU that gpuoa.ko serves are listed with these names only. Units of other GPUs are
 * those of the stock i915 and xe drivers, which need no module of gpuoa; for their limits see
 * Documentation/user/stock-kernels.rst and gpuoa_stream(3). If the process may not open the DRM
 * node of a GPU, only its first unit of xe is listed.
 *
 * Return: the number of units, which may exceed @max, or a negative errno.
 */
GPUOA_API int gpuoa_unit_list(char (*names)[16], size_t max);

/**
 * gpuoa_unit_open() - Open an OA unit.
 * @name: "gpuoa0", "/dev/gpuoa0", "i915:0" or "xe:0.1"; or PCI address or DRM node ("card0",
 *   "/dev/dri/renderD128") of a GPU, for its first unit; NULL: the first unit of all
 * @unit: result; close with gpuoa_unit_close()
 *
 * If several drivers provide units of the GPU, gpuoa.ko is preferred, then i915, then xe.
 *
 * Return: 0, or:
 * -ENOENT: no such unit
 * -ENODEV: no OA unit on this machine
 * -EACCES: no permission to open its device node
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit, char *error,
			      size_t error_size);

/** gpuoa_unit_close() - Close a unit. Close its streams first. */
GPUOA_API void gpuoa_unit_close(struct gpuoa_unit *unit);

/** gpuoa_unit_describe() - Describe a unit. @size is sizeof(*desc). */
GPUOA_API void gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc,
				   size_t size);

/**
 * gpuoa_unit_platform() - Return the unit's built-in platform; NULL if the library has no metrics
 * for it.
 */
GPUOA_API const struct gpuoa_platform *gpuoa_unit_platform(const struct gpuoa_unit *unit);

/**
 * gpuoa_unit_constants() - Return the constants of the unit's GPU, for that platform; NULL without
 * a platform. The unit owns them.
 */
GPUOA_API const struct gpuoa_constants *gpuoa_unit_constants(const struct gpuoa_unit *unit);

/**
 * gpuoa_constants_of_unit() - Create constants of the GPU that @desc describes, for a platform of
 * user definitions.
 * @size: sizeof(*desc)
 * @constants: result; release with gpuoa_constants_free()
 *
 * Return: 0. -E2BIG: @desc has nonzero fields that this library does not know. -ENOMEM: out of
 * memory.
 */
GPUOA_API int gpuoa_constants_of_unit(const struct gpuoa_unit_desc *desc, size_t size,
				      const struct gpuoa_platform *platform,
				      struct gpuoa_constants **constants);

/**
 * gpuoa_unit_add_set() - Make a set's configuration known to the kernel, if it is not yet.
 * @id: result: id of the configuration in the kernel, metric_set of perf events
 *
 * With CAP_PERFMON, the kernel compares the registers. Without it, the set is found by its UUID
 * only, and the registers are those of the privileged process that added it.
 *
 * Return: 0, or:
 * -EACCES: the kernel does not know the configuration, and adding it needs CAP_PERFMON
 * -EADDRINUSE: the kernel knows the UUID with other registers
 * -EINVAL: the set is for a platform of another name, or the kernel rejected a register
 * -EMEDIUMTYPE: the set is of another domain than the unit
 * -ENODATA: a condition in the set needs a constant that the unit does not report
 * -ENODEV: the GPU was removed
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_unit_add_set(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id,
				 char *error, size_t error_size);

/**
 * gpuoa_unit_clock() - Read GPU and CPU clock at the same time.
 * @clock_id: CLOCK_MONOTONIC, _RAW, _BOOTTIME, _REALTIME or _TAI, or GPUOA_CLOCK_PERF of
 *   gpuoa-time.h
 *
 * Return: 0. -EINVAL: unknown @clock_id. -ENODEV: the GPU was removed.
 */
GPUOA_API int gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id,
			       struct gpuoa_clock_pair *pair);

/* ---- readers of reports --------------------------------------------------------------------- */

/** struct gpuoa_reader - Reader of raw reports: a stream of a unit, or a recording. */
struct gpuoa_reader;

/** enum gpuoa_delivery - How the kernel delivers reports. Their content does not depend on it. */
enum gpuoa_delivery {
	GPUOA_DELIVERY_DEFAULT, /* AUX mode for a flight recorder, RAW mode for other streams */
	/* reports are copied into perf's ring buffer; streams with equal parameters share a unit */
	GPUOA_DELIVERY_RAW,
	/*
	 * reports are read from the GPU's buffer without a copy; the stream uses the unit
	 * exclusively
	 */
	GPUOA_DELIVERY_AUX,
	/* AUX mode if it is possible when the stream is opened, else RAW mode */
	GPUOA_DELIVERY_PREFER_AUX,
};

/**
 * struct gpuoa_stream_options - Options of a stream.
 *
 * Zero-initialize, then set @size. The library chooses values for other fields that are 0, and
 * writes back the actual values.
 */
struct gpuoa_stream_options {
	size_t size; /* sizeof(struct gpuoa_stream_options), mandatory */
	/*
	 * Sampling period, ns. 0: the period of other streams that measure the same set on this
	 * unit; if there are none, 1 ms. Out: the actual period.
	 */
	uint64_t period_ns;
	/*
	 * enum gpuoa_report_format. 0: the format of other streams with this set, else that of the
	 * set
	 */
	uint32_t format;
	/*
	 * Size of the OABUFFER, bytes. 0: in RAW mode, the kernel chooses it; in AUX mode, it is
	 * enough for 2 s of reports. Out: the actual size.
	 */
	uint32_t buffer_size;
	/*
	 * Size of perf's ring buffer, bytes. 0: enough for 2 s of reports, at least 512 KiB. In AUX
	 * mode, the default is 128 KiB, because the ring then has no reports. With a stock driver,
	 * which has a buffer in addition, it is at most 4 MiB, unless @notify_reports needs more.
	 */
	size_t ring_size;
	/*
	 * Number of new reports after which gpuoa_reader_wait() and poll(2) return. 0: the number
	 * of reports in 100 ms.
	 */
	uint32_t notify_reports;
	bool disabled; /* start disabled */
	/* count the events of one context only: @context of the file @drm_fd */
	bool context_filter;
	int drm_fd; /* file descriptor of an open DRM node of the GPU */
	uint32_t context; /* handle of a context that was created with @drm_fd */
	/*
	 * True if @context is not a handle but the id that reports have, and @drm_fd is 0. Needs
	 * CAP_PERFMON.
	 */
	bool context_hw_id;
	/*
	 * Also write reports at the begin and end of the context's batches: see "Reports of
	 * batches" in drm/gpuoa_drm.h.
	 */
	bool batch_boundary_reports;
	bool overwrite; /* flight recorder: see gpuoa_stream_open() */
	enum gpuoa_delivery delivery; /* out: _RAW or _AUX */
	/*
	 * Mask of the dwords of each report to deliver; all 0: every dword. See
	 * gpuoa_metric_dword_mask().
	 */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];
	/*
	 * Interval at which the kernel polls the hardware, ns, at least 100 us. It is the maximum
	 * age of a report when it is delivered, even if there is only one report. 0: the kernel
	 * chooses it. Each poll costs CPU time.
	 */
	uint64_t poll_period_ns;
	/*
	 * How to round the period, enum gpuoa_rounding. With GPUOA_ROUNDING_CLAMP, the size of the
	 * OABUFFER is also rounded: up to one that the hardware has, or to the largest.
	 */
	uint32_t rounding;
	uint32_t exponent; /* timer exponent; out: always set */
	bool use_exponent; /* in: true if @exponent determines the period, not @period_ns */
	/*
	 * Deliver no reports, but enable the counters of the context for the reports that its
	 * batches request. Requires @context_filter, and gen12 or later.
	 */
	bool query_only;
};

/**
 * gpuoa_stream_open() - Open a stream of a unit.
 * @unit: must outlive the stream
 * @options: may be NULL; out: actual values
 * @reader: result; close with gpuoa_reader_close()
 *
 * Adds the set's configuration if necessary, programs the unit, and starts sampling unless
 * @options->disabled.
 *
 * Several streams of a unit, of this and other processes, can be open at the same time if they are
 * RAW and have the same set, format, period, context filter and buffer size.
 *
 * Unprivileged users. perf requires CAP_PERFMON. For a context filter on a context of the caller's
 * DRM file, gpuoa.ko also has an unprivileged stream fd, which is tried next
 * (GPUOA_UNIT_OWN_REPORTS, GPUOA_UNIT_QUERY_ONLY). A privileged user must have added the set's
 * configuration. Such a stream is RAW, and can be read, peeked at and recorded like any other.
 *
 * Flight recorder (@options->overwrite). The GPU overwrites the oldest reports, and no reader is
 * needed. It uses AUX and by default the largest buffer. Reports become readable after
 * gpuoa_reader_disable(): the newest ones that fit into the buffer, and a clock pair of that
 * moment. gpuoa_reader_enable() resumes; no report is delivered twice. Overwritten reports are not
 * counted as lost.
 *
 * Return: 0, an error of perf_event_open() in drm/gpuoa_drm.h, or:
 * -EBUSY: the unit is in use with another configuration or exclusively, or this stream needs it
 *   exclusively
 * -EACCES: CAP_PERFMON is needed, to sample or to add the set's configuration; or sysctl
 *   dev.gpuoa.paranoid or kernel.perf_event_paranoid is too high; or the rate exceeds
 *   dev.gpuoa.max_sample_rate
 * -EPERM: the ring buffer exceeds the limit of locked memory
 * -EMEDIUMTYPE: the set is of another domain than the unit
 * -ERANGE: the hardware does not have this period or buffer size, or @options->poll_period_ns is
 *   below 100 us
 * -EOPNOTSUPP: not possible with AUX (from gen8 on, a context filter) or with the unit's driver;
 *   @error has the reason
 * -EINVAL: the set is of another platform; the options are inconsistent (@overwrite or AUX with
 *   @dword_mask, @overwrite with RAW); the format is unknown or does not have the dwords in
 *   @dword_mask; or @options->size is not set
 * -E2BIG: @options has nonzero fields that this library does not know
 * -ENODEV: the GPU was removed
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
				struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
				char *error, size_t error_size);

/**
 * gpuoa_file_open() - Open a recording.
 * @path: perf.data of gpuoa record or of perf record -R, or a file of i915-perf-recorder
 *   (intel-gpu-tools)
 * @reader: result; close with gpuoa_reader_close()
 * @error: "path: cannot open: reason"
 *
 * Events of other PMUs are skipped. If there are several streams (gpuoa_reader_desc.streams), the
 * first one that describes itself is read.
 *
 * Return: 0, an error of open(2), or:
 * -ESPIPE: not a regular file
 * -EBADMSG: not a recording, or damaged
 * -ENODATA: no samples of a gpuoa PMU
 * -EOPNOTSUPP: unsupported perf.data: compressed, or of the other byte order
 * -E2BIG: more than 1024 events
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_file_open(const char *path, struct gpuoa_reader **reader, char *error,
			      size_t error_size);

/**
 * gpuoa_file_open_stream() - Open one of several streams in a recording.
 * @index: number of the stream, from 0, in the order of the file's events, which is that of perf's
 *   command line. Events without samples are not counted
 * @reader: result; close with gpuoa_reader_close()
 * @error: "path: cannot open stream N: reason"
 *
 * Each gpuoa event in a recording is a stream. Each reader reads the file independently;
 * gpuoa_merge_open() reads several in time order.
 *
 * Return: 0, an error of gpuoa_file_open(), or:
 * -ERANGE: @index is not below gpuoa_reader_desc.streams
 * -ENODATA: perf lost the samples that describe this stream
 */
GPUOA_API int gpuoa_file_open_stream(const char *path, uint32_t index, struct gpuoa_reader **reader,
				     char *error, size_t error_size);

/** gpuoa_reader_close() - Close a stream or recording. Objects that it owns become invalid. */
GPUOA_API void gpuoa_reader_close(struct gpuoa_reader *reader);

/** struct gpuoa_reader_desc - Description of a reader. */
struct gpuoa_reader_desc {
	char uuid[40]; /* UUID of the register configuration; "" if none */
	uint32_t format; /* enum gpuoa_report_format */
	/* exponent of the timer: it triggers a report every 2^(exponent+1) ticks */
	uint32_t exponent;
	size_t report_size; /* bytes */
	bool context_filter;
	/* GPUOA_DELIVERY_RAW or _AUX; for a recording, the mode of the recorded stream */
	enum gpuoa_delivery delivery;
	/*
	 * Mask of the dwords that reports have; other dwords are 0 in the reports that reads
	 * return. All 0: every dword.
	 */
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS];
	uint32_t streams; /* number of streams in the recording; 0: not a recording */
	uint32_t stream; /* index of this stream in the recording: see gpuoa_file_open_stream() */
};

/** gpuoa_reader_describe() - Describe a reader. @size is sizeof(*desc). */
GPUOA_API void gpuoa_reader_describe(const struct gpuoa_reader *reader,
				     struct gpuoa_reader_desc *desc, size_t size);

/**
 * gpuoa_reader_describe_unit() - Describe the unit that wrote a reader's reports. @size is
 * sizeof(*desc).
 */
GPUOA_API void gpuoa_reader_describe_unit(const struct gpuoa_reader *reader,
					  struct gpuoa_unit_desc *desc, size_t size);

/**
 * gpuoa_reader_platform() - Return the platform of the reader's unit; NULL if unknown.
 *
 * A recording of gpuoa contains the definition of its set. If this definition differs from that of
 * the library, the platform is loaded from the recording, and the reader owns it. Otherwise the
 * built-in platform is returned.
 */
GPUOA_API const struct gpuoa_platform *gpuoa_reader_platform(const struct gpuoa_reader *reader);

/**
 * gpuoa_reader_constants() - Return the constants of the reader's GPU; NULL without a platform. The
 * reader owns them. A recording of gpuoa has their values at the time of recording.
 */
GPUOA_API const struct gpuoa_constants *gpuoa_reader_constants(const struct gpuoa_reader *reader);

/** struct gpuoa_read_status - Events found by one read. Counts are per read. */
struct gpuoa_read_status {
	bool gap; /* reports are missing before the first report of this read */
	bool end; /* end of a recording */
	bool lost_unknown; /* reports were lost and could not be counted */
	/*
	 * True if @clock is a clock pair near the reports of this read. If a recording has any
	 * clock pairs, its first read returns one.
	 */
	bool has_clock;
	uint64_t lost_overflow; /* number of reports lost because the OABUFFER was full */
	/* number of reports that the hardware dropped, or that it wrote but that are invalid */
	uint64_t lost_hardware;
	uint64_t lost_ring; /* number of reports lost because perf's ring buffer was full */
	struct gpuoa_clock_pair clock;
	/*
	 * Number of times that the queue of MMIO triggers was full. Reports that batches requested
	 * are missing; timer reports are not.
	 */
	uint64_t lost_triggers;
	/*
	 * Number of times that the hardware reported a counter wrap. This is no loss: differences
	 * of two reports are right unless a 32-bit counter wraps twice between them.
	 */
	uint64_t wraps;
	/*
	 * Number of reports of a recording that were dropped because they contradict adjacent
	 * reports: their time jumps, or counters decrease. There is a gap in their place.
	 */
	uint64_t damaged;
	uint64_t reserved[4];
};

/**
 * gpuoa_reader_read() - Read reports.
 * @reports: buffer for @max reports of gpuoa_reader_desc.report_size bytes; NULL: skip them
 * @status: result, mandatory
 *
 * A read ends before a gap: the reports of one read are contiguous. gpuoa_calc_read() combines
 * reading and calculation.
 *
 * Return: the number of reports. 0: a stream has none now, and @status may report a loss that
 * precedes the next ones; a recording has ended (@status->end). Or:
 * -EBADMSG: the recording is damaged
 * -EIO: perf's ring buffer is damaged
 * -ENODEV: the GPU was removed, and all reports have been read
 */
GPUOA_API int gpuoa_reader_read(struct gpuoa_reader *reader, void *reports, size_t max,
				struct gpuoa_read_status *status);

/**
 * gpuoa_reader_peek() - Read reports in place, without a copy.
 * @reports: result: reports, valid until the next call for this reader other than
 *   gpuoa_reader_wait() and gpuoa_reader_fd(). Reports of an AUX stream are in the GPU's buffer,
 *   and block their space there until that call
 * @max: maximum number of reports
 *
 * One call returns contiguous reports in memory, which end at a slot without a valid report. A gap,
 * a loss, a clock pair or a pause of sampling (a gap without loss) is in the status of the call
 * that returns the reports after it, or of an earlier call without reports. Calls can be mixed with
 * gpuoa_reader_read().
 *
 * Return: as gpuoa_reader_read().
 */
GPUOA_API int gpuoa_reader_peek(struct gpuoa_reader *reader, const void **reports, size_t max,
				struct gpuoa_read_status *status);

/**
 * gpuoa_reader_consume() - Release the reports of the last gpuoa_reader_peek() now, for example
 * before a long wait.
 */
GPUOA_API void gpuoa_reader_consume(struct gpuoa_reader *reader);

/**
 * gpuoa_reader_wait() - Wait until a stream has gpuoa_stream_options.notify_reports reports.
 * @timeout_ms: timeout, ms; -1: none
 *
 * Read until no report is left before waiting again: only new reports are counted. The call returns
 * at once if data is left. A recording never waits.
 *
 * Return: 0: the next read returns reports, a marker, a loss or an error, or the end of a
 * recording. A clock pair alone does not end the wait. Or:
 * -ETIMEDOUT: no data
 * -ECANCELED: sampling was disabled, by this or another thread, and no data is left
 * -EINTR: interrupted by a signal
 * -ENODEV: the GPU was removed
 */
GPUOA_API int gpuoa_reader_wait(struct gpuoa_reader *reader, int timeout_ms);

/**
 * gpuoa_reader_fd() - Return a file descriptor for poll(2), owned by the reader.
 *
 * POLLIN: gpuoa_stream_options.notify_reports new reports. Read until no report is left before
 * polling. POLLHUP: the GPU was removed. -EOPNOTSUPP for a recording.
 */
GPUOA_API int gpuoa_reader_fd(const struct gpuoa_reader *reader);

/**
 * gpuoa_reader_disable() - Stop sampling. Existing reports can still be read. May be called while
 * another thread is in gpuoa_reader_wait(). -EOPNOTSUPP for a recording.
 */
GPUOA_API int gpuoa_reader_disable(struct gpuoa_reader *reader);

/** gpuoa_reader_enable() - Resume sampling, after a gap. -EOPNOTSUPP for a recording. */
GPUOA_API int gpuoa_reader_enable(struct gpuoa_reader *reader);

/* ---- recorder ------------------------------------------------------------------------------- */

/** struct gpuoa_recorder - Streams being recorded to a file. */
struct gpuoa_recorder;

/** struct gpuoa_recorder_stats - Totals of a recording. */
struct gpuoa_recorder_stats {
	uint64_t bytes;
	uint64_t reports;
	uint64_t lost; /* reports known to be lost */
	bool lost_unknown; /* more reports were lost, whose number is not known (yet) */
};

/**
 * gpuoa_recorder_open() - Record streams to a perf.data file.
 * @streams: @count different streams of any units and GPUs, which must outlive the recorder. The
 *   array is copied
 * @path: file, created or truncated after all other checks
 * @recorder: result; close with gpuoa_recorder_close()
 *
 * Each stream becomes a stream of the file: see gpuoa_file_open_stream(). Do not read the streams
 * while they are recorded. The file is valid perf.data between any two calls.
 *
 * Return: 0, an error of open(2) or write(2), or:
 * -EINVAL: @count is 0, or a stream is duplicate
 * -E2BIG: more than 1024 streams
 * -EOPNOTSUPP: one is a recording or a stream of a tracer
 * -EBUSY: one is being recorded by another recorder
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_recorder_open(struct gpuoa_reader *const *streams, uint32_t count,
				  const char *path, struct gpuoa_recorder **recorder, char *error,
				  size_t error_size);

/**
 * gpuoa_recorder_write() - Write the available data of all streams.
 *
 * Call it after gpuoa_reader_wait() of one of the streams, or poll(2) of their gpuoa_reader_fd().
 *
 * Return: 0, an error of write(2) (the file is then unchanged, and the streams still have the
 * data), or:
 * -ENODEV: a GPU was removed. All data has been written, and streams of other GPUs continue
 */
GPUOA_API int gpuoa_recorder_write(struct gpuoa_recorder *recorder);

/** gpuoa_recorder_stats() - Get the current totals. @size is sizeof(*stats). */
GPUOA_API void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder,
				    struct gpuoa_recorder_stats *stats, size_t size);

/**
 * gpuoa_recorder_close() - Write the remaining data, and close the file. The streams stay open.
 *
 * Return: 0, or the first error of any write.
 */
GPUOA_API int gpuoa_recorder_close(struct gpuoa_recorder *recorder);

/**
 * gpuoa_write_function - Callback that writes @size bytes of data. It returns 0 or a negative
 * errno.
 */
typedef int (*gpuoa_write_function)(void *context, const void *data, size_t size);

/**
 * gpuoa_reader_write_i915() - Convert a recording to the format of i915-perf-recorder.
 * @reader: recording, read from its current position to its end
 * @write: called with consecutive data, and with @context
 *
 * The format has no markers and no counts of lost reports. Its readers know only their built-in
 * metric sets.
 *
 * Return: 0, an error of @write, gpuoa_reader_read() or gpuoa_reader_time(), or:
 * -EOPNOTSUPP: the format cannot represent it: reports of gen12.7 or later, with a dword mask, or
 *   of an unknown set
 * -ENODATA: no clock pair relates GPU time to CPU time
 */
GPUOA_API int gpuoa_reader_write_i915(struct gpuoa_reader *reader, gpuoa_write_function write,
				      void *context, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_READER_H */
