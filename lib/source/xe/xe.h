/* SPDX-License-Identifier: MIT */
/*
 * xe.h - the origin that is xe's observation: streams of OA reports of the stock xe driver
 *
 * xe offers the units of a GPU by numbers. One program can have each of them at a time.
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_H
#define GPUOA_LIB_SOURCE_XE_XE_H

#include <xe_drm.h>

#include "source/drm/drm_unit.h"

extern const struct origin xe_origin;

/* What names of units begin with, and how they are opened */
extern const struct drm_driver xe_driver;

struct xe_unit {
	struct drm_unit drm;
	uint32_t id; /* of the unit, as xe counts them */
	struct drm_xe_engine_class_instance engine; /* one whose clock is that of the unit */
};

/* What other files of the room have of struct origin. */
int xe_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
int xe_remove_config(struct gpuoa_unit *unit, uint32_t id);
int xe_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options);
int xe_switch_stream(struct stream *stream, bool on);
bool xe_complain(const struct complaint *complaint, const struct stream *stream,
		 const struct gpuoa_stream_options *options, int err);

#endif /* GPUOA_LIB_SOURCE_XE_XE_H */
