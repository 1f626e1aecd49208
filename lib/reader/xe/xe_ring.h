/* SPDX-License-Identifier: MIT */
/* xe_ring.h - emulated ring for a stream of xe */
#ifndef GPUOA_LIB_READER_XE_XE_RING_H
#define GPUOA_LIB_READER_XE_XE_RING_H

#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"

/*
 * Create an emulated ring for a stream with file @fd; .unit, .wire_size and .reader.desc must be
 * set. The ring is disabled. Returns 0 or -ENOMEM.
 */
int xe_ring_new(struct emulated_ring **emulated, const struct stream *stream, int fd);

/*
 * Enable or disable the stream. Data written before disabling can still be read, if the ring has
 * space. Returns 0 or -errno.
 */
int xe_ring_switch(struct emulated_ring *emulated, bool on);

#endif /* GPUOA_LIB_READER_XE_XE_RING_H */
