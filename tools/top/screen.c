// SPDX-License-Identifier: MIT
/*
 * screen.c - write text to a terminal, in a few colours that are legible on light and dark
 * backgrounds
 */
#define _GNU_SOURCE /* wcwidth */
#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "top/screen.h"
#include "common/tool.h"

/*
 * The colours of styles. If the terminal has 256 colours, use colours with contrast to both black
 * and white; otherwise the eight basic colours, which the terminal defines.
 */
static const struct {
	attr_t attributes;
	short color; /* colour on terminals with 256 colours; -1: the terminal's default */
	short simple; /* colour on terminals with 8 colours; -1: the terminal's default */
} styles[STYLE_COUNT] = {
	[STYLE_PLAIN] = { A_NORMAL, -1, -1 },
	[STYLE_TITLE] = { A_REVERSE, -1, -1 },
	[STYLE_HEAD] = { A_BOLD | A_UNDERLINE, -1, -1 },
	[STYLE_FAINT] = { A_NORMAL, 244, -1 },
	[STYLE_STRONG] = { A_BOLD, -1, -1 },
	[STYLE_CHOSEN] = { A_REVERSE, -1, -1 },
	[STYLE_BAR] = { A_NORMAL, 70, COLOR_GREEN },
	[STYLE_TRACK] = { A_NORMAL, 246, -1 },
	[STYLE_GRAPH] = { A_NORMAL, 31, COLOR_CYAN },
	[STYLE_LOW] = { A_NORMAL, 70, COLOR_GREEN },
	[STYLE_MEDIUM] = { A_BOLD, 166, COLOR_MAGENTA },
	[STYLE_HIGH] = { A_BOLD, 160, COLOR_RED },
};

static SCREEN *screen;
static bool colors;

static void begin_colors(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors())
		return;
	colors = true;
	start_color();
	use_default_colors();
	for (short i = 0; i < STYLE_COUNT; i++)
		init_pair((short)(i + 1), COLORS >= 256 ? styles[i].color : styles[i].simple, -1);
}

int screen_open(void)
{
	const char *term = getenv("TERM");

	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return fail("unknown terminal '%s'; set TERM, or use --once", term ? term : "");
	if (!tigetstr("cup")) {
		endwin();
		delscreen(screen);
		return fail("terminal '%s' cannot position the cursor; set TERM, or use --once",
			    term ? term : "");
	}
	begin_colors();
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	return EXIT_OK;
}

void screen_close(void)
{
	endwin();
	delscreen(screen);
	screen = NULL;
}

void screen_begin(void)
{
	erase();
}

void screen_end(void)
{
	refresh();
}

int screen_rows(void)
{
	return LINES;
}

int screen_columns(void)
{
	return COLS;
}

static attr_t attributes(enum style style)
{
	attr_t attributes = styles[style].attributes;

	if (COLOR_PAIRS > (int)style + 1 && colors)
		attributes |= (attr_t)COLOR_PAIR(style + 1);
	return attributes;
}

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

/*
 * Return the number of bytes of a text that fit into @width columns. *@columns: receives the width
 * of these bytes
 */
static size_t measure(const char *text, int width, int *columns)
{
	mbstate_t state = { 0 };
	const char *at = text;
	wchar_t c;

	*columns = 0;
	while (*at) {
		size_t bytes = mbrtowc(&c, at, MB_CUR_MAX, &state);
		int wide;

		if (bytes == (size_t)-1 || bytes == (size_t)-2)
			break; /* the byte is invalid in the locale's encoding, so stop here */
		wide = wcwidth(c);
		if (wide < 0)
			wide = 2; /* curses prints ^X */
		if (*columns + wide > width)
			break;
		*columns += wide;
		at += bytes;
	}
	return (size_t)(at - text);
}

int screen_text(int row, int column, int width, enum style style, const char *text)
{
	int columns;
	size_t bytes;

	if (row < 0 || row >= LINES || column >= COLS)
		return 0;
	bytes = measure(text, min_int(width, COLS - column), &columns);
	attrset(attributes(style));
	mvaddnstr(row, column, text, (int)bytes);
	attrset(A_NORMAL);
	return columns;
}

void screen_right(int row, int column, int width, enum style style, const char *text)
{
	int columns;

	measure(text, width, &columns);
	screen_text(row, column + width - columns, columns, style, text);
}

int screen_print(int row, int column, int width, enum style style, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return screen_text(row, column, width, style, text);
}

void screen_row(int row, enum style style)
{
	if (row < 0 || row >= LINES)
		return;
	attrset(attributes(style));
	mvhline(row, 0, ' ' | attributes(style), COLS);
	attrset(A_NORMAL);
}

int screen_key(void)
{
	const int key = getch();

	return key == ERR ? -1 : key;
}
