/* SPDX-License-Identifier: MIT */
/*
 * screen.h - write text to a terminal, in a few colours that are legible on light and dark
 * backgrounds
 */
#ifndef GPUOA_TOP_SCREEN_H
#define GPUOA_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Appearance of text */
enum style {
	STYLE_PLAIN,
	STYLE_TITLE, /* title bar */
	STYLE_HEAD, /* column headings */
	STYLE_FAINT,
	STYLE_STRONG,
	STYLE_CHOSEN, /* selected line */
	STYLE_BAR,
	STYLE_TRACK, /* background of a bar */
	STYLE_GRAPH,
	STYLE_LOW, /* colours of watermark levels */
	STYLE_MEDIUM,
	STYLE_HIGH,
	STYLE_COUNT,
};

/* Initialize the terminal. Returns an exit code; prints any error. */
int screen_open(void);
void screen_close(void);

/* screen_begin() starts a frame, and screen_end() shows it. Each frame redraws the whole screen. */
void screen_begin(void);
void screen_end(void);

int screen_rows(void);
int screen_columns(void);

/*
 * Write text at a position. The text is truncated at @width or at the end of the screen. Returns
 * the number of columns used. A control character is written as ^X.
 */
int screen_text(int row, int column, int width, enum style style, const char *text);

/* Write text right-aligned in @width columns. */
void screen_right(int row, int column, int width, enum style style, const char *text);

/* Write formatted text of at most 512 bytes; it is truncated like that of screen_text(). */
__attribute__((format(printf, 5, 6))) int screen_print(int row, int column, int width,
						       enum style style, const char *format, ...);

/* Fill a row of the screen with a style. */
void screen_row(int row, enum style style);

/* Return the next key; -1: no key was pressed. */
int screen_key(void);

#endif /* GPUOA_TOP_SCREEN_H */
