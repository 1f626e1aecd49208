// SPDX-License-Identifier: MIT
/*
 * draw_metrics.c - the view of a unit's metrics: gauges of the roles, then a table of the others
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "top/draw_parts.h"
#include "top/text.h"

#define VALUE_COLUMNS 11
#define TABLE_ROWS_MIN 3
#define GROUP_WIDTH 120 /* minimum screen width to show groups */

static const char *const order_names[ORDER_COUNT] = { "hottest first", "as in the set", "by name" };

/* Columns of the parts of a line */
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

/* Markers that distinguish the levels without colours */
static const char *glyph_of(enum gpuoa_watermark_level mark)
{
	return mark == GPUOA_WATERMARK_HIGH ? "!" : mark == GPUOA_WATERMARK_MEDIUM ? "+" : "";
}

/* Return the top of a graph: the largest possible value, or the largest one shown. */
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

/* Draw the unit's set, and how much of the interval has reports. */
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

void draw_metrics(struct top *top, const struct watch *watch, int row, int end)
{
	draw_heading(watch, row++);
	end -= draw_description(top, watch, end);
	row += draw_roles(top, watch, row, end);
	draw_table(top, watch, row, end);
}
