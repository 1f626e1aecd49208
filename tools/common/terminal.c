// SPDX-License-Identifier: MIT
/*
 * terminal.c - properties of the terminal
 */
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/terminal.h"

#define USUAL_WIDTH 80

int terminal_width(FILE *file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!ioctl(fileno(file), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return columns && atoi(columns) > 0 ? atoi(columns) : USUAL_WIDTH;
}

int terminal_limit(FILE *file)
{
	return isatty(fileno(file)) || getenv("COLUMNS") ? terminal_width(file) : INT_MAX;
}

bool terminal_has_colours(FILE *file)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return isatty(fileno(file)) && term && strcmp(term, "dumb");
}

bool terminal_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8;

	if (!locale)
		return false;
	utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return utf8;
}
