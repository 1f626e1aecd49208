/* SPDX-License-Identifier: GPL-2.0-only */
/* platform.h - table of the supported platforms and their OA units. */
#ifndef _GPUOA_PLATFORM_H
#define _GPUOA_PLATFORM_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct gpuoa_builtin_set;
struct gpuoa_oa_ops;

#define GPUOA_UNIT_TYPES (GPUOA_UNIT_OAMG + 1)

/**
 * struct gpuoa_platform - GPU platform
 * @name: name used by the metric definitions
 * @timestamp_frequency: usual timestamp frequency, Hz; a provider may override it
 * @units: backends by enum gpuoa_unit_type; NULL if there is no such unit
 * @test_set: built-in test configuration of GPUOA_UNIT_OA, with id GPUOA_TEST_OA_ID, or NULL
 */
struct gpuoa_platform {
	const char *name;
	u64 timestamp_frequency;
	const struct gpuoa_oa_ops *units[GPUOA_UNIT_TYPES];
	const struct gpuoa_builtin_set *test_set;
};

const struct gpuoa_platform *gpuoa_platform_find(const char *name);
const struct gpuoa_builtin_set *gpuoa_platform_test_set(const struct gpuoa_platform *platform,
							u32 type);

#endif /* _GPUOA_PLATFORM_H */
