// SPDX-License-Identifier: MIT
/* drm_feed.c - emulated ring for a stream of a stock driver */
#include "reader/drm/drm_feed.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "reader/stream/unit.h"

/* Larger than any record of a driver, so that a read always makes progress. */
#define READ_MIN (16 * 1024)

_Static_assert(READ_MIN + TELLER_ROOM <= FEED_RING_MIN / 2, "half of a ring is room enough");

static bool has_data(const struct drm_feed *feed)
{
	struct pollfd pollfd = { .fd = feed->fd, .events = POLLIN };

	if (feed->gone)
		return false;
	return feed->draining || (poll(&pollfd, 1, 0) > 0 && pollfd.revents & POLLIN);
}

void drm_feed_drain(struct drm_feed *feed)
{
	size_t room;

	do {
		feed->cut = feed_room(&feed->feed) < READ_MIN + TELLER_ROOM;
		if (feed->cut)
			return;
		teller_begin(&feed->teller);
		if (!has_data(feed))
			return;
		teller_repeat(&feed->teller);
		room = feed_room(&feed->feed) - TELLER_ROOM / 2;
	} while (feed->take(feed, room < DRM_READ_MAX ? room : DRM_READ_MAX) > 0);
}

/* The second half is for headers, which need far less. */
void drm_feed_keep(struct drm_feed *feed)
{
	const size_t size = 2 * (size_t)feed->teller.unit->desc.buffer_size_max;

	/*
	 * Samples still waiting for space must precede new ones: without memory for both, stop
	 * reading.
	 */
	if (feed_keep(&feed->feed, size) && feed->feed.rest.size)
		feed->cut = true;
}

void drm_feed_pump(struct feed *generic)
{
	struct drm_feed *feed = (struct drm_feed *)generic;

	if (feed->on)
		drm_feed_drain(feed);
	/* After disabling, report a loss that follows the last report. */
	else if (feed_room(generic) >= TELLER_ROOM)
		teller_end(&feed->teller);
}

void drm_feed_free(struct feed *generic)
{
	struct drm_feed *feed = (struct drm_feed *)generic;

	teller_fini(&feed->teller);
	free(feed);
}

int drm_feed_new(struct drm_feed **feed, size_t size, const struct feed_ops *ops,
		 const struct stream *stream, int fd,
		 ssize_t (*take)(struct drm_feed *feed, size_t room))
{
	struct drm_feed *made = calloc(1, size);

	if (!made)
		return -ENOMEM;
	if (teller_init(&made->teller, &made->feed, stream)) {
		free(made);
		return -ENOMEM;
	}
	made->fd = fd;
	made->take = take;
	feed_init(&made->feed, ops, fd);
	*feed = made;
	return 0;
}

void drm_feed_note_switch(struct drm_feed *feed, bool on)
{
	if (!on && feed->on && feed->cut)
		teller_loss(&feed->teller, GPUOA_RECORD_BUFFER_OVERFLOW);
	feed->on = on;
	feed->teller.begun &= on;
}
