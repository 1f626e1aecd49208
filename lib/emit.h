/* SPDX-License-Identifier: MIT */
/* emit.h - one equation to code. */
#ifndef GPUOA_EMIT_H
#define GPUOA_EMIT_H

#include "definition.h"
#include "format.h"

/* What an equation is for decides what it may use. */
enum equation_role {
	ROLE_METRIC, /* counters, constants, metrics that stand before it in the set */
	ROLE_MAX, /* likewise, and all metrics of the set */
	ROLE_CONDITION, /* constants */
	ROLE_INFO, /* fields of the report, constants */
};

/* A metric as one set has it. */
struct set_metric {
	const char *symbol;
	struct location location; /* in the set's list */
	struct attributes attributes;
	bool query_only;
};

struct emitter {
	const struct definition *definition;
	const struct set_definition *set; /* NULL for information items */
	const struct report_format *format;
	const struct set_metric *metrics;
	uint32_t metric_count;
	struct diagnostic *diagnostic;

	/* of the equation in work: */
	enum equation_role role;
	uint32_t self; /* number of the metric that it belongs to */
	bool query_only; /* it may use what exists in queries only */
	uint32_t words[1 + CODE_WORDS_MAX];
	uint32_t length; /* behind the head */
	uint32_t depth;
	uint32_t depth_max;
};

/* Is QueryMode part of the condition? */
bool equation_uses_query_mode(const struct equation *equation);

/*
 * Compile into .words, head included; .role, .self and .query_only say for what. Returns false with a
 * diagnostic.
 */
bool emit_equation(struct emitter *emitter, const struct equation *equation);

#endif /* GPUOA_EMIT_H */
