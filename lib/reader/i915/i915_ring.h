/* SPDX-License-Identifier: MIT */
/* i915_ring.h - emulated ring for a stream of i915-perf */
#ifndef GPUOA_LIB_READER_I915_I915_RING_H
#define GPUOA_LIB_READER_I915_I915_RING_H

#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"

/*
 * Create an emulated ring, which is disabled, for a stream with file @fd. .unit, .wire_size and
 * .reader.desc of the stream must be set. @poll_ns: period at which i915 polls the hardware, ns.
 * Returns 0 or -ENOMEM.
 */
int i915_ring_new(struct emulated_ring **emulated, const struct stream *stream, int fd,
		  uint64_t poll_ns);

/*
 * Record that the stream was enabled or disabled. After it was enabled, an enable record and a
 * clock pair are written to the ring. After it was disabled, reading stops, and data that did not
 * fit in the ring is reported as lost.
 */
void i915_ring_switch(struct emulated_ring *emulated, bool on);

/*
 * Begin or end draining: read even if poll(2) reports no data, and store data that does not fit in
 * the ring.
 */
void i915_ring_drain(struct emulated_ring *emulated, bool on);

/* Return an upper bound of the interval at which i915 polls the hardware, in ms. */
int i915_ring_poll_ms(const struct emulated_ring *emulated);

#endif /* GPUOA_LIB_READER_I915_I915_RING_H */
