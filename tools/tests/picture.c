// SPDX-License-Identifier: MIT
/*
 * picture.c - write the screen of the terminal emulator to a PNG file
 */
#include <cairo.h>
#include <stdio.h>
#include <string.h>

#include "terminal.h"

#define CELL_WIDTH 9
#define CELL_HEIGHT 18
#define BASELINE 14
#define FONT_SIZE 15
#define MARGIN 8

#define FULL_BLOCK 0x2588

struct colors {
	VTermColor foreground;
	VTermColor background;
};

static void set_color(cairo_t *cairo, const VTermScreen *screen, VTermColor color,
		      const VTermColor *usual)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color))
		color = *usual;
	else
		vterm_screen_convert_color_to_rgb(screen, &color);
	cairo_set_source_rgb(cairo, color.rgb.red / 255.0, color.rgb.green / 255.0,
			     color.rgb.blue / 255.0);
}

/* Encode one code point of a cell as UTF-8. */
static void encode(uint32_t c, char *text)
{
	if (c < 0x80) {
		*text++ = (char)c;
	} else if (c < 0x800) {
		*text++ = (char)(0xc0 | c >> 6);
		*text++ = (char)(0x80 | (c & 0x3f));
	} else {
		*text++ = (char)(0xe0 | c >> 12);
		*text++ = (char)(0x80 | (c >> 6 & 0x3f));
		*text++ = (char)(0x80 | (c & 0x3f));
	}
	*text = '\0';
}

/*
 * Draw a block character. It extends to the edges of its cell, as on terminals. Returns false if
 * the character is no block.
 */
static bool draw_block(cairo_t *cairo, uint32_t c, double x, double y)
{
	if (c > 0x2580 && c <= FULL_BLOCK) { /* lower eighths */
		const double height = (c - 0x2580) * CELL_HEIGHT / 8.0;

		cairo_rectangle(cairo, x, y + CELL_HEIGHT - height, CELL_WIDTH, height);
	} else if (c > FULL_BLOCK && c < 0x2590) { /* left eighths */
		cairo_rectangle(cairo, x, y, (0x2590 - c) * CELL_WIDTH / 8.0, CELL_HEIGHT);
	} else if (c == 0x2595) { /* right eighth */
		cairo_rectangle(cairo, x + CELL_WIDTH * 7 / 8.0, y, CELL_WIDTH / 8.0, CELL_HEIGHT);
	} else {
		return false;
	}
	cairo_fill(cairo);
	return true;
}

static void draw_cell(cairo_t *cairo, const VTermScreen *screen, const VTermScreenCell *cell,
		      const struct colors *colors, double x, double y)
{
	const bool reverse = cell->attrs.reverse;
	const VTermColor front = reverse ? cell->bg : cell->fg,
			 back = reverse ? cell->fg : cell->bg;
	const VTermColor *usual = reverse ? &colors->background : &colors->foreground;
	char text[8];

	set_color(cairo, screen, back, reverse ? &colors->foreground : &colors->background);
	cairo_rectangle(cairo, x, y, CELL_WIDTH * cell->width, CELL_HEIGHT);
	cairo_fill(cairo);
	set_color(cairo, screen, front, usual);
	if (cell->attrs.underline) {
		cairo_rectangle(cairo, x, y + CELL_HEIGHT - 2, CELL_WIDTH * cell->width, 1);
		cairo_fill(cairo);
	}
	if (!cell->chars[0] || cell->chars[0] == ' ' || draw_block(cairo, cell->chars[0], x, y))
		return;
	encode(cell->chars[0], text);
	cairo_select_font_face(cairo, "DejaVu Sans Mono", CAIRO_FONT_SLANT_NORMAL,
			       cell->attrs.bold ? CAIRO_FONT_WEIGHT_BOLD :
						  CAIRO_FONT_WEIGHT_NORMAL);
	cairo_move_to(cairo, x, y + BASELINE);
	cairo_show_text(cairo, text);
}

int terminal_picture(VTermScreen *screen, int rows, int columns, bool light, const char *path)
{
	const int width = columns * CELL_WIDTH + 2 * MARGIN,
		  height = rows * CELL_HEIGHT + 2 * MARGIN;
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	cairo_t *cairo = cairo_create(surface);
	struct colors colors;
	VTermPos pos;
	int ret;

	vterm_color_rgb(&colors.foreground, light ? 30 : 220, light ? 30 : 220, light ? 30 : 220);
	vterm_color_rgb(&colors.background, light ? 255 : 18, light ? 255 : 18, light ? 255 : 18);
	set_color(cairo, screen, colors.background, &colors.background);
	cairo_paint(cairo);
	cairo_set_antialias(cairo, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_size(cairo, FONT_SIZE);
	for (pos.row = 0; pos.row < rows; pos.row++) {
		for (pos.col = 0; pos.col < columns; pos.col++) {
			VTermScreenCell cell;

			vterm_screen_get_cell(screen, pos, &cell);
			draw_cell(cairo, screen, &cell, &colors, MARGIN + pos.col * CELL_WIDTH,
				  MARGIN + pos.row * CELL_HEIGHT);
		}
	}
	ret = cairo_surface_write_to_png(surface, path) ? -1 : 0;
	cairo_destroy(cairo);
	cairo_surface_destroy(surface);
	return ret;
}
