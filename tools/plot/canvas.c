// SPDX-License-Identifier: MIT
/*
 * canvas.c - coordinates and text of a picture
 */
#include <stdlib.h>
#include <string.h>

#include "plot/canvas.h"
#include "common/printable.h"

#define ELLIPSIS "\u2026"

double canvas_x(const struct picture *picture, double seconds)
{
	return picture->left + (seconds - picture->begin) / (picture->end - picture->begin) *
				       (picture->right - picture->left);
}

static double width_of(const struct picture *picture, const char *text)
{
	cairo_text_extents_t extents;

	cairo_text_extents(picture->cairo, text, &extents);
	return extents.x_advance;
}

/* Remove whole UTF-8 characters at the end, until the text with an ellipsis fits. */
static void shorten(const struct picture *picture, char *text, double room)
{
	size_t length = strlen(text);

	while (length && width_of(picture, text) > room) {
		while (length && (text[--length] & 0xc0) == 0x80)
			;
		strcpy(text + length, ELLIPSIS);
	}
}

double canvas_text(const struct picture *picture, double x, double y, double size, double align,
		   double room, const char *text)
{
	char *clean = printable(text), *shown;
	double width;

	if (!clean)
		return 0;
	shown = realloc(clean, strlen(clean) + sizeof(ELLIPSIS));
	if (!shown) {
		free(clean);
		return 0;
	}
	cairo_set_font_size(picture->cairo, size);
	shorten(picture, shown, room);
	width = width_of(picture, shown);
	cairo_move_to(picture->cairo, x - align * width, y);
	cairo_show_text(picture->cairo, shown);
	cairo_new_path(picture->cairo);
	free(shown);
	return width;
}
