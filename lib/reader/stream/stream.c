// SPDX-License-Identifier: MIT
/* stream.c - a unit's stream: wait, read, enable and disable */
#include "reader/stream/stream.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/nsec.h"
#include "base/read_status.h"
#include "base/sized.h"
#include "gpuoa-stream.h"
#include "reader/stream/stream_choose.h"
#include "reader/stream/stream_error.h"
#include "reader/stream/stream_open.h"
#include "reader/stream/stream_private.h"
#include "reader/stream/unit.h"
#include "uapi/gpuoa.h"

/* Period in ms at which a waiting thread checks whether the GPU still exists */
#define CHECK_INTERVAL_MS 1000

/* Time in ms to wait for the last reports of a GPU that was removed */
#define HANG_UP_MS 1000

static struct stream *to_stream(struct gpuoa_reader *reader)
{
	return (struct stream *)reader;
}

int stream_check(const struct stream *stream)
{
	struct pollfd pollfd = { .fd = stream->fd };
	const int err = unit_check(stream->unit);

	if (err && stream->unit->backend->hangs_up)
		poll(&pollfd, 1, HANG_UP_MS);
	return err;
}

int stream_next_event(void *ctx, struct stream_event *event)
{
	struct stream *stream = ctx;
	const struct perf_event_header *record;
	int ret;

	for (;;) {
		if (area_next(&stream->area, &event->item)) {
			event->kind = STREAM_EVENT_ITEM;
			return 1;
		}
		ret = ring_next(&stream->ring, &record);
		if (ret <= 0)
			return ret;
		switch (record->type) {
		case PERF_RECORD_SAMPLE:
			event->kind = STREAM_EVENT_RAW;
			ret = sample_raw(&stream->layout, record, &event->payload, &event->size);
			return ret ? -EIO : 1;
		case PERF_RECORD_LOST:
			area_note_ring_lost(&stream->area);
			event->kind = STREAM_EVENT_LOST;
			return 1;
		case PERF_RECORD_AUX:
			ret = area_begin(&stream->area, record);
			if (ret)
				return ret;
			break;
		}
	}
}

/* Release the space of records consumed earlier, which have been copied, and get the next event. */
static int release_and_next(void *ctx, struct stream_event *event)
{
	struct stream *stream = ctx;

	if (!stream->ahead.on)
		ring_release(&stream->ring);
	return stream_next_event(stream, event);
}

/* Release data that earlier reads returned in place, because the caller no longer uses it. */
static void stream_release(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);

	if (stream->ahead.on)
		return;
	area_release(&stream->area, event_reader_unread(&stream->events));
	if (!event_reader_holds(&stream->events))
		ring_release(&stream->ring);
}

/*
 * Convert the result of the event reader (@n reports or an error) to that of the public function.
 */
static int stream_result(const struct stream *stream, int n)
{
	int err;

	if (n == -EBADMSG)
		return -EIO;
	if (n)
		return n;
	err = stream_check(stream);
	/* The last reports may have arrived between the read and the check. */
	return err && ring_fill(&stream->ring) ? 0 : err;
}

static int stream_read(struct gpuoa_reader *reader, void *reports, size_t max,
		       struct gpuoa_read_status *status)
{
	struct stream *stream = to_stream(reader);
	const int n = event_reader_read(&stream->events, reports, max, status);

	stream_release(reader);
	return stream_result(stream, n);
}

static int stream_next(struct gpuoa_reader *reader, const void **reports, size_t max,
		       struct gpuoa_read_status *status)
{
	struct stream *stream = to_stream(reader);
	int n;

	stream_release(reader);
	n = event_reader_next(&stream->events, reports, max, status);
	return stream_result(stream, n);
}

static int stream_look_ahead(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);
	int err;

	stream_release(reader);
	err = ring_look_ahead(&stream->ring, &stream->ahead.ring);
	if (err)
		return err;
	stream->ahead.events = stream->events;
	stream->ahead.area = stream->area;
	stream->events.side_data = NULL;
	stream->ahead.on = true;
	return 0;
}

/*
 * Restore the position, but not the clock pair of a flight recorder, which stream_disable() sets
 * and not reads.
 */
static void stream_look_back(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);
	const struct gpuoa_clock_pair clock = stream->area.clock;

	ring_look_back(&stream->ring, &stream->ahead.ring);
	stream->events = stream->ahead.events;
	stream->area = stream->ahead.area;
	stream->area.clock = clock;
	stream->ahead.on = false;
}

/*
 * Flush reports from the hardware, unless the stream is disabled or is a flight recorder: neither
 * receives any reports then.
 */
static int stream_look(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);
	int (*look)(struct stream * stream) = stream->unit->backend->look;

	return look && stream->sampling && !stream->area.overwrite ? look(stream) : 0;
}

static bool stream_outstanding(const struct gpuoa_reader *reader)
{
	const struct stream *stream = (const struct stream *)reader;

	return event_reader_holds(&stream->events) || stream->ring.at != ring_end(&stream->ring);
}

static int64_t now_ms(void)
{
	return (int64_t)(now_ns() / NSEC_PER_MSEC);
}

/* True if the stream has enough data to wake a waiting thread. */
static bool is_full_enough(const struct stream *stream)
{
	return ring_fill(&stream->ring) >= stream->watermark ||
	       (stream->area.data && area_fill(&stream->area) >= stream->area.watermark);
}

/*
 * True if a read would return a report or report a loss. Clock pairs and stream descriptions do not
 * count. This uses a copy of the stream, because the caller may still use reports of the last read.
 * In the ring of a flight recorder, every record describes its window.
 */
static bool has_news(const struct stream *stream)
{
	struct stream probe = {
		.unit = stream->unit,
		.layout = stream->layout,
		.ring = stream->ring,
		.events = stream->events,
		.ahead.on = true,
	};
	struct ring saved;
	bool news;

	if (!ring_fill(&stream->ring) || stream->area.overwrite)
		return ring_fill(&stream->ring);
	probe.area = stream->area;
	probe.events.ctx = &probe;
	/* If there is no memory to look ahead, let the caller read. */
	if (ring_look_ahead(&probe.ring, &saved))
		return true;
	news = event_reader_has_news(&probe.events);
	ring_look_back(&probe.ring, &saved);
	return news;
}

/* Return the result of a wait whose timeout has expired: there may be data below the watermark. */
static int timed_out(const struct stream *stream)
{
	return has_news(stream) ? 0 : -ETIMEDOUT;
}

/*
 * Return the result of a wait after another thread disabled the stream: no more data will follow.
 */
static int canceled(const struct stream *stream)
{
	return has_news(stream) ? 0 : -ECANCELED;
}

/*
 * Return the result of a wait after the GPU was removed: the last data is read first. A flight
 * recorder is only read after it was stopped.
 */
static int gone(const struct stream *stream, int err)
{
	return has_news(stream) && !stream->area.overwrite ? 0 : err;
}

/*
 * Sleep until an event occurs, for at most @timeout_ms. Returns 1 if the caller must check again,
 * else the result of stream_wait().
 */
static int sleep_once(const struct stream *stream, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = stream->fd, .events = POLLIN },
		{ .fd = stream->disabled, .events = POLLIN },
	};
	int err;

	if (poll(fds, 2, timeout_ms) < 0)
		return -errno;
	err = fds[0].revents & (POLLERR | POLLHUP) ? -ENODEV : stream_check(stream);
	if (err)
		return gone(stream, err);
	if (fds[0].revents & POLLIN && has_news(stream))
		return 0;
	return fds[1].revents & POLLIN ? canceled(stream) : 1;
}

static int stream_wait(struct gpuoa_reader *reader, int timeout_ms)
{
	struct stream *stream = to_stream(reader);
	const int64_t deadline = timeout_ms < 0 ? INT64_MAX : now_ms() + timeout_ms;

	if (event_reader_holds(&stream->events) && has_news(stream))
		return 0;
	for (;;) {
		const int64_t left = deadline - now_ms();
		int ret;

		if ((is_full_enough(stream) || !stream->sampling) && has_news(stream))
			return 0;
		if (left < 0)
			return timed_out(stream);
		ret = sleep_once(stream, left < CHECK_INTERVAL_MS ? (int)left : CHECK_INTERVAL_MS);
		if (ret <= 0)
			return ret;
		if (!left)
			return timed_out(stream);
	}
}

static int stream_fd(const struct gpuoa_reader *reader)
{
	return ((const struct stream *)reader)->fd;
}

static int switch_sampling(struct stream *stream, bool on)
{
	const int err = stream->unit->backend->switch_stream(stream, on);

	if (err)
		return err;
	stream->sampling = on;
	programmed_switch(stream->programmed, on);
	return 0;
}

/*
 * Read a clock pair for a flight recorder, which may have run for days. Without the pair, the time
 * of its window would be unknown. If the GPU was removed, there is no pair.
 */
static void note_clock(struct stream *stream)
{
	struct gpuoa_clock_pair *clock = &stream->area.clock;

	if (stream->area.overwrite && gpuoa_unit_clock(stream->unit, CLOCK_MONOTONIC, clock))
		*clock = (struct gpuoa_clock_pair){ 0 };
}

/*
 * Another thread may be waiting or reading, so only the clock pair is modified. That thread does
 * not use the pair before the kernel has reported that the flight recorder has stopped.
 */
static int stream_disable(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);
	int err;

	note_clock(stream);
	err = switch_sampling(stream, false);
	return err ? err : eventfd_write(stream->disabled, 1) ? -errno : 0;
}

static int stream_enable(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);
	eventfd_t count;

	eventfd_read(stream->disabled, &count);
	return switch_sampling(stream, true);
}

static void stream_close(struct gpuoa_reader *reader)
{
	struct stream *stream = to_stream(reader);

	if (stream->programmed)
		programmed_switch(stream->programmed, false);
	programmed_put(stream->programmed);
	event_reader_fini(&stream->events);
	side_data_fini(&stream->reader.side_data);
	area_unmap(&stream->area);
	ring_unmap(&stream->ring);
	close(stream->fd);
	close(stream->disabled);
	free(stream);
}

static int stream_context(struct gpuoa_reader *reader, uint32_t id,
			  struct gpuoa_context_owner *owner)
{
	struct gpuoa_unit *unit = to_stream(reader)->unit;

	return unit->backend->context ? unit->backend->context(unit, id, owner) : -EOPNOTSUPP;
}

static const struct reader_ops stream_ops = {
	.read = stream_read,
	.next = stream_next,
	.release = stream_release,
	.wait = stream_wait,
	.fd = stream_fd,
	.enable = stream_enable,
	.disable = stream_disable,
	.context = stream_context,
	.look = stream_look,
	.look_ahead = stream_look_ahead,
	.look_back = stream_look_back,
	.outstanding = stream_outstanding,
	.close = stream_close,
};

struct stream *stream_from_source(struct gpuoa_reader *reader)
{
	return reader->ops == &stream_ops ? to_stream(reader) : NULL;
}

static struct stream *stream_new(struct gpuoa_unit *unit)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->disabled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stream->disabled < 0) {
		free(stream);
		return NULL;
	}
	stream->unit = unit;
	stream->reader.ops = &stream_ops;
	stream->reader.platform = unit->platform;
	stream->reader.constants = unit->constants;
	stream->reader.unit = unit->desc;
	return stream;
}

/* @actual: the requested options, which are updated to the actual values on success */
static int open_stream(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		       struct gpuoa_stream_options *actual, struct gpuoa_reader **reader,
		       const struct complaint *complaint)
{
	struct stream *stream = stream_new(unit);
	int err;

	if (!stream)
		return -errno;
	err = stream_open(stream, set, actual, complaint);
	if (err) {
		close(stream->disabled);
		free(stream);
		return err;
	}
	event_reader_init(&stream->events, release_and_next, stream,
			  stream->reader.desc.report_size);
	stream->events.side_data = &stream->reader.side_data;
	err = side_data_init(&stream->reader.side_data, unit->desc.timestamp_frequency);
	stream->programmed = programmed_new(set);
	if (!stream->programmed)
		err = -ENOMEM;
	if (!err)
		err = event_reader_set_mask(&stream->events, stream->reader.desc.dword_mask);
	if (!err && !actual->disabled)
		err = switch_sampling(stream, true);
	if (err) {
		stream_close(&stream->reader);
		return err;
	}
	*reader = &stream->reader;
	return 0;
}

int gpuoa_stream_open(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		      struct gpuoa_stream_options *options, struct gpuoa_reader **reader,
		      char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_stream_options actual;
	int err = sized_take(&actual, sizeof(actual), options, OPTIONS_SIZE_MIN, "the options",
			     &complaint);

	if (!err)
		err = open_stream(unit, set, &actual, reader, &complaint);
	if (err)
		return complaint_end(&complaint, err);
	if (options)
		sized_give(options, options->size, &actual, sizeof(actual));
	return 0;
}

static int complain(const struct complaint *complaint, const struct stream *stream,
		    const struct gpuoa_set_desc *set, int err)
{
	const char *name = stream->unit->desc.name;
	struct gpuoa_unit_user use = { .process = 0 };
	char user[64];

	switch (err) {
	case -EBUSY:
		gpuoa_unit_get_user(stream->unit, &use, sizeof(use));
		stream_user(&use, user, sizeof(user));
		return COMPLAIN(complaint, err,
				"%s stays as it is: it is in use%s, and others share it, or count",
				name, user);
	case -EOPNOTSUPP:
		return COMPLAIN(
			complaint, err,
			"a flight recorder of %s keeps its set, and so does an old gpuoa.ko", name);
	case -EIO:
		return COMPLAIN(complaint, err, "%s could not be programmed for %s", name,
				set->symbol);
	default:
		return COMPLAIN(complaint, err, "%s cannot be changed to %s: %s", name, set->symbol,
				strerror(-err));
	}
}

/* Update the stream's description for the new set. */
static void note_set(struct stream *stream, const struct gpuoa_set_desc *set, uint32_t id)
{
	strcpy(stream->reader.desc.uuid, set->uuid);
	snprintf(stream->event_name, sizeof(stream->event_name), "%s/%s/", stream->unit->desc.name,
		 set->symbol);
	stream->attr.config &= ~GPUOA_CONFIG_METRIC_SET_MASK;
	stream->attr.config |= (uint64_t)id << GPUOA_CONFIG_METRIC_SET_SHIFT;
}

int gpuoa_stream_reconfigure(struct gpuoa_reader *reader, const struct gpuoa_set *set, char *error,
			     size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct stream *stream = stream_from_source(reader);
	struct gpuoa_set_desc desc;
	uint32_t id;
	int err;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	if (!stream)
		return COMPLAIN(&complaint, -EOPNOTSUPP, "a recording has the set that it has");
	if (stream->recorded)
		return COMPLAIN(&complaint, -EBUSY,
				"the stream is recorded, and a recording is of one set");
	if (!stream->unit->backend->reconfigure)
		return unit_lacks(stream->unit, &complaint);
	err = gpuoa_unit_add_set(stream->unit, set, &id, error, error_size);
	if (err)
		return err;
	if (desc.format != reader->desc.format)
		return COMPLAIN(&complaint, -EINVAL,
				"%s needs reports of another format: open a stream for it",
				desc.symbol);
	err = stream->unit->backend->reconfigure(stream, id);
	if (err)
		return complain(&complaint, stream, &desc, err);
	note_set(stream, &desc, id);
	stream->set = set;
	programmed_change(stream->programmed, set);
	return 0;
}

struct stream_copy {
	stream_sink sink;
	void *ctx;
	bool full; /* the sink had no space for the last payload */
};

/*
 * Pass the payload of the next event to the sink. If the sink has no space for it, it remains in
 * the ring.
 */
static int next_event(void *ctx, struct stream_event *event)
{
	struct stream *stream = ctx;
	struct stream_copy *copy = stream->copy;
	const uint64_t at = stream->ring.at;
	const int ret = stream_next_event(stream, event);
	struct payload payload = { .data = NULL };

	if (ret <= 0)
		return ret;
	if (event->kind == STREAM_EVENT_RAW)
		payload = (struct payload){ .data = event->payload, .size = event->size };
	if (copy->sink(copy->ctx, &payload))
		return 1;
	stream->ring.at = at;
	copy->full = true;
	return 0;
}

int stream_copy(struct gpuoa_reader *reader, stream_sink sink, void *ctx,
		struct gpuoa_read_status *status)
{
	struct stream *stream = (struct stream *)reader;
	const struct event_reader before = stream->events;
	struct stream_copy copy = { .sink = sink, .ctx = ctx };
	struct gpuoa_read_status found;
	int n;

	/*
	 * Parse the payloads only to find losses. Their reports, clock pairs and markers are
	 * dropped.
	 */
	stream->copy = &copy;
	stream->events.next_event = next_event;
	stream->events.side_data = NULL;
	do {
		n = event_reader_read(&stream->events, NULL, INT_MAX, &found);
		status_add(status, &found);
	} while (n > 0);
	stream->events.next_event = before.next_event;
	stream->events.side_data = before.side_data;
	stream->copy = NULL;
	ring_release(&stream->ring);
	return n == -EBADMSG ? -EIO : n < 0 ? n : !copy.full;
}

int stream_pending(const struct gpuoa_reader *reader, size_t *bytes)
{
	const struct stream *stream = (const struct stream *)reader;

	*bytes = ring_fill(&stream->ring);
	return *bytes ? 0 : stream_check(stream);
}

int stream_state(struct gpuoa_reader *reader, struct gpuoa_clock_pair *now)
{
	const struct stream *stream = stream_from_source(reader);
	int err = 0;

	if (!stream || stream->area.overwrite)
		return -EOPNOTSUPP;
	if (now)
		err = gpuoa_unit_clock(stream->unit, CLOCK_MONOTONIC, now);
	return err ? err : stream->sampling;
}

struct programmed *stream_programmed(struct gpuoa_reader *reader)
{
	struct stream *stream = stream_from_source(reader);

	return stream ? stream->programmed : NULL;
}
