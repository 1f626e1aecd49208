// SPDX-License-Identifier: MIT
/*
 * xe_ring.c - emulated ring for a stream of xe
 *
 * read(2) returns only reports. When the hardware has set a status, read(2) fails once with EIO; an
 * ioctl returns the status, and the next read continues. After an overflow, the buffer is drained,
 * then the stream is restarted, because the behaviour of the hardware after an overflow is not
 * documented. If the GPU was removed, all status bits always read as ones.
 */
#include "reader/xe/xe_ring.h"

#include <errno.h>
#include <unistd.h>

#include "reader/drm/drm_ring.h"
#include "reader/xe/xe.h"

/* Maximum number of status reads per poll; more are left for the next poll. */
#define STATUS_MAX 4

struct xe_ring {
	struct drm_ring drm;
	int said; /* number of status reads in this poll */
	bool full; /* the buffer overflowed: drain it and restart the stream */
};

/* Encode the status of the hardware. Returns false if reading cannot continue. */
static bool take_status(struct xe_ring *emulated)
{
	struct drm_xe_oa_stream_status status = { .oa_status = 0 };
	struct encoder *encoder = &emulated->drm.encoder;
	uint32_t flags = 0;

	emulated->said++;
	emulated->drm.gone = unit_check(encoder->unit);
	if (emulated->drm.gone ||
	    drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_STATUS, &status))
		return false;
	if (status.oa_status & DRM_XE_OASTATUS_COUNTER_OVERFLOW)
		flags |= GPUOA_STATUS_COUNTERS_WRAPPED;
	if (status.oa_status & DRM_XE_OASTATUS_MMIO_TRG_Q_FULL)
		flags |= GPUOA_STATUS_TRIGGERS_LOST;
	if (flags)
		encoder_status(encoder, flags);
	if (status.oa_status & DRM_XE_OASTATUS_BUFFER_OVERFLOW) {
		emulated->full = true;
		emulated->drm.draining = true;
	} else if (status.oa_status & DRM_XE_OASTATUS_REPORT_LOST) {
		encoder_loss(encoder, GPUOA_RECORD_REPORTS_LOST);
	}
	return true;
}

static ssize_t xe_take(struct drm_ring *emulated, size_t room)
{
	const size_t size = emulated->encoder.format->size;
	struct xe_ring *xe = (struct xe_ring *)emulated;
	ssize_t count;

	if (xe->said == STATUS_MAX) {
		emulated->cut = true;
		return 0;
	}
	count = read(emulated->fd, emulated->bytes, room / size * size);
	if (count < 0)
		return errno == EIO && take_status(xe);
	for (ssize_t at = 0; at + (ssize_t)size <= count; at += size)
		encoder_report(&emulated->encoder, emulated->bytes + at);
	encoder_flush(&emulated->encoder);
	return count;
}

/* The buffer is drained; reports are missing from here on. */
static void begin_anew(struct xe_ring *emulated)
{
	encoder_loss(&emulated->drm.encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
	emulated->full = false;
	emulated->drm.draining = false;
	drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);
	drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);
}

static void xe_pump(struct emulated_ring *generic)
{
	struct xe_ring *emulated = (struct xe_ring *)generic;

	emulated->said = 0;
	drm_ring_pump(generic);
	if (emulated->full && emulated->drm.on && !emulated->drm.cut)
		begin_anew(emulated);
}

static const struct emulated_ring_ops xe_ring_ops = {
	.pump = xe_pump,
	.free = drm_ring_free,
};

int xe_ring_new(struct emulated_ring **emulated, const struct stream *stream, int fd)
{
	struct drm_ring *made;
	const int err =
		drm_ring_new(&made, sizeof(struct xe_ring), &xe_ring_ops, stream, fd, xe_take);

	if (!err)
		*emulated = &made->emulated;
	return err;
}

/*
 * Drain the buffer after the unit has stopped, when it is still readable. Without a restart by
 * begin_anew(), report an overflow here.
 */
static int switch_off(struct xe_ring *emulated)
{
	const int err = drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_DISABLE, NULL);

	if (err)
		return err;
	if (emulated->drm.on && emulated->drm.emulated.page) {
		emulated->said = 0;
		emulated->drm.draining = true;
		drm_ring_keep(&emulated->drm);
		drm_ring_drain(&emulated->drm);
		emulated_end_keeping(&emulated->drm.emulated);
		emulated->drm.draining = false;
	}
	if (emulated->full)
		encoder_loss(&emulated->drm.encoder, GPUOA_RECORD_BUFFER_OVERFLOW);
	emulated->full = false;
	drm_ring_note_switch(&emulated->drm, false);
	return 0;
}

static int switch_on(struct xe_ring *emulated)
{
	const int err = drm_ioctl(emulated->drm.fd, DRM_XE_OBSERVATION_IOCTL_ENABLE, NULL);

	if (!err)
		drm_ring_note_switch(&emulated->drm, true);
	return err;
}

int xe_ring_switch(struct emulated_ring *generic, bool on)
{
	struct xe_ring *emulated = (struct xe_ring *)generic;
	int err;

	pthread_mutex_lock(&generic->lock);
	err = on ? switch_on(emulated) : switch_off(emulated);
	pthread_mutex_unlock(&generic->lock);
	return err;
}
