// SPDX-License-Identifier: MIT
/* platforms.c - facts of each platform, from platforms/platforms.txt */
#include "gpu/platforms.h"

#include <stdlib.h>
#include <string.h>

/*
 * Revision assumed for the usual part of a platform: a late stepping, because equations only check
 * for early ones.
 */
#define LAST_STEPPING 0x0f

struct pci_gpu {
	uint16_t device;
	uint8_t platform;
	uint8_t mdapi_version; /* 0: none is known */
};

#include "platforms_lib.h"

const struct gpu_platform *gpu_platform_get(size_t index)
{
	return index < sizeof(platforms) / sizeof(platforms[0]) ? &platforms[index] : NULL;
}

const struct gpu_platform *gpu_platform_find(const char *name)
{
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];
	return NULL;
}

unsigned int gpu_generation(const char *name)
{
	const struct gpu_platform *platform = gpu_platform_find(name);

	return platform ? platform->generation : 0;
}

static int compare_device(const void *key, const void *gpu)
{
	const uint64_t device = *(const uint64_t *)key;
	const uint64_t other = ((const struct pci_gpu *)gpu)->device;

	return (device > other) - (device < other);
}

static const struct pci_gpu *find_device(uint64_t device)
{
	return bsearch(&device, gpus, sizeof(gpus) / sizeof(gpus[0]), sizeof(gpus[0]),
		       compare_device);
}

const struct gpu_platform *gpu_platform_of_device(uint64_t device)
{
	const struct pci_gpu *found = find_device(device);

	return found ? &platforms[found->platform] : NULL;
}

int gpu_mdapi_version(const struct gpu_platform *platform, uint64_t device)
{
	const struct pci_gpu *found = find_device(device);

	if (found && found->mdapi_version && &platforms[found->platform] == platform)
		return found->mdapi_version;
	for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++)
		if (gpus[i].mdapi_version && &platforms[gpus[i].platform] == platform)
			return -1;
	return 0;
}

uint64_t gpu_usual(const struct gpu_platform *platform, uint64_t device, enum gpu_fact fact)
{
	const struct gpu_variant *variant = &platform->variant;

	if (variant->mdapi_version &&
	    gpu_mdapi_version(platform, device) == variant->mdapi_version) {
		switch (fact) {
		case GPU_SUBSLICE_STRIDE:
			return variant->subslice_stride;
		case GPU_NODE_BANKS:
			return variant->node_banks;
		case GPU_SQIDIS:
			return variant->sqidis;
		default:
			break;
		}
	}
	return platform->facts[fact];
}
