// SPDX-License-Identifier: MIT
/*
 * i915_feed.c - emulated ring for a stream of i915-perf
 *
 * read(2) returns i915's records: one report each, or a loss.
 */
#include "reader/i915/i915_feed.h"

#include <i915_drm.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/nsec.h"
#include "reader/drm/drm_feed.h"

struct i915_feed {
	struct drm_feed drm;
	uint64_t poll_ns;
};

/* Encode i915's records, skipping unknown types. */
static void take_records(struct drm_feed *feed, size_t size)
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

static ssize_t i915_take(struct drm_feed *feed, size_t room)
{
	const ssize_t count = read(feed->fd, feed->bytes, room);

	if (count > 0)
		take_records(feed, (size_t)count);
	return count;
}

static const struct feed_ops i915_feed_ops = {
	.pump = drm_feed_pump,
	.free = drm_feed_free,
};

int i915_feed_new(struct feed **feed, const struct stream *stream, int fd, uint64_t poll_ns)
{
	struct drm_feed *made;
	const int err = drm_feed_new(&made, sizeof(struct i915_feed), &i915_feed_ops, stream, fd,
				     i915_take);

	if (err)
		return err;
	((struct i915_feed *)made)->poll_ns = poll_ns;
	*feed = &made->feed;
	return 0;
}

void i915_feed_switch(struct feed *feed, bool on)
{
	pthread_mutex_lock(&feed->lock);
	drm_feed_note_switch((struct drm_feed *)feed, on);
	pthread_mutex_unlock(&feed->lock);
}

void i915_feed_drain(struct feed *feed, bool on)
{
	struct drm_feed *drm = (struct drm_feed *)feed;

	pthread_mutex_lock(&feed->lock);
	drm->draining = on;
	if (on)
		drm_feed_keep(drm);
	else
		feed_end_keeping(feed);
	pthread_mutex_unlock(&feed->lock);
}

int i915_feed_poll_ms(const struct feed *feed)
{
	const uint64_t ms = 2 * ((const struct i915_feed *)feed)->poll_ns / NSEC_PER_MSEC + 1;

	return ms < INT_MAX ? (int)ms : INT_MAX;
}
