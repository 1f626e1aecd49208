/* SPDX-License-Identifier: MIT */
/*
 * i915_clock.h - convert the timestamp correlations of i915-perf-recorder to clock pairs
 *
 * A correlation has the 36-bit timestamp of the command streamer, which is extended here. On GPUs
 * where that register counts slower than the timestamps of reports (DG2, Meteor Lake: half as
 * fast), it is also rescaled. The file does not contain the ratio: it is computed from the rate of
 * the correlations.
 */
#ifndef GPUOA_LIB_READER_RECORDING_I915_CLOCK_H
#define GPUOA_LIB_READER_RECORDING_I915_CLOCK_H

#include "gpuoa.h"
#include "reader/recording/i915_format.h"

struct i915_clock {
	uint64_t last; /* time of the last correlation in ticks, extended */
	bool has_last;
	unsigned int shift; /* log2 of report ticks per tick of a correlation */
};

/* Convert the next correlation of the file. */
struct gpuoa_clock_pair i915_clock_pair(struct i915_clock *clock,
					const struct i915_correlation *correlation);

/*
 * Compute i915_clock.shift from two correlations of a file and the frequency of reports. Returns 0
 * if they are too close.
 */
unsigned int i915_clock_shift(const struct i915_correlation *first,
			      const struct i915_correlation *second, uint64_t frequency);

#endif /* GPUOA_LIB_READER_RECORDING_I915_CLOCK_H */
