/* SPDX-License-Identifier: MIT */
/*
 * rpn.h - A second, simple evaluator of equations in reverse Polish notation. It evaluates token by
 * token and shares no code with the library.
 */
#ifndef GPUOA_LIB_TESTS_RPN_H
#define GPUOA_LIB_TESTS_RPN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "raw.h"

#define RPN_CONSTANTS_MAX 64

/* Constants of one GPU */
struct rpn_constants {
	size_t count;
	const char *names[RPN_CONSTANTS_MAX];
	uint64_t values[RPN_CONSTANTS_MAX];
	bool used[RPN_CONSTANTS_MAX]; /* used by an equation */
};

struct rpn_value {
	bool real;
	uint32_t notes; /* bits by which the rules note how the value was calculated */
	unsigned __int128 integer;
	double number;
};

enum rpn_operation {
	UADD,
	USUB,
	UMUL,
	UDIV,
	UMIN,
	UMAX,
	FADD,
	FSUB,
	FMUL,
	FDIV,
	FMAX,
	BITWISE_AND,
	SHIFT_LEFT,
	SHIFT_RIGHT,
	LOGICAL_AND,
	LESS,
	GREATER,
	GREATER_OR_EQUAL,
	LESS_OR_EQUAL,
	RPN_OPERATIONS,
};

/* The type of rules, which are functions that return the result of an operation on two values */
typedef struct rpn_value (*rpn_rules)(enum rpn_operation operation, struct rpn_value a,
				      struct rpn_value b);

/*
 * Rules of the library. In rows, integers have 64 bits and wrap; in totals and maxima they have 128
 * bits and do not wrap.
 */
struct rpn_value rpn_row(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);
struct rpn_value rpn_total(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);

/* Tokens of an equation */
struct rpn;

/* The equations of a set; NULL: the metric has no such equation */
struct rpn_set {
	const struct facts_set *facts;
	const struct raw_format *format;
	struct rpn *equation[FACTS_METRICS_MAX];
	struct rpn *max[FACTS_METRICS_MAX];
	struct rpn *availability[FACTS_METRICS_MAX];
	/* Results of the last evaluation */
	bool available[FACTS_METRICS_MAX];
	struct rpn_value values[FACTS_METRICS_MAX];
};

/* Parse the equations of a set. Exits on errors. */
void rpn_open(struct rpn_set *set, const struct facts_set *facts, const struct raw_format *format,
	      struct rpn_constants *constants);
void rpn_close(struct rpn_set *set);

/* Return whether a condition on constants holds. */
bool rpn_holds(const char *condition, struct rpn_constants *constants);

/* Set .available for each metric that is available with these constants. */
void rpn_choose(struct rpn_set *set, const struct rpn_constants *constants);

/*
 * Evaluate all metrics of the set in order, by @rules, and store the results in .values; a metric
 * that is unavailable is 0.
 *
 * @differences: difference of each field of .format
 */
void rpn_evaluate(struct rpn_set *set, const struct rpn_constants *constants,
		  const uint64_t *differences, rpn_rules rules);

/* Evaluate one metric. All metrics that precede it in the set must have been evaluated. */
void rpn_evaluate_metric(struct rpn_set *set, size_t metric, const struct rpn_constants *constants,
			 const uint64_t *differences, rpn_rules rules);

/* Return the maximum of a metric; 0 if it has none. rpn_evaluate() must have been called before. */
struct rpn_value rpn_maximum(const struct rpn_set *set, size_t metric,
			     const struct rpn_constants *constants, const uint64_t *differences,
			     rpn_rules rules);

/* Convert a value to the type of a metric, with a single rounding. */
double rpn_number(struct rpn_value value);
uint64_t rpn_integer(struct rpn_value value);
float rpn_float(struct rpn_value value);

#endif /* GPUOA_LIB_TESTS_RPN_H */
