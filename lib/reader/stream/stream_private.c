// SPDX-License-Identifier: MIT
/* stream_private.c - operations on streams for libgpuoa-extra */
#include "reader/stream/stream_private.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

#include "base/read_status.h"
#include "reader/stream/stream.h"

struct stream_copy {
	stream_sink sink;
	void *ctx;
	bool full; /* the next payload was not stored */
};

/* Pass the next event to the sink. If it is not stored, it remains in the ring. */
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

	/* Payloads are only parsed for losses; their reports, clock pairs and markers are not kept.
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
