// SPDX-License-Identifier: MIT
/*
 * columns.c - select the metrics of a set that are shown
 */
#define _GNU_SOURCE /* FNM_CASEFOLD */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/columns.h"
#include "common/lookup.h"
#include "common/flag_names.h"

static struct column metric_column(const struct gpuoa_set *set, size_t index)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(gpuoa_set_get_metric(set, index), &desc, sizeof(desc));
	return (struct column){
		.index = index,
		.symbol = desc.symbol,
		.name = desc.name,
		.units = desc.units,
		.has_max = *desc.max,
		.type = desc.type,
		.metric = gpuoa_set_get_metric(set, index),
	};
}

/* Make the column of an information item. In a row, information items come after the metrics. */
static struct column info_column(const struct gpuoa_set *set, const struct gpuoa_set_desc *set_desc,
				 size_t index)
{
	struct gpuoa_info_desc desc;

	gpuoa_info_describe(gpuoa_set_get_info(set, index), &desc, sizeof(desc));
	return (struct column){
		.index = set_desc->metric_count + index,
		.is_info = true,
		.symbol = desc.symbol,
		.name = desc.name,
		.units = desc.units,
		.type = GPUOA_TYPE_UINT64,
	};
}

static void select_available(struct columns *columns, const struct gpuoa_set *set,
			     const struct gpuoa_constants *constants, size_t metric_count)
{
	for (size_t i = 0; i < metric_count; i++)
		if (gpuoa_metric_available(gpuoa_set_get_metric(set, i), constants, NULL, 0) != 0)
			columns->list[columns->count++] = metric_column(set, i);
}

/* Find the column of a metric or an information item. */
static bool find_column(struct column *column, const struct gpuoa_set *set,
			const struct gpuoa_set_desc *desc, const char *symbol)
{
	for (size_t i = 0; i < desc->metric_count + desc->info_count; i++) {
		*column = i < desc->metric_count ? metric_column(set, i) :
						   info_column(set, desc, i - desc->metric_count);
		if (!strcmp(column->symbol, symbol))
			return true;
	}
	return false;
}

static bool is_repeated(const struct columns *columns, const struct column *column)
{
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i].index == column->index)
			return true;
	return false;
}

static void check_available(struct column *column, const struct tool *tool,
			    const struct gpuoa_set *set, const struct gpuoa_constants *constants)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, column->symbol);
	char why[256];

	if (!metric || gpuoa_metric_available(metric, constants, why, sizeof(why)) != 0)
		return;
	column->absent = true;
	note(tool, "no value for %s: %s", column->symbol, why);
}

/* Return whether an entry of -m is a shell pattern. */
static bool is_pattern(const char *symbol)
{
	return strpbrk(symbol, "*?[");
}

/* Return a symbol that matches @pattern if case is ignored, for the error message; NULL: none. */
static const char *match_other_case(const struct columns_scope *scopes, size_t count,
				    const char *pattern)
{
	struct gpuoa_set_desc desc;

	for (size_t k = 0; k < count; k++) {
		gpuoa_set_describe(scopes[k].set, &desc, sizeof(desc));
		for (size_t i = 0; i < desc.metric_count; i++) {
			const char *symbol = metric_column(scopes[k].set, i).symbol;

			if (!fnmatch(pattern, symbol, FNM_CASEFOLD))
				return symbol;
		}
	}
	return NULL;
}

/* Print the error that no metric of the sets matches a pattern. */
static int fail_pattern(const struct columns_scope *scopes, size_t count, const char *pattern)
{
	const char *other = match_other_case(scopes, count, pattern);
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(scopes[0].set, &desc, sizeof(desc));
	return fail(
		"%s: cannot use -m '%s': no metric matches%s%s%s; see 'gpuoa list metrics -s %s'",
		desc.symbol, pattern, other ? " (case matters: there is '" : "", other ? other : "",
		other ? "')" : "", desc.symbol);
}

/* Print the error that no set has this metric. @infos: information items were searched also */
static int fail_symbol(const struct columns_scope *scopes, size_t count, const char *symbol,
		       bool infos)
{
	struct suggestion suggestion = suggest_begin(symbol);
	struct gpuoa_set_desc desc;

	for (size_t k = 0; k < count; k++) {
		gpuoa_set_describe(scopes[k].set, &desc, sizeof(desc));
		for (size_t i = 0; i < desc.metric_count; i++)
			suggest_offer(&suggestion, metric_column(scopes[k].set, i).symbol);
		for (size_t i = 0; infos && i < desc.info_count; i++)
			suggest_offer(&suggestion, info_column(scopes[k].set, &desc, i).symbol);
	}
	gpuoa_set_describe(scopes[0].set, &desc, sizeof(desc));
	return fail("%s has no metric '%s'" SUGGEST_FORMAT "See 'gpuoa list metrics -s %s'",
		    desc.symbol, symbol, SUGGEST_ARGS(suggestion), desc.symbol);
}

/* Number of metrics of a set that match a pattern */
struct match {
	size_t all;
	size_t available; /* on the GPU */
};

/*
 * Match a pattern against the metrics of a set, and add the matching ones that are available to
 * @columns unless they are already selected. @columns may be NULL. Patterns do not match
 * information items.
 */
static struct match match_pattern(struct columns *columns, const struct columns_scope *scope,
				  const char *pattern)
{
	struct match match = { 0 };
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(scope->set, &desc, sizeof(desc));
	for (size_t i = 0; i < desc.metric_count; i++) {
		const struct column column = metric_column(scope->set, i);

		if (fnmatch(pattern, column.symbol, 0))
			continue;
		match.all++;
		if (!gpuoa_metric_available(column.metric, scope->constants, NULL, 0))
			continue;
		match.available++;
		if (columns && !is_repeated(columns, &column))
			columns->list[columns->count++] = column;
	}
	return match;
}

/* Check that a pattern matches at least one available metric. Returns an exit code. */
static int check_match(struct match match, const struct columns_scope *scopes, size_t count,
		       const char *pattern)
{
	struct gpuoa_set_desc desc;

	if (match.available)
		return EXIT_OK;
	if (!match.all)
		return fail_pattern(scopes, count, pattern);
	gpuoa_set_describe(scopes[0].set, &desc, sizeof(desc));
	return fail("%s: cannot use -m '%s': this GPU has none of the %zu metrics that match",
		    desc.symbol, pattern, match.all);
}

static int select_symbol(struct columns *columns, const struct tool *tool,
			 const struct columns_scope *scope, const char *symbol, bool patterns)
{
	struct column *column = &columns->list[columns->count];
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(scope->set, &desc, sizeof(desc));
	if (!find_column(column, scope->set, &desc, symbol))
		return fail_symbol(scope, 1, symbol, true);
	if (is_repeated(columns, column))
		return patterns ? EXIT_OK : usage(tool, "-m names %s twice", symbol);
	check_available(column, tool, scope->set, scope->constants);
	columns->count++;
	return EXIT_OK;
}

static int select_wanted(struct columns *columns, const struct tool *tool,
			 const struct columns_scope *scope, char *wanted)
{
	const bool patterns = is_pattern(wanted);
	char *rest, *symbol;
	int ret = EXIT_OK;

	for (symbol = strtok_r(wanted, ",", &rest); symbol && !ret;
	     symbol = strtok_r(NULL, ",", &rest))
		ret = is_pattern(symbol) ?
			      check_match(match_pattern(columns, scope, symbol), scope, 1, symbol) :
			      select_symbol(columns, tool, scope, symbol, patterns);
	if (ret)
		return ret;
	return columns->count ? EXIT_OK : usage(tool, "-m names no metric");
}

/*
 * Check one entry of the list that the user gave. If no unit has the metric that the entry names,
 * print a note with the reason.
 */
static int check_entry(const struct tool *tool, const struct columns_scope *scopes, size_t count,
		       const char *entry)
{
	const struct columns_scope *known = NULL;
	struct match sum = { 0 };
	struct column column;

	for (size_t i = 0; i < count && is_pattern(entry); i++) {
		const struct match match = match_pattern(NULL, &scopes[i], entry);

		sum.all += match.all;
		sum.available += match.available;
	}
	if (is_pattern(entry))
		return check_match(sum, scopes, count, entry);
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_metric *metric = gpuoa_set_find_metric(scopes[i].set, entry);

		if (!metric)
			continue;
		if (gpuoa_metric_available(metric, scopes[i].constants, NULL, 0))
			return EXIT_OK;
		known = &scopes[i];
	}
	if (!known)
		return fail_symbol(scopes, count, entry, false);
	column = (struct column){ .symbol = entry };
	check_available(&column, tool, known->set, known->constants);
	return EXIT_OK;
}

int columns_check(const struct tool *tool, const struct columns_scope *scopes, size_t count,
		  const char *wanted)
{
	char *copy = strdup(wanted), *rest, *entry;
	int ret = EXIT_OK;

	if (!copy)
		return fail("out of memory");
	entry = strtok_r(copy, ",", &rest);
	if (!entry)
		ret = usage(tool, "-m names no metric");
	for (; entry && !ret; entry = strtok_r(NULL, ",", &rest))
		ret = check_entry(tool, scopes, count, entry);
	free(copy);
	return ret;
}

bool columns_match(const char *wanted, const char *symbol)
{
	char *copy = wanted ? strdup(wanted) : NULL;
	bool matches = !copy;
	char *rest, *one;

	for (one = copy ? strtok_r(copy, ",", &rest) : NULL; one && !matches;
	     one = strtok_r(NULL, ",", &rest))
		matches = !fnmatch(one, symbol, 0);
	free(copy);
	return matches;
}

int columns_select(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants, const char *wanted)
{
	const struct columns_scope scope = { set, constants };
	struct gpuoa_set_desc desc;
	char *copy;
	int ret;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	columns->count = 0;
	columns->list = calloc(desc.metric_count + desc.info_count + 1, sizeof(*columns->list));
	if (!columns->list)
		return fail("out of memory");
	if (!wanted) {
		select_available(columns, set, constants, desc.metric_count);
		return EXIT_OK;
	}
	copy = strdup(wanted);
	ret = copy ? select_wanted(columns, tool, &scope, copy) : fail("out of memory");
	free(copy);
	if (ret)
		columns_free(columns);
	return ret;
}

/*
 * Return whether reports with this mask contain what a column needs. Information items need only
 * the report header, which is always stored.
 */
static bool is_kept(const struct column *column, const struct gpuoa_set *set, uint32_t format,
		    const uint64_t *dword_mask)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, column->symbol);

	return !metric || gpuoa_metric_in_dword_mask(metric, format, dword_mask);
}

void columns_thin(struct columns *columns, const struct tool *tool, const struct gpuoa_set *set,
		  uint32_t format, const uint64_t *dword_mask, bool wanted)
{
	size_t count = 0;

	for (size_t i = 0; i < columns->count; i++) {
		struct column *column = &columns->list[i];
		const bool kept = is_kept(column, set, format, dword_mask);

		if (!kept && wanted && !column->absent) {
			note(tool, "no value for %s: it was recorded without its counters",
			     column->symbol);
			column->absent = true;
		}
		if (kept || wanted)
			columns->list[count++] = *column;
	}
	columns->count = count;
}

int columns_keep(const struct tool *tool, const struct gpuoa_set *set,
		 const struct gpuoa_constants *constants, const char *wanted, uint64_t *dword_mask)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_set_desc desc;
	struct columns columns;
	int ret;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	ret = columns_select(&columns, tool, set, constants, wanted);
	if (ret)
		return ret;
	for (size_t i = 0; i < columns.count && !ret; i++) {
		metric = gpuoa_set_find_metric(set, columns.list[i].symbol);
		/*
		 * Skip information items: they need only the report header, which is always stored.
		 */
		if (metric && gpuoa_metric_dword_mask(metric, desc.format, dword_mask))
			ret = fail("reports in format %s do not have all counters of %s",
				   desc.format_name, columns.list[i].symbol);
	}
	columns_free(&columns);
	return ret;
}

void columns_free(struct columns *columns)
{
	free(columns->list);
	columns->list = NULL;
}

struct field column_field(const struct column *column, const union gpuoa_value *row)
{
	const union gpuoa_value *value = &row[column->index];
	struct field field = { .name = column->symbol };

	if (column->absent)
		return field;
	if (column->type == GPUOA_TYPE_FLOAT) {
		field.kind = FIELD_FLOAT;
		field.real = value->f32;
	} else {
		field.kind = FIELD_NUMBER;
		field.number = value->u64;
	}
	return field;
}
