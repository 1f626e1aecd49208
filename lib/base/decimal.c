// SPDX-License-Identifier: MIT
/* decimal.c - print numbers in the syntax of metric definitions */
#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>

#define FRACTION_DIGITS_MAX 15

/* All integers up to 2^53 have an exact double. */
#define EXACT_MAX (UINT64_C(1) << 53)

void decimal_print(char text[DECIMAL_SIZE], double value)
{
	uint64_t scale = 1, mantissa = 0;
	int digits = 0, length;

	/*
	 * The lexer divides an integer by a power of ten; both are exact. Search for the shortest
	 * quotient that the same division rounds to @value.
	 */
	do {
		const double scaled = value * (double)(10 * scale);

		if (scaled > (double)EXACT_MAX)
			break;
		scale *= 10;
		digits++;
		mantissa = (uint64_t)(scaled + 0.5);
	} while ((double)mantissa / (double)scale != value && digits < FRACTION_DIGITS_MAX);
	if (!digits) {
		snprintf(text, DECIMAL_SIZE, "%.0f.0", value < 0x1p64 ? value : 0x1p64);
		return;
	}
	length = snprintf(text, DECIMAL_SIZE, "%" PRIu64 ".", mantissa / scale);
	text[length + digits] = '\0';
	for (; digits; digits--, mantissa /= 10)
		text[length + digits - 1] = (char)('0' + mantissa % 10);
}

void decimal_print_number(char text[DECIMAL_SIZE], double value)
{
	/* The largest integer of a definition, 2^64 - 1, is rounded to 2^64 as a double. */
	if (value >= 0x1p64)
		snprintf(text, DECIMAL_SIZE, "%" PRIu64, UINT64_MAX);
	else if (value == (double)(uint64_t)value)
		snprintf(text, DECIMAL_SIZE, "%" PRIu64, (uint64_t)value);
	else
		decimal_print(text, value);
}
