// SPDX-License-Identifier: MIT
/*
 * message.c - what the tool has to say to a person: on stderr, one line
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

static void say(const char *format, va_list args)
{
	fflush(stdout);
	fputs("gpuoa: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void print_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void point_to_help(const struct tool *tool)
{
	fprintf(stderr, "Try 'gpuoa%s%s --help'.\n", tool->command ? " " : "",
		tool->command ? tool->command : "");
}

void note(const struct tool *tool, const char *format, ...)
{
	va_list args;

	if (tool->quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

bool parse_number(const char *text, uint64_t *number)
{
	bool hexadecimal;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	*number = strtoull(text, &end, hexadecimal ? 16 : 10);
	return !errno && !*end;
}
