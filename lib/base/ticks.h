/* SPDX-License-Identifier: MIT */
/* ticks.h - extends timestamps that wrap to 64-bit GPU time. */
#ifndef GPUOA_LIB_BASE_TICKS_H
#define GPUOA_LIB_BASE_TICKS_H

#include <stdint.h>

/* @mask: the bits that a timestamp has, all ones */

/* The first time from @past on whose low bits are @timestamp. */
static inline uint64_t ticks_after(uint64_t past, uint64_t timestamp, uint64_t mask)
{
	return past + ((timestamp - past) & mask);
}

/* The time nearest to @ticks whose low bits are @timestamp. */
static inline uint64_t ticks_near(uint64_t ticks, uint64_t timestamp, uint64_t mask)
{
	uint64_t after = ticks_after(ticks, timestamp, mask);

	return after - ticks > mask / 2 && after > mask ? after - mask - 1 : after;
}

#endif /* GPUOA_LIB_BASE_TICKS_H */
