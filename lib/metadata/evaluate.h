/* SPDX-License-Identifier: MIT */
/*
 * evaluate.h - exact evaluation of one equation
 *
 * Used for totals, maxima, information items and conditions. Integers have 128 bits and saturate,
 * so that sums over days can be multiplied by a billion. The values of rows are computed in batches
 * instead (calc/columns).
 */
#ifndef GPUOA_LIB_METADATA_EVALUATE_H
#define GPUOA_LIB_METADATA_EVALUATE_H

#include "base/private.h"
#include "gpu/constants.h"
#include "table/code.h"
#include "table/number.h"

/* Inputs of an equation. If a pointer is NULL, all its values are 0. */
struct evaluation {
	const struct gpuoa_constants *constants;
	const uint64_t *counters; /* indexed by counter_number() */
	uint64_t timestamp;
	uint64_t clock;
	uint64_t report_id;
	uint64_t context_id;
	const union number *metrics; /* values of metrics, in the order of the set */
	const bool *valid; /* validity of each metric; NULL: all valid */
};

/*
 * Evaluate @code, with the result in .integer for GPUOA_TYPE_UINT64 or .real for GPUOA_TYPE_FLOAT.
 * All its constants must have values.
 */
union number evaluate(const uint32_t *code, const struct evaluation *evaluation,
		      enum gpuoa_value_type type) GPUOA_PRIVATE(evaluate);

/* Is the value valid: nothing is divided by 0, and all metrics that it uses are valid? */
bool evaluate_valid(const uint32_t *code, const struct evaluation *evaluation);

/*
 * Evaluate a condition, in the query mode of @constants. Returns 1 or 0, or -ENOENT if a constant
 * that it needs has no value.
 */
int evaluate_condition(const uint32_t *code, const struct gpuoa_constants *constants)
	GPUOA_PRIVATE(evaluate_condition);

/*
 * Does @code use constants without value? Sets their elements of @missing, one per constant of the
 * platform; @missing may be NULL.
 */
bool evaluate_lacks_constants(const uint32_t *code, const struct gpuoa_constants *constants,
			      bool *missing) GPUOA_PRIVATE(evaluate_lacks_constants);

#endif /* GPUOA_LIB_METADATA_EVALUATE_H */
