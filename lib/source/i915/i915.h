/* SPDX-License-Identifier: MIT */
/*
 * i915.h - the origin that is i915-perf: streams of OA reports of the stock i915 driver
 *
 * i915 offers one unit for each GPU: that of the render engine. One program can have it at a time.
 */
#ifndef GPUOA_LIB_SOURCE_I915_I915_H
#define GPUOA_LIB_SOURCE_I915_I915_H

#include <pthread.h>

#include "source/drm/drm_unit.h"

extern const struct origin i915_origin;

/* The CPU time and GPU time of the last look at the clock: what the next one is extended by. */
struct i915_time {
	pthread_mutex_t lock;
	uint64_t ticks; /* of the timestamp register, extended to 64 bits; 0: none yet */
	uint64_t ns; /* CLOCK_MONOTONIC */
};

/* i915 looks for reports no more often than this, ns. */
#define I915_POLL_PERIOD_MIN_NS UINT64_C(100000)

struct i915_unit {
	struct drm_unit drm;
	uint32_t revision; /* of i915-perf, from 1 */
	uint32_t clock_ratio; /* ticks of reports for each tick of the timestamp register */
	struct i915_time time;
};

/* What names of units begin with, and how they are opened */
extern const struct drm_driver i915_driver;

/* What other files of the room have of struct origin. */
int i915_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);
int i915_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
int i915_remove_config(struct gpuoa_unit *unit, uint32_t id);
int i915_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options);
int i915_switch_stream(struct stream *stream, bool on);
bool i915_complain(const struct complaint *complaint, const struct stream *stream,
		   const struct gpuoa_stream_options *options, int err);

#endif /* GPUOA_LIB_SOURCE_I915_I915_H */
