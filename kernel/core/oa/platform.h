/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * platform.h - the GPUs that a host can name: which OA units they have, and how they are driven.
 */
#ifndef _GPUOA_PLATFORM_H
#define _GPUOA_PLATFORM_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct gpuoa_builtin_set;
struct gpuoa_oa_ops;

#define GPUOA_UNIT_TYPES (GPUOA_UNIT_OAMG + 1)

/**
 * struct gpuoa_platform - a GPU
 * @name: as in the metric definitions
 * @timestamp_frequency: what is usual, Hz; hosts that can read it from the hardware know better
 * @units: backends by enum gpuoa_unit_type; NULL where there is no such unit
 * @test_set: the built-in test configuration of GPUOA_UNIT_OA, with id GPUOA_TEST_OA_ID, or NULL
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
