/* SPDX-License-Identifier: MIT */
/*
 * definition.h - metric definitions as their text states them, before names are resolved.
 *
 * Documentation/metric-definitions.rst describes the text.
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

/* Where something stands in its file; both count from 1, a tab is one column. */
struct location {
	uint32_t line;
	uint32_t column;
	const struct source_file *file; /* NULL: the one that the definition names */
};

/* A file that was read: the definition itself, or one that it includes. */
struct source_file {
	struct source_file *next;
	const char *path;
	struct location included; /* where; line 0: nowhere, it is the definition itself */
	uint64_t device, inode; /* identity of the file: it may have several names */
	bool open; /* it is being read */
};

/*
 * What is wrong: "file:line:column: message"; of an included file, the files that led to it follow.
 */
struct diagnostic {
	char text[512];
};

enum expression_kind {
	EXPRESSION_INTEGER,
	EXPRESSION_REAL,
	EXPRESSION_COUNTER, /* .integer: counter_number() */
	EXPRESSION_NAME, /* a metric or a constant */
	EXPRESSION_SOURCE, /* .op: CODE_TIMESTAMP .. CODE_CONTEXT_ID, CODE_QUERY_MODE */
	EXPRESSION_UNARY, /* .op on .left: CODE_TO_REAL */
	EXPRESSION_BINARY, /* .left .op .right; .op as for integers */
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
	struct expression *root; /* NULL: there is none */
	const char *text; /* as written, spaces evened out */
};

/* Clauses that a metric can have; bits of struct attributes.given. */
enum attribute {
	ATTRIBUTE_NAME = 1 << 0,
	ATTRIBUTE_DESCRIPTION = 1 << 1,
	ATTRIBUTE_GROUP = 1 << 2,
	ATTRIBUTE_EQUATION = 1 << 3,
	ATTRIBUTE_MAX = 1 << 4,
	ATTRIBUTE_AVAILABILITY = 1 << 5,
	ATTRIBUTE_VALUE = 1 << 6, /* type, units, semantic */
	ATTRIBUTE_HW_UNIT = 1 << 7,
	ATTRIBUTE_USAGE = 1 << 8,
	ATTRIBUTE_APIS = 1 << 9,
	ATTRIBUTE_WATERMARKS = 1 << 10,
	ATTRIBUTE_ALIAS = 1 << 11,
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

/* A metric, or an information item. */
struct metric_definition {
	struct metric_definition *next;
	struct location location;
	const char *symbol;
	struct attributes attributes;
	struct metric_definition *changed; /* the parser's own: a list */
};

/*
 * A line of a set's or bundle's list: a metric by name with changes, a bundle, or a metric of its
 * own.
 */
struct metric_use {
	struct metric_use *next;
	struct location location;
	const char *symbol;
	bool is_bundle;
	bool is_whole; /* .changes are all there is: no metric of that symbol needs to be defined */
	struct attributes changes;
};

struct bundle_definition {
	struct bundle_definition *next;
	struct location location;
	const char *name;
	struct metric_use *uses;
	uint32_t number; /* of the platform's bundles: a list contains only those with lower ones */
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
 * A set, or a template of sets. What a set has from its template is filled in, but for the lists of
 * metrics.
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
	uint32_t depth; /* how many templates lead to it */
	struct metric_use *changes; /* to metrics that the lists have */
	const struct set_definition *like; /* its template, or NULL */
	const char *like_builtin; /* no template: perhaps a built-in set */
	struct location like_location;
	bool shares_uuid; /* with that one */
};

/* The description of all metrics whose symbols match. */
struct family_description {
	struct family_description *next;
	struct location location;
	const char *pattern; /* "L3Bank{}Reads" */
	const char *text; /* "Reads of bank {1}." */
};

/* One platform, and all that its file includes. */
struct definition {
	const char *file;
	struct location location; /* of the statement that names it */
	const char *name;
	const char *title;
	struct constant_definition *constants;
	struct metric_definition *infos;
	struct metric_definition *metrics;
	struct bundle_definition *bundles;
	struct set_definition *sets;
	struct set_definition *templates;
	struct family_description *descriptions;
	struct source_file *sources; /* the last one first */
	uint32_t inherited; /* sets at the beginning that are another platform's */
};

/* Replace what @changes gives. */
void attributes_apply(struct attributes *attributes, const struct attributes *changes);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_DEFINITION_H */
