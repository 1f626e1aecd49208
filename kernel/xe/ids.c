// SPDX-License-Identifier: GPL-2.0-only
/* ids.c - supported GPUs by PCI device id, from platforms/platforms.txt. */
#include <linux/bsearch.h>
#include <linux/kernel.h>

#include "ids.h"

struct known_gpu {
	u16 device;
	u8 platform;
};

#include "platforms_lease_xe.h"

static int compare_device(const void *key, const void *gpu)
{
	return (int)*(const u16 *)key - (int)((const struct known_gpu *)gpu)->device;
}

/**
 * platform_find() - Find the platform of a GPU.
 * @device: PCI device id
 *
 * Return: the platform, or NULL
 */
const struct platform *platform_find(u16 device)
{
	const struct known_gpu *gpu =
		bsearch(&device, gpus, ARRAY_SIZE(gpus), sizeof(*gpus), compare_device);

	return gpu ? &platforms[gpu->platform] : NULL;
}
