// SPDX-License-Identifier: MIT
/*
 * i915_feed.c - a stream of i915-perf as gpuoa's records in a ring
 *
 * read(2) gives records of i915: a report each, or that some were lost.
 *
 * Each read(2) asks the hardware something, so that poll(2) is asked first.
 */
#include "source/i915/i915_feed.h"

#include <errno.h>
#include <i915_drm.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nsec.h"
#include "source/stream/teller.h"

#define READ_MAX (256 * 1024)
#define READ_MIN                                                                        \
	(16 * 1024) /* more than any record has, so that i915 can always give something \
		     */

_Static_assert(READ_MIN + TELLER_ROOM <= FEED_RING_MIN / 2, "half of a ring is room enough");

struct i915_feed {
	struct feed feed;
	struct teller teller;
	int fd;
	uint64_t poll_ns;
	bool on;
	bool draining;
	bool cut; /* the ring had no room for all that there was */
	uint8_t bytes[READ_MAX];
};

static struct i915_feed *to_i915(struct feed *feed)
{
	return (struct i915_feed *)feed;
}

/* Take records as i915 wrote them. Those of other types are passed over. */
static void take(struct i915_feed *feed, size_t size)
{
	struct drm_i915_perf_record_header header;

	for (size_t at = 0; size - at >= sizeof(header); at += header.size) {
		const uint8_t *record = feed->bytes + at;

		memcpy(&header, record, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at)
			break;
		switch (header.type) {
		case DRM_I915_PERF_RECORD_SAMPLE:
			if (header.size >= sizeof(header) + feed->teller.format->size)
				teller_report(&feed->teller, record + sizeof(header));
			break;
		case DRM_I915_PERF_RECORD_OA_REPORT_LOST:
			teller_loss(&feed->teller, GPUOA_RECORD_REPORTS_LOST);
			break;
		case DRM_I915_PERF_RECORD_OA_BUFFER_LOST:
			teller_loss(&feed->teller, GPUOA_RECORD_BUFFER_OVERFLOW);
			break;
		}
	}
	teller_flush(&feed->teller);
}

static bool has_data(const struct i915_feed *feed)
{
	struct pollfd pollfd = { .fd = feed->fd, .events = POLLIN };

	return feed->draining || (poll(&pollfd, 1, 0) > 0 && pollfd.revents & POLLIN);
}

static void i915_pump(struct feed *generic)
{
	struct i915_feed *feed = to_i915(generic);
	ssize_t count;

	/* What is lost behind the last report is told at the end, too. */
	if (!feed->on && feed_room(generic) >= TELLER_ROOM)
		teller_end(&feed->teller);
	while (feed->on) {
		uint64_t room = feed_room(generic);

		feed->cut = room < READ_MIN + TELLER_ROOM;
		if (feed->cut)
			break;
		teller_begin(&feed->teller);
		if (!has_data(feed))
			break;
		teller_repeat(&feed->teller);
		room = feed_room(generic) - TELLER_ROOM / 2;
		count = read(feed->fd, feed->bytes, room < READ_MAX ? room : READ_MAX);
		if (count <= 0)
			break;
		take(feed, (size_t)count);
	}
}

static void i915_free(struct feed *generic)
{
	struct i915_feed *feed = to_i915(generic);

	teller_fini(&feed->teller);
	free(feed);
}

static const struct feed_ops i915_feed_ops = {
	.pump = i915_pump,
	.free = i915_free,
};

int i915_feed_new(struct feed **feed, const struct stream *stream, int fd, uint64_t poll_ns)
{
	struct i915_feed *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	if (teller_init(&made->teller, &made->feed, stream)) {
		free(made);
		return -ENOMEM;
	}
	made->fd = fd;
	made->poll_ns = poll_ns;
	feed_init(&made->feed, &i915_feed_ops, fd);
	*feed = &made->feed;
	return 0;
}

void i915_feed_switch(struct feed *generic, bool on)
{
	struct i915_feed *feed = to_i915(generic);

	pthread_mutex_lock(&generic->lock);
	if (!on && feed->on && feed->cut)
		feed->teller.loss = GPUOA_RECORD_BUFFER_OVERFLOW;
	feed->on = on;
	feed->teller.begun &= on;
	pthread_mutex_unlock(&generic->lock);
}

void i915_feed_drain(struct feed *generic, bool on)
{
	pthread_mutex_lock(&generic->lock);
	to_i915(generic)->draining = on;
	pthread_mutex_unlock(&generic->lock);
}

int i915_feed_poll_ms(const struct feed *feed)
{
	const uint64_t ms = 2 * ((const struct i915_feed *)feed)->poll_ns / NSEC_PER_MSEC + 1;

	return ms < INT_MAX ? (int)ms : INT_MAX;
}
