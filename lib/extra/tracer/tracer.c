// SPDX-License-Identifier: MIT
/*
 * tracer.c - collect raw data from the streams of several units
 *
 * Samples are copied unmodified from perf's ring buffers; the decoder interprets them.
 */
#include "extra/tracer/tracer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "reader/stream/stream_private.h"
#include "report/dword_mask.h"

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

/*
 * Copy the data of all streams to the buffer. Returns 1 if everything fitted, 0 if not, or a
 * negative errno.
 */
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

/*
 * Return an upper bound of the bytes to read: a frame is smaller than the record in perf's ring
 * with the same payload.
 */
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

/* Returns the errno with which a read fails if there is no data. */
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

/* Read data to @room. Returns the same values as gpuoa_tracer_read(). */
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

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_tracer_options, notify_bytes) + sizeof(size_t))

/* The streams of a tracer while it is being opened. */
struct opening {
	const struct gpuoa_tracer_group *groups;
	uint32_t count;
	struct gpuoa_reader *streams[GPUOA_TRACER_SCOPES];
	const struct gpuoa_set *sets[GPUOA_TRACER_SCOPES];
	size_t notifies[GPUOA_TRACER_SCOPES]; /* number of bytes after which each stream notifies */
	size_t notify_bytes;
	const struct complaint *complaint;
};

static int check_group(const struct opening *opening, uint32_t scope)
{
	const struct gpuoa_tracer_group *group = &opening->groups[scope];
	struct gpuoa_unit_desc first, own;
	const int err = sized_check_reserved(group->reserved, RESERVED_WORDS(group), "group", scope,
					     opening->complaint);

	if (err)
		return err;
	if (!group->unit || !group->set)
		return COMPLAIN(opening->complaint, -EINVAL, "group %" PRIu32 " has no %s", scope,
				group->unit ? "set" : "unit");
	gpuoa_unit_describe(opening->groups[0].unit, &first, sizeof(first));
	gpuoa_unit_describe(group->unit, &own, sizeof(own));
	if (strcmp(own.parent, first.parent))
		return COMPLAIN(opening->complaint, -EXDEV,
				"%s and %s are of different GPUs: each needs a tracer of its own",
				first.name, own.name);
	if (group->options &&
	    (group->options->overwrite || group->options->delivery == GPUOA_DELIVERY_AUX))
		return COMPLAIN(opening->complaint, -EOPNOTSUPP,
				"group %" PRIu32
				": a tracer copies from perf's ring buffer, and so has no AUX mode",
				scope);
	return 0;
}

/*
 * Return the number of reports after which the stream of a group notifies: its share of
 * .notify_bytes.
 */
static uint32_t share(const struct opening *opening, size_t report_size)
{
	const size_t reports = report_size ? opening->notify_bytes / opening->count / report_size :
					     1;

	return reports > UINT32_MAX ? UINT32_MAX : reports ? (uint32_t)reports : 1;
}

/* Return the size in bytes that a report counts toward the notification threshold. */
static size_t report_size(const struct gpuoa_set *set, const struct gpuoa_stream_options *options)
{
	struct gpuoa_set_desc desc;

	if (options->format)
		return gpuoa_format_size(options->format);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	return desc.report_size;
}

/* Return the size in bytes of @count reports as the stream delivers them; at least 1. */
static size_t bytes_of(const struct gpuoa_reader *stream, uint32_t count)
{
	struct gpuoa_reader_desc desc;
	size_t size;

	gpuoa_reader_describe(stream, &desc, sizeof(desc));
	size = dword_mask_is_whole(desc.dword_mask) ? desc.report_size :
						      dword_mask_size(desc.dword_mask);
	return count ? count * size : 1;
}

static int open_group(struct opening *opening, uint32_t scope)
{
	const struct gpuoa_tracer_group *group = &opening->groups[scope];
	struct gpuoa_stream_options ours = { .size = sizeof(ours) };
	struct gpuoa_stream_options *options = group->options ? group->options : &ours;
	int err;

	options->disabled = true;
	options->delivery = GPUOA_DELIVERY_RAW;
	if (opening->notify_bytes)
		options->notify_reports = share(opening, report_size(group->set, options));
	err = gpuoa_stream_open(group->unit, group->set, options, &opening->streams[scope],
				opening->complaint->text, opening->complaint->size);
	if (err)
		return err;
	opening->sets[scope] = group->set;
	opening->notifies[scope] = bytes_of(opening->streams[scope], options->notify_reports);
	return 0;
}

/* Return the number of bytes, over all streams, after which the first stream notifies. */
static size_t actual_bytes(const struct opening *opening)
{
	size_t least = SIZE_MAX;

	for (uint32_t i = 0; i < opening->count; i++)
		if (opening->notifies[i] < least)
			least = opening->notifies[i];
	return least * opening->count;
}

static int open_groups(struct opening *opening, struct gpuoa_tracer **tracer)
{
	int err = 0;

	for (uint32_t i = 0; i < opening->count && !err; i++)
		err = check_group(opening, i);
	for (uint32_t i = 0; i < opening->count && !err; i++)
		err = open_group(opening, i);
	if (!err)
		err = tracer_new(opening->streams, opening->sets, opening->count, tracer);
	for (uint32_t i = 0; err && i < opening->count; i++)
		gpuoa_reader_close(opening->streams[i]);
	return err;
}

int gpuoa_tracer_open(const struct gpuoa_tracer_group *groups, uint32_t count,
		      struct gpuoa_tracer_options *options, struct gpuoa_tracer **tracer,
		      char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_tracer_options known;
	struct opening opening = { .groups = groups, .count = count, .complaint = &complaint };
	int err;

	if (!groups || !count || count > GPUOA_TRACER_SCOPES)
		return COMPLAIN(&complaint, -EINVAL, "a tracer has 1 to %d groups, not %" PRIu32,
				GPUOA_TRACER_SCOPES, groups ? count : 0);
	err = sized_take(&known, sizeof(known), options, OPTIONS_SIZE_MIN, "the options",
			 &complaint);
	opening.notify_bytes = known.notify_bytes;
	if (!err)
		err = open_groups(&opening, tracer);
	if (err)
		return complaint_end(&complaint, err);
	if (options)
		options->notify_bytes = actual_bytes(&opening);
	return 0;
}
