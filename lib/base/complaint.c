// SPDX-License-Identifier: MIT
/*
 * complaint.c - one line for the user that says what is wrong
 */
#include "base/complaint.h"

#include <stdarg.h>
#include <stdio.h>

void complaint_print(const struct complaint *complaint, const char *format, ...)
{
	va_list args;

	if (!complaint->text || !complaint->size)
		return;
	va_start(args, format);
	vsnprintf(complaint->text, complaint->size, format, args);
	va_end(args);
}
