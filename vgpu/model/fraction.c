// SPDX-License-Identifier: GPL-2.0-only
/*
 * fraction.c - exact fractions of numbers of up to 128 bits, and their output.
 */
#include "fraction.h"

/* Exact 128-bit division, bit by bit, because speed does not matter; x / 0 is 0. */
__uint128_t sim_div(__uint128_t numerator, __uint128_t denominator)
{
	__uint128_t quotient = 0, rest = 0;
	int bit;

	if (!denominator)
		return 0;
	for (bit = 127; bit >= 0; bit--) {
		bool carry = rest >> 127;

		rest = rest << 1 | (numerator >> bit & 1);
		if (carry || rest >= denominator) {
			rest -= denominator;
			quotient |= (__uint128_t)1 << bit;
		}
	}
	return quotient;
}

static void put_number(struct seq_file *m, __uint128_t value)
{
	const u64 chunk = 1000000000000000000ULL;
	__uint128_t high = sim_div(value, chunk);

	if (high) {
		put_number(m, high);
		seq_printf(m, "%018llu", (u64)(value - high * chunk));
	} else {
		seq_printf(m, "%llu", (u64)value);
	}
}

/**
 * sim_put_metric() - Print an exact fraction; x / 0 is printed as 0.
 * @m: output file
 * @name: name of the metric
 * @numerator: numerator
 * @denominator: denominator
 */
void sim_put_metric(struct seq_file *m, const char *name, __uint128_t numerator,
		    __uint128_t denominator)
{
	seq_printf(m, "metric %s ", name);
	put_number(m, denominator ? numerator : 0);
	seq_putc(m, '/');
	put_number(m, denominator ?: 1);
	seq_putc(m, '\n');
}
