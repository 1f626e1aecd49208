/* SPDX-License-Identifier: MIT */
/*
 * rpn.h - a second, slow and plain, evaluator: it reads facts in reverse Polish
 * from a text and shares nothing with the library.
 */
#ifndef RPN_H
#define RPN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RPN_METRICS_MAX 256

struct rpn_value {
	bool real;
	uint64_t integer;
	double number;
};

struct rpn_metric {
	char symbol[64];
	bool is_float;
	char equation[512];
	char max[512];
	char condition[512];
};

struct rpn_set {
	char symbol[64];
	char uuid[40];
	size_t count;
	struct rpn_metric metrics[RPN_METRICS_MAX];
	/* Values of the metrics, once they are evaluated. */
	struct rpn_value values[RPN_METRICS_MAX];
};

/* Value of a constant. */
typedef bool (*rpn_constant)(const char *name, uint64_t *value);

/* What an equation is evaluated on. */
struct rpn_input {
	const uint32_t *from; /* reports of A45_B8_C8 */
	const uint32_t *to;
	rpn_constant constant;
};

/*
 * Read the next set of an open file of facts. False at its end. What it cannot
 * read ends the program.
 */
bool rpn_read_set(void *file, struct rpn_set *set);

/* Evaluate all metrics of the set in order; those whose condition is 0 are 0. */
void rpn_evaluate(struct rpn_set *set, const struct rpn_input *input);

/* Evaluate a text, after rpn_evaluate(). */
struct rpn_value rpn_evaluate_text(const struct rpn_set *set, const char *text,
				   const struct rpn_input *input);

/* As the metric has it: converted once. */
uint64_t rpn_integer(struct rpn_value value);
float rpn_float(struct rpn_value value);

#endif /* RPN_H */
