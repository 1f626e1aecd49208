// SPDX-License-Identifier: MIT
/*
 * complaint.c - one line for the user that says what is wrong
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/complaint.h"

void gpuoa_complaint_print(const struct gpuoa_complaint *complaint, const char *format, ...)
{
	va_list args;

	if (!complaint->text || !complaint->size)
		return;
	va_start(args, format);
	vsnprintf(complaint->text, complaint->size, format, args);
	va_end(args);
}
