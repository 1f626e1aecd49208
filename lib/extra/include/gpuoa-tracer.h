/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-tracer.h - tracers: several sets on several units of a GPU, collected now and decoded later
 *
 * A tracer collects raw bytes, which can be stored and sent, and contain their description. A
 * decoder converts them to entries: values of one metric, in one interval, on one unit. It needs
 * nothing else. Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_TRACER_H
#define GPUOA_TRACER_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tracers -------------------------------------------------------------------------------- */

/** struct gpuoa_tracer - A tracer, which collects raw data of several units of a GPU. */
struct gpuoa_tracer;

/** GPUOA_TRACER_SCOPES - Maximum number of groups of a tracer. */
#define GPUOA_TRACER_SCOPES 64

/**
 * struct gpuoa_tracer_group - A set on a unit, collected by a tracer.
 *
 * The index of a group is its scope number in the raw data. Any set that is available on the unit
 * (gpuoa_set_available()) can be traced.
 */
struct gpuoa_tracer_group {
	struct gpuoa_unit *unit; /* must outlive the tracer */
	const struct gpuoa_set *set;
	/*
	 * Options as for gpuoa_stream_open(); actual values are written back. @disabled is set
	 * implicitly. NULL: a period of 1 ms.
	 */
	struct gpuoa_stream_options *options;
	uint64_t reserved[2]; /* must be 0 */
};

/**
 * struct gpuoa_tracer_options - Options of a tracer. Zero-initialize, then set @size. Actual values
 * are written back.
 */
struct gpuoa_tracer_options {
	size_t size; /* sizeof(struct gpuoa_tracer_options), mandatory */
	/*
	 * Number of new bytes of reports at which the file descriptor becomes readable. All groups
	 * have an equal share of it, and the first group that reaches its share notifies. 0:
	 * gpuoa_stream_options.notify_reports of the groups is used.
	 */
	size_t notify_bytes;
};

/**
 * gpuoa_tracer_open() - Create a tracer. All units are programmed, but do not sample, so that
 * enabling is fast.
 * @groups: @count groups, at most GPUOA_TRACER_SCOPES, of units of one GPU, which share its clock
 * @options: may be NULL
 * @tracer: result; close with gpuoa_tracer_close()
 *
 * Return: 0, an error of gpuoa_stream_open(), or:
 * -EINVAL: no groups, too many, or one without unit or set; or @options->size is not set
 * -EXDEV: the units are of several GPUs
 * -EOPNOTSUPP: a group requests AUX mode or a flight recorder, but a tracer copies from perf's ring
 *   buffer
 * -E2BIG: @options has nonzero fields that this library does not know, or reserved words of a group
 *   are not 0
 * -EMFILE: too many open files
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_tracer_open(const struct gpuoa_tracer_group *groups, uint32_t count,
				struct gpuoa_tracer_options *options, struct gpuoa_tracer **tracer,
				char *error, size_t error_size);

/**
 * gpuoa_tracer_close() - Close a tracer. Waits for a switch in progress. Data that has not been
 * read is lost.
 */
GPUOA_API void gpuoa_tracer_close(struct gpuoa_tracer *tracer);

/**
 * gpuoa_tracer_enable() - Start collecting. Does nothing if already started.
 * @wait: true: return when all units sample. False: return at once, before the hardware is
 *   programmed; gpuoa_tracer_read() returns -EAGAIN until all units sample
 *
 * Return: 0. -ENODEV: the GPU was removed. -EAGAIN: a thread could not be created. With @wait
 * false, errors of the switch are returned by the next read.
 */
GPUOA_API int gpuoa_tracer_enable(struct gpuoa_tracer *tracer, bool wait);

/**
 * gpuoa_tracer_disable() - Stop collecting; collected data can still be read. Does nothing if
 * already stopped. @wait and errors are those of gpuoa_tracer_enable().
 */
GPUOA_API int gpuoa_tracer_disable(struct gpuoa_tracer *tracer, bool wait);

/**
 * GPUOA_TRACER_READ_MIN - Minimum size of the buffer of a read, in bytes. With this size, every
 * read makes progress.
 */
#define GPUOA_TRACER_READ_MIN 65536

/**
 * gpuoa_tracer_read() - Read collected data.
 * @raw: buffer of *@size bytes; NULL: only query the available size
 * @size: in: size of the buffer. Out: bytes written, or with @raw NULL, the size of a buffer that
 *   is sufficient for all data collected so far
 * @status: result: losses, the last clock pair, and @end: the end of the data, once after each time
 *   that the tracer was disabled, by the read that returns the last bytes. May be NULL
 *
 * Return: 0, with *@size 0 if there is no data now, or:
 * -EAGAIN: the tracer does not collect, yet or any more, and all data has been read
 * -EMSGSIZE: the buffer is smaller than GPUOA_TRACER_READ_MIN, and too small for the next record
 * -ENODEV: the GPU was removed, and all data has been read
 * -EIO: perf's ring buffer is damaged
 */
GPUOA_API int gpuoa_tracer_read(struct gpuoa_tracer *tracer, void *raw, size_t *size,
				struct gpuoa_read_status *status);

/**
 * gpuoa_tracer_fd() - Return a file descriptor for poll(2), owned by the tracer.
 *
 * POLLIN: gpuoa_tracer_options.notify_bytes new bytes, a switch has completed, or the GPU was
 * removed. Read until no data is left before polling.
 */
GPUOA_API int gpuoa_tracer_fd(const struct gpuoa_tracer *tracer);

/**
 * gpuoa_tracer_reader_open() - Open one scope of raw data as a reader.
 * @raw: @size bytes, which must not change until the reader is closed; incomplete data at the end
 *   is ignored
 * @scope: index of the group
 * @reader: result; close with gpuoa_reader_close()
 *
 * Use it with gpuoa_calc_read(), a resampler or gpuoa_merge_open() to aggregate the values of a
 * tracer.
 *
 * Return: 0, or:
 * -ENODATA: there is no data of this scope, or not its description, which is at the begin and
 *   repeated every second
 * -EBADMSG: not raw data of a tracer, or damaged
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_tracer_reader_open(const void *raw, size_t size, uint32_t scope,
				       struct gpuoa_reader **reader, char *error,
				       size_t error_size);

/* ---- decoders ------------------------------------------------------------------------------- */

/** struct gpuoa_decoder - A decoder, which converts raw data of a tracer to entries. */
struct gpuoa_decoder;

/** struct gpuoa_decoder_options - Options of a decoder. Zero-initialize, then set @size. */
struct gpuoa_decoder_options {
	size_t size; /* sizeof(struct gpuoa_decoder_options), mandatory */
	/* Metrics to decode, which can be of several sets; NULL: all metrics of all sets. */
	const struct gpuoa_metric *const *metrics;
	size_t metric_count;
	bool no_infos; /* no entries of information items */
	uint64_t scopes; /* mask of the scopes to decode: bit n is scope n; 0: all scopes */
	uint64_t from_ns; /* begin of the time range to decode, ns */
	uint64_t until_ns; /* end of the time range to decode, ns, exclusive; 0: no end */
	/*
	 * Sets that are searched by UUID, in addition to built-in ones, if the decoder is opened
	 * for raw data.
	 */
	const struct gpuoa_set *const *sets;
	size_t set_count;
};

/**
 * gpuoa_decoder_open() - Create a decoder for the data of a tracer.
 * @tracer: may be closed before the decoder
 * @options: may be NULL
 * @decoder: result; close with gpuoa_decoder_close()
 *
 * Return: 0, an error of gpuoa_calc_open(), or:
 * -EINVAL: a metric belongs to none of the sets, a scope does not exist, @until_ns is not after
 *   @from_ns, or @options->size is not set
 * -EOPNOTSUPP: the library has no metrics for the GPU
 */
GPUOA_API int gpuoa_decoder_open(const struct gpuoa_tracer *tracer,
				 const struct gpuoa_decoder_options *options,
				 struct gpuoa_decoder **decoder, char *error, size_t error_size);

/**
 * gpuoa_decoder_open_raw() - Create a decoder for raw data of any tracer, for example from a file.
 * @raw: the first @size bytes of the data; not consumed
 *
 * Scopes without data in @raw will have no entries.
 *
 * Return: 0, an error of gpuoa_decoder_open(), -ENODATA or -EBADMSG as gpuoa_tracer_reader_open(),
 * or -ENOENT: no set has this UUID.
 */
GPUOA_API int gpuoa_decoder_open_raw(const void *raw, size_t size,
				     const struct gpuoa_decoder_options *options,
				     struct gpuoa_decoder **decoder, char *error,
				     size_t error_size);

GPUOA_API void gpuoa_decoder_close(struct gpuoa_decoder *decoder);

/** struct gpuoa_scope_desc - Description of a scope. */
struct gpuoa_scope_desc {
	const struct gpuoa_set *set; /* set of the scope; NULL: the scope has no entries */
	/* unit of the scope; this is the last field, because its struct can grow */
	struct gpuoa_unit_desc unit;
};

/** gpuoa_decoder_scope_count() - Return the number of scopes. */
GPUOA_API uint32_t gpuoa_decoder_scope_count(const struct gpuoa_decoder *decoder);

/**
 * gpuoa_decoder_describe_scope() - Describe scope @index. @size is sizeof(*desc). -ERANGE if out of
 * range.
 */
GPUOA_API int gpuoa_decoder_describe_scope(const struct gpuoa_decoder *decoder, uint32_t index,
					   struct gpuoa_scope_desc *desc, size_t size);

/**
 * gpuoa_decoder_metric_count() - Return the number of decoded metrics: those of the options, in
 * their order, or all; then the information items of each set.
 */
GPUOA_API uint32_t gpuoa_decoder_metric_count(const struct gpuoa_decoder *decoder);

/**
 * gpuoa_decoder_describe_metric() - Describe decoded metric @index. @size is sizeof(*desc). -ERANGE
 * if out of range.
 */
GPUOA_API int gpuoa_decoder_describe_metric(const struct gpuoa_decoder *decoder, uint32_t index,
					    struct gpuoa_output_desc *desc, size_t size);

/** struct gpuoa_entry - A value of a metric. */
struct gpuoa_entry {
	union gpuoa_value value; /* of the metric's type */
	/* GPU time at the end of the interval, converted by gpuoa_ticks_to_ns() */
	uint64_t timestamp_ns;
	uint64_t duration_ns; /* length of the interval, ns */
	uint32_t metric; /* index in the decoder's list */
	uint16_t scope;
	/* validity of the value, as with gpuoa_calc_options.validity; true for information items */
	bool valid;
	uint8_t reserved;
};

/** struct gpuoa_decoded - Result of gpuoa_decoder_run(), in addition to entries. */
struct gpuoa_decoded {
	size_t used; /* number of consumed bytes, which need not be passed again */
	/*
	 * Events in bytes that were decoded for the first time: losses, gaps, the last clock pair.
	 * @end is set at the end of the data, once each time that the tracer was disabled.
	 */
	struct gpuoa_read_status status;
	uint32_t counts[GPUOA_TRACER_SCOPES]; /* for each scope: number of its entries */
};

/**
 * gpuoa_decoder_run() - Decode raw data to entries.
 * @raw: @size bytes: those that the last call did not consume, and new ones; at any address
 * @last: there is no further data: do not wait for scopes without data
 * @entries: buffer for @max entries; NULL: only query the number
 * @decoded: result; may be NULL
 * @decoded_size: sizeof(*decoded)
 *
 * Entries are in time order over all scopes; those of one interval are in the order of the list of
 * metrics. An entry can be returned only if every scope has data, or the tracer was disabled after
 * it. Incomplete data at the end is not consumed.
 *
 * Return: the number of entries. If it is @max, there may be more: call again with the remaining
 * bytes. With @entries NULL, an upper bound of the number of entries in @raw and in earlier bytes;
 * nothing is consumed. Or:
 * -EBADMSG: the data is damaged; all entries before it have been returned
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_decoder_run(struct gpuoa_decoder *decoder, const void *raw, size_t size,
				bool last, struct gpuoa_entry *entries, int max,
				struct gpuoa_decoded *decoded, size_t decoded_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_TRACER_H */
