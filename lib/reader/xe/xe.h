/* SPDX-License-Identifier: MIT */
/*
 * xe.h - backend for xe's observation interface: OA streams of the stock xe driver
 *
 * xe numbers the units of a GPU. Only one program can use a unit at a time.
 */
#ifndef GPUOA_LIB_READER_XE_XE_H
#define GPUOA_LIB_READER_XE_XE_H

#include <stdbool.h>
#include <stdint.h>
#include <xe_drm.h>

#include "reader/drm/drm_unit.h"

extern const struct backend xe_backend;

/* The prefix of unit names, and the functions that open units */
extern const struct drm_driver xe_driver;

/*
 * Capabilities of a unit and properties of a stream that Linux 6.12 does not have, with the values
 * of xe_drm.h of Linux 7.3
 */
#define XE_OA_CAPS_BUFFER_SIZE (UINT64_C(1) << 2)
#define XE_OA_CAPS_WAIT_NUM_REPORTS (UINT64_C(1) << 3)
#define XE_OA_PROPERTY_BUFFER_SIZE 12
#define XE_OA_PROPERTY_WAIT_NUM_REPORTS 13

/* Size in bytes of the OABUFFER without XE_OA_PROPERTY_BUFFER_SIZE */
#define XE_BUFFER_SIZE (16 << 20)

struct xe_unit {
	struct drm_unit drm;
	uint32_t id; /* xe's number of the unit */
	uint64_t capabilities; /* DRM_XE_OA_CAPS_* */
	uint32_t version; /* graphics IP version of the GPU: its major number, or 0 */
	/* an engine with the timestamp of the unit */
	struct drm_xe_engine_class_instance engine;
};

/* Implementations of struct backend in other files of this directory. */
int xe_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
int xe_remove_config(struct gpuoa_unit *unit, uint32_t id);
int xe_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options);
int xe_switch_stream(struct stream *stream, bool on);
bool xe_complain(const struct complaint *complaint, const struct stream *stream,
		 const struct gpuoa_stream_options *options, int err);

/*
 * Perform an operation DRM_XE_OBSERVATION_OP_* on DRM file @fd. Returns the result of the ioctl, or
 * -errno.
 */
int xe_observe(int fd, uint64_t operation, const void *param);

/*
 * Get the value of DRM_XE_OA_PROPERTY_OA_FORMAT. Returns false if xe does not support the format.
 */
bool xe_format(uint32_t format, uint64_t *value);

#endif /* GPUOA_LIB_READER_XE_XE_H */
