/* SPDX-License-Identifier: MIT */
/*
 * scope.h - one scope of a decoder: from frames to rows of values
 */
#ifndef GPUOA_LIB_TRACER_SCOPE_H
#define GPUOA_LIB_TRACER_SCOPE_H

#include "gpuoa-tracer.h"
#include "tracer/frame.h"

/* Where a scope stops in the data of a call. */
enum scope_stop {
	SCOPE_ROWS, /* it has rows */
	SCOPE_OUT, /* nothing complete is left */
	SCOPE_END, /* the end of the data, as a tracer told */
	SCOPE_DAMAGED,
};

struct scope {
	struct gpuoa_scope_desc desc;
	uint32_t number;
	struct gpuoa_calc *calc;
	size_t columns; /* of entries: metrics, then information items */
	size_t metric_count;
	size_t stride; /* of rows, which have the validity of each metric behind these */
	uint32_t *metrics; /* number of each column in the decoder's list */
	struct reader reader;
	struct stream_event event; /* the frame that is taken, */
	bool has_event; /*   until the reader has asked for it */

	/* of the frame that was taken last */
	union gpuoa_value *values;
	struct gpuoa_interval *intervals;
	size_t room; /* rows */
	size_t count;
	size_t row; /* the first that was not given yet */
	uint64_t begin_ns; /* of that one */
	uint64_t end_ns;

	size_t at; /* in the data of this call: the next frame to look at */
};

/*
 * @source: what the scope's frames are of; it need not outlive the scope. @options: with validity.
 * 0 or a negative errno; scope_fini() in any case.
 */
int scope_init(struct scope *scope, uint32_t number, const struct gpuoa_source *source,
	       const struct gpuoa_set *set, const struct gpuoa_calc_options *options);

void scope_fini(struct scope *scope);

static inline bool scope_has_rows(const struct scope *scope)
{
	return scope->row < scope->count;
}

/*
 * Take the scope's frames until it has rows. @status: what was found is added. Returns enum
 * scope_stop, or -ENOMEM.
 */
int scope_fill(struct scope *scope, const void *raw, size_t size, struct gpuoa_read_status *status);

/* The first row was given: go on to the next one. */
void scope_step(struct scope *scope);

/* Rows that there are at most, of what was taken and of the data from here on. */
size_t scope_count(const struct scope *scope, const void *raw, size_t size);

#endif /* GPUOA_LIB_TRACER_SCOPE_H */
