// SPDX-License-Identifier: MIT
/*
 * tracer.c - collect raw data from the streams of several units
 *
 * Samples are copied unmodified from perf's ring buffers; the decoder interprets them.
 */
#include "extra/tracer/tracer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "reader/stream/stream_private.h"

static bool put_payload(void *ctx, const struct payload *payload)
{
	const struct traced *group = ctx;

	return frame_put(group->room, payload->data ? FRAME_PAYLOAD : FRAME_LOST, group->scope,
			 payload->data, payload->size);
}

static int watch(const struct gpuoa_tracer *tracer, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(tracer->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int watch_all(struct gpuoa_tracer *tracer)
{
	int err;

	tracer->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (tracer->epoll < 0)
		return -errno;
	err = watch(tracer, tracer->sw.event);
	for (uint32_t i = 0; i < tracer->count && !err; i++)
		err = watch(tracer, gpuoa_reader_fd(tracer->readers[i]));
	if (err)
		close(tracer->epoll);
	return err;
}

int tracer_new(struct gpuoa_reader *const *streams, const struct gpuoa_set *const *sets,
	       uint32_t count, struct gpuoa_tracer **tracer)
{
	struct gpuoa_tracer *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	new->count = count;
	for (uint32_t i = 0; i < count; i++) {
		new->readers[i] = streams[i];
		new->groups[i] =
			(struct traced){ .stream = streams[i], .set = sets[i], .scope = i };
	}
	err = switch_init(&new->sw, new->readers, count);
	if (!err) {
		err = watch_all(new);
		if (err)
			switch_fini(&new->sw);
	}
	if (err) {
		free(new);
		return err;
	}
	*tracer = new;
	return 0;
}

void gpuoa_tracer_close(struct gpuoa_tracer *tracer)
{
	if (!tracer)
		return;
	switch_fini(&tracer->sw);
	close(tracer->epoll);
	for (uint32_t i = 0; i < tracer->count; i++)
		gpuoa_reader_close(tracer->readers[i]);
	free(tracer);
}

int gpuoa_tracer_enable(struct gpuoa_tracer *tracer, bool wait)
{
	return switch_set(&tracer->sw, true, wait);
}

int gpuoa_tracer_disable(struct gpuoa_tracer *tracer, bool wait)
{
	return switch_set(&tracer->sw, false, wait);
}

int gpuoa_tracer_fd(const struct gpuoa_tracer *tracer)
{
	return tracer->epoll;
}

/* Returns 1 if everything fitted, 0 if not, or a negative errno. */
static int drain(struct gpuoa_tracer *tracer, struct frame_room *room,
		 struct gpuoa_read_status *status)
{
	for (uint32_t i = 0; i < tracer->count; i++) {
		const uint32_t scope = (tracer->first + i) % tracer->count;
		struct traced *group = &tracer->groups[scope];
		int ret;

		group->room = room;
		ret = stream_copy(group->stream, put_payload, group, status);
		if (ret < 0)
			return ret;
		if (!ret) {
			tracer->first = scope;
			return 0;
		}
	}
	return 1;
}

/* Upper bound: a frame is smaller than the ring record with the same payload. */
static size_t count_bytes(const struct gpuoa_tracer *tracer)
{
	size_t size = 0;

	for (uint32_t i = 0; i < tracer->count; i++) {
		size_t bytes;

		stream_pending(tracer->groups[i].stream, &bytes);
		size += bytes;
	}
	return size;
}

/* Returns the errno to report if there is no data. */
static int why_nothing(struct gpuoa_tracer *tracer, const struct switch_state *state)
{
	const int err = switch_take_error(&tracer->sw);
	size_t bytes;

	if (err)
		return err;
	if (!state->on)
		return -EAGAIN;
	return stream_pending(tracer->groups[0].stream, &bytes);
}

static int ask_size(struct gpuoa_tracer *tracer, const struct switch_state *state, size_t *size)
{
	*size = count_bytes(tracer);
	if (state->at_rest && state->ran)
		*size += FRAME_END_SIZE;
	return *size ? 0 : why_nothing(tracer, state);
}

/* Returns the same values as gpuoa_tracer_read() and advances @room. */
static int read_into(struct gpuoa_tracer *tracer, const struct switch_state *state,
		     struct frame_room *room, struct gpuoa_read_status *status)
{
	const uint8_t *begin = room->at;
	int ret = drain(tracer, room, status);

	if (ret < 0)
		return ret;
	if (ret && (size_t)(room->end - room->at) < FRAME_END_SIZE)
		ret = 0;
	if (ret && switch_take_end(&tracer->sw, state)) {
		frame_put(room, FRAME_END, 0, NULL, 0);
		status->end = true;
	}
	if (room->at != begin)
		return 0;
	return ret ? why_nothing(tracer, state) : -EMSGSIZE;
}

int gpuoa_tracer_read(struct gpuoa_tracer *tracer, void *raw, size_t *size,
		      struct gpuoa_read_status *status)
{
	const struct switch_state state = switch_state(&tracer->sw);
	struct gpuoa_read_status found = { 0 };
	struct frame_room room;
	int err;

	if (status)
		*status = found;
	if (!raw)
		return ask_size(tracer, &state, size);
	room = (struct frame_room){ .at = raw, .end = (uint8_t *)raw + *size };
	err = read_into(tracer, &state, &room, &found);
	*size = room.at - (uint8_t *)raw;
	if (status)
		*status = found;
	return err;
}
