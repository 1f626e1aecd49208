// SPDX-License-Identifier: MIT
/*
 * draw.c - the whole screen, from the title down to the line of keys
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "draw.h"
#include "text.h"

#define BAR_COLUMNS 100 /* at most */

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
			"q quit  ? help  Tab unit  s set  o order  c contexts  space pause  +/- interval",
		[VIEW_CONTEXTS] =
			"q quit  ? help  Tab unit  s set  c metrics  space pause  +/- interval",
		[VIEW_SETS] = "Enter choose  Esc back  letters search",
		[VIEW_HELP] = "any key back",
	};

	screen_row(row, STYLE_TITLE);
	screen_text(row, 1, screen_columns() - 1, STYLE_TITLE, keys[top->view]);
}

int draw_paragraph(int row, int end, enum style style, const char *text)
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

void draw_bar(const struct top *top, int row, int column, int width, enum style style,
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

void draw_history(const struct top *top, int row, int column, int width,
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

/* In place of values of a unit that has none. */
static void draw_problem(const struct watch *watch, int row, int end)
{
	row += 1 + draw_paragraph(row + 1, end, STYLE_STRONG, watch->problem);
	if (watch->state == WATCH_GONE)
		draw_paragraph(row + 1, end, STYLE_PLAIN,
			       "Its values come back when it does. Other units go on.");
	else
		draw_paragraph(row + 1, end, STYLE_PLAIN,
			       "It is tried again and again. 'gpuoa doctor' tells what "
			       "measuring takes.");
}

static void draw_unit(struct top *top, int row, int end)
{
	const struct watch *watch = top_watch(top);

	if (!watch || top->view == VIEW_HELP)
		draw_help(row, end);
	else if (top->view == VIEW_SETS && watch->platform)
		draw_sets(top, watch, row, end);
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
