/* SPDX-License-Identifier: MIT */
/*
 * columns.h - which metrics of a set the user wants to see
 */
#ifndef GPUOA_COLUMNS_H
#define GPUOA_COLUMNS_H

#include "tool.h"

/* One of them. */
struct column {
	size_t index; /* in a row of the calculator */
	const char *symbol;
	const char *name;
	const char *units;
	bool has_max;
	bool is_info; /* an information item, no metric */
	bool absent; /* the GPU, or a stream of it, does not have this metric */
	enum gpuoa_value_type type;
	const struct gpuoa_metric *metric; /* NULL: it is an information item */
};

struct columns {
	struct column *list;
	size_t count;
};

/*
 * Select columns.
 *
 * @wanted: symbols with commas between, of metrics and information items, each once, or patterns of
 * metrics' symbols as in a shell ("Eu*"), which select what is available; NULL: all
 * metrics that are available with @constants. One that is wanted but not available has no value,
 * and a note says so. Returns an exit code; what is wrong has been said.
 */
int columns_select(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants, const char *wanted);

/* Return whether a list as above, NULL for all, names or matches a metric's symbol. */
bool columns_match(const char *wanted, const char *symbol);

/*
 * Leave out metrics that can't be computed, for only @keep of reports in @format is there; a note
 * tells of those that were wanted.
 */
void columns_thin(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		  uint32_t format, const uint64_t *keep, bool wanted);

/*
 * Dwords of reports, in the set's format, that the metrics in @wanted need. Returns an exit code.
 */
int columns_keep(const struct tool *tool, const struct gpuoa_set *set,
		 const struct gpuoa_constants *constants, const char *wanted, uint64_t *keep);
void columns_free(struct columns *columns);

/* A column's value in a row, as a field. */
struct field column_field(const struct column *column, const union gpuoa_value *row);

#endif /* GPUOA_COLUMNS_H */
