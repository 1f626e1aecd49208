// SPDX-License-Identifier: MIT
/*
 * draw.c - draw the screen, from the title to the key hints
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profile/reasons.h"
#include "top/cell_text.h"
#include "top/draw.h"

#define BAR_COLUMNS 100 /* maximum width of a bar */

/* Draw a text and wrap it between words. Returns the number of rows used. */
static int draw_paragraph(int row, int end, enum style style, const char *text)
{
	const int width = screen_columns() - 2;
	int rows = 0;

	while (*text && row < end) {
		size_t length = strlen(text);

		if (length > (size_t)width) {
			for (length = (size_t)width; length && text[length] != ' '; length--)
				;
			if (!length)
				length = (size_t)width;
		}
		screen_print(row, 1, width, style, "%.*s", (int)length, text);
		text += length;
		text += strspn(text, " ");
		row++;
		rows++;
	}
	return rows;
}

/* Draw a bar with its background. */
static void draw_bar(const struct top *top, int row, int column, int width, enum style style,
		     double fraction)
{
	char text[TEXT_SIZE(BAR_COLUMNS)];

	if (isnan(fraction))
		return;
	if (width > BAR_COLUMNS)
		width = BAR_COLUMNS;
	for (int i = 0; i < width; i++)
		screen_text(row, column + i, 1, STYLE_TRACK, top->blocks ? "─" : ".");
	text_of_bar(text, fraction, (size_t)width, top->blocks);
	screen_text(row, column, width, style, text);
}

/* Draw a graph of past values. */
static void draw_history(const struct top *top, int row, int column, int width,
			 const struct history *history, double most)
{
	char text[TEXT_SIZE(HISTORY_LENGTH)];

	if (width <= 0)
		return;
	if (width > HISTORY_LENGTH)
		width = HISTORY_LENGTH;
	text_of_history(text, history, most, (size_t)width, top->blocks);
	screen_text(row, column, width, STYLE_GRAPH, text);
}

#define NAME_COLUMNS 10
#define PARTS 3 /* the list of units takes at most 1/PARTS of the screen's rows */
#define WIDE 104 /* minimum screen width for two separate columns for read and write */
/* maximum width of the names of GPU and set, so that the values are close to them */
#define NAMES_MAX 70

/* A column of the list */
struct column_of_units {
	const char *heading;
	int width;
	enum role role;
	enum role other; /* another role, whose value is added; ROLE_NONE: none */
	bool wide; /* true: the column is on wide screens only; false: on narrow screens only */
	bool always;
};

static const struct column_of_units columns[] = {
	{ "BUSY", 7, ROLE_BUSY, ROLE_NONE, false, true },
	{ "EU ACT", 8, ROLE_ACTIVE, ROLE_NONE, false, true },
	{ "STALL", 7, ROLE_STALL, ROLE_NONE, false, true },
	{ "CLOCK", 10, ROLE_FREQUENCY, ROLE_NONE, false, true },
	{ "MEMORY", 10, ROLE_READ, ROLE_WRITE, false, false },
	{ "READ", 11, ROLE_READ, ROLE_NONE, true, false },
	{ "WRITE", 11, ROLE_WRITE, ROLE_NONE, true, false },
};

#define UNIT_COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static bool is_unit_column_shown(const struct column_of_units *column)
{
	return column->always || column->wide == (screen_columns() >= WIDE);
}

static int values_width(void)
{
	int width = 0;

	for (size_t i = 0; i < UNIT_COLUMN_COUNT; i++)
		width += is_unit_column_shown(&columns[i]) ? columns[i].width : 0;
	return width;
}

/*
 * Return the width for the name of the GPU. It is less than half of the width for both names,
 * because the name of a set is longer.
 */
static int gpu_columns(int names)
{
	return names * 9 / 20;
}

static double role_value(const struct watch *watch, enum role role)
{
	if (role == ROLE_NONE || watch->roles[role] == WATCH_NO_METRIC)
		return NAN;
	return watched_shown(watch, &watch->metrics[watch->roles[role]]);
}

static void draw_values(const struct watch *watch, int row, int column, enum style style)
{
	for (size_t i = 0; i < UNIT_COLUMN_COUNT; i++) {
		const struct column_of_units *one = &columns[i];
		const struct watched *metric;
		char text[32] = "-";
		double value, other;

		if (!is_unit_column_shown(one))
			continue;
		if (watch->roles[one->role] != WATCH_NO_METRIC) {
			metric = &watch->metrics[watch->roles[one->role]];
			value = role_value(watch, one->role);
			other = role_value(watch, one->other);
			text_of_value(text, sizeof(text), isnan(other) ? value : value + other,
				      &metric->units, metric->rate);
		}
		screen_right(row, column, one->width, style, text);
		column += one->width;
	}
}

static void draw_one(const struct top *top, size_t index, int row, int names)
{
	const struct watch *watch = top->watches->list[index];
	const bool chosen = index == top->unit;
	const enum style style = chosen ? STYLE_CHOSEN : STYLE_PLAIN;
	const int column = NAME_COLUMNS + names;

	screen_row(row, style);
	screen_print(row, 0, NAME_COLUMNS, style, "%c%s", chosen ? '>' : ' ', watch->name);
	if (watch->platform)
		screen_text(row, NAME_COLUMNS, gpu_columns(names) - 1, style,
			    gpuoa_platform_title(watch->platform));
	if (watch->state != WATCH_LIVE) {
		screen_text(row, NAME_COLUMNS + gpu_columns(names), screen_columns(), style,
			    watch->state == WATCH_GONE ? "unplugged: waiting for it" :
							 "cannot be measured: see below");
		return;
	}
	screen_text(row, NAME_COLUMNS + gpu_columns(names), names - gpu_columns(names), style,
		    watch->set_desc.symbol);
	draw_values(watch, row, column, style);
}

/* Draw the list of units from @row on, with one line per unit. Returns the number of rows used. */
static int draw_units(const struct top *top, int row)
{
	const int room = screen_columns() - 1 - NAME_COLUMNS - values_width();
	const int names = room < NAMES_MAX ? room : NAMES_MAX;
	const int most = screen_rows() / PARTS > 1 ? screen_rows() / PARTS - 1 : 1;
	const int count = (int)top->watches->count < most ? (int)top->watches->count : most;
	int column = NAME_COLUMNS + names;
	size_t first = 0;

	if (top->unit >= (size_t)count)
		first = top->unit - (size_t)count + 1;
	screen_text(row, 1, NAME_COLUMNS, STYLE_STRONG, "UNIT");
	screen_text(row, NAME_COLUMNS, names, STYLE_STRONG, "GPU");
	screen_text(row, NAME_COLUMNS + gpu_columns(names), names, STYLE_STRONG, "SET");
	for (size_t i = 0; i < UNIT_COLUMN_COUNT; i++) {
		if (!is_unit_column_shown(&columns[i]))
			continue;
		screen_right(row, column, columns[i].width, STYLE_STRONG, columns[i].heading);
		column += columns[i].width;
	}
	for (int i = 0; i < count; i++)
		draw_one(top, first + (size_t)i, row + 1 + i, names);
	return 1 + count;
}

#define VALUE_COLUMNS 11
#define TABLE_ROWS_MIN 3
#define GROUP_WIDTH 120 /* minimum screen width at which groups are shown */

static const char *const order_names[ORDER_COUNT] = { "hottest first", "as in the set", "by name" };

/* The screen columns at which the parts of a line begin */
struct line {
	int name;
	int value;
	int bar;
	int bar_width;
	int history;
	int history_width;
	int group;
	int group_width;
};

static struct line lay_out(void)
{
	const int columns = screen_columns();
	const int group = columns >= GROUP_WIDTH ? 28 : 0;
	const int name = columns / 3 < 44 ? columns / 3 : 44;
	const int rest = columns - 1 - name - VALUE_COLUMNS - 2 - group;
	const int bar = rest * 2 / 5;

	return (struct line){
		.name = name,
		.value = 1 + name,
		.bar = 1 + name + VALUE_COLUMNS + 1,
		.bar_width = bar,
		.history = 1 + name + VALUE_COLUMNS + 1 + bar + 1,
		.history_width = rest - bar - 1,
		.group = columns - group,
		.group_width = group,
	};
}

static enum style style_of(enum gpuoa_watermark_level mark)
{
	switch (mark) {
	case GPUOA_WATERMARK_LOW:
		return STYLE_LOW;
	case GPUOA_WATERMARK_MEDIUM:
		return STYLE_MEDIUM;
	case GPUOA_WATERMARK_HIGH:
		return STYLE_HIGH;
	default:
		return STYLE_BAR;
	}
}

/* Return a character that shows a watermark level without colours. */
static const char *glyph_of(enum gpuoa_watermark_level mark)
{
	return mark == GPUOA_WATERMARK_HIGH ? "!" : mark == GPUOA_WATERMARK_MEDIUM ? "+" : "";
}

/*
 * Return the value at the top of a graph: the largest possible value, otherwise the largest value
 * shown.
 */
static double top_of(const struct watched *metric, size_t width)
{
	if (metric->units.relative && metric->max > 0)
		return metric->max;
	if (metric->units.quantity == GPUOA_QUANTITY_FREQUENCY && metric->max > 0)
		return metric->max;
	return history_peak(&metric->history, width);
}

static void draw_metric(const struct top *top, const struct watch *watch, size_t index, int row)
{
	const struct watched *metric = &watch->metrics[index];
	const struct line line = lay_out();
	const enum style mark = style_of(metric->mark);
	enum style style = STYLE_PLAIN;
	char text[32];

	if (metric->mark >= GPUOA_WATERMARK_MEDIUM)
		style = mark;
	text_of_value(text, sizeof(text), watched_shown(watch, metric), &metric->units,
		      metric->rate);
	screen_text(row, 1, line.name - 1, style, metric->desc.name);
	screen_right(row, line.value, VALUE_COLUMNS, style, text);
	screen_text(row, line.bar - 1, 1, style, glyph_of(metric->mark));
	draw_bar(top, row, line.bar, line.bar_width, mark, watched_fraction(metric));
	draw_history(top, row, line.history, line.history_width, &metric->history,
		     top_of(metric, (size_t)line.history_width));
	if (line.group_width)
		screen_text(row, line.group, line.group_width - 1, STYLE_FAINT, metric->desc.group);
	if (index == top->metric)
		screen_text(row, 0, 1, STYLE_STRONG, ">");
}

/* Draw the name of the unit's set, and the part of the interval that reports cover. */
static void draw_heading(const struct watch *watch, int row)
{
	char right[96] = "";

	if (watch->lost || watch->lost_unknown)
		snprintf(right, sizeof(right), "%" PRIu64 "%s reports lost ", watch->lost,
			 watch->lost_unknown ? " and more" : "");
	else if (watch->known && !(watch->seconds > 0))
		snprintf(right, sizeof(right), "no report in this interval ");
	screen_print(row, 1, screen_columns() - 2, STYLE_STRONG, "%s: %s%s%s", watch->name,
		     watch->set_desc.name, *watch->problem ? "   ! " : "", watch->problem);
	screen_right(row, 0, screen_columns(), STYLE_HIGH, right);
}

static int draw_roles(const struct top *top, const struct watch *watch, int row, int end)
{
	const int begin = row;

	for (int role = 0; role < ROLE_COUNT && row < end - TABLE_ROWS_MIN; role++)
		if (watch->roles[role] != WATCH_NO_METRIC)
			draw_metric(top, watch, watch->roles[role], row++);
	return row - begin;
}

static void draw_table_heading(const struct top *top, int row, size_t count)
{
	const struct line line = lay_out();

	screen_row(row, STYLE_HEAD);
	screen_print(row, 1, line.name + 4, STYLE_HEAD, "%zu MORE, %s", count,
		     order_names[top->order]);
	screen_right(row, line.value, VALUE_COLUMNS, STYLE_HEAD, "VALUE");
	screen_text(row, line.bar, line.bar_width, STYLE_HEAD, "OF MAXIMUM");
	screen_right(row, line.history, line.history_width, STYLE_HEAD, "UNTIL NOW");
	if (line.group_width)
		screen_text(row, line.group, line.group_width - 1, STYLE_HEAD, "GROUP");
}

static void draw_table(struct top *top, const struct watch *watch, int row, int end)
{
	size_t *order = calloc(watch->metric_count + 1, sizeof(*order));
	size_t count;

	if (!order)
		return;
	count = top_order(top, watch, order);
	draw_table_heading(top, row++, count);
	top->rows = row < end ? (size_t)(end - row) : 0;
	if (top->first + top->rows > count)
		top->first = count > top->rows ? count - top->rows : 0;
	for (size_t i = 0; i < top->rows && top->first + i < count; i++)
		draw_metric(top, watch, order[top->first + i], row + (int)i);
	free(order);
}

/* Draw the description of the selected metric. */
static int draw_description(const struct top *top, const struct watch *watch, int end)
{
	const struct watched *metric;
	char text[512];

	if (top->metric >= watch->metric_count)
		return 0;
	metric = &watch->metrics[top->metric];
	snprintf(text, sizeof(text), "%s: %s", metric->desc.symbol, metric->desc.description);
	draw_paragraph(end - 2, end, STYLE_PLAIN, text);
	return 2;
}

/*
 * Draw the metrics of the selected unit in rows @row to @end - 1. The other views have the same
 * parameters.
 */
static void draw_metrics(struct top *top, const struct watch *watch, int row, int end)
{
	draw_heading(watch, row++);
	end -= draw_description(top, watch, end);
	row += draw_roles(top, watch, row, end);
	draw_table(top, watch, row, end);
}

#define ID_COLUMNS 11
#define OWNER_COLUMNS 17 /* width of the owner, which is left out if no owner is known */
#define SHARE_COLUMNS 8
#define ROLE_COLUMNS 10

static const struct {
	enum role role;
	const char *heading;
} context_columns[] = {
	{ ROLE_ACTIVE, "EU ACT" }, { ROLE_STALL, "STALL" }, { ROLE_OCCUPANCY, "THREADS" },
	{ ROLE_READ, "READ" },	   { ROLE_WRITE, "WRITE" },
};

#define CONTEXT_COLUMN_COUNT (sizeof(context_columns) / sizeof(context_columns[0]))

/* Compare contexts by the time that they ran, longest first. */
static int compare_contexts(const void *left, const void *right)
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

/* Return the screen column at which the shares are drawn. */
static int share_column(const struct watch *watch)
{
	return ID_COLUMNS + (any_owned(&watch->contexts) ? OWNER_COLUMNS : 0);
}

static bool is_context_column_shown(const struct watch *watch, size_t column, int at)
{
	return watch->roles[context_columns[column].role] != WATCH_NO_METRIC &&
	       at + ROLE_COLUMNS < screen_columns() - 8;
}

/*
 * Draw the value of a role while a context ran. A rate is per second of the whole interval, so that
 * the rates of all contexts can be added.
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
	for (size_t i = 0; i < CONTEXT_COLUMN_COUNT; i++) {
		if (!is_context_column_shown(watch, i, column))
			continue;
		draw_value(watch, context, context_columns[i].role, row, column);
		column += ROLE_COLUMNS;
	}
	draw_history(top, row, column + 1, screen_columns() - column - 2, &context->history, 100);
}

static void draw_context_heading(const struct watch *watch, int row)
{
	const int share = share_column(watch);
	int column = share + SHARE_COLUMNS;

	screen_row(row, STYLE_HEAD);
	screen_text(row, 1, ID_COLUMNS, STYLE_HEAD, "CONTEXT");
	if (share > ID_COLUMNS)
		screen_text(row, ID_COLUMNS + 1, OWNER_COLUMNS - 1, STYLE_HEAD, "PROGRAM");
	screen_text(row, share, SHARE_COLUMNS, STYLE_HEAD, "   TIME");
	for (size_t i = 0; i < CONTEXT_COLUMN_COUNT; i++) {
		if (!is_context_column_shown(watch, i, column))
			continue;
		screen_right(row, column, ROLE_COLUMNS, STYLE_HEAD, context_columns[i].heading);
		column += ROLE_COLUMNS;
	}
	screen_right(row, column + 1, screen_columns() - column - 2, STYLE_HEAD, "UNTIL NOW");
}

static void draw_contexts(const struct top *top, const struct watch *watch, int row, int end)
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
	qsort(list, contexts->count, sizeof(list[0]), compare_contexts);
	draw_context_heading(watch, row++);
	for (size_t i = 0; i < contexts->count && row < end; i++)
		draw_context(top, watch, list[i], row++);
	if (contexts->full && row < end)
		screen_text(row, 1, screen_columns() - 1, STYLE_FAINT, "and more");
}

#define REASON_COLUMNS 13
#define SHARE_OF_ALL_COLUMNS 8
#define TITLE_COLUMNS 34 /* width of the meaning of a reason, on wide screens only */

static void draw_reason(const struct top *top, unsigned int reason, int row)
{
	const struct stalls *stalls = &top->stalls;
	const double share = profile_percent(stalls->counts[reason], stalls->total);
	const int at = 1 + REASON_COLUMNS + SHARE_OF_ALL_COLUMNS + 1;
	const int title = screen_columns() >= WIDE ? TITLE_COLUMNS : 0;
	const int bar = (screen_columns() - at - title) * 2 / 5;
	struct gpuoa_stall_reason_desc desc;
	char text[16];

	gpuoa_stall_describe_reason(reason, &desc, sizeof(desc));
	snprintf(text, sizeof(text), "%.1f %%", share);
	screen_text(row, 1, REASON_COLUMNS, STYLE_PLAIN, desc.name);
	screen_right(row, 1 + REASON_COLUMNS, SHARE_OF_ALL_COLUMNS, STYLE_STRONG, text);
	draw_bar(top, row, at, bar, STYLE_BAR, share / 100);
	draw_history(top, row, at + bar + 1, screen_columns() - at - bar - 2 - title,
		     &stalls->histories[reason], 100);
	if (title)
		screen_text(row, screen_columns() - title, title - 1, STYLE_FAINT, desc.title);
}

#define KERNEL_COLUMN (1 + REASON_COLUMNS + SHARE_OF_ALL_COLUMNS + 1)

/* Return the width of the column of kernels; 0: there is none. */
static int kernel_columns(const struct stalls *stalls)
{
	return stalls->kernels ? (screen_columns() - KERNEL_COLUMN) / 2 : 0;
}

/*
 * Draw an instruction: its address, its part of all samples, its kernel if any is known, and its
 * most frequent reasons.
 */
static void draw_place(const struct stalls *stalls, const struct profile_place *place, int row)
{
	const int columns = kernel_columns(stalls);
	char share[16], reasons[REASONS_TEXT], kernel[256];

	reasons_text(reasons, place->counts, place->total, true);
	stalls_place_text(place, kernel, sizeof(kernel));
	snprintf(share, sizeof(share), "%.1f %%", profile_percent(place->total, stalls->total));
	screen_print(row, 1, REASON_COLUMNS, STYLE_PLAIN, "0x%08" PRIx64, place->address);
	screen_right(row, 1 + REASON_COLUMNS, SHARE_OF_ALL_COLUMNS, STYLE_STRONG, share);
	if (columns)
		screen_text(row, KERNEL_COLUMN, columns - 1, STYLE_PLAIN, kernel);
	screen_text(row, KERNEL_COLUMN + columns, screen_columns(), STYLE_PLAIN, reasons);
}

static void draw_stalls(const struct top *top, const struct watch *watch, int row, int end)
{
	const struct stalls *stalls = &top->stalls;
	char right[64] = "";

	if (stalls->lost)
		snprintf(right, sizeof(right), "records lost %" PRIu32 " times ", stalls->lost);
	screen_print(row, 1, screen_columns() - 2, STYLE_STRONG, "%s: EU stalls of %s", watch->name,
		     stalls->device);
	screen_right(row++, 0, screen_columns(), STYLE_HIGH, right);
	if (*stalls->problem) {
		draw_paragraph(row + 1, end, STYLE_PLAIN, stalls->problem);
		return;
	}
	if (!stalls->known || !stalls->total) {
		draw_paragraph(row + 1, end, STYLE_PLAIN,
			       stalls->known ? "No samples: no program ran on the EUs." :
					       "Sampling.");
		return;
	}
	screen_row(row, STYLE_HEAD);
	screen_text(row, 1, screen_columns(), STYLE_HEAD, "REASON");
	screen_right(row, 1 + REASON_COLUMNS, SHARE_OF_ALL_COLUMNS, STYLE_HEAD, "SAMPLES");
	screen_right(row++, 0, screen_columns() - 1, STYLE_HEAD, "UNTIL NOW");
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT && row < end; k++)
		if (history_peak(&stalls->histories[k], HISTORY_LENGTH) > 0)
			draw_reason(top, k, row++);
	if (row + 1 >= end)
		return;
	screen_row(row, STYLE_HEAD);
	screen_text(row, 1, screen_columns(), STYLE_HEAD, "INSTRUCTION");
	screen_right(row, 1 + REASON_COLUMNS, SHARE_OF_ALL_COLUMNS, STYLE_HEAD, "SAMPLES");
	if (stalls->kernels)
		screen_text(row, KERNEL_COLUMN, screen_columns(), STYLE_HEAD, "KERNEL");
	screen_text(row++, KERNEL_COLUMN + kernel_columns(stalls), screen_columns(), STYLE_HEAD,
		    "REASONS");
	for (size_t i = 0; i < stalls->place_count && row < end; i++)
		draw_place(stalls, &stalls->places[i], row++);
}

#define SYMBOL_COLUMNS 34

static void draw_set(const struct watch *watch, const struct gpuoa_set *set, int row, bool chosen)
{
	const enum style style = chosen ? STYLE_CHOSEN : STYLE_PLAIN;
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	screen_row(row, style);
	screen_print(row, 0, SYMBOL_COLUMNS - 1, style, "%c%s", set == watch->set ? '*' : ' ',
		     desc.symbol);
	screen_print(row, SYMBOL_COLUMNS, screen_columns() - SYMBOL_COLUMNS, style,
		     "%3zu metrics  %s", desc.metric_count, desc.name);
}

static void draw_sets(struct top *top, const struct watch *watch, int row, int end)
{
	const struct gpuoa_set *set;
	size_t first;

	screen_print(row++, 1, screen_columns() - 2, STYLE_STRONG, "Sets of %s. Search: %s_",
		     watch->name, top->filter);
	top->rows = row < end ? (size_t)(end - row) : 1;
	first = top->choice < top->rows ? 0 : top->choice - top->rows + 1;
	for (size_t i = first; row < end && (set = top_choice(top, i)); i++)
		draw_set(watch, set, row++, i == top->choice);
	if (!top_choice(top, 0) && row < end)
		screen_text(row, 1, screen_columns() - 1, STYLE_PLAIN, "None fits.");
}

static void draw_help(int row, int end)
{
	static const char *const lines[] = {
		"Tab, left, right   another unit",
		"s                  measure another metric set of this unit",
		"o                  order of metrics: hottest first, as in the set, by name",
		"up, down           select a metric and describe it below; Esc: none",
		"c                  contexts of the GPU; c again: metrics",
		"e                  EU stalls of the GPU, sampled while shown; e again: metrics",
		"space              pause the display",
		"+ -                longer, shorter interval",
		"Ctrl-L             redraw the screen",
		"q, Ctrl-C          quit",
		"",
		"Values are of the last interval: rates of counts, and means over time of shares.",
		"Bars are parts of the largest possible value, graphs one interval per column.",
		"With watermarks: green, orange and + (likely a hotspot), red and ! (certain);",
		"the hottest come first, and others by how near they are to their maximum.",
	};

	screen_text(row++, 1, screen_columns() - 1, STYLE_STRONG, "Keys");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]) && row < end; i++)
		screen_text(row++, 1, screen_columns() - 1, STYLE_PLAIN, lines[i]);
}

static void draw_title(const struct top *top)
{
	const time_t now = time(NULL);
	char clock[16] = "", right[64];
	struct tm local;

	if (localtime_r(&now, &local))
		strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	screen_row(0, STYLE_TITLE);
	screen_print(0, 1, screen_columns(), STYLE_TITLE, "gpuoa top   every %g s   %zu unit%s",
		     top->interval_ms / 1000.0, top->watches->count,
		     top->watches->count == 1 ? "" : "s");
	snprintf(right, sizeof(right), "%s %s ", top->paused ? "[paused]  " : "", clock);
	screen_right(0, 0, screen_columns(), STYLE_TITLE, right);
}

static void draw_keys(const struct top *top, int row)
{
	static const char *const keys[] = {
		[VIEW_METRICS] =
			"q quit  ? help  Tab unit  s set  o order  c contexts  e stalls  space pause",
		[VIEW_CONTEXTS] =
			"q quit  ? help  Tab unit  s set  c metrics  space pause  +/- interval",
		[VIEW_STALLS] = "q quit  ? help  Tab unit  e metrics  space pause  +/- interval",
		[VIEW_SETS] = "Enter choose  Esc back  letters search",
		[VIEW_HELP] = "q quit  any other key back",
	};

	screen_row(row, STYLE_TITLE);
	screen_text(row, 1, screen_columns() - 1, STYLE_TITLE, keys[top->view]);
}

/* Print the reason why a unit has no values. */
static void draw_problem(const struct watch *watch, int row, int end)
{
	row += 1 + draw_paragraph(row + 1, end, STYLE_STRONG, watch->problem);
	if (watch->state == WATCH_GONE)
		draw_paragraph(row + 1, end, STYLE_PLAIN,
			       "Its values return when the GPU does. Other units continue.");
	else
		draw_paragraph(row + 1, end, STYLE_PLAIN,
			       "It is tried again every second. 'gpuoa doctor' reports what "
			       "measuring takes.");
}

static void draw_unit(struct top *top, int row, int end)
{
	const struct watch *watch = top_watch(top);

	if (!watch || top->view == VIEW_HELP)
		draw_help(row, end);
	else if (top->view == VIEW_SETS && watch->platform)
		draw_sets(top, watch, row, end);
	else if (top->view == VIEW_STALLS)
		draw_stalls(top, watch, row, end);
	else if (watch->state != WATCH_LIVE)
		draw_problem(watch, row, end);
	else if (top->view == VIEW_CONTEXTS)
		draw_contexts(top, watch, row, end);
	else
		draw_metrics(top, watch, row, end);
}

void draw(struct top *top)
{
	const int rows = screen_rows();

	screen_begin();
	if (rows < DRAW_ROWS_MIN || screen_columns() < DRAW_COLUMNS_MIN) {
		screen_print(0, 0, screen_columns(), STYLE_PLAIN, "at least %dx%d",
			     DRAW_COLUMNS_MIN, DRAW_ROWS_MIN);
	} else {
		draw_title(top);
		draw_unit(top, 1 + draw_units(top, 1), rows - 1);
		draw_keys(top, rows - 1);
	}
	screen_end();
}
