/* SPDX-License-Identifier: MIT */
/*
 * scan.h - finds the GPUs of a machine in sysfs
 */
#ifndef GPUOA_LIB_DEVICE_SCAN_H
#define GPUOA_LIB_DEVICE_SCAN_H

#include "gpuoa-device.h"

/* GPUs, in the order of gpuoa_device_list(). */
struct scan {
	struct gpuoa_device_desc *devices;
	size_t count;
	size_t room;
};

/*
 * Find all of them. @root: "" or where a test has its own /sys. -ENOMEM. What was found is the
 * caller's to free, also after an error.
 */
int scan_devices(const char *root, struct scan *scan);
void scan_free(struct scan *scan);

/* Are the units of a GPU those of gpuoa.ko? A stock driver's unit has its name in front: "i915:0"
 */
bool device_is_served(const struct gpuoa_device_desc *device);

#endif /* GPUOA_LIB_DEVICE_SCAN_H */
