/* SPDX-License-Identifier: MIT */
/*
 * xe_feed.h - a stream of xe as gpuoa's records in a ring
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_FEED_H
#define GPUOA_LIB_SOURCE_XE_XE_FEED_H

#include "source/stream/feed.h"
#include "source/stream/stream.h"

/*
 * Make a feed of a stream whose file is @fd, of which .unit, .wire_size and .source.desc are known.
 * It begins switched off. -ENOMEM.
 */
int xe_feed_new(struct feed **feed, const struct stream *stream, int fd);

/*
 * Switch the stream on or off. What was written until then can be read first, as far as the ring
 * has room. 0 or -errno.
 */
int xe_feed_switch(struct feed *feed, bool on);

#endif /* GPUOA_LIB_SOURCE_XE_XE_FEED_H */
