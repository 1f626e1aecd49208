/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-query.h - begin/end queries: what a part of a batch of commands did, by two reports that
 * the GPU writes where that part begins and ends
 *
 * The library submits nothing and allocates no memory of the GPU. The caller has a driver of its
 * own, gives memory, puts the commands that come back into its batches, and runs them. Rules of
 * results, structs, ownership and threads are those of gpuoa.h.
 */
#ifndef GPUOA_QUERY_H
#define GPUOA_QUERY_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A pool of queries, numbered from 0, of the metric set of a stream. Queries of one pool, or of
 * several pools of one set, may overlap and be nested, and all may be in flight at a time.
 *
 * The unit counts the set as long as the stream is enabled, however long its period is and whether
 * or not it is read. A stream of another set cannot be opened meanwhile (-EBUSY), as always. If the
 * stream is disabled, closed or reconfigured before a result has been seen, the result has
 * GPUOA_QUERY_UNPROGRAMMED; queries cannot begin until it is enabled again, for the same set.
 *
 * - From gen12 on, reports of batches come from counters of the batch's context, which the stream
 *   has to switch on: gpuoa_stream_options.context_filter with this context.
 * - Before gen12, counters count for all that runs, whichever the context, unless a Haswell stream
 *   has a context filter. On gen8 to gen11, gpuoa_query_get() takes away what others did, if it is
 *   given the stream's reports.
 */
struct gpuoa_query_pool;

/** Registers that are stored beside each report: bit mask. */
enum gpuoa_query_register {
	GPUOA_QUERY_REGISTER_PERFCNT = 1 << 0, /* up to gen11: counters that only queries have, for
						  gpuoa_metric_desc.query_only */
	GPUOA_QUERY_REGISTER_FREQUENCY = 1 << 1, /* gen8 to gen12.0: frequency of the GPU's clock */
	GPUOA_QUERY_REGISTER_STATUS = 1 << 2, /* of the OA unit: has its buffer overflowed? */
	GPUOA_QUERY_REGISTER_A36_A37 = 1 << 3, /* gen12.7: two counters that reports of batches
						  lack, of all that runs */
};

/** Options of queries. Zero-initialize, then set @size and @count. */
struct gpuoa_query_options {
	size_t size; /* sizeof(struct gpuoa_query_options), must be set */
	uint32_t count; /* of queries, at most 1,048,576 */
	enum gpuoa_query_mode mode; /* which engine runs the batches; 0: GPUOA_QUERY_RENDER. Before
				       gen12.5 compute work runs on the render engine, too */
	uint32_t format; /* for gpuoa_query_describe(): of the stream; 0: the set's. From gen12.5
			    on, batches have a format of their own */
	uint32_t leave_out; /* enum gpuoa_query_register: what the caller's driver does not let
			       batches read */
	bool ggtt; /* the memory is in the global GTT: for batches of a driver, not of a user */
	bool null_hardware; /* the GPU shall skip the work: see gpuoa_query_describe() */
	bool context_check; /* reports of another context than @context_id are an error */
	uint32_t context_id; /* as gpuoa_report_desc has it */
	const struct gpuoa_calc_options *calc; /* metrics; no filters. NULL: all of the set */
};

/** What a pool with given options needs. */
struct gpuoa_query_desc {
	uint32_t format; /* enum gpuoa_report_format of its reports */
	uint32_t alignment; /* of the memory's GPU address, and of its CPU address: bytes */
	uint64_t memory_size; /* bytes for all queries */
	uint32_t slot_size; /* bytes of each, one behind the other */
	uint32_t end_offset; /* in a slot: of the second report; the first one stands at its start
			      */
	uint32_t begin_dwords; /* room for the commands of gpuoa_query_begin() */
	uint32_t end_dwords; /* ... and of gpuoa_query_end() */
	uint32_t registers; /* enum gpuoa_query_register: what is stored */
	uint64_t longest_ticks; /* of the GPU's timestamp: a longer query may let a counter wrap
				   twice; UINT64_MAX: none ever does */
	bool needs_context; /* the stream that has the unit must have a filter on the batches'
			       context */
};

/**
 * What does a pool need?
 *
 * @constants: of the GPU
 * @options: as for gpuoa_query_pool_open(), but for @format, which that takes from the stream
 * @size: sizeof(*desc)
 *
 * -EINVAL: a pointer is NULL, the @size of options is not set, the constants are those of another
 * platform than the set's, there is no such mode or format, or a metric of @options->calc is
 * another set's, or it has filters. -E2BIG: @options->count is 0 or more than 1,048,576; or
 * @options is of a newer library, and asks for what this one does not know. -EOPNOTSUPP: batches of
 * this platform, unit or mode have no such reports; or @null_hardware, for no GPU that a user's
 * batch can switch off its work is known: leave the work out of the batch instead. -ENODATA: a
 * constant that the set needs has no value. -ENXIO: the reports lack a counter that the set needs.
 * -ENOMEM.
 */
GPUOA_API int gpuoa_query_describe(const struct gpuoa_set *set,
				   const struct gpuoa_constants *constants,
				   const struct gpuoa_query_options *options,
				   struct gpuoa_query_desc *desc, size_t size, char *error,
				   size_t error_size);

/**
 * Open a pool.
 *
 * @stream: a stream of the GPU's OA unit, enabled or not: the pool's set, format and constants are
 * those that it has. It may be closed before the pool
 * @memory: the CPU's mapping of the pool's memory, which the GPU's writes are seen in without
 * further ado; it is filled in here. It must stay as long as the pool and commands of its queries
 * @memory_size: bytes of it
 * @address: of the memory, in the address space of the batches
 *
 * As gpuoa_query_describe(); also -EINVAL: @options->format is not that of the stream. -ENOTCONN:
 * the stream has no context filter, and queries of this GPU need one. -EOPNOTSUPP: @stream is a
 * recording, or a tracer's. -ENOBUFS: @memory_size is too small. -EDOM: memory or address are not
 * aligned. -EOVERFLOW: addresses of commands have not so many bits.
 */
GPUOA_API int gpuoa_query_pool_open(struct gpuoa_source *stream,
				    const struct gpuoa_query_options *options, void *memory,
				    size_t memory_size, uint64_t address,
				    struct gpuoa_query_pool **pool, char *error, size_t error_size);

/** Batches that are not over may still write to the memory. */
GPUOA_API void gpuoa_query_pool_close(struct gpuoa_query_pool *pool);

/** Describe a pool. @size is sizeof(*desc). */
GPUOA_API void gpuoa_query_pool_describe(const struct gpuoa_query_pool *pool,
					 struct gpuoa_query_desc *desc, size_t size);

/**
 * The calculator of a pool, to ask what its columns are: gpuoa_calc_columns(),
 * gpuoa_calc_column_describe(). It belongs to the pool.
 */
GPUOA_API const struct gpuoa_calc *gpuoa_query_calc(const struct gpuoa_query_pool *pool);

/**
 * Commands that begin or end a query. The work before is waited for, caches are flushed, then the
 * report is written; the end's last command says that all is there. They change no state of a
 * context and may stand anywhere between other commands of a batch, begin and end in different
 * batches of the same context. To run them twice makes the query one of the last time.
 *
 * @query: its number; each is begun once, then ended once, then got, then reset for reuse
 * @dwords: where to put the commands
 * @room: dwords there, at least gpuoa_query_desc.begin_dwords or end_dwords
 *
 * Returns the number of dwords. -ERANGE: there is no such query. -ENOSPC: there is no room; nothing
 * was done. -EALREADY: it has been begun, or ended, since it was last reset. -EPROTO: it is ended
 * without a begin. A begin also -ESHUTDOWN: the stream of the pool is disabled or closed. -ESTALE:
 * it was reconfigured for another set.
 */
GPUOA_API int gpuoa_query_begin(struct gpuoa_query_pool *pool, uint32_t query, uint32_t *dwords,
				size_t room, char *error, size_t error_size);
GPUOA_API int gpuoa_query_end(struct gpuoa_query_pool *pool, uint32_t query, uint32_t *dwords,
			      size_t room, char *error, size_t error_size);

/**
 * Make queries @first to @first + @count - 1 ready for reuse, whatever became of them. Commands of
 * before that have not run, or run again, must not do so any more: what they write is not taken for
 * the new query's, but may spoil it. -ERANGE.
 */
GPUOA_API int gpuoa_query_reset(struct gpuoa_query_pool *pool, uint32_t first, uint32_t count,
				char *error, size_t error_size);

/**
 * Is there a result? If there is, the stream of the pool may be disabled without harm to it.
 * Returns 1 or 0. -ERANGE; -ENOENT: its end has not been asked for.
 */
GPUOA_API int gpuoa_query_ready(struct gpuoa_query_pool *pool, uint32_t query);

/** What is to be said of a result: bit mask. */
enum gpuoa_query_flag {
	GPUOA_QUERY_FREQUENCY_CHANGE = 1 << 0, /* the GPU's clock at the end is another one, or a
						  stream's report says that it changed */
	GPUOA_QUERY_CONTEXT_SWITCH = 1 << 1, /* contexts were switched in between */
	GPUOA_QUERY_SPLIT = 1 << 2, /* the query's context gave way to another one, and came back */
	GPUOA_QUERY_EMPTY = 1 << 3, /* no time passed between begin and end */
	GPUOA_QUERY_OVERRUN = 1 << 4, /* the OABUFFER overflowed or a report was lost: a stream
					 beside may miss something */
	GPUOA_QUERY_WRAP = 1 << 8, /* it took so long that a counter may have wrapped twice, which
				      nothing tells */
	GPUOA_QUERY_OTHERS = 1 << 9, /* what others did in between is counted, too */
	GPUOA_QUERY_NO_REGISTERS = 1 << 10, /* registers were not stored, for the driver or the GPU
					       forbid it: what needs them is 0 */
	GPUOA_QUERY_UNPROGRAMMED = 1 << 11, /* the stream of the pool was disabled, closed or
					       reconfigured between the begin's commands and the
					       first look at the result: the unit may have counted
					       another set, or not at all */
	GPUOA_QUERY_NOT_EXECUTED = 1 << 16, /* begin or end did not run */
	GPUOA_QUERY_LOST = 1 << 17, /* it ran, and there is no report: the unit was off, or did not
				       count for the context */
	GPUOA_QUERY_ID_MISMATCH = 1 << 18, /* a report is not this query's */
	GPUOA_QUERY_CONTEXT_MISMATCH = 1 << 19, /* a report is not of the context of the other one,
						   or not of the one asked for */
	GPUOA_QUERY_INCONSISTENT = 1 << 20, /* times of report and command don't agree */
};

/** How bad it is. */
enum gpuoa_severity {
	GPUOA_SEVERITY_INFO, /* values are right */
	GPUOA_SEVERITY_RECOVERABLE, /* some values may be wrong: look at the flag, or repeat */
	GPUOA_SEVERITY_UNRECOVERABLE, /* there are no values */
};

/** What a flag is called ("context_switch"), in other words, and how bad it is. */
struct gpuoa_query_flag_desc {
	const char *name;
	const char *description; /* one line */
	enum gpuoa_severity severity;
};

/** Describe the flag of bit @bit, 0..31. @size is sizeof(*desc). -ENOENT: there is none. */
GPUOA_API int gpuoa_query_describe_flag(uint32_t bit, struct gpuoa_query_flag_desc *desc,
					size_t size);

/** What gpuoa_query_get() may know besides. Zero-initialize, then set @size. */
struct gpuoa_query_hints {
	size_t size; /* sizeof(struct gpuoa_query_hints), must be set */
	bool executed; /* the batch is over, as its fence tells: what is not there never comes */
	uint64_t near_ticks; /* GPU time near the query's, in 64 bits: of a stream's report, a mark,
				a clock pair. Times of the result are then in 64 bits, too. 0: not
				known */
	const void *reports; /* of a stream of the whole unit, in order, without a gap, from before
				the query's begin to after its end; others are left out. Not of a
				stream with a context filter */
	size_t report_count;
	uint32_t report_format; /* enum gpuoa_report_format */
};

/** A result beside its values. */
struct gpuoa_query_result {
	uint32_t flags; /* enum gpuoa_query_flag */
	enum gpuoa_severity severity; /* of the worst of them */
	struct gpuoa_interval interval; /* ticks: from the first report's timestamp to the second
					   one's; without gpuoa_query_hints.near_ticks, the first is
					   as wide as the format has it */
	uint64_t gpu_time_ns; /* of it */
	uint64_t begin_hz; /* frequency of the GPU's clock; 0: not known */
	uint64_t end_hz;
	uint64_t begin_command_ticks; /* the command streamer's timestamp, 36 bits */
	uint64_t end_command_ticks;
	uint32_t begin_id; /* of the reports */
	uint32_t end_id;
	uint32_t context_id; /* with has_context: whose batch it was */
	bool has_context;
	uint32_t reasons; /* enum gpuoa_reason: of the hints' reports in between */
	uint32_t reports_between; /* how many that were */
};

/**
 * Values of queries: the same equations as in streams, over what was counted between the two
 * reports of each. Several at a time take less: of 32, each takes a tenth of what one takes alone.
 *
 * @query: the first one
 * @count: how many, one behind the other
 * @hints: may be NULL
 * @values: room for @count rows of gpuoa_calc_columns() of gpuoa_query_calc(); NULL: no values
 * @results: room for @count of them, or NULL
 * @size: sizeof(*results)
 *
 * May be called any number of times. With the hints' reports of gen8 to gen11, unless the mode is
 * GPUOA_QUERY_GLOBAL, values are those of the query's context alone, but for query_only metrics.
 *
 * Returns the number of queries, from the first one on, that have a result; fewer than @count if
 * there is none of the next one. Or, of the first one, -ERANGE: there is no such query; -ENOENT:
 * its end has not been asked for; -EAGAIN: it is not over, which does not occur with
 * @hints->executed. There are no values, and the flags of its result tell the rest: -ENODATA:
 * NOT_EXECUTED or LOST. -EBADMSG: ID_MISMATCH. -EREMCHG: CONTEXT_MISMATCH. -EILSEQ: INCONSISTENT.
 * -EINVAL: @count is 0, @hints->size is not set, or its reports are of an
 * unknown format. -E2BIG: @hints is of a newer library.
 */
GPUOA_API int gpuoa_query_get(struct gpuoa_query_pool *pool, uint32_t query, uint32_t count,
			      const struct gpuoa_query_hints *hints, union gpuoa_value *values,
			      struct gpuoa_query_result *results, size_t size, char *error,
			      size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_QUERY_H */
