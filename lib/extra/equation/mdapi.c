// SPDX-License-Identifier: MIT
/* mdapi.c - reader of MDAPI equations: error messages and the stack of expressions */
#include "extra/equation/mdapi.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool mdapi_fail(struct mdapi_reader *reader, int err, const char *format, ...)
{
	char message[192];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	complaint_print(reader->complaint, "%s:1:%zu: %s", reader->part, reader->column, message);
	reader->err = err;
	return false;
}

struct expression *mdapi_expression(struct mdapi_reader *reader, enum expression_kind kind)
{
	struct expression *expression = arena_alloc(&reader->arena, sizeof(*expression));

	if (expression)
		expression->kind = kind;
	else
		reader->err = -ENOMEM;
	return expression;
}

bool mdapi_push(struct mdapi_reader *reader, struct operand operand)
{
	if (reader->depth == CODE_DEPTH_MAX)
		return mdapi_fail(reader, -EINVAL,
				  "this equation needs more than %d intermediate values",
				  CODE_DEPTH_MAX);
	reader->stack[reader->depth++] = operand;
	return true;
}
