// SPDX-License-Identifier: MIT
/* i915_clock.c - convert the timestamp correlations of i915-perf-recorder to clock pairs */
#include "reader/recording/i915_clock.h"

#include <time.h>

#include "base/ticks.h"

#define TIMESTAMP_MASK ((UINT64_C(1) << I915_TIMESTAMP_BITS) - 1)

/* The recorder uses the fastest of three register reads, of unknown duration. */
#define ERROR_NS 100000

/* Minimum distance of correlations for measuring the clock's rate. */
#define APART_NS 1000000

#define SHIFT_MAX 3

struct gpuoa_clock_pair i915_clock_pair(struct i915_clock *clock,
					const struct i915_correlation *correlation)
{
	clock->last = clock->has_last ?
			      ticks_near(clock->last, correlation->gpu_ticks & TIMESTAMP_MASK,
					 TIMESTAMP_MASK) :
			      correlation->gpu_ticks;
	clock->has_last = true;
	return (struct gpuoa_clock_pair){
		.gpu_ticks = clock->last << clock->shift,
		.cpu_ns = correlation->cpu_ns,
		.clock_id = CLOCK_MONOTONIC,
		.error_ns = ERROR_NS,
	};
}

unsigned int i915_clock_shift(const struct i915_correlation *first,
			      const struct i915_correlation *second, uint64_t frequency)
{
	const uint64_t ticks = (second->gpu_ticks - first->gpu_ticks) & TIMESTAMP_MASK;
	const uint64_t ns = second->cpu_ns - first->cpu_ns;
	double ratio;
	unsigned int shift = 0;

	if (second->cpu_ns <= first->cpu_ns || ns < APART_NS || !ticks)
		return 0;
	ratio = frequency / (ticks * 1e9 / ns);
	/* Find the nearest power of two, if the ratio is close to one. */
	for (; shift < SHIFT_MAX && ratio > 1.5; shift++)
		ratio /= 2;
	return ratio > 0.95 && ratio < 1.05 ? shift : 0;
}
