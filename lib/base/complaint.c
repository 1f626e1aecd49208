// SPDX-License-Identifier: MIT
/* complaint.c - one-line error messages for callers of the library */
#include "base/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void complaint_print(const struct complaint *complaint, const char *format, ...)
{
	va_list args;

	if (!complaint->text || !complaint->size)
		return;
	va_start(args, format);
	vsnprintf(complaint->text, complaint->size, format, args);
	va_end(args);
}

struct complaint complaint_begin(char *text, size_t size)
{
	if (text && size)
		*text = '\0';
	return (struct complaint){ text, size };
}

int complaint_end(const struct complaint *complaint, int err)
{
	if (err && complaint->text && complaint->size && !*complaint->text)
		complaint_print(complaint, "%s", strerror(-err));
	return err;
}
