/* SPDX-License-Identifier: MIT */
/*
 * drm_ring.h - emulated ring for a stream of a stock driver
 *
 * A read(2) polls the hardware, so poll(2) is called first.
 */
#ifndef GPUOA_LIB_READER_DRM_DRM_RING_H
#define GPUOA_LIB_READER_DRM_DRM_RING_H

#include <sys/types.h>

#include "reader/drm/encoder.h"

#define DRM_READ_MAX (256 * 1024)

/* Base of all drivers' emulated rings. */
struct drm_ring {
	struct emulated_ring emulated;
	struct encoder encoder;
	int fd;
	/*
	 * Read once, at most @room bytes, into .bytes, and pass the result to the encoder. Returns
	 * a value above 0 if there may be more.
	 */
	ssize_t (*take)(struct drm_ring *emulated, size_t room);
	bool on;
	bool draining; /* read even if poll(2) reports no data */
	bool gone; /* the GPU was removed: no data will follow */
	bool cut; /* not all data were read, because the ring was full */
	uint8_t bytes[DRM_READ_MAX];
};

/*
 * Create an emulated ring for a stream with file @fd; .unit, .wire_size and .reader.desc must be
 * set. @size: bytes of the struct that begins with struct drm_ring. The ring is disabled. Returns 0
 * or -ENOMEM.
 */
int drm_ring_new(struct drm_ring **emulated, size_t size, const struct emulated_ring_ops *ops,
		 const struct stream *stream, int fd,
		 ssize_t (*take)(struct drm_ring *emulated, size_t room));

/* Implementations of struct emulated_ring_ops; a driver's pump may call the first one. */
void drm_ring_pump(struct emulated_ring *emulated);
void drm_ring_free(struct emulated_ring *emulated);

/* Read until no data are left or the ring is full. The emulated ring must be locked. */
void drm_ring_drain(struct drm_ring *emulated);

/*
 * Keep all data that are read until emulated_end_keeping(), even if the ring is full: the content
 * of the OABUFFER and data that arrive meanwhile. The emulated ring must be locked.
 */
void drm_ring_keep(struct drm_ring *emulated);

/*
 * Record that the stream is enabled or disabled. When it is enabled, the ring receives an enable
 * record and a clock pair. When it is disabled, reading stops, and data that did not fit are
 * reported as lost. The emulated ring must be locked.
 */
void drm_ring_note_switch(struct drm_ring *emulated, bool on);

#endif /* GPUOA_LIB_READER_DRM_DRM_RING_H */
