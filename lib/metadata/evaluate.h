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

/* Values of an equation's operands. If a pointer is NULL, all values in its array are 0. */
struct evaluation {
	const struct gpuoa_constants *constants;
	const uint64_t *counters; /* indexed by counter_number() */
	uint64_t timestamp;
	uint64_t clock;
	uint64_t report_id;
	uint64_t context_id;
	const union number *metrics; /* values of the set's metrics, in the order of the set */
	const bool *valid; /* for each metric: whether its value is valid; NULL: all are valid */
};

/*
 * Evaluate @code. The result is in .integer if @type is GPUOA_TYPE_UINT64, in .real if it is
 * GPUOA_TYPE_FLOAT. All constants that the code uses must have values.
 */
union number evaluate(const uint32_t *code, const struct evaluation *evaluation,
		      enum gpuoa_value_type type) GPUOA_PRIVATE(evaluate);

/*
 * Returns whether the value of an equation is valid: no divisor is 0, and all metrics that it uses
 * are valid.
 */
bool evaluate_valid(const uint32_t *code, const struct evaluation *evaluation);

/*
 * Evaluate a condition, in the query mode that @constants have. Returns 1, 0, or -ENOENT if a
 * constant that it needs has no value.
 */
int evaluate_condition(const uint32_t *code, const struct gpuoa_constants *constants)
	GPUOA_PRIVATE(evaluate_condition);

/*
 * Returns whether @code uses constants without value. @missing: one element for each constant of
 * the platform; those of these constants are set. May be NULL.
 */
bool evaluate_lacks_constants(const uint32_t *code, const struct gpuoa_constants *constants,
			      bool *missing) GPUOA_PRIVATE(evaluate_lacks_constants);

#endif /* GPUOA_LIB_METADATA_EVALUATE_H */
