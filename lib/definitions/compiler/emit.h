/* SPDX-License-Identifier: MIT */
/* emit.h - compiles one equation to code. */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_EMIT_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_EMIT_H

#include "base/name_map.h"
#include "definitions/language/definition.h"
#include "report/format.h"

/* The purpose of an equation. It decides what the equation may use. */
enum equation_role {
	ROLE_METRIC, /* counters, constants, metrics of the set */
	ROLE_MAX, /* likewise */
	ROLE_CONDITION, /* constants */
	ROLE_INFO, /* fields of the report, constants */
};

/*
 * The platform's constants. One of the platform's own file is always there; one that it includes is
 * there if an equation uses it.
 */
struct constant_numbers {
	struct name_map slots; /* struct constant_slot by name */
	struct constant_slot *all;
	const struct constant_definition **used; /* by number */
	uint32_t count;
};

struct constant_slot {
	const struct constant_definition *definition;
	uint32_t number; /* + 1; 0: not used yet */
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
	struct constant_numbers *constants;
	const struct set_definition *set; /* NULL for information items */
	const struct report_format *format;
	const struct set_metric *metrics;
	uint32_t metric_count;
	const struct name_map *metric_names; /* its number, by symbol */
	struct diagnostic *diagnostic;

	/* of the equation in work: */
	enum equation_role role;
	uint32_t self; /* number of the metric that it belongs to */
	bool query_only; /* the equation may use counters that exist in queries only */
	uint32_t words[1 + CODE_WORDS_MAX];
	uint32_t length; /* behind the head */
	uint32_t depth;
	uint32_t depth_max;
};

/* Is QueryMode part of the condition? */
bool emit_uses_query_mode(const struct equation *equation);

/*
 * Compile into .words, head included; .role, .self and .query_only say for what. Returns false with
 * a diagnostic.
 */
bool emit_equation(struct emitter *emitter, const struct equation *equation);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_EMIT_H */
