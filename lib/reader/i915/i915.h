/* SPDX-License-Identifier: MIT */
/*
 * i915.h - backend for i915-perf: OA streams of the stock i915 driver
 *
 * i915 has one unit per GPU, that of the render engine. Only one program can use it at a time.
 */
#ifndef GPUOA_LIB_READER_I915_I915_H
#define GPUOA_LIB_READER_I915_I915_H

#include <pthread.h>

#include "reader/drm/drm_unit.h"

extern const struct backend i915_backend;

/* CPU and GPU time at the last read of the clock, used to extend the next timestamp to 64 bits */
struct i915_time {
	pthread_mutex_t lock;
	uint64_t ticks; /* value of the timestamp register, extended to 64 bits; 0: not read yet */
	uint64_t ns; /* CLOCK_MONOTONIC in ns */
};

/* Shortest period in ns at which i915 can poll for reports */
#define I915_POLL_PERIOD_MIN_NS UINT64_C(100000)

struct i915_unit {
	struct drm_unit drm;
	uint32_t revision; /* revision of i915-perf, from 1 */
	/* number of ticks of a report's timestamp per tick of the timestamp register */
	uint32_t clock_ratio;
	struct i915_time time;
};

/* The prefix of unit names, and the functions that open units */
extern const struct drm_driver i915_driver;

/* Implementations of struct backend in other files of this directory. */
int i915_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);
int i915_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
int i915_remove_config(struct gpuoa_unit *unit, uint32_t id);
int i915_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options);
int i915_switch_stream(struct stream *stream, bool on);
bool i915_complain(const struct complaint *complaint, const struct stream *stream,
		   const struct gpuoa_stream_options *options, int err);

#endif /* GPUOA_LIB_READER_I915_I915_H */
