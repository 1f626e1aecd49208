/* SPDX-License-Identifier: MIT */
/*
 * unit.h - an open OA unit, as other files of the library see it
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_UNIT_H
#define GPUOA_LIB_SOURCE_STREAM_UNIT_H

#include "gpuoa.h"

/* An OA unit of this machine. */
struct gpuoa_unit {
	int fd; /* of /dev/gpuoa<N> */
	struct gpuoa_unit_desc desc;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
};

/* 0, or -ENODEV if the GPU is gone. */
int unit_check(const struct gpuoa_unit *unit);

#endif /* GPUOA_LIB_SOURCE_STREAM_UNIT_H */
