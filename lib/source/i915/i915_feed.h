/* SPDX-License-Identifier: MIT */
/*
 * i915_feed.h - a stream of i915-perf as gpuoa's records in a ring
 */
#ifndef GPUOA_LIB_SOURCE_I915_I915_FEED_H
#define GPUOA_LIB_SOURCE_I915_I915_FEED_H

#include "source/stream/feed.h"
#include "source/stream/stream.h"

/*
 * Make a feed of a stream whose file is @fd, of which .unit, .wire_size and .source.desc are known.
 * It begins switched off. @poll_ns: how often i915 looks for reports. -ENOMEM.
 */
int i915_feed_new(struct feed **feed, const struct stream *stream, int fd, uint64_t poll_ns);

/*
 * The stream is on from now on: what the ring gets next says so, with a clock pair. Or it is off:
 * nothing is read any more, and what could not be read is told as lost.
 */
void i915_feed_switch(struct feed *feed, bool on);

/*
 * Read from now on even if poll(2) says that there is nothing, and more than the ring has room for;
 * or no longer.
 */
void i915_feed_drain(struct feed *feed, bool on);

/* In so many ms, i915 looks for reports once for sure. */
int i915_feed_poll_ms(const struct feed *feed);

#endif /* GPUOA_LIB_SOURCE_I915_I915_FEED_H */
