/* SPDX-License-Identifier: MIT */
/*
 * drm_feed.h - reads a stream of a stock driver, and has gpuoa's records of it put into a ring
 *
 * Each read(2) asks the hardware something, so that poll(2) is asked first.
 */
#ifndef GPUOA_LIB_SOURCE_DRM_DRM_FEED_H
#define GPUOA_LIB_SOURCE_DRM_DRM_FEED_H

#include <sys/types.h>

#include "source/drm/teller.h"

#define DRM_READ_MAX (256 * 1024)

/* What the feeds of all drivers begin with. */
struct drm_feed {
	struct feed feed;
	struct teller teller;
	int fd;
	/*
	 * Read once, @room bytes at most, into .bytes, and tell the teller what came. Returns more
	 * than 0 if there may be more.
	 */
	ssize_t (*take)(struct drm_feed *feed, size_t room);
	bool on;
	bool draining; /* read even if poll(2) says that there is nothing */
	bool gone; /* the GPU is: there is nothing to read any more */
	bool cut; /* not all was read that there was: the ring had no room for it */
	uint8_t bytes[DRM_READ_MAX];
};

/*
 * Make a feed of a stream whose file is @fd, of which .unit, .wire_size and .source.desc are known.
 * @size: bytes of what begins with struct drm_feed. It begins switched off. -ENOMEM.
 */
int drm_feed_new(struct drm_feed **feed, size_t size, const struct feed_ops *ops,
		 const struct stream *stream, int fd,
		 ssize_t (*take)(struct drm_feed *feed, size_t room));

/* To be those of struct feed_ops; a driver's pump may call the first. */
void drm_feed_pump(struct feed *feed);
void drm_feed_free(struct feed *feed);

/* For a locked feed: read until there is nothing, or no room in the ring. */
void drm_feed_drain(struct drm_feed *feed);

/*
 * For a locked feed: what is read until feed_end_keeping() is not lost, though the ring is full: as
 * much as the OABUFFER holds, and what comes meanwhile.
 */
void drm_feed_keep(struct drm_feed *feed);

/*
 * For a locked feed: the stream is on from now on, and what the ring gets next says so, with a
 * clock pair. Or it is off: nothing is read any more, and what there was no room for is lost.
 */
void drm_feed_note_switch(struct drm_feed *feed, bool on);

#endif /* GPUOA_LIB_SOURCE_DRM_DRM_FEED_H */
