/* SPDX-License-Identifier: MIT */
/*
 * drm_feed.h - emulated ring for a stream of a stock driver
 *
 * A read(2) polls the hardware, so poll(2) is called first.
 */
#ifndef GPUOA_LIB_READER_DRM_DRM_FEED_H
#define GPUOA_LIB_READER_DRM_DRM_FEED_H

#include <sys/types.h>

#include "reader/drm/teller.h"

#define DRM_READ_MAX (256 * 1024)

/* Base of all drivers' feeds. */
struct drm_feed {
	struct feed feed;
	struct teller teller;
	int fd;
	/*
	 * Read once, at most @room bytes, into .bytes, and pass the result to the encoder. Returns
	 * a value above 0 if there may be more.
	 */
	ssize_t (*take)(struct drm_feed *feed, size_t room);
	bool on;
	bool draining; /* read even if poll(2) reports no data */
	bool gone; /* the GPU was removed: no data will follow */
	bool cut; /* not all data were read, because the ring was full */
	uint8_t bytes[DRM_READ_MAX];
};

/*
 * Create a feed for a stream with file @fd; .unit, .wire_size and .reader.desc must be set. @size:
 * bytes of the struct that begins with struct drm_feed. The feed is disabled. Returns 0 or -ENOMEM.
 */
int drm_feed_new(struct drm_feed **feed, size_t size, const struct feed_ops *ops,
		 const struct stream *stream, int fd,
		 ssize_t (*take)(struct drm_feed *feed, size_t room));

/* Implementations of struct feed_ops; a driver's pump may call the first one. */
void drm_feed_pump(struct feed *feed);
void drm_feed_free(struct feed *feed);

/* Read until no data are left or the ring is full. The feed must be locked. */
void drm_feed_drain(struct drm_feed *feed);

/*
 * Keep all data that are read until feed_end_keeping(), even if the ring is full: the content of
 * the OABUFFER and data that arrive meanwhile. The feed must be locked.
 */
void drm_feed_keep(struct drm_feed *feed);

/*
 * Record that the stream is enabled or disabled. When it is enabled, the ring receives an enable
 * record and a clock pair. When it is disabled, reading stops, and data that did not fit are
 * reported as lost. The feed must be locked.
 */
void drm_feed_note_switch(struct drm_feed *feed, bool on);

#endif /* GPUOA_LIB_READER_DRM_DRM_FEED_H */
