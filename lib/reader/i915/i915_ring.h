/* SPDX-License-Identifier: MIT */
/* i915_ring.h - emulated ring for a stream of i915-perf */
#ifndef GPUOA_LIB_READER_I915_I915_RING_H
#define GPUOA_LIB_READER_I915_I915_RING_H

#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"

/*
 * Create an emulated ring for a stream with file @fd; .unit, .wire_size and .reader.desc must be
 * set. The ring is disabled. @poll_ns: polling period of i915 in ns. Returns 0 or -ENOMEM.
 */
int i915_ring_new(struct emulated_ring **emulated, const struct stream *stream, int fd,
		  uint64_t poll_ns);

/*
 * Record that the stream is enabled or disabled. When it is enabled, the ring receives an enable
 * record and a clock pair. When it is disabled, reading stops, and data that did not fit are
 * reported as lost.
 */
void i915_ring_switch(struct emulated_ring *emulated, bool on);

/*
 * Begin or end draining: read even if poll(2) reports no data, and keep more than the ring can
 * hold.
 */
void i915_ring_drain(struct emulated_ring *emulated, bool on);

/* Upper bound of i915's polling interval in ms. */
int i915_ring_poll_ms(const struct emulated_ring *emulated);

#endif /* GPUOA_LIB_READER_I915_I915_RING_H */
