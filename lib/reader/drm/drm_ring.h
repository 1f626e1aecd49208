/* SPDX-License-Identifier: MIT */
/*
 * drm_ring.h - emulated ring for a stream of a stock driver
 *
 * A read(2) of the driver's file polls the hardware, so poll(2) is called first to avoid needless
 * reads.
 */
#ifndef GPUOA_LIB_READER_DRM_DRM_RING_H
#define GPUOA_LIB_READER_DRM_DRM_RING_H

#include <sys/types.h>

#include "reader/drm/encoder.h"

#define DRM_READ_MAX (256 * 1024)

/* Common beginning of all drivers' structs of emulated rings */
struct drm_ring {
	struct emulated_ring emulated;
	struct encoder encoder;
	int fd;
	/*
	 * Read once from the file, at most @room bytes to .bytes, and pass the data to the encoder.
	 * Returns a value above 0 if there may be more data.
	 */
	ssize_t (*take)(struct drm_ring *emulated, size_t room);
	uint32_t buffer_size; /* size of the OABUFFER in bytes; 0: the unit's largest */
	bool on;
	bool draining; /* read even if poll(2) reports no data */
	bool gone; /* the GPU was removed: no data will follow */
	bool cut; /* data is left in the driver, because the ring was full */
	uint8_t bytes[DRM_READ_MAX];
};

/*
 * Create an emulated ring, which is disabled, for a stream with file @fd. .unit, .wire_size and
 * .reader.desc of the stream must be set. @size: size in bytes of the struct that begins with
 * struct drm_ring. Returns 0 or -ENOMEM.
 */
int drm_ring_new(struct drm_ring **emulated, size_t size, const struct emulated_ring_ops *ops,
		 const struct stream *stream, int fd,
		 ssize_t (*take)(struct drm_ring *emulated, size_t room));

/* Implementations of struct emulated_ring_ops. The pump() of a driver may call drm_ring_pump(). */
void drm_ring_pump(struct emulated_ring *emulated);
void drm_ring_free(struct emulated_ring *emulated);

/* Return the size of the OABUFFER in bytes. */
uint32_t drm_ring_buffer_size(const struct drm_ring *emulated);

/* Read until no data are left or the ring is full. The emulated ring must be locked. */
void drm_ring_drain(struct drm_ring *emulated);

/*
 * Store all data that is read until emulated_end_keeping(), even if the ring is full: the content
 * of the OABUFFER, and data that arrives meanwhile. The emulated ring must be locked.
 */
void drm_ring_keep(struct drm_ring *emulated);

/*
 * Record that the stream was enabled or disabled. After it was enabled, an enable record and a
 * clock pair are written to the ring. After it was disabled, reading stops, and data that did not
 * fit in the ring is reported as lost. The emulated ring must be locked.
 */
void drm_ring_note_switch(struct drm_ring *emulated, bool on);

#endif /* GPUOA_LIB_READER_DRM_DRM_RING_H */
