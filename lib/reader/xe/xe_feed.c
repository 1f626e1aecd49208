// SPDX-License-Identifier: MIT
/*
 * xe_feed.c - emulated ring for a stream of xe
 *
 * read(2) returns only reports. When the hardware has set a status, read(2) fails once with EIO; an
 * ioctl returns the status, and the next read continues. After an overflow, the buffer is drained,
 * then the stream is restarted, because the behaviour of the hardware after an overflow is not
 * documented. If the GPU was removed, all status bits always read as ones.
 */
#include "reader/xe/xe_feed.h"

#include <errno.h>
#include <unistd.h>

#include "reader/drm/drm_feed.h"
#include "reader/xe/xe.h"

/* Maximum number of status reads per poll; more are left for the next poll. */
#define STATUS_MAX 4

struct xe_feed {
	struct drm_feed drm;
	int said; /* number of status reads in this poll */
	bool full; /* the buffer overflowed: drain it and restart the stream */
};

/* Encode the status of the hardware. Returns false if reading cannot continue. */
static bool take_status(struct xe_feed *feed)
{
	struct drm_xe_oa_stream_status status = { .oa_status = 0 };
	struct teller *teller = &feed->drm.teller;
	uint32_t notes = 0;

	feed->said++;
	feed->drm.gone = unit_check(teller->unit);
	if (feed->drm.gone || drm_ioctl(feed->drm.fd, DRM_XE_OBSERVATION_IOCTL_STATUS, &status))
		return false;
	if (status.oa_status & DRM_XE_OASTATUS_COUNTER_OVERFLOW)
		notes |= GPUOA_STATUS_COUNTERS_WRAPPED;
	if (status.oa_status & DRM_XE_OASTATUS_MMIO_TRG_Q_FULL)
		notes |= GPUOA_STATUS_TRIGGERS_LOST;
	if (notes)
		teller_status(teller, notes);
	if (status.oa_status & DRM_XE_OASTATUS_BUFFER_OVERFLOW) {
		feed->full = true;
		feed->drm.draining = true;
	} else if (status.oa_status & DRM_XE_OASTATUS_REPORT_LOST) {
		teller_loss(teller, GPUOA_RECORD_REPORTS_LOST);
	}
	return true;
}

static ssize_t xe_take(struct drm_feed *feed, size_t room)
{
	const size_t size = feed->teller.format->size;
	struct xe_feed *xe = (struct xe_feed *)feed;
	ssize_t count;

	if (xe->said == STATUS_MAX) {
		feed->cut = true;
		return 0;
	}
	count = read(feed->fd, feed->bytes, room / size * size);
	if (count < 0)
		return errno == EIO && take_status(xe);
	for (ssize_t at = 0; at + (ssize_t)size <= count; at += size)
		teller_report(&feed->teller, feed->bytes + at);
	teller_flush(&feed->teller);
	return count;
}

/* The buffer is drained; reports are missing from here on. */
static void begin_anew(struct xe_feed *feed)
{
	teller_loss(&feed->drm.teller, GPUOA_RECORD_BUFFER_OVERFLOW);
	feed->full = false;
	feed->drm.draining = false;
	drm_ioctl(feed->drm.fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);
	drm_ioctl(feed->drm.fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);
}

static void xe_pump(struct feed *generic)
{
	struct xe_feed *feed = (struct xe_feed *)generic;

	feed->said = 0;
	drm_feed_pump(generic);
	if (feed->full && feed->drm.on && !feed->drm.cut)
		begin_anew(feed);
}

static const struct feed_ops xe_feed_ops = {
	.pump = xe_pump,
	.free = drm_feed_free,
};

int xe_feed_new(struct feed **feed, const struct stream *stream, int fd)
{
	struct drm_feed *made;
	const int err =
		drm_feed_new(&made, sizeof(struct xe_feed), &xe_feed_ops, stream, fd, xe_take);

	if (!err)
		*feed = &made->feed;
	return err;
}

/*
 * Drain the buffer after the unit has stopped, when it is still readable. Without a restart by
 * begin_anew(), report an overflow here.
 */
static int switch_off(struct xe_feed *feed)
{
	const int err = drm_ioctl(feed->drm.fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);

	if (err)
		return err;
	if (feed->drm.on && feed->drm.feed.page) {
		feed->said = 0;
		feed->drm.draining = true;
		drm_feed_keep(&feed->drm);
		drm_feed_drain(&feed->drm);
		feed_end_keeping(&feed->drm.feed);
		feed->drm.draining = false;
	}
	if (feed->full)
		teller_loss(&feed->drm.teller, GPUOA_RECORD_BUFFER_OVERFLOW);
	feed->full = false;
	drm_feed_note_switch(&feed->drm, false);
	return 0;
}

static int switch_on(struct xe_feed *feed)
{
	const int err = drm_ioctl(feed->drm.fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);

	if (!err)
		drm_feed_note_switch(&feed->drm, true);
	return err;
}

int xe_feed_switch(struct feed *generic, bool on)
{
	struct xe_feed *feed = (struct xe_feed *)generic;
	int err;

	pthread_mutex_lock(&generic->lock);
	err = on ? switch_on(feed) : switch_off(feed);
	pthread_mutex_unlock(&generic->lock);
	return err;
}
