/* SPDX-License-Identifier: MIT */
/* compiler.h - what the files of the compiler share. */
#ifndef GPUOA_COMPILER_H
#define GPUOA_COMPILER_H

#include "blob.h"
#include "definition.h"
#include "emit.h"
#include "lexer.h"
#include "table.h"

struct compiler {
	const struct definition *definition;
	struct blob *blob;
	struct blob
		metric_keys; /* struct metric_key of every struct table_metric, pooled */
	size_t *metric_records; /* its offset, by position of the key */
	struct diagnostic *diagnostic;
	size_t platform; /* offset of the record */
	size_t infos;
	uint32_t info_count;
	struct emitter emitter;
};

#define FAIL(compiler, location, ...)                                         \
	(diagnostic_set((compiler)->diagnostic, (compiler)->definition->file, \
			location, __VA_ARGS__),                               \
	 false)

#define LINK(blob, record, type, member, target) \
	blob_link(blob, (record) + offsetof(type, member), target)

#define PLATFORM_RECORD(compiler, member, target)                           \
	LINK((compiler)->blob, (compiler)->platform, struct gpuoa_platform, \
	     member, target)

/* Elements that a struct table_index can number. */
#define INDEX_MAX 32767

/* A struct table_index of @count names. Returns its offset. */
size_t put_index(struct blob *blob, const char *const *names, uint32_t count);

/* Compile an equation for the link at @link. */
bool put_equation(struct compiler *compiler, const struct equation *equation,
		  enum equation_role role, size_t link);

/* A shared metric by symbol, or NULL. */
const struct metric_definition *find_metric(const struct definition *definition,
					    const char *symbol);

/* A bundle that was defined before @end: so bundles cannot contain themselves. */
const struct bundle_definition *
find_bundle(const struct definition *definition, const char *name,
	    const struct bundle_definition *end);

/* The metrics of the set whose record is at @record. */
bool put_set_metrics(struct compiler *compiler,
		     const struct set_definition *set, size_t record);

/* All sets of the platform. */
bool put_sets(struct compiler *compiler);

#endif /* GPUOA_COMPILER_H */
