// SPDX-License-Identifier: MIT
/*
 * draw_sets.c - the list of a unit's sets, and the help
 */
#include <stdio.h>

#include "top/draw_parts.h"

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

void draw_sets(struct top *top, const struct watch *watch, int row, int end)
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

void draw_help(int row, int end)
{
	static const char *const lines[] = {
		"Tab, left, right   another unit",
		"s                  measure another metric set of this unit",
		"o                  order of metrics: hottest first, as in the set, by name",
		"up, down           select a metric and describe it below; Esc: none",
		"c                  contexts of the GPU; c again: metrics",
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
