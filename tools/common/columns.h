/* SPDX-License-Identifier: MIT */
/*
 * columns.h - selection of the metrics of a set to show
 */
#ifndef GPUOA_COLUMNS_H
#define GPUOA_COLUMNS_H

#include "common/tool.h"

/* A selected metric or information item */
struct column {
	size_t index; /* index in a row of the calculator */
	const char *symbol;
	const char *name;
	const char *units;
	bool has_max;
	bool is_info; /* an information item instead of a metric */
	bool absent; /* the GPU or the recording does not have this metric */
	enum gpuoa_value_type type;
	const struct gpuoa_metric *metric; /* NULL: the column is an information item */
};

struct columns {
	struct column *list;
	size_t count;
};

/* A set, and the constants of the unit that measures it */
struct columns_scope {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
};

/*
 * Select columns.
 *
 * @wanted: comma-separated symbols of metrics and information items, each at most once, or shell
 * patterns of metric symbols ("Eu*"), which select available metrics only; NULL: all metrics
 * available with @constants. A metric that is named but unavailable has no value, and a note is
 * printed.
 *
 * Returns an exit code; prints any error.
 */
int columns_select(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants, const char *wanted);

/*
 * Check that each entry of a list as above selects a metric of at least one of the sets; @count is
 * at least 1. Returns an exit code; prints any error, which names the entry.
 */
int columns_check(const struct tool *tool, const struct columns_scope *scopes, size_t count,
		  const char *wanted);

/* Return whether a list as above (NULL: everything) names or matches a metric's symbol. */
bool columns_match(const char *wanted, const char *symbol);

/*
 * Drop metrics that cannot be computed from the dwords @dword_mask of reports in @format. A note
 * lists those that the user had named.
 */
void columns_thin(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		  uint32_t format, const uint64_t *dword_mask, bool wanted);

/*
 * Compute the mask of report dwords, in the set's format, that the metrics in @wanted need. Returns
 * an exit code.
 */
int columns_keep(const struct tool *tool, const struct gpuoa_set *set,
		 const struct gpuoa_constants *constants, const char *wanted, uint64_t *dword_mask);
void columns_free(struct columns *columns);

/* Return a column's value in a row as an output field. */
struct field column_field(const struct column *column, const union gpuoa_value *row);

#endif /* GPUOA_COLUMNS_H */
