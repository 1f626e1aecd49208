/* SPDX-License-Identifier: MIT */
/*
 * scan.h - finds the GPUs of a machine in sysfs
 */
#ifndef GPUOA_LIB_DEVICE_SCAN_H
#define GPUOA_LIB_DEVICE_SCAN_H

#include <string.h>

#include "gpuoa-device.h"

/* List of GPUs, in the order of gpuoa_device_list() */
struct scan {
	struct gpuoa_device_desc *devices;
	size_t count;
	size_t room;
};

/*
 * Find all GPUs. The caller calls scan_free(), also after an error.
 *
 * @root: "", or a test's directory with /sys
 *
 * Returns 0 or -ENOMEM.
 */
int scan_devices(const char *root, struct scan *scan);
void scan_free(struct scan *scan);

/*
 * Returns whether gpuoa.ko provides the units of a GPU. Only the units of a stock driver have a
 * prefix with a colon: "i915:0".
 */
static inline bool device_is_served(const struct gpuoa_device_desc *device)
{
	return device->unit_count && !strchr(device->units[0], ':');
}

#endif /* GPUOA_LIB_DEVICE_SCAN_H */
