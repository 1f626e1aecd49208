// SPDX-License-Identifier: MIT
/*
 * text.c - write values in JSON and CSV
 */
#define _GNU_SOURCE /* fwrite_unlocked, putc_unlocked */
#include <inttypes.h>
#include <math.h>

#include "export/text.h"
#include "common/number.h"

#define NS_PER_US 1000

void text_put_number(FILE *file, uint64_t number)
{
	char text[NUMBER_TEXT];

	fwrite_unlocked(text, 1, number_write(text, number), file);
}

void text_put_us(FILE *file, uint64_t ns)
{
	text_put_number(file, ns / NS_PER_US);
	fprintf(file, ".%03u", (unsigned int)(ns % NS_PER_US));
}

void text_put_value(FILE *file, const struct column *column, void *const *columns, size_t number,
		    const char *none)
{
	char text[NUMBER_TEXT];
	float real;

	if (column->type != GPUOA_TYPE_FLOAT) {
		text_put_number(file, ((const uint64_t *)columns[column->index])[number]);
		return;
	}
	real = ((const float *)columns[column->index])[number];
	if (none && !isfinite(real))
		fputs_unlocked(none, file);
	else
		fwrite_unlocked(text, 1, number_write_float(text, real), file);
}
