/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-query.h - commands for batch buffers: begin/end queries, which measure a part of a batch,
 * and markers; times of commands
 *
 * The GPU writes a report at the begin and at the end of the part. The library neither submits
 * batches nor allocates GPU memory: the caller, with a driver of the GPU, provides memory, inserts
 * the library's commands into its batches, and submits them. Part of
 * libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_QUERY_H
#define GPUOA_QUERY_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct gpuoa_query_pool - A pool of queries, numbered from 0, of the metric set of a stream.
 *
 * Queries of one pool, or of several pools of one set, may overlap and nest, and all may be in
 * flight at the same time.
 *
 * The unit counts for the set while the stream is enabled, whatever its period, and even if it is
 * not read. As always, streams of other sets cannot be opened meanwhile (-EBUSY). If the stream is
 * disabled, closed or reconfigured before a result is available, the result has
 * GPUOA_QUERY_UNPROGRAMMED. Queries can begin again when the stream is enabled for the same set.
 *
 * - From gen12 on, a batch's reports have the counters of its context. They must be enabled by a
 *   stream with gpuoa_stream_options.context_filter for that context.
 * - Before gen12, counters are global, unless a Haswell stream has a context filter. On gen8 to
 *   gen11, gpuoa_query_get() subtracts other contexts if it gets the stream's reports.
 */
struct gpuoa_query_pool;

/** enum gpuoa_query_register - Registers that commands store alongside each report. Bit mask. */
enum gpuoa_query_register {
	/*
	 * Counters that only queries have, for metrics with gpuoa_metric_desc.query_only. Up to
	 * gen11.
	 */
	GPUOA_QUERY_REGISTER_PERFCNT = 1 << 0,
	GPUOA_QUERY_REGISTER_FREQUENCY = 1 << 1, /* frequency of the GPU's clock; gen8 to gen12.0 */
	/* status of the OA unit, such as an overflow of its buffer */
	GPUOA_QUERY_REGISTER_STATUS = 1 << 2,
	/* Two global counters that reports of batches do not have. Gen12.7. */
	GPUOA_QUERY_REGISTER_A36_A37 = 1 << 3,
};

/** struct gpuoa_query_options - Options of queries. Zero-initialize, then set @size and @count. */
struct gpuoa_query_options {
	size_t size; /* sizeof(struct gpuoa_query_options), mandatory */
	uint32_t count; /* number of queries in the pool, at most 1,048,576 */
	/*
	 * Engine that executes the batches; 0: GPUOA_QUERY_RENDER. Before gen12.5, the render
	 * engine also executes compute work.
	 */
	enum gpuoa_query_mode mode;
	/*
	 * Format of the stream, for gpuoa_query_describe(); 0: the format of the set. From gen12.5
	 * on, reports of batches have a separate format.
	 */
	uint32_t format;
	/*
	 * Registers that the caller's driver does not allow batches to read, a mask of enum
	 * gpuoa_query_register.
	 */
	uint32_t leave_out;
	/* The pool's memory is in the global GTT, which only batches of a driver can access. */
	bool ggtt;
	/*
	 * let the GPU skip the work of the batch, which no known GPU supports: see
	 * gpuoa_query_describe()
	 */
	bool null_hardware;
	/* A report of another context than @context_id is an error. */
	bool context_check;
	uint32_t context_id; /* as in gpuoa_report_desc */
	/* metrics to calculate, without filters; NULL: all metrics of the set */
	const struct gpuoa_calc_options *calc;
};

/** struct gpuoa_query_desc - Requirements of a pool. */
struct gpuoa_query_desc {
	uint32_t format; /* format of the pool's reports, enum gpuoa_report_format */
	/* alignment that the GPU address and the CPU address of the memory must have, bytes */
	uint32_t alignment;
	uint64_t memory_size; /* bytes for all queries */
	/* memory for one query, bytes; the slots of all queries are contiguous */
	uint32_t slot_size;
	/* offset of the end report in a slot, bytes; the begin report is at offset 0 */
	uint32_t end_offset;
	uint32_t begin_dwords; /* number of dwords that gpuoa_query_begin() generates */
	uint32_t end_dwords; /* number of dwords that gpuoa_query_end() generates */
	uint32_t registers; /* stored registers, enum gpuoa_query_register */
	/*
	 * Maximum duration of a query, in ticks of the GPU timestamp; UINT64_MAX: unlimited. In a
	 * longer query, a counter may wrap twice.
	 */
	uint64_t longest_ticks;
	/* The stream must be filtered for the context of the batches. */
	bool needs_context;
};

/**
 * gpuoa_query_describe() - Get the requirements of a pool.
 * @constants: constants of the GPU
 * @options: as for gpuoa_query_pool_open(), but also with @format
 * @size: sizeof(*desc)
 *
 * Return: 0, or:
 * -EINVAL: a pointer is NULL, @options->size is not set, the constants are of another platform, the
 *   mode or format is invalid, or @options->calc has filters or metrics of another set
 * -E2BIG: @options->count is 0 or more than 1,048,576, or @options has nonzero fields that this
 *   library does not know
 * -EOPNOTSUPP: batches of this platform, unit or mode have no reports, or none of @options->format;
 *   or @null_hardware is set: no known GPU lets a user's batch skip its work, so omit the work
 *   from the batch instead
 * -ENODATA: a constant that the set needs has no value
 * -ENXIO: the reports do not have a counter that the set needs
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_query_describe(const struct gpuoa_set *set,
				   const struct gpuoa_constants *constants,
				   const struct gpuoa_query_options *options,
				   struct gpuoa_query_desc *desc, size_t size, char *error,
				   size_t error_size);

/**
 * gpuoa_query_pool_open() - Open a pool.
 * @stream: stream of the GPU's OA unit, enabled or not: the pool uses its set, format and
 *   constants. May be closed before the pool
 * @memory: CPU mapping of the pool's memory, coherent with the GPU; initialized by this function.
 *   Must remain until the pool is closed and commands of its queries no longer run
 * @memory_size: bytes
 * @address: address of the memory in the address space of the batches
 * @pool: result; close with gpuoa_query_pool_close()
 *
 * Return: 0, an error of gpuoa_query_describe(), or:
 * -EINVAL: @options->format is not the stream's
 * -ENOTCONN: queries of this GPU need a stream with a context filter
 * -EOPNOTSUPP: @stream is a recording, a stream of a tracer, or of a unit without metrics
 * -ENOBUFS: @memory_size is too small
 * -EDOM: memory or address are not aligned
 * -EOVERFLOW: the address exceeds the address width of commands
 */
GPUOA_API int gpuoa_query_pool_open(struct gpuoa_reader *stream,
				    const struct gpuoa_query_options *options, void *memory,
				    size_t memory_size, uint64_t address,
				    struct gpuoa_query_pool **pool, char *error, size_t error_size);

/**
 * gpuoa_query_pool_open_set() - Open a pool of a metric set, without a stream.
 * @set: metric set of the unit OA; must outlive the pool
 * @constants: constants of the GPU; copied
 *
 * For programs that generate commands before they open a stream, or whose stream is opened
 * elsewhere. When the commands run, an enabled stream must measure @set, and where
 * gpuoa_query_desc.needs_context is set, be filtered for the context of the batches. The pool does
 * not check that: gpuoa_query_begin() never returns -ESHUTDOWN or -ESTALE, and results do not have
 * GPUOA_QUERY_UNPROGRAMMED. If the unit did not count, results have GPUOA_QUERY_LOST.
 *
 * Other arguments and errors are those of gpuoa_query_pool_open() and gpuoa_query_describe().
 */
GPUOA_API int gpuoa_query_pool_open_set(const struct gpuoa_set *set,
					const struct gpuoa_constants *constants,
					const struct gpuoa_query_options *options, void *memory,
					size_t memory_size, uint64_t address,
					struct gpuoa_query_pool **pool, char *error,
					size_t error_size);

/**
 * gpuoa_query_pool_close() - Close a pool. Batches that are still running may write to its memory.
 */
GPUOA_API void gpuoa_query_pool_close(struct gpuoa_query_pool *pool);

/** gpuoa_query_pool_describe() - Describe a pool. @size is sizeof(*desc). */
GPUOA_API void gpuoa_query_pool_describe(const struct gpuoa_query_pool *pool,
					 struct gpuoa_query_desc *desc, size_t size);

/**
 * gpuoa_query_calc() - Return the pool's calculator, to describe outputs:
 * gpuoa_calc_output_count(), gpuoa_calc_output_describe(). The pool owns it.
 */
GPUOA_API const struct gpuoa_calc *gpuoa_query_calc(const struct gpuoa_query_pool *pool);

/**
 * gpuoa_query_begin() - Generate the commands that begin a query, or (gpuoa_query_end()) end it.
 * @query: number of the query; each is begun once, ended once, read, then reset for reuse
 * @dwords: buffer for the commands
 * @room: size of the buffer, dwords, at least gpuoa_query_desc.begin_dwords or end_dwords
 *
 * The commands wait for previous work, flush caches, and write the report; the last command of the
 * end marks the query as complete. They change no state of the context, and can be inserted between
 * any commands of a batch, begin and end also in different batches of the same context. If they run
 * twice, the query is that of the last run.
 *
 * Return: the number of dwords, or:
 * -ERANGE: no such query
 * -ENOSPC: the buffer is too small; nothing was done
 * -EALREADY: it has been begun, or ended, since the last reset
 * -EPROTO: end without begin
 * -ESHUTDOWN: begin: the stream of the pool is disabled or closed
 * -ESTALE: begin: the stream was reconfigured for another set
 */
GPUOA_API int gpuoa_query_begin(struct gpuoa_query_pool *pool, uint32_t query, uint32_t *dwords,
				size_t room, char *error, size_t error_size);
GPUOA_API int gpuoa_query_end(struct gpuoa_query_pool *pool, uint32_t query, uint32_t *dwords,
			      size_t room, char *error, size_t error_size);

/**
 * gpuoa_query_reset() - Make queries @first to @first + @count - 1 available for reuse, in any
 * state.
 *
 * Earlier commands of these queries must not run any more: their results are ignored, but may
 * corrupt those of the new queries. -ERANGE if out of range.
 */
GPUOA_API int gpuoa_query_reset(struct gpuoa_query_pool *pool, uint32_t first, uint32_t count,
				char *error, size_t error_size);

/**
 * gpuoa_query_ready() - Check whether a query has a result.
 *
 * Once it has, disabling the stream of the pool does not affect it.
 *
 * Return: 1 or 0. -ERANGE: no such query. -ENOENT: gpuoa_query_end() has not been called.
 */
GPUOA_API int gpuoa_query_ready(struct gpuoa_query_pool *pool, uint32_t query);

/** enum gpuoa_query_flag - Properties of a result. Bit mask. */
enum gpuoa_query_flag {
	/*
	 * The frequency of the GPU's clock changed, according to the values at begin and end, or to
	 * a report of a stream.
	 */
	GPUOA_QUERY_FREQUENCY_CHANGE = 1 << 0,
	GPUOA_QUERY_CONTEXT_SWITCH = 1 << 1, /* the GPU switched contexts between begin and end */
	GPUOA_QUERY_SPLIT = 1 << 2, /* another context ran between begin and end */
	GPUOA_QUERY_EMPTY = 1 << 3, /* no time passed between begin and end */
	/*
	 * The OABUFFER overflowed or a report was lost. This does not affect the query, but a
	 * concurrent stream may have lost reports.
	 */
	GPUOA_QUERY_OVERRUN = 1 << 4,
	/*
	 * The query lasted so long that a counter may have wrapped twice, which cannot be detected.
	 */
	GPUOA_QUERY_WRAP = 1 << 8,
	GPUOA_QUERY_OTHERS = 1 << 9, /* the result also counts events of other contexts */
	/*
	 * Registers were not stored, because the driver or the GPU forbids it. Values that need
	 * them are 0.
	 */
	GPUOA_QUERY_NO_REGISTERS = 1 << 10,
	/*
	 * The stream of the pool was disabled, closed or reconfigured after gpuoa_query_begin(),
	 * before the result was first read. The unit may have counted nothing, or another set.
	 */
	GPUOA_QUERY_UNPROGRAMMED = 1 << 11,
	GPUOA_QUERY_NOT_EXECUTED = 1 << 16, /* the commands of begin or end were not executed */
	/*
	 * The commands were executed, but no report was written: the unit was disabled, or did not
	 * count for the context.
	 */
	GPUOA_QUERY_LOST = 1 << 17,
	GPUOA_QUERY_ID_MISMATCH = 1 << 18, /* a report has the id of another query */
	/* The two reports are of different contexts, or not of the requested one. */
	GPUOA_QUERY_CONTEXT_MISMATCH = 1 << 19,
	/* the duration by timestamps of reports contradicts that by timestamps of commands */
	GPUOA_QUERY_INCONSISTENT = 1 << 20,
};

/** enum gpuoa_severity - Severity of a flag. */
enum gpuoa_severity {
	GPUOA_SEVERITY_INFO, /* values are right */
	/* some values may be wrong; the flag describes why, or the query can be repeated */
	GPUOA_SEVERITY_RECOVERABLE,
	GPUOA_SEVERITY_UNRECOVERABLE, /* there are no values */
};

/** struct gpuoa_query_flag_desc - Name ("context_switch"), description and severity of a flag. */
struct gpuoa_query_flag_desc {
	const char *name;
	const char *description; /* one line */
	enum gpuoa_severity severity;
};

/**
 * gpuoa_query_describe_flag() - Describe the flag of bit @bit, 0..31. @size is sizeof(*desc).
 * -ENOENT if unused.
 */
GPUOA_API int gpuoa_query_describe_flag(uint32_t bit, struct gpuoa_query_flag_desc *desc,
					size_t size);

/**
 * struct gpuoa_query_hints - Optional information for gpuoa_query_get(). Zero-initialize, then set
 * @size.
 */
struct gpuoa_query_hints {
	size_t size; /* sizeof(struct gpuoa_query_hints), mandatory */
	/*
	 * The batch has been executed, according to its fence, so that a missing result is an
	 * error.
	 */
	bool executed;
	/*
	 * A GPU time near the query, 64 bits, for example that of a stream's report, a marker or a
	 * clock pair. The times of the result are then also extended to 64 bits. 0: unknown.
	 */
	uint64_t near_ticks;
	/*
	 * Contiguous reports of a stream that has no context filter, from before the begin of the
	 * query to after its end. Reports outside of the query are ignored.
	 */
	const void *reports;
	size_t report_count;
	uint32_t report_format; /* enum gpuoa_report_format */
};

/** struct gpuoa_query_result - Result of a query, in addition to its values. */
struct gpuoa_query_result {
	uint32_t flags; /* enum gpuoa_query_flag */
	enum gpuoa_severity severity; /* maximum severity of the flags */
	/*
	 * Timestamps of the begin and end report, ticks. Without gpuoa_query_hints.near_ticks, that
	 * of the begin report has the width of the report format.
	 */
	struct gpuoa_interval interval;
	uint64_t gpu_time_ns; /* length of the interval, ns */
	/* frequency of the GPU's clock at the begin of the query, Hz; 0: unknown */
	uint64_t begin_hz;
	uint64_t end_hz;
	/*
	 * timestamp of the command streamer at the begin of the query, 36 bits; also valid with
	 * GPUOA_QUERY_LOST
	 */
	uint64_t begin_command_ticks;
	uint64_t end_command_ticks;
	uint32_t begin_id; /* id of the begin report */
	uint32_t end_id;
	uint32_t context_id; /* id of the batch's context; valid if has_context */
	bool has_context;
	/* reasons (enum gpuoa_reason) of the hints' reports between begin and end */
	uint32_t reasons;
	uint32_t reports_between; /* number of the hints' reports between begin and end */
};

/**
 * gpuoa_query_get() - Get results and values of consecutive queries.
 * @query: the first query
 * @count: number of queries
 * @hints: may be NULL
 * @values: buffer for @count rows of gpuoa_calc_output_count() of gpuoa_query_calc(); NULL: no
 * values
 * @results: buffer for @count results, or NULL
 * @size: sizeof(*results)
 *
 * Values use the same equations as streams. In a batch of 32, each query costs a tenth of a single
 * one. Results can be read any number of times.
 *
 * If @hints has reports of gen8 to gen11, values are those of the query's context alone, except in
 * mode GPUOA_QUERY_GLOBAL, and except query_only metrics.
 *
 * Return: the number of results, less than @count if the next query has none. If the first query
 * has no result:
 * -ERANGE: no such query
 * -ENOENT: gpuoa_query_end() has not been called
 * -EAGAIN: it has not completed; never returned with @hints->executed
 * -EINVAL: @count is 0, @hints->size is not set, or its reports have an unknown format
 * -E2BIG: @hints has nonzero fields that this library does not know
 *
 * If its result has no values, see its flags:
 * -ENODATA: NOT_EXECUTED or LOST
 * -EBADMSG: ID_MISMATCH
 * -EREMCHG: CONTEXT_MISMATCH
 * -EILSEQ: INCONSISTENT
 */
GPUOA_API int gpuoa_query_get(struct gpuoa_query_pool *pool, uint32_t query, uint32_t count,
			      const struct gpuoa_query_hints *hints, union gpuoa_value *values,
			      struct gpuoa_query_result *results, size_t size, char *error,
			      size_t error_size);

/* ---- markers in batches: commands ----------------------------------------------------------- */

/** GPUOA_MARKER_DWORDS - Size of the commands of gpuoa_marker_commands(), dwords. */
#define GPUOA_MARKER_DWORDS 4

/**
 * gpuoa_marker_commands() - Generate commands by which a batch inserts a marker.
 * @unit: unit for the marker; the batch must run on the render engine or a compute engine of its
 *   GPU
 * @size: sizeof(*unit)
 * @value: chosen by the program
 * @dwords: buffer for the commands
 * @room: size of the buffer, dwords, at least GPUOA_MARKER_DWORDS
 *
 * When the command streamer executes the commands, the GPU writes a report with @value into all
 * streams of the unit (gpuoa_report_desc.has_marker; information item StreamMarker). Earlier work
 * may still be running; if that matters, insert a stall first. If the command streamer is faster
 * than reports can be written, some are missing, and the stream reports a loss. On a GPU of xe, the
 * commands do nothing while the unit has no stream.
 *
 * Return: GPUOA_MARKER_DWORDS, or:
 * -ENOBUFS: @room is too small
 * -E2BIG: @unit has nonzero fields that this library does not know
 * -EOPNOTSUPP: the unit does not have GPUOA_UNIT_MARKERS. Haswell to gen11 have no trigger register
 *   for batches; on gen12.0 (and later, with i915) the kernel does not let users' batches write it.
 *   gpuoa_unit_insert_marker() and gpuoa_stream_options.batch_boundary_reports are available on all
 */
GPUOA_API int gpuoa_marker_commands(const struct gpuoa_unit_desc *unit, size_t size, uint32_t value,
				    uint32_t *dwords, size_t room);

/* ---- timestamps written by commands --------------------------------------------------------- */

/**
 * gpuoa_ticks_rescale() - Convert ticks between two clocks of a GPU.
 *
 * For example, timestamps that commands write (gpuoa_unit_desc.cs_timestamp_frequency) can be
 * converted to those of reports (timestamp_frequency). Both start at the same moment, so that
 * points in time can be converted as well as durations.
 *
 * Return: ticks, rounded down. UINT64_MAX if the result exceeds 64 bits; 0 if @from_frequency is 0.
 */
GPUOA_API uint64_t gpuoa_ticks_rescale(uint64_t ticks, uint64_t from_frequency,
				       uint64_t to_frequency);

/* ---- names of query modes ------------------------------------------------------------------- */

/**
 * gpuoa_query_mode_name() - Return the name of a query mode.
 *
 * Return: a static string; NULL if the library does not know the value.
 */
GPUOA_API const char *gpuoa_query_mode_name(enum gpuoa_query_mode mode);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_QUERY_H */
