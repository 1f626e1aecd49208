// SPDX-License-Identifier: MIT
/*
 * complaint.c - one line for the user that says what is wrong
 */
#include <stdarg.h>
#include <stdio.h>

#include "complaint.h"

int gpuoa_complain(const struct gpuoa_complaint *complaint, int err,
		   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (complaint->text && complaint->size)
		vsnprintf(complaint->text, complaint->size, format, args);
	va_end(args);
	return err;
}
