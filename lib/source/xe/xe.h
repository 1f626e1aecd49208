/* SPDX-License-Identifier: MIT */
/*
 * xe.h - the origin that is xe's observation: streams of OA reports of the
 * stock xe driver
 *
 * xe offers the units of a GPU by numbers. One program can have each of them at
 * a time.
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_H
#define GPUOA_LIB_SOURCE_XE_XE_H

#include "source/stream/unit.h"
#include <xe_drm.h>

extern const struct origin xe_origin;

struct xe_unit {
	struct gpuoa_unit unit; /* .fd: of the DRM node */
	char card[32]; /* "card0": its directory in /sys/class/drm */
	uint32_t id; /* of the unit, as xe counts them */
	struct drm_xe_engine_class_instance engine; /* one whose clock is that of the unit */
};

/* ioctl(2) again and again while it is interrupted. Its result, or -errno */
int xe_ioctl(int fd, unsigned long request, void *argument);

/* An observation's operation. Its result, or -errno */
int xe_observe(int fd, uint64_t operation, const void *param);

/* What other files of the room have of struct origin. */
int xe_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair);
int xe_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id);
int xe_list_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config **configs);
int xe_remove_config(struct gpuoa_unit *unit, uint32_t id);
int xe_open_stream(struct stream *stream, uint32_t id, struct gpuoa_stream_options *options);
int xe_switch_stream(struct stream *stream, bool on);
bool xe_complain(const struct complaint *complaint, const struct stream *stream,
		 const struct gpuoa_stream_options *options, int err);

#endif /* GPUOA_LIB_SOURCE_XE_XE_H */
