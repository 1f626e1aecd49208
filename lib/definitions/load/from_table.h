/* SPDX-License-Identifier: MIT */
/* from_table.h - converts tables back to definitions, to compile them again */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_FROM_TABLE_H
#define GPUOA_LIB_DEFINITIONS_LOAD_FROM_TABLE_H

#include "base/private.h"
#include "definitions/language/definition.h"
#include "table/table.h"

/* Context of a conversion. */
struct from_table {
	struct arena *arena;
	const struct source_file *source; /* file name for the text of equations */
	/* location for error messages: the statement that uses the built-in object */
	struct location location;
	struct diagnostic *diagnostic;
	bool no_memory;
};

/* Allocate zeroed memory from the arena. On failure, returns NULL and sets .no_memory. */
void *from_table_alloc(struct from_table *from, size_t size);

/*
 * If one of these functions returns false or NULL, either .no_memory is set or .diagnostic contains
 * the reason.
 */

/* Parse the text of an equation. An empty text leaves @equation unchanged. */
bool from_table_equation(struct from_table *from, const struct table_link *text,
			 struct equation *equation);

/* Convert all attributes of a metric. */
bool from_table_attributes(struct from_table *from, const struct table_metric *metric,
			   struct attributes *attributes) GPUOA_PRIVATE(from_table_attributes);

/* Convert a set with its metrics and registers. */
struct set_definition *from_table_set(struct from_table *from, const struct gpuoa_set *base)
	GPUOA_PRIVATE(from_table_set);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_FROM_TABLE_H */
