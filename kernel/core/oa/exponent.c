// SPDX-License-Identifier: GPL-2.0-only
/*
 * exponent.c - timer exponents, periods and rates: exact arithmetic, no I/O.
 */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "exponent.h"

/* The largest exponent whose period is not longer than @ticks: 2^(e+1) <= ticks. */
static int exponent_from_ticks(u64 ticks, u32 exponent_max)
{
	if (ticks < gpuoa_exponent_ticks(0))
		return -ERANGE;

	return min_t(u32, ilog2(ticks) - 1, exponent_max);
}

/**
 * gpuoa_exponent_from_period - timer exponent for a period
 * @timestamp_frequency: Hz, below 1 GHz
 * @exponent_max: the hardware's largest
 * @period_ns: asked, ns
 *
 * Since 2^(e+1) is whole, 2^(e+1) / f <= period holds exactly if 2^(e+1) <= floor(period * f).
 *
 * Return: exponent of the longest period that is not longer than asked, or -ERANGE if even the
 * shortest is
 */
int gpuoa_exponent_from_period(u64 timestamp_frequency, u32 exponent_max, u64 period_ns)
{
	u64 ticks = mul_u64_u64_div_u64(period_ns, timestamp_frequency, NSEC_PER_SEC);

	return exponent_from_ticks(ticks, exponent_max);
}

/**
 * gpuoa_exponent_from_rate - timer exponent for a rate
 * @timestamp_frequency: Hz
 * @exponent_max: the hardware's largest
 * @rate_hz: asked, reports per second, not 0
 *
 * Return: exponent of the lowest rate that is not lower than asked, or -ERANGE if even the highest
 * is; for a rate below the hardware's lowest, the exponent of that
 */
int gpuoa_exponent_from_rate(u64 timestamp_frequency, u32 exponent_max, u64 rate_hz)
{
	return exponent_from_ticks(div64_u64(timestamp_frequency, rate_hz), exponent_max);
}

/**
 * gpuoa_exponent_period_ns - period of an exponent
 * @timestamp_frequency: Hz
 * @exponent: timer exponent
 *
 * Return: ns, rounded up
 */
u64 gpuoa_exponent_period_ns(u64 timestamp_frequency, u32 exponent)
{
	return DIV64_U64_ROUND_UP(gpuoa_exponent_ticks(exponent) * NSEC_PER_SEC,
				  timestamp_frequency);
}

/**
 * gpuoa_exponent_faster_than - does a timer exceed a rate?
 * @timestamp_frequency: Hz
 * @exponent: timer exponent
 * @rate_hz: limit, Hz, below 2^32
 *
 * Return: true if it writes more than @rate_hz reports a second
 */
bool gpuoa_exponent_faster_than(u64 timestamp_frequency, u32 exponent, u64 rate_hz)
{
	return timestamp_frequency > gpuoa_exponent_ticks(exponent) * rate_hz;
}
