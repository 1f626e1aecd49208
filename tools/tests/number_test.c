// SPDX-License-Identifier: MIT
/*
 * number_test.c - compare the formatting of numbers with printf(), for each kind of float and for
 * millions of random ones
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"

static int tests;

static void result(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, what);
}

static bool same_float(float real)
{
	char ours[NUMBER_TEXT], theirs[64];
	const size_t length = number_write_float(ours, real);

	snprintf(theirs, sizeof(theirs), "%.9g", (double)real);
	if (length == strlen(theirs) && !memcmp(ours, theirs, length))
		return true;
	printf("# %a: '%.*s', not '%s'\n", (double)real, (int)length, ours, theirs);
	return false;
}

static float float_of_bits(uint32_t bits)
{
	float real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

/* Test all exponents, each with the smallest and the largest mantissa and some between them. */
static bool all_exponents(void)
{
	for (uint32_t exponent = 0; exponent < 512; exponent++) {
		const uint32_t first = exponent << 23;

		for (uint32_t i = 0; i < 40; i++)
			if (!same_float(float_of_bits(first + i)) ||
			    !same_float(float_of_bits(first + 0x7fffff - i)) ||
			    !same_float(float_of_bits(first + i * 0x31415)))
				return false;
	}
	return true;
}

/* Test powers of ten and their neighbours, because the number of digits changes there. */
static bool powers_of_ten(void)
{
	for (int ten = -45; ten <= 38; ten++) {
		const float power = powf(10, ten);

		if (!same_float(power) || !same_float(nextafterf(power, 0)) ||
		    !same_float(nextafterf(power, INFINITY)) || !same_float(-power))
			return false;
	}
	return true;
}

/* If a float is halfway between two decimals of nine digits, it is rounded to the even one. */
static bool ties(void)
{
	for (uint32_t i = 0; i < 100000; i++)
		if (!same_float((float)(0x800001 + 2 * i) / 2 + 8388608) ||
		    !same_float((0x400001 + 2 * i) / 1024.0f) ||
		    !same_float((0x200001 + i) / 64.0f))
			return false;
	return true;
}

static bool any_floats(void)
{
	uint32_t bits = 1;

	for (int i = 0; i < 2000000; i++) {
		bits = bits * 1664525 + 1013904223;
		if (!same_float(float_of_bits(bits)))
			return false;
	}
	return true;
}

static bool same_number(uint64_t number)
{
	char ours[NUMBER_TEXT], theirs[NUMBER_TEXT];
	const size_t length = number_write(ours, number);

	snprintf(theirs, sizeof(theirs), "%" PRIu64, number);
	if (length == strlen(theirs) && !memcmp(ours, theirs, length))
		return true;
	printf("# '%.*s', not '%s'\n", (int)length, ours, theirs);
	return false;
}

static bool whole_numbers(void)
{
	uint64_t power = 1, any = 1;

	for (int ten = 0; ten < 20; ten++, power *= 10)
		if (!same_number(power - 1) || !same_number(power) || !same_number(power + 1))
			return false;
	for (int i = 0; i < 1000000; i++) {
		any = any * 6364136223846793005ULL + 1442695040888963407ULL;
		if (!same_number(any >> (i % 64)))
			return false;
	}
	return same_number(UINT64_MAX);
}

static bool duration(const char *text, uint64_t unit_ns, uint64_t expected)
{
	uint64_t ns = 0;

	if (parse_duration(text, unit_ns, &ns) && ns == expected)
		return true;
	printf("# %s: %" PRIu64 ", not %" PRIu64 "\n", text, ns, expected);
	return false;
}

static bool durations(void)
{
	return duration("160", 1, 160) && duration("0x10", 1, 16) && duration("1ms", 1, 1000000) &&
	       duration("16.6ms", 1, 16600000) && duration("500us", 1, 500000) &&
	       duration(".5s", 1, 500000000) && duration("250", NSEC_PER_MSEC, 250000000) &&
	       duration("2", NSEC_PER_SEC, 2000000000) && duration("1min", 1, 60000000000) &&
	       duration("18446744073709551615", 1, UINT64_MAX) && duration("3.ns", 1, 3);
}

static bool no_durations(void)
{
	static const char *const texts[] = { "",     ".",    "soon",	    "-1",   "1e3",
					     "1 ms", "1m",   "1MS",	    "1ms2", "nan",
					     "inf",  "1..5", "10000000000s" };
	uint64_t ns;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!parse_duration(texts[i], 1, &ns))
			continue;
		printf("# '%s' is taken as %" PRIu64 "\n", texts[i], ns);
		return false;
	}
	return true;
}

static bool frequencies(void)
{
	double hz;

	return parse_frequency("500", &hz) && hz == 500 && parse_frequency("10k", &hz) &&
	       hz == 10000 && parse_frequency("2.5MHz", &hz) && hz == 2500000 &&
	       parse_frequency("0.5Hz", &hz) && hz == 0.5 && parse_frequency("1G", &hz) &&
	       hz == 1e9 && !parse_frequency("0", &hz) && !parse_frequency("10m", &hz) &&
	       !parse_frequency("k", &hz) && !parse_frequency("1kk", &hz) &&
	       !parse_frequency("-1", &hz) && !parse_frequency("1 k", &hz);
}

int main(void)
{
	puts("1..8");
	result(all_exponents(), "float_write equals printf for each exponent, zeros and NAN");
	result(powers_of_ten(), "float_write equals printf next to powers of ten");
	result(ties(), "float_write rounds ties as printf");
	result(any_floats(), "float_write equals printf for two million floats");
	result(whole_numbers(), "number_write equals printf for each length");
	result(durations(), "parse_duration accepts units");
	result(no_durations(), "parse_duration rejects other text");
	result(frequencies(), "parse_frequency accepts prefixes");
	return 0;
}
