// SPDX-License-Identifier: MIT
/* constants_text.c - parser for constants: Name=value ... */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/complaint.h"
#include "base/chars.h"
#include "gpu/constants.h"

#define NAME_MAX_LENGTH 63
#define SEPARATORS " \t\r\n,"

struct text {
	const char *start;
	const char *at;
	char *error;
	size_t error_size;
};

/* Get the line and column of .at, from 1. */
static void locate(const struct text *text, unsigned int *line, unsigned int *column)
{
	*line = *column = 1;
	for (const char *c = text->start; c < text->at; c++) {
		++*column;
		if (*c == '\n') {
			++*line;
			*column = 1;
		}
	}
}

__attribute__((format(printf, 3, 4))) static int wrong(const struct text *text, int err,
						       const char *format, ...)
{
	unsigned int line, column;
	va_list arguments;
	int length;

	if (!text->error || !text->error_size)
		return err;
	locate(text, &line, &column);
	length = snprintf(text->error, text->error_size, "%u:%u: ", line, column);
	if (length < 0 || (size_t)length >= text->error_size)
		return err;
	va_start(arguments, format);
	vsnprintf(text->error + length, text->error_size - (size_t)length, format, arguments);
	va_end(arguments);
	return err;
}

static void skip(struct text *text)
{
	for (;;) {
		text->at += strspn(text->at, SEPARATORS);
		if (*text->at != '#')
			return;
		text->at += strcspn(text->at, "\n");
	}
}

static int take_name(struct text *text, char name[NAME_MAX_LENGTH + 1])
{
	size_t length = strcspn(text->at, "=#" SEPARATORS);

	if (!length || text->at[length] != '=')
		return wrong(text, -EINVAL, "expected NAME=NUMBER");
	if (length > NAME_MAX_LENGTH)
		return wrong(text, -ENOENT, "no constant has such a long name");
	memcpy(name, text->at, length);
	name[length] = '\0';
	return 0;
}

/* Return the value of a digit, or -1. */
static int digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int take_number(struct text *text, uint64_t *value)
{
	const char *first = text->at;
	int base = 10, next;

	if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X')) {
		text->at = first += 2;
		base = 16;
	}
	for (*value = 0; (next = digit(*text->at)) >= 0 && next < base; text->at++)
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)next, value))
			return wrong(text, -ERANGE, "a constant has 64 bits at most");
	if (text->at == first || (*text->at && !strchr("#" SEPARATORS, *text->at)))
		return wrong(text, -EINVAL, "expected a number, 42 or 0x2a");
	return 0;
}

static int take_constant(struct gpuoa_constants *constants, struct text *text)
{
	char name[NAME_MAX_LENGTH + 1];
	struct text name_at = *text;
	uint64_t value;
	int err = take_name(text, name);

	if (err)
		return err;
	text->at += strlen(name) + 1;
	err = take_number(text, &value);
	if (err)
		return err;
	err = gpuoa_constants_set(constants, name, value);
	if (err == -ENOENT)
		return wrong(&name_at, err, "%s's equations use no %s",
			     table_string(&constants->platform->name), name);
	if (err)
		return wrong(&name_at, err, "%s can't have this value", name);
	return 0;
}

/* Works on a copy, so that on error nothing is changed. */
int gpuoa_constants_parse(struct gpuoa_constants *constants, const char *string, char *error,
			  size_t error_size)
{
	struct text text = { string, string, error, error_size };
	struct gpuoa_constants *copy;
	int ret = gpuoa_constants_copy(constants, &copy);

	complaint_begin(error, error_size);
	if (ret)
		return wrong(&text, ret, "out of memory");
	skip(&text);
	while (*text.at && !ret) {
		ret = take_constant(copy, &text);
		skip(&text);
	}
	if (!ret)
		constants_assign(constants, copy);
	gpuoa_constants_free(copy);
	return ret;
}
