/* SPDX-License-Identifier: MIT */
/*
 * screen.h - the terminal: text in places, in few colours that can be read on light and on dark
 */
#ifndef GPUOA_TOP_SCREEN_H
#define GPUOA_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* How text looks. */
enum style {
	STYLE_PLAIN,
	STYLE_TITLE, /* the bar at the top */
	STYLE_HEAD, /* names of columns */
	STYLE_FAINT,
	STYLE_STRONG,
	STYLE_CHOSEN, /* the line that keys are about */
	STYLE_BAR,
	STYLE_TRACK, /* of a bar */
	STYLE_GRAPH,
	STYLE_LOW, /* by watermark */
	STYLE_MEDIUM,
	STYLE_HIGH,
	STYLE_COUNT,
};

/* Returns an exit code; what is wrong has been said. */
int screen_open(void);
void screen_close(void);

/* Between begin and end, all is drawn anew. */
void screen_begin(void);
void screen_end(void);

int screen_rows(void);
int screen_columns(void);

/*
 * Text at a place, cut where @width or the screen ends. Returns how many columns it took. Control
 * characters are shown, not sent.
 */
int screen_text(int row, int column, int width, enum style style, const char *text);

/* The same, at the right of @width columns. */
void screen_right(int row, int column, int width, enum style style, const char *text);

/* printf() of at most 512 bytes, cut likewise. */
__attribute__((format(printf, 5, 6))) int screen_print(int row, int column, int width,
						       enum style style, const char *format, ...);

/* A whole row in one style, empty. */
void screen_row(int row, enum style style);

/* The next key, or -1: none was pressed. */
int screen_key(void);

#endif /* GPUOA_TOP_SCREEN_H */
