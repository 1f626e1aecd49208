// SPDX-License-Identifier: MIT
/*
 * number.c - parse and format numbers
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"

bool parse_number(const char *text, uint64_t *number)
{
	bool hexadecimal;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	*number = strtoull(text, &end, hexadecimal ? 16 : 10);
	return !errno && !*end;
}

/*
 * Parse a decimal number that may have a fraction but no exponent. Returns the text after it; NULL:
 * not a number.
 */
static const char *parse_decimal(const char *text, double *number)
{
	const size_t whole = strspn(text, "0123456789");
	size_t length = whole;
	char *end;

	if (text[length] == '.')
		length += 1 + strspn(text + length + 1, "0123456789");
	if (!whole && length < 2)
		return NULL;
	*number = strtod(text, &end);
	return end == text + length ? end : NULL;
}

bool parse_duration(const char *text, uint64_t unit_ns, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },	       { "us", NSEC_PER_USEC },	     { "ms", NSEC_PER_MSEC },
		{ "s", NSEC_PER_SEC }, { "min", 60 * NSEC_PER_SEC }, { "h", 3600 * NSEC_PER_SEC },
	};
	const char *rest;
	double number;

	/* Parse a whole number separately, so that it is exact; a double has only 53 bits. */
	if (unit_ns == 1 && parse_number(text, ns))
		return true;
	rest = parse_decimal(text, &number);
	if (!rest)
		return false;
	for (size_t i = 0; *rest && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(rest, units[i].name))
			continue;
		unit_ns = units[i].ns;
		rest = "";
	}
	number *= unit_ns;
	if (*rest || !(number < 0x1p63))
		return false;
	*ns = (uint64_t)(number + 0.5);
	return true;
}

bool parse_frequency(const char *text, double *hz)
{
	static const char prefixes[] = "kMG";
	const char *rest = parse_decimal(text, hz), *prefix;

	if (!rest)
		return false;
	prefix = *rest ? strchr(prefixes, *rest) : NULL;
	for (long i = 0; prefix && i <= prefix - prefixes; i++)
		*hz *= 1000;
	rest += prefix ? 1 : 0;
	return *hz > 0 && (!*rest || !strcmp(rest, "Hz"));
}

#define DIGITS 9 /* significant digits of a float */
#define LIMIT 1000000000 /* 10^DIGITS: one more than the largest number of DIGITS digits */
#define LEAST_FIXED (-4) /* smallest decimal exponent that is written without an 'e' */
#define LEAST_POSITIVE 1e-22f /* smallest number that can be calculated with 128 bits */

/* Exponent of the largest power of ten that fits in 64 bits; larger powers are a product of two. */
#define LARGEST_POWER 19

typedef unsigned __int128 wide;

static wide power_of_ten(int n)
{
	static const uint64_t powers[LARGEST_POWER + 1] = {
		1ULL,
		10ULL,
		100ULL,
		1000ULL,
		10000ULL,
		100000ULL,
		1000000ULL,
		10000000ULL,
		100000000ULL,
		1000000000ULL,
		10000000000ULL,
		100000000000ULL,
		1000000000000ULL,
		10000000000000ULL,
		100000000000000ULL,
		1000000000000000ULL,
		10000000000000000ULL,
		100000000000000000ULL,
		1000000000000000000ULL,
		10000000000000000000ULL,
	};

	return n <= LARGEST_POWER ? powers[n] :
				    (wide)powers[n - LARGEST_POWER] * powers[LARGEST_POWER];
}

/* Write exactly @count digits, with leading zeros. */
static void write_digits(char *text, uint32_t number, int count)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; count >= 2; count -= 2, number /= 100)
		memcpy(text + count - 2, pairs + number % 100 * 2, 2);
	if (count)
		text[0] = '0' + number % 10;
}

static int count_digits(uint32_t number)
{
	int count = 1;

	for (; number >= 10; number /= 10)
		count++;
	return count;
}

size_t number_write(char *text, uint64_t number)
{
	const uint32_t chunk = 100000000;
	size_t length;

	if (number >= chunk) {
		length = number_write(text, number / chunk);
		write_digits(text + length, number % chunk, 8);
		return length + 8;
	}
	length = count_digits(number);
	write_digits(text, number, length);
	return length;
}

/*
 * round_shift() - Return @dividend / 2^@shift. round_divide() - Return @dividend / @divisor. Both
 * round to nearest, ties to even.
 */
static uint64_t round_shift(wide dividend, int shift)
{
	const wide half = (wide)1 << shift >> 1, rest = dividend & (((wide)1 << shift) - 1);
	const uint64_t quotient = dividend >> shift;

	return quotient + (shift && (rest > half || (rest == half && (quotient & 1))));
}

static uint64_t round_divide(wide dividend, wide divisor)
{
	const uint64_t quotient = dividend / divisor;
	const wide rest = dividend % divisor;

	return quotient + (rest > divisor - rest || (rest == divisor - rest && (quotient & 1)));
}

/*
 * Return @mantissa * 2^@exponent * 10^@scale, rounded. Intermediate results are exact in 128 bits,
 * because a mantissa is below 2^24, and the largest power of ten, 10^31 for LEAST_POSITIVE, is
 * below 2^103. If @scale is negative, the number is between 10^9 and 2^128, and its exponent is
 * positive.
 */
static uint64_t scaled(uint32_t mantissa, int exponent, int scale)
{
	if (scale < 0)
		return round_divide((wide)mantissa << exponent, power_of_ten(-scale));
	if (exponent < 0)
		return round_shift(mantissa * power_of_ten(scale), -exponent);
	return (uint64_t)(mantissa * power_of_ten(scale)) << exponent;
}

/* Return the number of digits without trailing zeros, or @least if that is more. */
static int significant(const char *digits, int least)
{
	int count = DIGITS;

	while (count > least && digits[count - 1] == '0')
		count--;
	return count;
}

/*
 * Write digits with a decimal point after the first @whole ones. If all other digits are zeros,
 * neither they nor the point are written.
 */
static size_t write_point(char *text, const char *digits, int whole)
{
	const int count = significant(digits, whole);

	memcpy(text, digits, whole);
	if (count == whole)
		return whole;
	text[whole] = '.';
	memcpy(text + whole + 1, digits + whole, count - whole);
	return count + 1;
}

/* Write a number below 1: "0.", then @zeros zeros, then the digits. */
static size_t write_fraction(char *text, const char *digits, int zeros)
{
	const int count = significant(digits, 1);

	memcpy(text, "0.000", 2 + zeros);
	memcpy(text + 2 + zeros, digits, count);
	return 2 + zeros + count;
}

/* Write @number * 10^(@ten - 8). @number must have nine digits. */
static size_t write_decimal(char *text, uint32_t number, int ten)
{
	char digits[DIGITS];
	size_t length;

	write_digits(digits, number, DIGITS);
	if (ten >= 0 && ten < DIGITS)
		return write_point(text, digits, ten + 1);
	if (ten >= LEAST_FIXED && ten < 0)
		return write_fraction(text, digits, -1 - ten);
	length = write_point(text, digits, 1);
	text[length++] = 'e';
	text[length++] = ten < 0 ? '-' : '+';
	write_digits(text + length, abs(ten), 2);
	return length + 2;
}

size_t number_write_float(char *text, float real)
{
	const float positive = signbit(real) ? -real : real;
	const size_t sign = signbit(real) ? 1 : 0;
	uint32_t bits, mantissa;
	uint64_t number;
	int two, ten;

	/* printf() handles zero, infinity, NaN, and numbers that need more than 128 bits. */
	if (!(positive >= LEAST_POSITIVE && positive <= FLT_MAX))
		return snprintf(text, NUMBER_TEXT, "%.9g", (double)real);
	text[0] = '-';
	memcpy(&bits, &positive, sizeof(bits));
	mantissa = (bits & 0x7fffff) | 0x800000;
	two = (int)(bits >> 23) - 127;
	/*
	 * ten: decimal exponent of 2^two, rounded down; this formula is exact for all floats. The
	 * decimal exponent of the number itself may be one more.
	 */
	ten = (two * 78913) >> 18;
	number = scaled(mantissa, two - 23, DIGITS - 1 - ten);
	if (number >= LIMIT)
		number = scaled(mantissa, two - 23, DIGITS - 1 - ++ten);
	return sign + write_decimal(text + sign, number, ten);
}
