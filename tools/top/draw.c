// SPDX-License-Identifier: MIT
/*
 * draw.c - drawing of the screen, from the title to the key hints
 */
#include <stdio.h>
#include <time.h>

#include "top/draw.h"
#include "top/draw_parts.h"

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
		[VIEW_HELP] = "q quit  any other key back",
	};

	screen_row(row, STYLE_TITLE);
	screen_text(row, 1, screen_columns() - 1, STYLE_TITLE, keys[top->view]);
}

/* Explain why a unit has no values. */
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
