/* SPDX-License-Identifier: MIT */
/* freq_pin.h - frequency pin of a GPU, and the interfaces that implement it */
#ifndef GPUOA_LIB_EXTRA_DEVICE_FREQ_PIN_H
#define GPUOA_LIB_EXTRA_DEVICE_FREQ_PIN_H

#include "base/complaint.h"
#include "extra/device/clock_files.h"
#include "gpuoa-device.h"
#include "gpuoa-freq-pin.h"
#include "gpuoa-freq-pin.h"

struct gpuoa_freq_pin {
	char device[64]; /* name of the GPU */
	int fd; /* file of a unit whose provider can pin the clock, /dev/gpuoa<N>; -1: none */
	bool has_files; /* the clock can be pinned by sysfs files of the driver */
	struct clock_files files;
	uint64_t slowest; /* Hz; 0: unknown */
	uint64_t fastest;
	uint64_t hz; /* pinned frequency, Hz; 0: this handle has not pinned it */
	/* values of the files before the clock was pinned, MHz; SYSFS_NONE: nothing to restore */
	int64_t before[CLOCK_SLOWEST];
};

/* The GPUs of a machine, and the directory below which its /sys is: "" for this machine */
struct freq_pin_machine {
	const char *root;
	const struct gpuoa_device_desc *devices;
	size_t count;
};

/* Implement gpuoa_freq_pin_open() on a machine. */
int freq_pin_open_on(const struct freq_pin_machine *machine, const char *device,
		     struct gpuoa_freq_pin **pin, const struct complaint *complaint);

#endif /* GPUOA_LIB_EXTRA_DEVICE_FREQ_PIN_H */
