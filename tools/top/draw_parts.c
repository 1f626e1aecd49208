// SPDX-License-Identifier: MIT
/*
 * draw_parts.c - elements of the views: paragraphs, bars, graphs
 */
#include <math.h>
#include <string.h>

#include "top/draw_parts.h"
#include "top/text.h"

#define BAR_COLUMNS 100 /* maximum width of a bar */

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
