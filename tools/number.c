// SPDX-License-Identifier: MIT
/*
 * number.c - numbers as text, to the character what printf() writes, at a tenth of its time
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define DIGITS 9 /* of a float */
#define LIMIT 1000000000 /* what has more than so many */
#define LEAST_FIXED (-4) /* the smallest exponent of ten that is written without an 'e' */
#define LEAST_POSITIVE 1e-22f /* the smallest number for which 128 bits are enough */

/* Those of ten that fit into 64 bits; a larger one is a product of two. */
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

/* Exactly @count digits, with zeros before. */
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

/* @dividend / 2^@shift or @dividend / @divisor, to the nearest integer; of two that are as near,
 * the even one. */
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
 * @mantissa * 2^@exponent * 10^@scale, rounded. All on the way is exact: a mantissa is below 2^24,
 * and 10^31, to which LEAST_POSITIVE leads, below 2^103. Where the scale is negative, the number is
 * one of 10^9 to 2^128, and its exponent positive.
 */
static uint64_t scaled(uint32_t mantissa, int exponent, int scale)
{
	if (scale < 0)
		return round_divide((wide)mantissa << exponent, power_of_ten(-scale));
	if (exponent < 0)
		return round_shift(mantissa * power_of_ten(scale), -exponent);
	return (uint64_t)(mantissa * power_of_ten(scale)) << exponent;
}

/* How many of the digits are left without zeros at the end, but for the first @least. */
static int significant(const char *digits, int least)
{
	int count = DIGITS;

	while (count > least && digits[count - 1] == '0')
		count--;
	return count;
}

/* With a point behind the first @whole digits, unless nothing follows it. */
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

/* 0.00digits, with @zeros */
static size_t write_fraction(char *text, const char *digits, int zeros)
{
	const int count = significant(digits, 1);

	memcpy(text, "0.000", 2 + zeros);
	memcpy(text + 2 + zeros, digits, count);
	return 2 + zeros + count;
}

/* @number * 10^(@ten - 8), where @number has nine digits */
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

	/* Zero, what is not finite, and what would need more than 128 bits */
	if (!(positive >= LEAST_POSITIVE && positive <= FLT_MAX))
		return snprintf(text, NUMBER_TEXT, "%.9g", (double)real);
	text[0] = '-';
	memcpy(&bits, &positive, sizeof(bits));
	mantissa = (bits & 0x7fffff) | 0x800000;
	two = (int)(bits >> 23) - 127;
	/* That of 2^two, rounded down, for any that a float has; the number itself may be one of
	 * ten more. */
	ten = (two * 78913) >> 18;
	number = scaled(mantissa, two - 23, DIGITS - 1 - ten);
	if (number >= LIMIT)
		number = scaled(mantissa, two - 23, DIGITS - 1 - ++ten);
	return sign + write_decimal(text + sign, number, ten);
}
