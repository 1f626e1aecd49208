// SPDX-License-Identifier: MIT
/*
 * draw_units.c - the list of units: one line each, with the values of the roles
 */
#include <math.h>
#include <stdio.h>

#include "top/draw_parts.h"
#include "top/text.h"

#define NAME_COLUMNS 10
#define PARTS 3 /* units use at most 1/PARTS of the screen's rows */
#define WIDE 104 /* minimum width for separate columns for read and write */
#define NAMES_MAX 70 /* maximum width of GPU and set, to keep the values close */

/* A column of the list */
struct column_of_units {
	const char *heading;
	int width;
	enum role role;
	enum role other; /* a role whose value is added; ROLE_NONE: none */
	bool wide; /* true: on wide screens only; false: on narrow screens only */
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

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static bool is_shown(const struct column_of_units *column)
{
	return column->always || column->wide == (screen_columns() >= WIDE);
}

static int values_width(void)
{
	int width = 0;

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		width += is_shown(&columns[i]) ? columns[i].width : 0;
	return width;
}

/* A GPU's name gets less space, because it is shorter than a set's. */
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
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const struct column_of_units *one = &columns[i];
		const struct watched *metric;
		char text[32] = "-";
		double value, other;

		if (!is_shown(one))
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

int draw_units(const struct top *top, int row)
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
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (!is_shown(&columns[i]))
			continue;
		screen_right(row, column, columns[i].width, STYLE_STRONG, columns[i].heading);
		column += columns[i].width;
	}
	for (int i = 0; i < count; i++)
		draw_one(top, first + (size_t)i, row + 1 + i, names);
	return 1 + count;
}
