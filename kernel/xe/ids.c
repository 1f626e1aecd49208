// SPDX-License-Identifier: GPL-2.0-only
/* ids.c - supported GPUs by PCI device id, from platforms/platforms.txt. */
#include <linux/kernel.h>

#include "../lease/lease_ids.h"
#include "ids.h"

#include "platforms_lease_xe.h"

/**
 * xe_platform_find() - Find the platform of a GPU.
 * @device: PCI device id
 *
 * Return: the platform, or NULL
 */
const struct platform *xe_platform_find(u16 device)
{
	const struct known_gpu *gpu = known_gpu_find(gpus, ARRAY_SIZE(gpus), device);

	return gpu ? &platforms[gpu->platform] : NULL;
}
