/* SPDX-License-Identifier: MIT */
/*
 * i915_clock.h - from the timestamp correlations of a recording of i915-perf-recorder to clock
 * pairs
 *
 * A correlation has the 36 bits of the command streamer's timestamp. They are extended; and where
 * that register counts slower than reports do (DG2, Meteor Lake: half as fast), they are rescaled.
 * What the ratio is, the file does not say: it follows from how fast the correlations count.
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_I915_CLOCK_H
#define GPUOA_LIB_SOURCE_RECORDING_I915_CLOCK_H

#include "gpuoa.h"
#include "source/recording/i915_format.h"

struct i915_clock {
	uint64_t last; /* ticks of the last correlation, extended */
	bool has_last;
	unsigned int shift; /* ticks of reports are those of correlations, shifted left by this */
};

/* The next correlation of the file as a clock pair. */
struct gpuoa_clock_pair i915_clock_pair(struct i915_clock *clock,
					const struct i915_correlation *correlation);

/*
 * Ratio of the clocks, for i915_clock.shift: two correlations of a file, and the frequency of
 * reports. 0 if they are too close to tell.
 */
unsigned int i915_clock_shift(const struct i915_correlation *first,
			      const struct i915_correlation *second, uint64_t frequency);

#endif /* GPUOA_LIB_SOURCE_RECORDING_I915_CLOCK_H */
