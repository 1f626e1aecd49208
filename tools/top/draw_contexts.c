// SPDX-License-Identifier: MIT
/*
 * draw_contexts.c - the view of contexts: one line per context that has run
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "top/draw_parts.h"
#include "top/text.h"

#define ID_COLUMNS 11
#define OWNER_COLUMNS 17 /* width, if any owner is known */
#define SHARE_COLUMNS 8
#define ROLE_COLUMNS 10

static const struct {
	enum role role;
	const char *heading;
} columns[] = {
	{ ROLE_ACTIVE, "EU ACT" }, { ROLE_STALL, "STALL" }, { ROLE_OCCUPANCY, "THREADS" },
	{ ROLE_READ, "READ" },	   { ROLE_WRITE, "WRITE" },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

/* Sort by time run, longest first. */
static int compare(const void *left, const void *right)
{
	const struct context *one = *(const struct context *const *)left;
	const struct context *other = *(const struct context *const *)right;

	if (one->share > other->share || one->share < other->share)
		return one->share > other->share ? -1 : 1;
	return one->id < other->id ? -1 : one->id > other->id;
}

static bool any_owned(const struct contexts *contexts)
{
	for (size_t i = 0; i < contexts->count; i++)
		if (contexts->list[i].owned)
			return true;
	return false;
}

/* Return the column of the shares. */
static int share_column(const struct watch *watch)
{
	return ID_COLUMNS + (any_owned(&watch->contexts) ? OWNER_COLUMNS : 0);
}

static bool is_shown(const struct watch *watch, size_t column, int at)
{
	return watch->roles[columns[column].role] != WATCH_NO_METRIC &&
	       at + ROLE_COLUMNS < screen_columns() - 8;
}

/*
 * Draw a value while the context ran. Rates are per second of the whole interval, so that those of
 * all contexts add up.
 */
static void draw_value(const struct watch *watch, const struct context *context, enum role role,
		       int row, int column)
{
	const struct watched *metric = &watch->metrics[watch->roles[role]];
	double value = context->values[role];
	char text[32];

	if (metric->rate)
		value = watch->seconds > 0 ? value / watch->seconds : NAN;
	text_of_value(text, sizeof(text), value, &metric->units, metric->rate);
	screen_right(row, column, ROLE_COLUMNS, STYLE_PLAIN, text);
}

static void draw_context(const struct top *top, const struct watch *watch,
			 const struct context *context, int row)
{
	const int share = share_column(watch);
	int column = share + SHARE_COLUMNS;

	screen_print(row, 1, ID_COLUMNS, STYLE_PLAIN, "0x%" PRIx32, context->id);
	if (share > ID_COLUMNS)
		screen_text(row, ID_COLUMNS + 1, OWNER_COLUMNS - 1, STYLE_PLAIN,
			    context->owner.program);
	if (!isnan(context->share))
		screen_print(row, share, SHARE_COLUMNS, STYLE_STRONG, "%5.1f %%", context->share);
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (!is_shown(watch, i, column))
			continue;
		draw_value(watch, context, columns[i].role, row, column);
		column += ROLE_COLUMNS;
	}
	draw_history(top, row, column + 1, screen_columns() - column - 2, &context->history, 100);
}

static void draw_heading(const struct watch *watch, int row)
{
	const int share = share_column(watch);
	int column = share + SHARE_COLUMNS;

	screen_row(row, STYLE_HEAD);
	screen_text(row, 1, ID_COLUMNS, STYLE_HEAD, "CONTEXT");
	if (share > ID_COLUMNS)
		screen_text(row, ID_COLUMNS + 1, OWNER_COLUMNS - 1, STYLE_HEAD, "PROGRAM");
	screen_text(row, share, SHARE_COLUMNS, STYLE_HEAD, "   TIME");
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (!is_shown(watch, i, column))
			continue;
		screen_right(row, column, ROLE_COLUMNS, STYLE_HEAD, columns[i].heading);
		column += ROLE_COLUMNS;
	}
	screen_right(row, column + 1, screen_columns() - column - 2, STYLE_HEAD, "UNTIL NOW");
}

void draw_contexts(const struct top *top, const struct watch *watch, int row, int end)
{
	const struct context *list[CONTEXTS_MAX];
	const struct contexts *contexts = &watch->contexts;

	screen_print(row++, 1, screen_columns() - 2, STYLE_STRONG,
		     "%s: contexts of the GPU, by their hardware ids", watch->name);
	if (!contexts->told) {
		draw_paragraph(row + 1, end, STYLE_PLAIN,
			       "Reports of this unit do not have contexts. Those of gen8 "
			       "and later render units do.");
		return;
	}
	for (size_t i = 0; i < contexts->count; i++)
		list[i] = &contexts->list[i];
	qsort(list, contexts->count, sizeof(list[0]), compare);
	draw_heading(watch, row++);
	for (size_t i = 0; i < contexts->count && row < end; i++)
		draw_context(top, watch, list[i], row++);
	if (contexts->full && row < end)
		screen_text(row, 1, screen_columns() - 1, STYLE_FAINT, "and more");
}
