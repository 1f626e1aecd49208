// SPDX-License-Identifier: MIT
/*
 * i915_ring.c - emulated ring for a stream of i915-perf
 *
 * read(2) returns records of i915, each of which has one report or reports a loss.
 */
#include "reader/i915/i915_ring.h"

#include <i915_drm.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/nsec.h"
#include "reader/drm/drm_ring.h"

struct i915_ring {
	struct drm_ring drm;
	uint64_t poll_ns;
};

/* Pass i915's records to the encoder. Unknown types of records are skipped. */
static void take_records(struct drm_ring *emulated, size_t size)
{
	struct drm_i915_perf_record_header header;

	for (size_t at = 0; size - at >= sizeof(header); at += header.size) {
		const uint8_t *record = emulated->bytes + at;

		memcpy(&header, record, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at)
			break;
		switch (header.type) {
		case DRM_I915_PERF_RECORD_SAMPLE:
			if (header.size >= sizeof(header) + emulated->encoder.format->size)
				encoder_report(&emulated->encoder, record + sizeof(header));
			break;
		case DRM_I915_PERF_RECORD_OA_REPORT_LOST:
			encoder_loss(&emulated->encoder, GPUOA_RECORD_REPORTS_LOST);
			break;
		case DRM_I915_PERF_RECORD_OA_BUFFER_LOST:
			encoder_loss(&emulated->encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
			break;
		}
	}
	encoder_flush(&emulated->encoder);
}

static ssize_t i915_take(struct drm_ring *emulated, size_t room)
{
	const ssize_t count = read(emulated->fd, emulated->bytes, room);

	if (count > 0)
		take_records(emulated, (size_t)count);
	return count;
}

static const struct emulated_ring_ops i915_ring_ops = {
	.pump = drm_ring_pump,
	.free = drm_ring_free,
};

int i915_ring_new(struct emulated_ring **emulated, const struct stream *stream, int fd,
		  uint64_t poll_ns)
{
	struct drm_ring *made;
	const int err = drm_ring_new(&made, sizeof(struct i915_ring), &i915_ring_ops, stream, fd,
				     i915_take);

	if (err)
		return err;
	((struct i915_ring *)made)->poll_ns = poll_ns;
	*emulated = &made->emulated;
	return 0;
}

void i915_ring_switch(struct emulated_ring *emulated, bool on)
{
	pthread_mutex_lock(&emulated->lock);
	drm_ring_note_switch((struct drm_ring *)emulated, on);
	pthread_mutex_unlock(&emulated->lock);
}

void i915_ring_drain(struct emulated_ring *emulated, bool on)
{
	struct drm_ring *drm = (struct drm_ring *)emulated;

	pthread_mutex_lock(&emulated->lock);
	drm->draining = on;
	if (on)
		drm_ring_keep(drm);
	else
		emulated_end_keeping(emulated);
	pthread_mutex_unlock(&emulated->lock);
}

int i915_ring_poll_ms(const struct emulated_ring *emulated)
{
	const uint64_t ms = 2 * ((const struct i915_ring *)emulated)->poll_ns / NSEC_PER_MSEC + 1;

	return ms < INT_MAX ? (int)ms : INT_MAX;
}
