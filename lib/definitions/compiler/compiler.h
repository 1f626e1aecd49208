/* SPDX-License-Identifier: MIT */
/* compiler.h - what the files of the compiler share. */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_COMPILER_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_COMPILER_H

#include "base/name_map.h"
#include "definitions/compiler/blob.h"
#include "definitions/compiler/emit.h"
#include "definitions/language/definition.h"
#include "definitions/language/lexer.h"
#include "table/table.h"

/* Metrics of all platforms. */
struct metric_pool {
	struct blob keys; /* struct metric_key of every struct table_metric, pooled */
	size_t *records; /* its offset, by position of the key */
	size_t room; /* of records */
};

struct compiler {
	const struct definition *definition;
	struct blob *blob;
	struct metric_pool *metric_pool;
	struct diagnostic *diagnostic;
	struct name_map metrics; /* struct metric_definition */
	struct name_map bundles; /* struct bundle_definition */
	struct name_map set_metrics; /* of the set in work: its number, by symbol */
	struct constant_numbers constants;
	size_t platform; /* offset of the record */
	size_t infos;
	uint32_t info_count;
	uint32_t metric_count; /* in all sets so far */
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

/* A few lines can list a bundle many times; this is far more than any GPU has. */
#define PLATFORM_METRICS_MAX 1000000

/*
 * A struct table_index of @count names; NULL names are left out. The first of equal names is the
 * one that is found. Returns its offset.
 */
size_t compile_index(struct blob *blob, const char *const *names, uint32_t count);

/* Compile an equation for the link at @link. */
bool compile_equation(struct compiler *compiler, const struct equation *equation,
		      enum equation_role role, size_t link);

/* Number the constants; put those that are used, when all equations have been compiled. */
bool compile_begin_constants(struct compiler *compiler);
bool compile_constants(struct compiler *compiler);

/*
 * Put the @count metrics of the set in work into an order in which each stands behind those that
 * its equation uses: a metric moves only as far as it must.
 */
bool compile_order(struct compiler *compiler, struct set_metric *metrics, uint32_t count);

/* The metrics of the set whose record is at @record. */
bool compile_set_metrics(struct compiler *compiler, const struct set_definition *set,
			 size_t record);

/*
 * The strings that lists of platforms and sets show, of all platforms one behind the other before
 * anything else: sets have many of them in common, and a list of them touches few pages.
 */
void compile_pool_strings(struct blob *blob, const struct definition *definition);

/* All sets of the platform. */
bool compile_sets(struct compiler *compiler);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_COMPILER_H */
