/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-tracer.h - tracers: several sets on several units of a GPU, raw bytes now, values later
 *
 * A tracer collects, a decoder makes entries of what was collected: of one metric, in one interval,
 * on one unit. Between them are raw bytes, which can be kept, sent and saved. They describe
 * themselves: a decoder for saved ones needs nothing else. Rules of results, structs, ownership and
 * threads are those of gpuoa.h.
 */
#ifndef GPUOA_TRACER_H
#define GPUOA_TRACER_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tracers -------------------------------------------------------------------------------- */

struct gpuoa_tracer;

/** A tracer has at most so many groups. */
#define GPUOA_TRACER_SCOPES 64

/**
 * What a tracer collects: a set on a unit. Each group of a tracer is one of its scopes, by its
 * number; the number is in the raw data. gpuoa_set_available() tells beforehand whether a unit has
 * a set: if it has, it can be traced.
 */
struct gpuoa_tracer_group {
	struct gpuoa_unit *unit; /* must outlive the tracer */
	const struct gpuoa_set *set;
	struct gpuoa_stream_options *options; /* as of gpuoa_stream_open(), actual values come back;
						 NULL: 1 ms. @disabled is taken to be set */
	uint64_t reserved[2]; /* must be 0 */
};

/** Options of a tracer. Zero-initialize, then set @size. Actual values come back. */
struct gpuoa_tracer_options {
	size_t size; /* sizeof(struct gpuoa_tracer_options), must be set */
	size_t notify_bytes; /* the descriptor becomes readable after so many bytes of reports: when
				a group has its share of them, which is the same for all. 0: as
				gpuoa_stream_options.notify_reports of the groups say */
};

/**
 * Make a tracer. All units are programmed, none samples: so that enabling is quick.
 *
 * @groups: @count of them, at most GPUOA_TRACER_SCOPES, of units of one GPU, whose clock they share
 * @options: may be NULL
 *
 * -EINVAL: no group, too many, or one without unit or set; @options has no @size. -EXDEV: the
 * units are of several GPUs. -EOPNOTSUPP: a group asks for AUX mode or a flight recorder: a tracer
 * copies, and does so from perf's ring buffer. -E2BIG: @options is of a newer library, and asks for
 * what this one does not know, or reserved words of a group are not 0. -ENOMEM, -EMFILE; else as
 * gpuoa_stream_open().
 */
GPUOA_API int gpuoa_tracer_open(const struct gpuoa_tracer_group *groups, uint32_t count,
				struct gpuoa_tracer_options *options, struct gpuoa_tracer **tracer,
				char *error, size_t error_size);

/** What was not read is lost. A switch that was begun and is not complete is waited for. */
GPUOA_API void gpuoa_tracer_close(struct gpuoa_tracer *tracer);

/**
 * Begin to collect. If that has already begun, nothing is done.
 *
 * @wait: true: all units sample when this returns. False: it returns at once, also before the
 * hardware was programmed; from when on they do is seen by gpuoa_tracer_read(), which says -EAGAIN
 * until then
 *
 * -ENODEV: the GPU is gone. With @wait false, errors of the switch are those of the next read.
 * -EAGAIN: no thread could be started.
 */
GPUOA_API int gpuoa_tracer_enable(struct gpuoa_tracer *tracer, bool wait);

/**
 * Cease to collect; what was collected can still be read. If that has already ceased, nothing is
 * done. As gpuoa_tracer_enable().
 */
GPUOA_API int gpuoa_tracer_disable(struct gpuoa_tracer *tracer, bool wait);

/** Room for what a read gives at least, bytes: with this, each read gets on. */
#define GPUOA_TRACER_READ_MIN 65536

/**
 * Read what was collected.
 *
 * @raw: room for *@size bytes; NULL: only ask how much there is
 * @size: in: room. Out: bytes that were written; or with @raw NULL, as many as there may be now:
 * with room for those, a read gets all that has been collected until then
 * @status: what this read found: losses, the last clock pair, and in @end the end of the data. It
 * is set once after each time that the tracer was disabled, by the read that gives the last bytes.
 * May be NULL
 *
 * Returns 0, also with *@size 0 if there is nothing at the moment. -EAGAIN: the tracer does not
 * collect, and everything was read: either it does not collect yet, or not any more. -EMSGSIZE:
 * the room is too small for what comes next, less than GPUOA_TRACER_READ_MIN. -ENODEV: the GPU is
 * gone, and everything was read. -EIO: perf's ring buffer is damaged.
 */
GPUOA_API int gpuoa_tracer_read(struct gpuoa_tracer *tracer, void *raw, size_t *size,
				struct gpuoa_read_status *status);

/**
 * File descriptor to poll(2) for POLLIN; it belongs to the tracer. It becomes ready with
 * gpuoa_tracer_options.notify_bytes new bytes, when a switch is complete, and when the GPU is gone.
 * Read until there is nothing before polling.
 */
GPUOA_API int gpuoa_tracer_fd(const struct gpuoa_tracer *tracer);

/**
 * Open one scope of raw data as a source: gpuoa_calc_read(), windows of time, merging and whatever
 * else takes a source then work on saved data as they do on a stream. So are values of a tracer
 * aggregated.
 *
 * @raw: @size bytes, which must stay as they are until the source is closed. Incomplete data at the
 * end is passed over
 * @scope: number of the group
 *
 * -ENODATA: there is nothing of this scope, or not what describes it, which is with the first bytes
 * and comes again each second. -EBADMSG: this is no raw data of a tracer, or it is damaged.
 * -ENOMEM.
 */
GPUOA_API int gpuoa_tracer_source_open(const void *raw, size_t size, uint32_t scope,
				       struct gpuoa_source **source, char *error,
				       size_t error_size);

/* ---- decoders ------------------------------------------------------------------------------- */

struct gpuoa_decoder;

/** Options of a decoder. Zero-initialize, then set @size. */
struct gpuoa_decoder_options {
	size_t size; /* sizeof(struct gpuoa_decoder_options), must be set */
	const struct gpuoa_metric *const *metrics; /* entries of these; of several sets if need be.
						      NULL: all of all sets */
	size_t metric_count;
	bool no_infos; /* no entries of information items */
	uint64_t scopes; /* bit n: entries of scope n; 0: of all */
	uint64_t from_ns; /* entries of this time and later, */
	uint64_t until_ns; /*   before this one; 0: without end */
	const struct gpuoa_set *const *sets; /* of raw data: where else than among built-in sets
						to look for their UUIDs */
	size_t set_count;
};

/**
 * Make a decoder for what a tracer collects. The tracer may be closed before it.
 *
 * @options: may be NULL
 *
 * -EINVAL: one of the metrics is of none of the sets; there is no such scope, @until_ns is not
 * after @from_ns, or @options has no @size. -EOPNOTSUPP: the library has no metrics for the GPU.
 * Else as gpuoa_calc_open().
 */
GPUOA_API int gpuoa_decoder_open(const struct gpuoa_tracer *tracer,
				 const struct gpuoa_decoder_options *options,
				 struct gpuoa_decoder **decoder, char *error, size_t error_size);

/**
 * Make a decoder for raw data of any tracer, for example of a file. Scopes that have no data in
 * @raw will have no entries.
 *
 * @raw: @size bytes, the first ones that the tracer gave; they are only looked at
 *
 * As gpuoa_decoder_open(). -ENOENT: there is no set of this UUID. -ENODATA and -EBADMSG as
 * gpuoa_tracer_source_open().
 */
GPUOA_API int gpuoa_decoder_open_raw(const void *raw, size_t size,
				     const struct gpuoa_decoder_options *options,
				     struct gpuoa_decoder **decoder, char *error,
				     size_t error_size);

GPUOA_API void gpuoa_decoder_close(struct gpuoa_decoder *decoder);

/** What a scope is. */
struct gpuoa_scope_desc {
	const struct gpuoa_set *set; /* NULL: there are no entries of this scope */
	struct gpuoa_unit_desc unit; /* the last field, since it grows itself */
};

/** Number of scopes. */
GPUOA_API uint32_t gpuoa_decoder_scope_count(const struct gpuoa_decoder *decoder);

/** Describe scope @index. @size is sizeof(*desc). -ERANGE beyond the last one. */
GPUOA_API int gpuoa_decoder_describe_scope(const struct gpuoa_decoder *decoder, uint32_t index,
					   struct gpuoa_scope_desc *desc, size_t size);

/**
 * Number of decodable metrics: those of the options, in their order, or all; then information
 * items, of each set.
 */
GPUOA_API uint32_t gpuoa_decoder_metric_count(const struct gpuoa_decoder *decoder);

/** Describe decodable metric @index. @size is sizeof(*desc). -ERANGE beyond the last one. */
GPUOA_API int gpuoa_decoder_describe_metric(const struct gpuoa_decoder *decoder, uint32_t index,
					    struct gpuoa_column_desc *desc, size_t size);

/** A value of a metric. */
struct gpuoa_entry {
	union gpuoa_value value; /* its type is the metric's */
	uint64_t timestamp_ns; /* GPU time, gpuoa_ticks_to_ns(): the end of the interval, */
	uint64_t duration_ns; /*   and how long it is */
	uint32_t metric; /* which one, of the decoder's list */
	uint16_t scope;
	bool valid; /* as gpuoa_calc_options.validity has it; always of information items */
	uint8_t reserved;
};

/** What a call of gpuoa_decoder_run() did beside entries. */
struct gpuoa_decoded {
	size_t used; /* bytes that need not be passed again. Incomplete data at the end is not used
		      */
	struct gpuoa_read_status status; /* of the bytes that were looked at for the first time:
					    losses, gaps, the last clock pair; @end: the end of the
					    data, once for each that the tracer told */
	uint32_t counts[GPUOA_TRACER_SCOPES]; /* entries of each scope */
};

/**
 * Make entries of raw data. They come in order of time, over all scopes; those of one interval in
 * the order of the list of metrics. What is older than any other entry can be given only when every
 * scope has data at hand, or the tracer was disabled behind it.
 *
 * @raw: @size bytes: what the last call did not use, and what was read since then. They may lie
 * elsewhere than they did
 * @last: nothing follows these bytes: do not wait for scopes that have nothing
 * @entries: room for @max of them; NULL: only ask how many there are
 * @decoded: may be NULL if there is no need to know
 * @decoded_size: sizeof(*decoded)
 *
 * Returns the number of entries. As long as these are @max, there may be more: call again with what
 * was not used. With @entries NULL nothing is used, and it returns how many entries there are at
 * most, of @raw and of what was used before. -EBADMSG: the data is damaged; entries of all that
 * comes before were given. -ENOMEM.
 */
GPUOA_API int gpuoa_decoder_run(struct gpuoa_decoder *decoder, const void *raw, size_t size,
				bool last, struct gpuoa_entry *entries, int max,
				struct gpuoa_decoded *decoded, size_t decoded_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_TRACER_H */
