/* SPDX-License-Identifier: MIT */
/* ticks.h - 32-bit timestamps to 64-bit GPU time. */
#ifndef GPUOA_TICKS_H
#define GPUOA_TICKS_H

#include <stdint.h>

/* The first time from @past on whose low half is @timestamp. */
static inline uint64_t ticks_after(uint64_t past, uint32_t timestamp)
{
	return past + (uint32_t)(timestamp - (uint32_t)past);
}

/* The time nearest to @ticks whose low half is @timestamp. */
static inline uint64_t ticks_near(uint64_t ticks, uint32_t timestamp)
{
	uint64_t after = ticks_after(ticks, timestamp);

	return after - ticks > UINT32_MAX / 2 && after > UINT32_MAX ?
		       after - UINT32_MAX - 1 :
		       after;
}

#endif /* GPUOA_TICKS_H */
