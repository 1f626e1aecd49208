/* SPDX-License-Identifier: GPL-2.0-only */
/* lease_ids.h - lookup of GPUs by PCI device id, in tables made from platforms/platforms.txt */
#ifndef _GPUOA_LEASE_IDS_H
#define _GPUOA_LEASE_IDS_H

#include <linux/bsearch.h>
#include <linux/types.h>

/**
 * struct known_gpu - entry of a table sorted by device id
 * @device: PCI device id
 * @platform: index of the platform
 */
struct known_gpu {
	u16 device;
	u8 platform;
};

static inline int known_gpu_compare(const void *key, const void *gpu)
{
	return (int)*(const u16 *)key - (int)((const struct known_gpu *)gpu)->device;
}

/**
 * known_gpu_find() - Find a GPU.
 * @gpus: table
 * @n: number of entries
 * @device: PCI device id
 *
 * Return: the entry, or NULL
 */
static inline const struct known_gpu *known_gpu_find(const struct known_gpu *gpus, size_t n,
						     u16 device)
{
	return bsearch(&device, gpus, n, sizeof(*gpus), known_gpu_compare);
}

#endif /* _GPUOA_LEASE_IDS_H */
