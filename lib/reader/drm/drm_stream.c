// SPDX-License-Identifier: MIT
/* drm_stream.c - open a stream of a stock driver: the common part */
#include "reader/drm/drm_stream.h"

#include <errno.h>
#include <unistd.h>

#include "reader/drm/drm_ring.h"
#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream_choose.h"
#include "reader/stream/stream_open.h"
#include "reader/stream/unit.h"

const char *drm_stream_lacks(const struct gpuoa_stream_options *options)
{
	if (options->overwrite)
		return "has no flight recorder: unread reports are lost";
	if (options->delivery == GPUOA_DELIVERY_AUX)
		return "has no AUX mode: reports are copied";
	if (options->batch_boundary_reports)
		return "has no reports of batches";
	if (options->context_hw_id)
		return "knows contexts by an open DRM file and a handle of its only, not by what reports show";
	return NULL;
}

static bool has_size(const struct gpuoa_unit_desc *unit, uint32_t size)
{
	return size >= unit->buffer_size_min && size <= unit->buffer_size_max &&
	       !(size & (size - 1));
}

int drm_stream_check(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	if (drm_stream_lacks(options))
		return -EOPNOTSUPP;
	if (options->buffer_size && !has_size(&stream->unit->desc, options->buffer_size))
		return -ERANGE;
	return 0;
}

/*
 * Choose the size of the ring, which need not be large: a small ring stays in the caches, each page
 * of a large one has to be cleared first, and unread reports can wait in the OABUFFER.
 */
static uint64_t choose_size(const struct stream *stream, const struct gpuoa_stream_options *options)
{
	const uint64_t wake = 4 * options->notify_reports * (uint64_t)stream->wire_size;
	const uint64_t size = choose_ring_size(stream, options);
	const uint64_t most = wake > EMULATED_RING_ENOUGH ? wake : EMULATED_RING_ENOUGH;

	return size < most ? size : most;
}

uint64_t drm_stream_plan(const struct stream *stream, struct gpuoa_stream_options *options)
{
	const uint64_t size = options->ring_size ? options->ring_size :
						   choose_size(stream, options);

	options->notify_reports = choose_watermark(stream, options, size) / stream->wire_size;
	return size;
}

/* Describe the stream as a perf event that counts nothing. */
static void describe_event(struct stream *stream)
{
	stream->attr = emulated_attr(PERF_TYPE_SOFTWARE);
	stream->attr.config = PERF_COUNT_SW_DUMMY;
	stream->layout = sample_layout(&stream->attr);
}

int drm_stream_begin(struct stream *stream, struct emulated_ring *emulated, uint64_t size,
		     struct gpuoa_stream_options *options)
{
	int err;

	describe_event(stream);
	err = stream_take_ring(stream, emulated, size);
	if (err) {
		close(stream->fd);
		return err;
	}
	options->ring_size = stream->ring.size;
	options->buffer_size = drm_ring_buffer_size((struct drm_ring *)emulated);
	options->delivery = GPUOA_DELIVERY_RAW;
	stream->reader.desc.delivery = options->delivery;
	return 0;
}
