/* SPDX-License-Identifier: MIT */
/*
 * rpn.h - A second, simple evaluator of equations in reverse Polish notation, token by token, which
 * shares no code with the library
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
	uint32_t notes; /* notes of the rules on how the value was computed */
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

/* Result of an operation on two values */
typedef struct rpn_value (*rpn_rules)(enum rpn_operation operation, struct rpn_value a,
				      struct rpn_value b);

/* Rows use 64-bit integers that wrap; totals and maxima use 128-bit integers that do not. */
struct rpn_value rpn_row(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);
struct rpn_value rpn_total(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);

/* Tokens of an equation */
struct rpn;

/* Equations of a set; NULL if there is none */
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

/* Return true if a condition on constants holds. */
bool rpn_holds(const char *condition, struct rpn_constants *constants);

/* Determine which metrics are available with these constants: sets .available. */
void rpn_choose(struct rpn_set *set, const struct rpn_constants *constants);

/*
 * Evaluate all metrics of the set in order, by these rules, and store them in .values; unavailable
 * ones are 0. @differences: difference of each field of .format
 */
void rpn_evaluate(struct rpn_set *set, const struct rpn_constants *constants,
		  const uint64_t *differences, rpn_rules rules);

/* Evaluate one metric; those before it must have been evaluated. */
void rpn_evaluate_metric(struct rpn_set *set, size_t metric, const struct rpn_constants *constants,
			 const uint64_t *differences, rpn_rules rules);

/* Maximum of a metric, after rpn_evaluate(); 0 if it has none */
struct rpn_value rpn_maximum(const struct rpn_set *set, size_t metric,
			     const struct rpn_constants *constants, const uint64_t *differences,
			     rpn_rules rules);

/* Conversion to the type of a metric, rounded once */
double rpn_number(struct rpn_value value);
uint64_t rpn_integer(struct rpn_value value);
float rpn_float(struct rpn_value value);

#endif /* GPUOA_LIB_TESTS_RPN_H */
