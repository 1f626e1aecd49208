// SPDX-License-Identifier: MIT
/*
 * xe_stream.c - opens a stream of xe, and switches it on and off
 */
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "source/stream/stream_choose.h"
#include "source/xe/xe.h"
#include "source/xe/xe_feed.h"
#include "source/xe/xe_format.h"

#define PROPERTIES_MAX 8

/* Properties of a stream: a chain, in the order in which they were added */
struct properties {
	struct drm_xe_ext_set_property chain[PROPERTIES_MAX];
	unsigned int count;
};

static void add(struct properties *properties, uint32_t property, uint64_t value)
{
	struct drm_xe_ext_set_property *next = &properties->chain[properties->count];

	*next = (struct drm_xe_ext_set_property){ .property = property, .value = value };
	if (properties->count++)
		next[-1].base.next_extension = (uintptr_t)next;
}

/* What xe cannot do is refused before it is asked for something else. */
static int check_options(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	if (options->delivery == GPUOA_DELIVERY_AUX || options->overwrite || options->batches ||
	    options->context_hw_id)
		return -EOPNOTSUPP;
	/* xe has the counters of a context run, but reports are of all contexts. */
	if (options->context_filter != options->no_reports)
		return -EOPNOTSUPP;
	if (options->no_reports && !(unit->features & GPUOA_UNIT_NO_REPORTS))
		return -EOPNOTSUPP;
	return options->buffer_size && options->buffer_size != unit->buffer_size_max ? -ERANGE : 0;
}

static int choose_properties(const struct stream *stream, uint32_t id,
			     const struct gpuoa_stream_options *options,
			     struct properties *properties)
{
	const struct xe_unit *unit = (const struct xe_unit *)stream->unit;
	uint64_t format;

	if (!xe_format(stream->source.desc.format, &format))
		return -EINVAL;
	add(properties, DRM_XE_OA_PROPERTY_OA_UNIT_ID, unit->id);
	add(properties, DRM_XE_OA_PROPERTY_OA_METRIC_SET, id);
	add(properties, DRM_XE_OA_PROPERTY_OA_FORMAT, format);
	add(properties, DRM_XE_OA_PROPERTY_OA_DISABLED, 1);
	if (options->context_filter) {
		add(properties, DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID, options->context);
	} else {
		add(properties, DRM_XE_OA_PROPERTY_SAMPLE_OA, 1);
		add(properties, DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT,
		    stream->source.desc.exponent);
	}
	return 0;
}

/* The stream looks like a perf event that counts nothing. */
static void describe_event(struct stream *stream)
{
	stream->attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(stream->attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_period = 1,
		.sample_type = FEED_SAMPLE_TYPE,
		.disabled = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	stream->layout = sample_layout(&stream->attr);
}

static int make_ring(struct stream *stream, uint64_t size)
{
	struct feed *feed;
	int err;

	if (fcntl(stream->fd, F_SETFD, FD_CLOEXEC) || fcntl(stream->fd, F_SETFL, O_NONBLOCK))
		return -errno;
	err = xe_feed_new(&feed, stream, stream->fd);
	if (err)
		return err;
	stream->id = feed->id;
	stream->watermark = 1;
	err = ring_make(&stream->ring, feed, size);
	if (err)
		feed_free(feed);
	return err;
}

int xe_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options)
{
	/* Queues are those of a file. */
	const int fd = options->context_filter ? options->drm_fd : stream->unit->fd;
	struct properties properties = { .count = 0 };
	uint64_t room;
	int err = check_options(stream, options);

	if (!err)
		err = choose_properties(stream, id, options, &properties);
	if (err)
		return err;
	room = options->ring_size ? options->ring_size : choose_ring_size(stream, options);
	options->notify_reports = choose_watermark(stream, options, room) / stream->wire_size;
	stream->fd = xe_observe(fd, DRM_XE_OBSERVATION_OP_STREAM_OPEN, properties.chain);
	if (stream->fd < 0)
		return stream->fd;
	describe_event(stream);
	err = make_ring(stream, room);
	if (err) {
		close(stream->fd);
		return err;
	}
	options->ring_size = stream->ring.size;
	options->buffer_size = stream->unit->desc.buffer_size_max;
	options->delivery = GPUOA_DELIVERY_RAW;
	stream->source.desc.delivery = options->delivery;
	return 0;
}

int xe_switch_stream(struct stream *stream, bool on)
{
	/* What there is goes into the ring before, and the feed knows where that is.
	 */
	if (!on)
		ring_end(&stream->ring);
	return xe_feed_switch(stream->ring.feed, on);
}
