// SPDX-License-Identifier: MIT
/*
 * message.c - messages: one line on stderr
 */
#define _GNU_SOURCE /* vasprintf */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "common/tool.h"

static void say(const char *format, va_list args)
{
	char *raw = NULL, *text = NULL;

	if (vasprintf(&raw, format, args) >= 0)
		text = printable(raw);
	fflush(stdout);
	fprintf(stderr, "gpuoa: %s\n", text ? text : "out of memory");
	free(text);
	free(raw);
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

static bool begins_with_name(const char *text, const char *name)
{
	const size_t length = strlen(name);

	return !strncmp(text, name, length) && (text[length] == ' ' || text[length] == ':');
}

void print_error_of(const char *name, const char *text)
{
	if (begins_with_name(text, name))
		print_error("%s", text);
	else
		print_error("%s: %s", name, text);
}

void note_of(const struct tool *tool, const char *name, const char *text)
{
	if (!tool->quiet)
		print_error_of(name, text);
}
