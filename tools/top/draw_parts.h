/* SPDX-License-Identifier: MIT */
/*
 * draw_parts.h - parts of the screen and their elements
 */
#ifndef GPUOA_TOP_DRAW_PARTS_H
#define GPUOA_TOP_DRAW_PARTS_H

#include "top/screen.h"
#include "top/top.h"

/* Draw one line per unit, starting at @row. Returns the number of rows used. */
int draw_units(const struct top *top, int row);

/* Draw a view of the selected unit in rows @row to @end - 1. */
void draw_metrics(struct top *top, const struct watch *watch, int row, int end);
void draw_contexts(const struct top *top, const struct watch *watch, int row, int end);
void draw_sets(struct top *top, const struct watch *watch, int row, int end);
void draw_help(int row, int end);

/* Draw a text, wrapped between words. Returns the number of rows used. */
int draw_paragraph(int row, int end, enum style style, const char *text);

/* Draw a bar with its background, and a graph of past values. */
void draw_bar(const struct top *top, int row, int column, int width, enum style style,
	      double fraction);
void draw_history(const struct top *top, int row, int column, int width,
		  const struct history *history, double most);

#endif /* GPUOA_TOP_DRAW_PARTS_H */
