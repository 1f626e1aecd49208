/* SPDX-License-Identifier: MIT */
/*
 * draw_parts.h - the parts of the screen, each a file of its own, and what they are drawn with
 */
#ifndef GPUOA_TOP_DRAW_PARTS_H
#define GPUOA_TOP_DRAW_PARTS_H

#include "screen.h"
#include "top.h"

/* One line for each unit, from @row on. Returns how many rows it took. */
int draw_units(const struct top *top, int row);

/* Rows from @row up to, and without, @end: the unit that is shown, by the view. */
void draw_metrics(struct top *top, const struct watch *watch, int row, int end);
void draw_contexts(const struct top *top, const struct watch *watch, int row, int end);
void draw_sets(struct top *top, const struct watch *watch, int row, int end);
void draw_help(int row, int end);

/* A text over several lines, cut between words. Returns how many rows it took. */
int draw_paragraph(int row, int end, enum style style, const char *text);

/* A bar on its track, and the values of the past. */
void draw_bar(const struct top *top, int row, int column, int width, enum style style,
	      double fraction);
void draw_history(const struct top *top, int row, int column, int width,
		  const struct history *history, double most);

#endif /* GPUOA_TOP_DRAW_PARTS_H */
