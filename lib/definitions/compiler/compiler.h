/* SPDX-License-Identifier: MIT */
/* compiler.h - internal interfaces of the compiler */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_COMPILER_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_COMPILER_H

#include "base/name_map.h"
#include "definitions/compiler/blob.h"
#include "definitions/compiler/emit.h"
#include "definitions/language/definition.h"
#include "definitions/language/lexer.h"
#include "table/table.h"

/* Distinct metrics of all platforms. */
struct metric_pool {
	/* struct metric_key of each struct table_metric; equal keys are stored once */
	struct blob keys;
	size_t *records; /* offset of the record that belongs to each key */
	size_t room; /* allocated elements of .records */
};

struct compiler {
	const struct definition *definition;
	struct blob *blob;
	struct metric_pool *metric_pool;
	struct diagnostic *diagnostic;
	struct name_map metrics; /* by symbol: struct metric_definition */
	struct name_map bundles; /* by name: struct bundle_definition */
	/* maps a symbol to the number of the metric in the current set */
	struct name_map set_metrics;
	struct constant_numbers constants;
	size_t platform; /* offset of the platform's record */
	size_t infos;
	uint32_t info_count;
	uint32_t metric_count; /* total of the compiled sets */
	struct emitter emitter;
};

#define COMPILE_FAIL(compiler, location, ...)                                           \
	(diagnostic_set((compiler)->diagnostic, (compiler)->definition->file, location, \
			__VA_ARGS__),                                                   \
	 false)

#define LINK(blob, record, type, member, target) \
	blob_link(blob, (record) + offsetof(type, member), target)

#define PLATFORM_RECORD(compiler, member, target) \
	LINK((compiler)->blob, (compiler)->platform, struct gpuoa_platform, member, target)

#define INFOS_MAX 256

/*
 * Maximum number of metrics of a platform, so that nested bundles cannot exhaust the memory. Real
 * GPUs have far fewer.
 */
#define PLATFORM_METRICS_MAX 1000000

/*
 * Write a struct table_index of @count names; NULL stands for no name. If two names are equal, a
 * lookup finds the first one. Returns the offset of the index.
 */
size_t compile_index(struct blob *blob, const char *const *names, uint32_t count);

/* Compile an equation, and set the link at offset @link to the result. */
bool compile_equation(struct compiler *compiler, const struct equation *equation,
		      enum equation_role role, size_t link);

/* Prepare the numbering of constants. Call compile_constants() after all equations. */
bool compile_begin_constants(struct compiler *compiler);
bool compile_constants(struct compiler *compiler);

/*
 * Sort the @count metrics of the current set, so that each metric follows those that its equation
 * uses. Otherwise the order is unchanged.
 */
bool compile_order(struct compiler *compiler, struct set_metric *metrics, uint32_t count);

/* Compile the metrics of a set whose record is at offset @record. */
bool compile_set_metrics(struct compiler *compiler, const struct set_definition *set,
			 size_t record);

/*
 * Store the strings of platforms and sets, before all others, so that they are consecutive and
 * listing sets touches few pages. Sets share many of these strings.
 */
void compile_pool_strings(struct blob *blob, const struct definition *definition);

/* Compile all sets of the platform. */
bool compile_sets(struct compiler *compiler);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_COMPILER_H */
