/* SPDX-License-Identifier: MIT */
/*
 * rpn.h - a second, slow and plain, evaluator: of equations in reverse Polish,
 * token by token. It shares nothing with the library.
 */
#ifndef GPUOA_LIB_TESTS_RPN_H
#define GPUOA_LIB_TESTS_RPN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "raw.h"

#define RPN_CONSTANTS_MAX 64

/* Constants of one GPU. */
struct rpn_constants {
	size_t count;
	const char *names[RPN_CONSTANTS_MAX];
	uint64_t values[RPN_CONSTANTS_MAX];
	bool used[RPN_CONSTANTS_MAX]; /* some equation has asked for it */
};

struct rpn_value {
	bool real;
	uint32_t notes; /* what rules want to remember of how it came about */
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
	RPN_OPERATIONS,
};

/* What an operation makes of two values. */
typedef struct rpn_value (*rpn_rules)(enum rpn_operation operation, struct rpn_value a,
				      struct rpn_value b);

/* Rows: integers of 64 bits that wrap. Totals and maxima: of 128 bits that do not. */
struct rpn_value rpn_row(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);
struct rpn_value rpn_total(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);

/* The tokens of an equation. */
struct rpn;

/* A set's equations; NULL where there is none. */
struct rpn_set {
	const struct facts_set *facts;
	const struct raw_format *format;
	struct rpn *equation[FACTS_METRICS_MAX];
	struct rpn *max[FACTS_METRICS_MAX];
	struct rpn *availability[FACTS_METRICS_MAX];
	/* What was evaluated last: */
	bool available[FACTS_METRICS_MAX];
	struct rpn_value values[FACTS_METRICS_MAX];
};

/* What cannot be understood ends the program. */
void rpn_open(struct rpn_set *set, const struct facts_set *facts, const struct raw_format *format,
	      struct rpn_constants *constants);
void rpn_close(struct rpn_set *set);

/* Does a condition on constants hold? */
bool rpn_holds(const char *condition, struct rpn_constants *constants);

/* Find out what is there with these constants: .available. */
void rpn_choose(struct rpn_set *set, const struct rpn_constants *constants);

/*
 * Evaluate all metrics of the set by these rules, in order, into .values. Those
 * that are not available are 0. @differences: of the fields of .format
 */
void rpn_evaluate(struct rpn_set *set, const struct rpn_constants *constants,
		  const uint64_t *differences, rpn_rules rules);

/* One of them, after those before it. */
void rpn_evaluate_metric(struct rpn_set *set, size_t metric, const struct rpn_constants *constants,
			 const uint64_t *differences, rpn_rules rules);

/* A metric's maximum, after rpn_evaluate(); 0 if it has none. */
struct rpn_value rpn_maximum(const struct rpn_set *set, size_t metric,
			     const struct rpn_constants *constants, const uint64_t *differences,
			     rpn_rules rules);

/* As a metric has it: converted once. */
double rpn_number(struct rpn_value value);
uint64_t rpn_integer(struct rpn_value value);
float rpn_float(struct rpn_value value);

#endif /* GPUOA_LIB_TESTS_RPN_H */
