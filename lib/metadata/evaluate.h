/* SPDX-License-Identifier: MIT */
/*
 * evaluate.h - computes one value of an equation, exactly.
 *
 * This serves totals, maxima, information items and conditions. Integers have 128 bits and
 * saturate, so that sums over days can be multiplied by a billion. The many values of rows are
 * computed in columns (calc/columns) instead.
 */
#ifndef GPUOA_LIB_METADATA_EVALUATE_H
#define GPUOA_LIB_METADATA_EVALUATE_H

#include "gpu/constants.h"
#include "table/code.h"
#include "table/number.h"

/* The inputs of an equation. Where a pointer is NULL, all values are 0. */
struct evaluation {
	const struct gpuoa_constants *constants;
	const uint64_t *counters; /* by counter_number() */
	uint64_t timestamp;
	uint64_t clock;
	uint64_t report_id;
	uint64_t context_id;
	const union number *metrics; /* of the set, in its order */
	const bool *valid; /* which of them are; NULL: all */
};

/*
 * Value of @code as @type has it: .integer for GPUOA_TYPE_UINT64, .real for GPUOA_TYPE_FLOAT. All
 * constants are given.
 */
union number evaluate(const uint32_t *code, const struct evaluation *evaluation,
		      enum gpuoa_value_type type);

/* Was nothing divided by 0 on the way to that value, and is all valid that it uses? */
bool evaluate_valid(const uint32_t *code, const struct evaluation *evaluation);

/*
 * Does a condition hold, in the query mode of @constants? 1, 0, or -ENOENT when a constant that it
 * needs has no value.
 */
int evaluate_condition(const uint32_t *code, const struct gpuoa_constants *constants);

/*
 * Do constants in @code have no value? @missing, one for each of the platform's, is set for these;
 * may be NULL.
 */
bool evaluate_lacks_constants(const uint32_t *code, const struct gpuoa_constants *constants,
			      bool *missing);

#endif /* GPUOA_LIB_METADATA_EVALUATE_H */
