/* SPDX-License-Identifier: MIT */
/* ticks.h - extend wrapping timestamps to 64-bit GPU time */
#ifndef GPUOA_LIB_BASE_TICKS_H
#define GPUOA_LIB_BASE_TICKS_H

#include <stdint.h>

/* @mask: mask of the bits that a timestamp has */

/* Returns the first time at or after @past with @timestamp as its low bits. */
static inline uint64_t ticks_after(uint64_t past, uint64_t timestamp, uint64_t mask)
{
	return past + ((timestamp - past) & mask);
}

/* Returns the time nearest to @ticks with @timestamp as its low bits. */
static inline uint64_t ticks_near(uint64_t ticks, uint64_t timestamp, uint64_t mask)
{
	uint64_t after = ticks_after(ticks, timestamp, mask);

	return after - ticks > mask / 2 && after > mask ? after - mask - 1 : after;
}

#endif /* GPUOA_LIB_BASE_TICKS_H */
