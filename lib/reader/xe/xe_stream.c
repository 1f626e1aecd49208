// SPDX-License-Identifier: MIT
/* xe_stream.c - open, enable and disable a stream of xe */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "reader/drm/drm_stream.h"
#include "reader/xe/xe.h"
#include "reader/xe/xe_ring.h"
#include "reader/xe/xe_format.h"
#include "reader/xe/xe_observe.h"

#define PROPERTIES_MAX 8

/* Properties of a stream: a linked list in the order of addition */
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

/* Reject options that xe does not support before the ioctl. */
static int check_options(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	/* xe can enable a context's counters, but reports always cover all contexts. */
	if (options->context_filter != options->query_only)
		return -EOPNOTSUPP;
	if (options->query_only && !(stream->unit->desc.features & GPUOA_UNIT_QUERY_ONLY))
		return -EOPNOTSUPP;
	return drm_stream_check(stream, options);
}

static int choose_properties(const struct stream *stream, uint32_t id,
			     const struct gpuoa_stream_options *options,
			     struct properties *properties)
{
	const struct xe_unit *unit = (const struct xe_unit *)stream->unit;
	uint64_t format;

	if (!xe_format(stream->reader.desc.format, &format))
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
		    stream->reader.desc.exponent);
	}
	return 0;
}

/* xe has no flags for close-on-exec and non-blocking files. */
static int make_ring(const struct stream *stream, struct emulated_ring **emulated)
{
	if (fcntl(stream->fd, F_SETFD, FD_CLOEXEC) || fcntl(stream->fd, F_SETFL, O_NONBLOCK))
		return -errno;
	return xe_ring_new(emulated, stream, stream->fd);
}

int xe_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options)
{
	/* Exec queues belong to a DRM file. */
	const int fd = options->context_filter ? options->drm_fd : stream->unit->fd;
	struct properties properties = { .count = 0 };
	struct emulated_ring *emulated = NULL;
	uint64_t ring_size;
	int err = check_options(stream, options);

	if (!err)
		err = choose_properties(stream, id, options, &properties);
	if (err)
		return err;
	ring_size = drm_stream_plan(stream, options);
	stream->fd = xe_observe(fd, DRM_XE_OBSERVATION_OP_STREAM_OPEN, properties.chain);
	if (stream->fd < 0)
		return stream->fd;
	err = make_ring(stream, &emulated);
	if (!emulated) {
		close(stream->fd);
		return err;
	}
	return drm_stream_begin(stream, emulated, ring_size, options);
}

int xe_switch_stream(struct stream *stream, bool on)
{
	/* Update the ring first, so that the emulated ring has its address. */
	if (!on)
		ring_end(&stream->ring);
	return xe_ring_switch(stream->ring.emulated, on);
}
