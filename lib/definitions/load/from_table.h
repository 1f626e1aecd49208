/* SPDX-License-Identifier: MIT */
/* from_table.h - turns what is in tables back into definitions, to compile it anew. */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_FROM_TABLE_H
#define GPUOA_LIB_DEFINITIONS_LOAD_FROM_TABLE_H

#include "definitions/language/definition.h"
#include "table/table.h"

/* Where definitions go, and what mistakes in them are said to be in. */
struct from_table {
	struct arena *arena;
	const struct source_file *source; /* of the texts of equations */
	struct location location; /* of the statement that takes something over */
	struct diagnostic *diagnostic;
	bool no_memory;
};

/* Zeroed memory of the arena; NULL: .no_memory is set. */
void *from_table_alloc(struct from_table *from, size_t size);

/* Functions that return bool or a pointer have failed with false or NULL: .no_memory, or else
 * .diagnostic says why. */

/* Nothing becomes of no text. */
bool from_table_equation(struct from_table *from, const struct table_link *text,
			 struct equation *equation);

/* The attributes of a metric, all of them. */
bool from_table_attributes(struct from_table *from, const struct table_metric *metric,
			   struct attributes *attributes);

/* The set with its metrics and registers. */
struct set_definition *from_table_set(struct from_table *from, const struct gpuoa_set *base);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_FROM_TABLE_H */
