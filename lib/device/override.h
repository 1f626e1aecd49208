/* SPDX-License-Identifier: MIT */
/*
 * override.h - overrides of a GPU: who carries them out
 */
#ifndef GPUOA_LIB_DEVICE_OVERRIDE_H
#define GPUOA_LIB_DEVICE_OVERRIDE_H

#include "base/complaint.h"
#include "device/clock_files.h"
#include "gpuoa-device.h"

struct gpuoa_overrides {
	char device[64]; /* the GPU, by name */
	int fd; /* /dev/gpuoa<N> of a unit whose host pins clocks; -1: there is none */
	bool has_files; /* its driver pins clocks */
	struct clock_files files;
	uint64_t slowest; /* Hz; 0: not known */
	uint64_t fastest;
	uint64_t hz; /* at which the clock is pinned; 0: it is not */
	int64_t before[CLOCK_SLOWEST]; /* MHz, what the files had; SYSFS_NONE: nothing to restore */
};

/* gpuoa_overrides_open() on the machine whose sysfs is below @root; "" is this machine. */
int overrides_open_below(const char *root, const char *device, struct gpuoa_overrides **overrides,
			 const struct complaint *complaint);

#endif /* GPUOA_LIB_DEVICE_OVERRIDE_H */
