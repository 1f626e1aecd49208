// SPDX-License-Identifier: MIT
/* drm_ring.c - emulated ring for a stream of a stock driver */
#include "reader/drm/drm_ring.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "reader/stream/unit.h"

/*
 * Minimum space for a read: larger than any record of a driver, so that a read always makes
 * progress.
 */
#define READ_MIN (16 * 1024)

_Static_assert(READ_MIN + ENCODER_ROOM <= EMULATED_RING_MIN / 2, "half of a ring is room enough");

static bool has_data(const struct drm_ring *emulated)
{
	struct pollfd pollfd = { .fd = emulated->fd, .events = POLLIN };

	if (emulated->gone)
		return false;
	return emulated->draining || (poll(&pollfd, 1, 0) > 0 && pollfd.revents & POLLIN);
}

void drm_ring_drain(struct drm_ring *emulated)
{
	size_t room;

	do {
		emulated->cut = emulated_room(&emulated->emulated) < READ_MIN + ENCODER_ROOM;
		if (emulated->cut)
			return;
		encoder_begin(&emulated->encoder);
		if (!has_data(emulated))
			return;
		encoder_repeat(&emulated->encoder);
		room = emulated_room(&emulated->emulated) - ENCODER_ROOM / 2;
	} while (emulated->take(emulated, room < DRM_READ_MAX ? room : DRM_READ_MAX) > 0);
}

uint32_t drm_ring_buffer_size(const struct drm_ring *emulated)
{
	return emulated->buffer_size ? emulated->buffer_size :
				       emulated->encoder.unit->desc.buffer_size_max;
}

/*
 * Keep twice the size of the OABUFFER: one half for reports, the other for headers of samples,
 * which need far less.
 */
void drm_ring_keep(struct drm_ring *emulated)
{
	const size_t size = 2 * (size_t)drm_ring_buffer_size(emulated);

	/*
	 * If there is no memory, and samples are still waiting for space in the ring, stop reading,
	 * because these must come before new samples.
	 */
	if (emulated_keep(&emulated->emulated, size) && emulated->emulated.rest.size)
		emulated->cut = true;
}

void drm_ring_pump(struct emulated_ring *generic)
{
	struct drm_ring *emulated = (struct drm_ring *)generic;

	if (emulated->on)
		drm_ring_drain(emulated);
	/* After the stream was disabled, report a loss that occurred after the last report. */
	else if (emulated_room(generic) >= ENCODER_ROOM)
		encoder_end(&emulated->encoder);
}

void drm_ring_free(struct emulated_ring *generic)
{
	struct drm_ring *emulated = (struct drm_ring *)generic;

	encoder_fini(&emulated->encoder);
	free(emulated);
}

int drm_ring_new(struct drm_ring **emulated, size_t size, const struct emulated_ring_ops *ops,
		 const struct stream *stream, int fd,
		 ssize_t (*take)(struct drm_ring *emulated, size_t room))
{
	struct drm_ring *made = calloc(1, size);

	if (!made)
		return -ENOMEM;
	if (encoder_init(&made->encoder, &made->emulated, stream)) {
		free(made);
		return -ENOMEM;
	}
	made->fd = fd;
	made->take = take;
	emulated_init(&made->emulated, ops, fd);
	*emulated = made;
	return 0;
}

void drm_ring_note_switch(struct drm_ring *emulated, bool on)
{
	if (!on && emulated->on && emulated->cut)
		encoder_loss(&emulated->encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
	emulated->on = on;
	emulated->encoder.begun &= on;
}
