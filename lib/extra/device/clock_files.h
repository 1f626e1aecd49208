/* SPDX-License-Identifier: MIT */
/* clock_files.h - clock of a GPU in the sysfs files of its driver, i915 or xe */
#ifndef GPUOA_LIB_EXTRA_DEVICE_CLOCK_FILES_H
#define GPUOA_LIB_EXTRA_DEVICE_CLOCK_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Files that contain a frequency in MHz. The first three are writable. */
enum clock_file {
	CLOCK_MIN, /* minimum that the user requested; CLOCK_MAX: the maximum */
	CLOCK_MAX,
	CLOCK_BOOST, /* i915 only: maximum while a process waits for the GPU */
	CLOCK_SLOWEST, /* minimum of the hardware; CLOCK_FASTEST: its maximum */
	CLOCK_FASTEST,
	CLOCK_ACTUAL, /* current frequency; 0: the GT is suspended */
	CLOCK_FILES,
};

struct clock_files {
	char directory[PATH_MAX];
	/* file names, indexed by enum clock_file; NULL: the driver has no such file */
	const char *const *names;
};

/*
 * Find the files for the first GT of DRM card @card ("/dev/dri/card0"), in the /sys below @root.
 * Returns false if the driver of the card has none.
 */
bool clock_files_find(struct clock_files *files, const char *root, const char *card);

/* Read a frequency file. Returns MHz, or SYSFS_NONE if there is no such file. */
int64_t clock_file_read(const struct clock_files *files, enum clock_file file);

/* Write a frequency file. Returns 0, also if the driver has no such file, or a negative errno. */
int clock_file_write(const struct clock_files *files, enum clock_file file, uint64_t mhz);

#endif /* GPUOA_LIB_EXTRA_DEVICE_CLOCK_FILES_H */
