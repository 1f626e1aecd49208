// SPDX-License-Identifier: GPL-2.0-only
/*
 * platform.c - the GPUs that a host can name: which OA units they have, and how they are driven.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "oa.h"
#include "platform.h"

static const struct gpuoa_platform platforms[] = {
	{
		.name = "hsw",
		.timestamp_frequency = 12500000,
		.units = { &gpuoa_oa_gen7 },
		.test_set = &gpuoa_test_set_hsw,
	},
};

/**
 * gpuoa_platform_find - find a platform
 * @name: its name
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
