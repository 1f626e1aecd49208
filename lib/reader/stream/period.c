// SPDX-License-Identifier: MIT
/*
 * period.c - convert between sampling periods and timer exponents with exact arithmetic
 *
 * Exponent e means a report every 2^(e+1) timestamp ticks. A period of P ns is P * frequency / 10^9
 * ticks. To compare them without rounding, both are multiplied by 10^9, which takes up to 94 bits.
 */
#include <errno.h>

#include "base/nsec.h"
#include "gpuoa.h"

#define EXPONENT_LIMIT 63 /* with a larger one, a period would exceed any 64-bit timestamp */

typedef unsigned __int128 uint128;

static uint128 scaled_period(uint32_t exponent)
{
	return ((uint128)NSEC_PER_SEC << exponent) << 1;
}

static int round_to_nearest(int below, uint32_t exponent_max, uint128 asked)
{
	if (below < 0)
		return 0;
	if ((uint32_t)below == exponent_max)
		return below;
	return asked - scaled_period(below) <= scaled_period(below + 1) - asked ? below : below + 1;
}

int gpuoa_period_to_exponent(uint64_t timestamp_frequency, uint32_t exponent_max,
			     uint64_t period_ns, uint32_t rounding)
{
	const uint128 asked = (uint128)period_ns * timestamp_frequency;
	const bool clamp = rounding & GPUOA_ROUNDING_CLAMP;
	int below = -1; /* exponent of the longest period that is not longer than requested */

	if (!timestamp_frequency)
		return -ERANGE;
	if (exponent_max > EXPONENT_LIMIT)
		exponent_max = EXPONENT_LIMIT;
	while (below < (int)exponent_max && scaled_period(below + 1) <= asked)
		below++;

	switch (rounding & ~(uint32_t)GPUOA_ROUNDING_CLAMP) {
	case GPUOA_ROUNDING_DOWN:
		return below >= 0 ? below : clamp ? 0 : -ERANGE;
	case GPUOA_ROUNDING_UP:
		if (below >= 0 && scaled_period(below) == asked)
			return below;
		if (below < (int)exponent_max)
			return below + 1;
		return clamp ? (int)exponent_max : -ERANGE;
	case GPUOA_ROUNDING_NEAREST:
		return round_to_nearest(below, exponent_max, asked);
	}
	return -EINVAL;
}

uint64_t gpuoa_exponent_to_period(uint64_t timestamp_frequency, uint32_t exponent)
{
	uint128 ns;

	if (!timestamp_frequency)
		return 0;
	if (exponent > EXPONENT_LIMIT)
		return UINT64_MAX;
	ns = (scaled_period(exponent) + timestamp_frequency / 2) / timestamp_frequency;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}
