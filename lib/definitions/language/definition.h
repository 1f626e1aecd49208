/* SPDX-License-Identifier: MIT */
/*
 * definition.h - parsed metric definitions, before names are resolved
 *
 * Documentation/reference/metric-definitions.rst describes the language.
 */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_DEFINITION_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "gpuoa.h"
#include "table/code.h"

struct source_file;

/* Position in a file. Lines and columns are counted from 1; a tab is one column. */
struct location {
	uint32_t line;
	uint32_t column;
	const struct source_file *file; /* NULL: the main file of the definition */
};

/* A file of a definition: the main file, or an included one. */
struct source_file {
	struct source_file *next;
	const char *path;
	struct location included; /* position of the include statement; for the main file, line 0 */
	/* device and inode, which identify a file that may have several names */
	uint64_t device, inode;
	bool open; /* the file is being parsed */
};

/* Error message: "file:line:column: message", followed by the chain of including files. */
struct diagnostic {
	char text[512];
};

enum expression_kind {
	EXPRESSION_INTEGER,
	EXPRESSION_REAL,
	EXPRESSION_COUNTER, /* .integer: counter_number() */
	EXPRESSION_NAME, /* a name, which refers to a metric or constant */
	EXPRESSION_SOURCE, /* .op: CODE_TIMESTAMP .. CODE_CONTEXT_ID, CODE_QUERY_MODE */
	EXPRESSION_UNARY, /* .op applied to .left: CODE_TO_REAL */
	/* operator .op applied to .left and .right; .op is the integer operation */
	EXPRESSION_BINARY,
};

struct expression {
	enum expression_kind kind;
	struct location location;
	enum code_op op;
	uint64_t integer;
	double real;
	const char *name;
	struct expression *left;
	struct expression *right;
};

struct equation {
	struct expression *root; /* NULL: no equation */
	const char *text; /* source text, with normalized spaces */
};

/* Clauses that a metric can have, as bits of struct attributes.given. */
enum attribute {
	ATTRIBUTE_NAME = 1 << 0,
	ATTRIBUTE_DESCRIPTION = 1 << 1,
	ATTRIBUTE_GROUP = 1 << 2,
	ATTRIBUTE_EQUATION = 1 << 3,
	ATTRIBUTE_MAX = 1 << 4,
	ATTRIBUTE_AVAILABILITY = 1 << 5,
	ATTRIBUTE_VALUE = 1 << 6, /* type, unit of measure, semantic */
	ATTRIBUTE_HW_UNIT = 1 << 7,
	ATTRIBUTE_USAGE = 1 << 8,
	ATTRIBUTE_APIS = 1 << 9,
	ATTRIBUTE_WATERMARKS = 1 << 10,
	ATTRIBUTE_ALIAS = 1 << 11,
	/* the clauses of a complete definition; watermarks are optional */
	ATTRIBUTES_COMPLETE = ATTRIBUTE_NAME | ATTRIBUTE_DESCRIPTION | ATTRIBUTE_GROUP |
			      ATTRIBUTE_EQUATION | ATTRIBUTE_MAX | ATTRIBUTE_AVAILABILITY |
			      ATTRIBUTE_VALUE | ATTRIBUTE_HW_UNIT | ATTRIBUTE_USAGE |
			      ATTRIBUTE_APIS | ATTRIBUTE_ALIAS,
};

struct attributes {
	uint32_t given;
	const char *name;
	const char *description;
	const char *group;
	struct equation equation;
	struct equation max;
	struct equation availability;
	enum gpuoa_value_type type;
	const char *units;
	enum gpuoa_semantic semantic;
	const char *hw_unit;
	uint32_t usage;
	uint32_t tier;
	uint32_t apis;
	double low;
	double high;
	const char *alias;
};

struct constant_definition {
	struct constant_definition *next;
	struct location location;
	const char *name;
	const char *description;
};

/* A metric or an information item. */
struct metric_definition {
	struct metric_definition *next;
	struct location location;
	const char *symbol;
	struct attributes attributes;
	/* next metric that the current statement changes; used by the parser only */
	struct metric_definition *changed;
};

/*
 * An element in the list of a set or bundle: a reference to a metric, with changes; a reference to
 * a bundle; or the definition of a metric.
 */
struct metric_use {
	struct metric_use *next;
	struct location location;
	const char *symbol;
	bool is_bundle;
	bool is_whole; /* .changes is a complete definition, which needs no metric of that symbol */
	struct attributes changes;
};

struct bundle_definition {
	struct bundle_definition *next;
	struct location location;
	const char *name;
	struct metric_use *uses;
	uint32_t number; /* number of this bundle, which contains only bundles with lower numbers */
};

struct register_list {
	struct register_list *next;
	struct location location;
	enum gpuoa_register_kind kind;
	struct equation condition;
	struct gpuoa_reg *registers;
	uint32_t count;
};

/*
 * A set, or a template of sets. A set has copies of its template's properties, but not of the
 * template's list of metrics.
 */
struct set_definition {
	struct set_definition *next;
	struct location location;
	const char *symbol;
	const char *name;
	const char *uuid;
	uint32_t apis;
	uint32_t format;
	struct register_list *registers;
	struct metric_use *uses;
	const char *unit; /* "OA" */
	struct equation availability;
	const char *remark; /* or NULL */
	uint32_t depth; /* number of templates that this one builds on */
	struct metric_use *changes; /* changes that the set makes to metrics of its lists */
	const struct set_definition *like; /* its template, or NULL */
	const char *like_builtin; /* name of the built-in set that is the template; NULL: none */
	struct location like_location;
	bool shares_uuid; /* the set may have the UUID of another set */
};

/* Description of all metrics with symbols that match a pattern. */
struct family_description {
	const char *pattern; /* "L3Bank{}Reads" */
	const char *text; /* "Reads of bank {1}." */
};

/* One platform, with all files that its main file includes. */
struct definition {
	const char *file;
	struct location location; /* of the platform statement */
	const char *name;
	const char *title;
	struct constant_definition *constants;
	struct metric_definition *infos;
	struct metric_definition *metrics;
	struct bundle_definition *bundles;
	struct set_definition *sets;
	struct set_definition *templates;
	struct source_file *sources; /* in reverse order */
	/* number of sets at the beginning of .sets that come from another platform */
	uint32_t inherited;
};

/* Overwrite those members of @attributes that @changes has. */
void attributes_apply(struct attributes *attributes, const struct attributes *changes);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_DEFINITION_H */
