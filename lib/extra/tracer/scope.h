/* SPDX-License-Identifier: MIT */
/* scope.h - one scope of a decoder: convert frames to rows of values */
#ifndef GPUOA_LIB_EXTRA_TRACER_SCOPE_H
#define GPUOA_LIB_EXTRA_TRACER_SCOPE_H

#include "extra/tracer/frame.h"
#include "gpuoa-tracer.h"

/* Why scope_fill() stopped. */
enum scope_stop {
	SCOPE_ROWS, /* rows are available */
	SCOPE_OUT, /* no complete frame is left */
	SCOPE_END, /* the end-of-data frame was reached */
	SCOPE_DAMAGED,
};

struct scope {
	struct gpuoa_scope_desc desc;
	uint32_t number;
	struct gpuoa_calc *calc;
	size_t columns; /* metrics, then information items */
	size_t metric_count;
	size_t stride; /* number of values per row: the outputs, then the validity of each metric */
	uint32_t *metrics; /* for each output: its index in the decoder's list of metrics */
	struct gpuoa_reader *reader; /* reads the payload of the current frame */
	size_t wire_size; /* size in bytes of a report in the payloads */
	struct payload payload; /* of the current frame */
	bool has_payload; /* .reader has not fetched .payload yet */

	/* the rows of the last frame that was converted */
	union gpuoa_value *values;
	struct gpuoa_interval *intervals;
	size_t room; /* capacity in rows */
	size_t count;
	size_t row; /* index of the first row that has not been returned */
	uint64_t begin_ns; /* interval of that row */
	uint64_t end_ns;

	size_t at; /* offset of the next frame in the data of this call */
};

/*
 * Initialize a scope. @reader describes the scope's frames and need not outlive the scope; @options
 * must request validity. Returns 0 or a negative errno; call scope_fini() in either case.
 */
int scope_init(struct scope *scope, uint32_t number, const struct gpuoa_reader *reader,
	       const struct gpuoa_set *set, const struct gpuoa_calc_options *options);

void scope_fini(struct scope *scope);

static inline bool scope_has_rows(const struct scope *scope)
{
	return scope->row < scope->count;
}

/*
 * Convert frames of the scope until there are rows, and add their events to @status. Returns enum
 * scope_stop or a negative errno.
 */
int scope_fill(struct scope *scope, const void *raw, size_t size, struct gpuoa_read_status *status);

/* Advance to the next row. */
void scope_step(struct scope *scope);

/*
 * Return an upper bound of the number of rows that follow: those of the converted frame and those
 * in the rest of the data.
 */
size_t scope_count(const struct scope *scope, const void *raw, size_t size);

#endif /* GPUOA_LIB_EXTRA_TRACER_SCOPE_H */
