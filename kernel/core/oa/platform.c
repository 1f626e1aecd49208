// SPDX-License-Identifier: GPL-2.0-only
/*
 * platform.c - the supported platforms, and their OA units.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "gpuoa_metric_set.h"
#include "gpuoa_oa.h"
#include "platform.h"
#include "test_sets.h"
#include "platforms_core.h"

/**
 * gpuoa_platform_find() - Find a platform by name.
 * @name: platform name
 *
 * Return: the platform, or NULL
 */
const struct gpuoa_platform *gpuoa_platform_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];

	return NULL;
}

/**
 * gpuoa_platform_test_set() - Get the built-in configuration of a unit.
 * @platform: platform
 * @type: enum gpuoa_unit_type
 *
 * Return: the configuration, or NULL if the unit has none
 */
const struct gpuoa_builtin_set *gpuoa_platform_test_set(const struct gpuoa_platform *platform,
							u32 type)
{
	return type == GPUOA_UNIT_OA ? platform->test_set : NULL;
}
