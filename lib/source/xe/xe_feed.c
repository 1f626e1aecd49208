// SPDX-License-Identifier: MIT
/*
 * xe_feed.c - a stream of xe as gpuoa's records in a ring
 *
 * read(2) gives reports and nothing else. When the hardware has said something,
 * it fails once with EIO; an ioctl tells what it was, and the next read goes
 * on. A buffer that was full is emptied, and then the stream is switched off
 * and on: what hardware does behind an overflow is not documented.
 */
#include "source/xe/xe_feed.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "source/stream/teller.h"
#include "source/xe/xe.h"

#define READ_MAX (128 * 1024)
#define READ_MIN (16 * 1024)

/* So often can one look find that the hardware has said something: a GPU that
 * is gone goes on. */
#define STATUS_MAX 4

_Static_assert(READ_MIN + TELLER_ROOM <= FEED_RING_MIN / 2, "half of a ring is room enough");

struct xe_feed {
	struct feed feed;
	struct teller teller;
	int fd;
	bool on;
	bool full; /* the buffer was: it is to be emptied, and the stream begun anew */
	bool cut; /* the ring had no room for all that there was */
	uint8_t bytes[READ_MAX];
};

static struct xe_feed *to_xe(struct feed *feed)
{
	return (struct xe_feed *)feed;
}

/* Tell what the hardware has said. */
static void take_status(struct xe_feed *feed)
{
	struct drm_xe_oa_stream_status status = { .oa_status = 0 };
	uint32_t notes = 0;

	if (xe_ioctl(feed->fd, DRM_XE_OBSERVATION_IOCTL_STATUS, &status))
		return;
	if (status.oa_status & DRM_XE_OASTATUS_COUNTER_OVERFLOW)
		notes |= GPUOA_STATUS_COUNTERS_WRAPPED;
	if (status.oa_status & DRM_XE_OASTATUS_MMIO_TRG_Q_FULL)
		notes |= GPUOA_STATUS_TRIGGERS_LOST;
	if (notes)
		teller_status(&feed->teller, notes);
	if (status.oa_status & DRM_XE_OASTATUS_BUFFER_OVERFLOW)
		feed->full = true;
	else if (status.oa_status & DRM_XE_OASTATUS_REPORT_LOST)
		teller_loss(&feed->teller, GPUOA_RECORD_REPORTS_LOST);
}

/* The buffer is empty: reports are missing from here on. */
static void begin_anew(struct xe_feed *feed)
{
	teller_loss(&feed->teller, GPUOA_RECORD_BUFFER_OVERFLOW);
	feed->full = false;
	xe_ioctl(feed->fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);
	xe_ioctl(feed->fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);
}

/* Read once: bytes, or -errno */
static ssize_t read_some(struct xe_feed *feed)
{
	const size_t size = feed->teller.format->size;
	const uint64_t room = feed_room(&feed->feed) - TELLER_ROOM / 2;
	const size_t most = room < READ_MAX ? room : READ_MAX;
	const ssize_t count = read(feed->fd, feed->bytes, most / size * size);

	if (count < 0)
		return -errno;
	for (ssize_t at = 0; at + (ssize_t)size <= count; at += size)
		teller_report(&feed->teller, feed->bytes + at);
	teller_flush(&feed->teller);
	return count;
}

/* Read until there is nothing, or no room. */
static void drain(struct xe_feed *feed)
{
	int said = 0;

	for (;;) {
		ssize_t count;

		feed->cut = feed_room(&feed->feed) < READ_MIN + TELLER_ROOM;
		if (feed->cut)
			return;
		teller_repeat(&feed->teller);
		count = read_some(feed);
		if (count == -EIO && said++ < STATUS_MAX)
			take_status(feed);
		else if (count <= 0)
			return;
	}
}

static bool has_data(const struct xe_feed *feed)
{
	struct pollfd pollfd = { .fd = feed->fd, .events = POLLIN };

	return feed->full || (poll(&pollfd, 1, 0) > 0 && pollfd.revents & POLLIN);
}

static void xe_pump(struct feed *generic)
{
	struct xe_feed *feed = to_xe(generic);

	if (feed_room(generic) < TELLER_ROOM)
		return;
	/* What is lost behind the last report is told at the end, too. */
	if (!feed->on) {
		teller_end(&feed->teller);
		return;
	}
	teller_begin(&feed->teller);
	if (!has_data(feed))
		return;
	drain(feed);
	if (feed->full && !feed->cut)
		begin_anew(feed);
}

static void xe_free(struct feed *generic)
{
	struct xe_feed *feed = to_xe(generic);

	teller_fini(&feed->teller);
	free(feed);
}

static const struct feed_ops xe_feed_ops = {
	.pump = xe_pump,
	.free = xe_free,
};

int xe_feed_new(struct feed **feed, const struct stream *stream, int fd)
{
	struct xe_feed *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	if (teller_init(&made->teller, &made->feed, stream)) {
		free(made);
		return -ENOMEM;
	}
	made->fd = fd;
	feed_init(&made->feed, &xe_feed_ops, fd);
	*feed = &made->feed;
	return 0;
}

/* What has landed can be read when the unit has stopped, too, but begin_anew()
 * would forget it. */
static int switch_off(struct xe_feed *feed)
{
	const int err = xe_ioctl(feed->fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);

	if (err)
		return err;
	if (feed->on && feed->feed.page) {
		drain(feed);
		if (feed->full || feed->cut)
			teller_loss(&feed->teller, GPUOA_RECORD_BUFFER_OVERFLOW);
	}
	feed->full = false;
	feed->on = false;
	feed->teller.begun = false;
	return 0;
}

int xe_feed_switch(struct feed *generic, bool on)
{
	struct xe_feed *feed = to_xe(generic);
	int err;

	pthread_mutex_lock(&generic->lock);
	if (on)
		err = xe_ioctl(feed->fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);
	else
		err = switch_off(feed);
	if (!err)
		feed->on = on;
	pthread_mutex_unlock(&generic->lock);
	return err;
}
