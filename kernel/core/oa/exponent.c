// SPDX-License-Identifier: GPL-2.0-only
/* exponent.c - conversion between timer exponents, periods and rates. */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "exponent.h"

/* Get the largest exponent with a period of at most @ticks: 2^(e+1) <= ticks. */
static int exponent_from_ticks(u64 ticks, u32 exponent_max)
{
	if (ticks < gpuoa_exponent_ticks(0))
		return -ERANGE;

	return min_t(u32, ilog2(ticks) - 1, exponent_max);
}

/**
 * gpuoa_exponent_from_period() - Convert a period to a timer exponent.
 * @timestamp_frequency: timestamp frequency, Hz, below 1 GHz
 * @exponent_max: largest exponent of the hardware
 * @period_ns: requested period, ns
 *
 * 2^(e+1) / f <= period holds exactly if 2^(e+1) <= floor(period * f), because 2^(e+1) is an
 * integer.
 *
 * Return: exponent of the longest period that does not exceed @period_ns; -ERANGE if the shortest
 * period exceeds it.
 */
int gpuoa_exponent_from_period(u64 timestamp_frequency, u32 exponent_max, u64 period_ns)
{
	u64 ticks = mul_u64_u64_div_u64(period_ns, timestamp_frequency, NSEC_PER_SEC);

	return exponent_from_ticks(ticks, exponent_max);
}

/**
 * gpuoa_exponent_from_rate() - Convert a rate to a timer exponent.
 * @timestamp_frequency: timestamp frequency, Hz
 * @exponent_max: largest exponent of the hardware
 * @rate_hz: requested rate, reports per second, not 0
 *
 * Return: exponent of the lowest rate that is at least @rate_hz, or @exponent_max if @rate_hz is
 * below the lowest rate; -ERANGE if @rate_hz exceeds the highest rate.
 */
int gpuoa_exponent_from_rate(u64 timestamp_frequency, u32 exponent_max, u64 rate_hz)
{
	return exponent_from_ticks(div64_u64(timestamp_frequency, rate_hz), exponent_max);
}

/**
 * gpuoa_exponent_period_ns() - Convert a timer exponent to a period.
 * @timestamp_frequency: timestamp frequency, Hz
 * @exponent: timer exponent
 *
 * Return: period, ns, rounded up
 */
u64 gpuoa_exponent_period_ns(u64 timestamp_frequency, u32 exponent)
{
	return DIV64_U64_ROUND_UP(gpuoa_exponent_ticks(exponent) * NSEC_PER_SEC,
				  timestamp_frequency);
}

/**
 * gpuoa_exponent_faster_than() - Check whether a timer exceeds a rate.
 * @timestamp_frequency: timestamp frequency, Hz
 * @exponent: timer exponent
 * @rate_hz: rate limit, Hz, below 2^32
 *
 * Return: true if the timer writes more than @rate_hz reports per second
 */
bool gpuoa_exponent_faster_than(u64 timestamp_frequency, u32 exponent, u64 rate_hz)
{
	return timestamp_frequency > gpuoa_exponent_ticks(exponent) * rate_hz;
}
