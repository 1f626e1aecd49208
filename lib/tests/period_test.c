// SPDX-License-Identifier: MIT
/* period_test.c - Test the conversion between sampling periods and timer exponents. */
#include <errno.h>

#include "gpuoa.h"
#include "tap.h"

#define HASWELL_HZ 12500000 /* a tick is 80 ns, so that exponent 0 is 160 ns */
#define SKYLAKE_HZ 12000000 /* a tick is 83 1/3 ns, not a whole number */
#define GEN12_HZ 19200000 /* a tick is 52 1/12 ns, not a whole number */

static const struct {
	uint64_t hz;
	uint32_t max;
	uint64_t period;
	int down, up, nearest;
} exponents[] = {
	/* exactly a period */
	{ HASWELL_HZ, 63, 160, 0, 0, 0 },
	{ HASWELL_HZ, 63, 320, 1, 1, 1 },
	{ HASWELL_HZ, 63, 81920, 9, 9, 9 },
	/* next to a period */
	{ HASWELL_HZ, 63, 159, -ERANGE, 0, 0 },
	{ HASWELL_HZ, 63, 161, 0, 1, 0 },
	{ HASWELL_HZ, 63, 319, 0, 1, 1 },
	{ HASWELL_HZ, 63, 321, 1, 2, 1 },
	/* half-way: the shorter period */
	{ HASWELL_HZ, 63, 240, 0, 1, 0 },
	{ HASWELL_HZ, 63, 241, 0, 1, 1 },
	/* common requests */
	{ HASWELL_HZ, 63, 1000000, 12, 13, 13 },
	{ HASWELL_HZ, 63, 1000000000, 22, 23, 22 },
	/* where a tick is not a whole number of ns: 2 ticks are 166.67 ns or 104.17 ns */
	{ SKYLAKE_HZ, 31, 166, -ERANGE, 0, 0 },
	{ SKYLAKE_HZ, 31, 167, 0, 1, 0 },
	{ GEN12_HZ, 31, 104, -ERANGE, 0, 0 },
	{ GEN12_HZ, 31, 105, 0, 1, 0 },
	/* zero, and beyond the limits */
	{ HASWELL_HZ, 63, 0, -ERANGE, 0, 0 },
	{ HASWELL_HZ, 5, 5120, 5, 5, 5 },
	{ HASWELL_HZ, 5, 5121, 5, -ERANGE, 5 },
	{ HASWELL_HZ, 0, 1000, 0, -ERANGE, 0 },
	/* the largest numbers, which need a 128-bit product */
	{ HASWELL_HZ, 63, UINT64_MAX, 56, 57, 57 },
	{ UINT64_MAX, 63, UINT64_MAX, 63, -ERANGE, 63 },
	{ UINT64_MAX, UINT32_MAX, 1, 33, 34, 33 },
	{ 1, 63, 1, -ERANGE, 0, 0 },
	{ 1, 63, 2000000000, 0, 0, 0 },
	{ 0, 63, 1000, -ERANGE, -ERANGE, -ERANGE },
};

static void period_to_exponent_rounds_as_requested(void)
{
	for (size_t i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++) {
		const uint64_t hz = exponents[i].hz, ns = exponents[i].period;
		const uint32_t max = exponents[i].max;
		const int down = gpuoa_period_to_exponent(hz, max, ns, GPUOA_ROUNDING_DOWN);
		const int up = gpuoa_period_to_exponent(hz, max, ns, GPUOA_ROUNDING_UP);
		const int nearest = gpuoa_period_to_exponent(hz, max, ns, GPUOA_ROUNDING_NEAREST);

		if (!(CHECK(down == exponents[i].down) & CHECK(up == exponents[i].up) &
		      CHECK(nearest == exponents[i].nearest)))
			printf("# row %zu: %d %d %d\n", i, down, up, nearest);
	}
}

static void exponent_to_period_returns_ns(void)
{
	CHECK(gpuoa_exponent_to_period(HASWELL_HZ, 0) == 160);
	CHECK(gpuoa_exponent_to_period(HASWELL_HZ, 12) == 655360);
	CHECK(gpuoa_exponent_to_period(SKYLAKE_HZ, 0) == 167);
	CHECK(gpuoa_exponent_to_period(SKYLAKE_HZ, 1) == 333);
	CHECK(gpuoa_exponent_to_period(GEN12_HZ, 0) == 104);
	CHECK(gpuoa_exponent_to_period(GEN12_HZ, 31) == 223696213333);
}

static void periods_too_long_for_64_bits_saturate(void)
{
	CHECK(gpuoa_exponent_to_period(HASWELL_HZ, 56) == 11529215046068469760u);
	CHECK(gpuoa_exponent_to_period(HASWELL_HZ, 57) == UINT64_MAX);
	CHECK(gpuoa_exponent_to_period(HASWELL_HZ, 63) == UINT64_MAX);
	CHECK(gpuoa_exponent_to_period(HASWELL_HZ, UINT32_MAX) == UINT64_MAX);
	CHECK(gpuoa_exponent_to_period(UINT64_MAX, 63) == 1000000000);
}

static void frequency_0_has_no_period(void)
{
	CHECK(gpuoa_exponent_to_period(0, 5) == 0);
}

static void exponents_round_trip(void)
{
	static const uint64_t clocks[] = { HASWELL_HZ, SKYLAKE_HZ, GEN12_HZ, 100000000 };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		for (int exponent = 0; exponent < 32; exponent++) {
			const uint64_t ns = gpuoa_exponent_to_period(clocks[i], exponent);

			CHECK(gpuoa_period_to_exponent(clocks[i], 31, ns, GPUOA_ROUNDING_NEAREST) ==
			      exponent);
		}
}

/* With CLAMP, the nearest limit is returned if no period exists in the rounding direction. */
static void clamp_uses_nearest_limit(void)
{
	const uint32_t down = GPUOA_ROUNDING_DOWN, up = GPUOA_ROUNDING_UP;
	const uint32_t clamp = GPUOA_ROUNDING_CLAMP;

	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 31, 159, down) == -ERANGE);
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 31, 159, down | clamp) == 0);
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 31, UINT64_MAX, up) == -ERANGE);
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 31, UINT64_MAX, up | clamp) == 31);
	/* CLAMP does not change the result for periods within the limits. */
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 31, 1000000, down | clamp) == 12);
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 31, 1000000, up | clamp) == 13);
	CHECK(gpuoa_period_to_exponent(0, 31, 1000000, down | clamp) == -ERANGE);
}

static void unknown_rounding_returns_einval(void)
{
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 63, 1000, 17) == -EINVAL);
	CHECK(gpuoa_period_to_exponent(HASWELL_HZ, 63, 1000, 17 | GPUOA_ROUNDING_CLAMP) == -EINVAL);
}

int main(void)
{
	RUN(period_to_exponent_rounds_as_requested);
	RUN(exponent_to_period_returns_ns);
	RUN(periods_too_long_for_64_bits_saturate);
	RUN(frequency_0_has_no_period);
	RUN(exponents_round_trip);
	RUN(clamp_uses_nearest_limit);
	RUN(unknown_rounding_returns_einval);
	return tap_end();
}
