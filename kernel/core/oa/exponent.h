/* SPDX-License-Identifier: GPL-2.0-only */
/* exponent.h - conversion between timer exponents, periods and rates. */
#ifndef _GPUOA_EXPONENT_H
#define _GPUOA_EXPONENT_H

#include <linux/types.h>

/* Timestamp ticks between two timer reports. */
static inline u64 gpuoa_exponent_ticks(u32 exponent)
{
	return 2ULL << exponent;
}

int gpuoa_exponent_from_period(u64 timestamp_frequency, u32 exponent_max, u64 period_ns);
int gpuoa_exponent_from_rate(u64 timestamp_frequency, u32 exponent_max, u64 rate_hz);
u64 gpuoa_exponent_period_ns(u64 timestamp_frequency, u32 exponent);
bool gpuoa_exponent_faster_than(u64 timestamp_frequency, u32 exponent, u64 rate_hz);

#endif /* _GPUOA_EXPONENT_H */
