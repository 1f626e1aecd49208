/* SPDX-License-Identifier: MIT */
/*
 * columns.h - select the metrics of a set that are shown
 */
#ifndef GPUOA_COLUMNS_H
#define GPUOA_COLUMNS_H

#include "common/tool.h"

/* A column of the output: a selected metric or information item */
struct column {
	size_t index; /* index of the value in a row of the calculator */
	const char *symbol;
	const char *name;
	const char *units;
	bool has_max;
	bool is_info; /* the column is an information item, not a metric */
	bool absent; /* the GPU or the recording lacks this metric, so there is no value */
	enum gpuoa_value_type type;
	const struct gpuoa_metric *metric; /* the metric; NULL: the column is an information item */
};

struct columns {
	struct column *list;
	size_t count;
};

/* A metric set, and the constants of the unit that measures the set */
struct columns_scope {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
};

/*
 * Select columns.
 *
 * @wanted: comma-separated list, or NULL: all metrics available with @constants. An entry is the
 * symbol of a metric or information item, at most once, or a shell pattern of metric symbols
 * ("Eu*"), which selects available metrics only.
 *
 * A metric that is named but unavailable has no value, and a note is printed. Returns an exit code;
 * prints any error.
 */
int columns_select(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants, const char *wanted);

/*
 * Check that each entry of @wanted (see columns_select()) selects a metric of at least one of the
 * @count sets; @count is at least 1. Returns an exit code; prints any error, which names the entry.
 */
int columns_check(const struct tool *tool, const struct columns_scope *scopes, size_t count,
		  const char *wanted);

/*
 * Return whether an entry of @wanted (see columns_select()) names or matches a metric's symbol.
 * NULL matches everything.
 */
bool columns_match(const char *wanted, const char *symbol);

/*
 * Drop the metrics that cannot be computed from reports in @format, of which only the dwords in
 * @dword_mask are stored.
 *
 * @wanted: the user named the metrics: instead of dropping a metric, keep it without a value and
 * print a note
 */
void columns_thin(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		  uint32_t format, const uint64_t *dword_mask, bool wanted);

/*
 * Compute the mask of report dwords, in the set's format, that are needed for the metrics in
 * @wanted. Returns an exit code.
 */
int columns_keep(const struct tool *tool, const struct gpuoa_set *set,
		 const struct gpuoa_constants *constants, const char *wanted, uint64_t *dword_mask);
void columns_free(struct columns *columns);

/* Return a column's value in a row as an output field. */
struct field column_field(const struct column *column, const union gpuoa_value *row);

#endif /* GPUOA_COLUMNS_H */
