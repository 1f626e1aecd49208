/* SPDX-License-Identifier: MIT */
/* emit.h - compiles one equation to code */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_EMIT_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_EMIT_H

#include "base/name_map.h"
#include "base/private.h"
#include "definitions/language/definition.h"
#include "report/format.h"

/* Role of an equation, which determines the operands that it may use. */
enum equation_role {
	ROLE_METRIC, /* may use counters, constants and metrics of the set */
	ROLE_MAX, /* as for ROLE_METRIC */
	ROLE_CONDITION, /* constants */
	ROLE_INFO, /* fields of the report, constants */
};

/*
 * Numbers of the platform's constants. Constants of its main file always have one, constants of
 * other files only if an equation uses them.
 */
struct constant_numbers {
	struct name_map slots; /* by name: struct constant_slot */
	struct constant_slot *all;
	const struct constant_definition **used; /* indexed by number */
	uint32_t count;
};

struct constant_slot {
	const struct constant_definition *definition;
	/* index in constant_numbers.used, plus one; 0: the constant has no number */
	uint32_t number;
};

/* A metric of one set, with the changes that the set makes. */
struct set_metric {
	const char *symbol;
	struct location location; /* position of the metric in the set's list */
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
	const struct name_map *metric_names; /* symbols to numbers of metrics */
	struct diagnostic *diagnostic;

	/* current equation: */
	enum equation_role role;
	uint32_t self; /* number of its metric */
	bool query_only; /* the equation may use counters that only queries have */
	uint32_t words[1 + CODE_WORDS_MAX];
	uint32_t length; /* words after the head */
	uint32_t depth;
	uint32_t depth_max;
};

/* Does the condition use QueryMode? */
bool emit_uses_query_mode(const struct equation *equation);

/*
 * Compile an equation for .role, .self and .query_only. The result, with its header, is stored in
 * .words. Returns false on error, with the reason in .diagnostic.
 */
bool emit_equation(struct emitter *emitter, const struct equation *equation)
	GPUOA_PRIVATE(emit_equation);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_EMIT_H */
