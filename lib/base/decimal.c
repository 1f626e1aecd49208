// SPDX-License-Identifier: MIT
/* decimal.c - fractional numbers as text that the language of definitions reads. */
#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>

#define FRACTION_DIGITS_MAX 15

/* All integers up to here are doubles. */
#define EXACT_MAX (UINT64_C(1) << 53)

void decimal_print(char text[DECIMAL_SIZE], double value)
{
	uint64_t scale = 1, mantissa = 0;
	int digits = 0;

	/*
	 * The lexer divides an integer by a power of ten, both exact. The quotient that is rounded
	 * to @value is found again by the same division.
	 */
	do {
		const double scaled = value * (double)(10 * scale);

		if (scaled > (double)EXACT_MAX)
			break;
		scale *= 10;
		digits++;
		mantissa = (uint64_t)(scaled + 0.5);
	} while ((double)mantissa / (double)scale != value && digits < FRACTION_DIGITS_MAX);
	if (!digits)
		snprintf(text, DECIMAL_SIZE, "%.0f.0", value < 0x1p64 ? value : 0x1p64);
	else
		snprintf(text, DECIMAL_SIZE, "%" PRIu64 ".%0*" PRIu64, mantissa / scale, digits,
			 mantissa % scale);
}
