// SPDX-License-Identifier: MIT
/*
 * canvas.c - set up coordinates, text and colours of a plot
 */
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "plot/canvas.h"

/* Keep in sync with report/page/page.css. */
static const struct theme themes[] = {
	{
		.name = "light",
		.paper = 0xffffff,
		.ink = 0x1c2024,
		.faint = 0x667080,
		.line = 0xdde1e7,
		.grid = 0xe9ecf0,
		.gap = 0xc9ced6,
		.mark = 0xc2410c,
		.tracks = { 0x2563b8, 0x0f8a6a, 0xb4540a, 0x8a3ab0, 0xb3264a, 0x5d7a11 },
	},
	{
		.name = "dark",
		.paper = 0x14171b,
		.ink = 0xe6e9ed,
		.faint = 0x97a1ae,
		.line = 0x2d333b,
		.grid = 0x252a31,
		.gap = 0x444c57,
		.mark = 0xfb923c,
		.tracks = { 0x6ba6f0, 0x45c9a3, 0xf0a35c, 0xc58bea, 0xf07d99, 0xa9cc55 },
	},
};

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; i < sizeof(themes) / sizeof(themes[0]); i++)
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	return NULL;
}

void theme_use(cairo_t *cairo, uint32_t colour, double alpha)
{
	cairo_set_source_rgba(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
			      (colour & 255) / 255.0, alpha);
}

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

/*
 * If the text is too wide, remove UTF-8 characters at its end until it fits together with an
 * ellipsis.
 */
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
