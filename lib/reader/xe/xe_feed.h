/* SPDX-License-Identifier: MIT */
/* xe_feed.h - emulated ring for a stream of xe */
#ifndef GPUOA_LIB_READER_XE_XE_FEED_H
#define GPUOA_LIB_READER_XE_XE_FEED_H

#include "reader/stream/feed.h"
#include "reader/stream/stream.h"

/*
 * Create a feed for a stream with file @fd; .unit, .wire_size and .reader.desc must be set. The
 * feed is disabled. Returns 0 or -ENOMEM.
 */
int xe_feed_new(struct feed **feed, const struct stream *stream, int fd);

/*
 * Enable or disable the stream. Data written before disabling can still be read, if the ring has
 * space. Returns 0 or -errno.
 */
int xe_feed_switch(struct feed *feed, bool on);

#endif /* GPUOA_LIB_READER_XE_XE_FEED_H */
