/* SPDX-License-Identifier: MIT */
/* vector_step.h - steps on single rows */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_STEP_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_STEP_H

#include "calc/columns/vector_divide.h"

/* Call DO(name) for each step. */
/* clang-format off */
#define EACH_STEP(DO) \
	DO(ADD) \
	DO(SUBTRACT) \
	DO(REAL_SUBTRACT) \
	DO(MULTIPLY) \
	DO(MINIMUM) \
	DO(MAXIMUM) \
	DO(RECIPROCAL) \
	DO(RECIPROCAL_WHOLE) \
	DO(DIVIDE) \
	DO(DIVIDE_WITH) \
	DO(DIVIDE_WHOLE) \
	DO(QUOTIENT) \
	DO(QUOTIENT_WITH) \
	DO(QUOTIENT_WHOLE)
/* clang-format on */

/* Always inline this function, with a constant @step, so that loops over rows have no branch. */
static inline __attribute__((always_inline)) double step_value(enum column_step step, double a,
							       double b, double c)
{
	switch (step) {
	case STEP_ADD:
		return a + b;
	case STEP_SUBTRACT:
		return a > b ? a - b : 0;
	case STEP_REAL_SUBTRACT:
		return a - b;
	case STEP_MULTIPLY:
		return a * b;
	case STEP_MINIMUM:
		return a < b ? a : b;
	case STEP_MAXIMUM:
		return a > b ? a : b;
	case STEP_RECIPROCAL:
	case STEP_RECIPROCAL_WHOLE:
		return divide(1, a);
	case STEP_DIVIDE:
		return divide(a, b);
	case STEP_DIVIDE_WITH:
		return divide_with(a, b, c);
	case STEP_DIVIDE_WHOLE:
		return divide_whole(a, b, c);
	case STEP_QUOTIENT:
		return quotient(divide(a, b), a, b);
	case STEP_QUOTIENT_WITH:
		return quotient(a * c, a, b);
	case STEP_QUOTIENT_WHOLE:
		return quotient_whole(a, c);
	default: /* STEP_COUNT: not a step */
		return 0;
	}
}

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_STEP_H */
