/* SPDX-License-Identifier: MIT */
/*
 * clock_files.h - the clock of a GPU as its driver, i915 or xe, shows it in sysfs
 */
#ifndef GPUOA_LIB_DEVICE_CLOCK_FILES_H
#define GPUOA_LIB_DEVICE_CLOCK_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* What can be read; the first three also written. MHz */
enum clock_file {
	CLOCK_MIN, /* the driver's choice is between these */
	CLOCK_MAX,
	CLOCK_BOOST, /* i915 alone: for work that somebody waits for */
	CLOCK_SLOWEST, /* what the hardware can */
	CLOCK_FASTEST,
	CLOCK_ACTUAL, /* now; 0: the GT sleeps */
	CLOCK_FILES,
};

struct clock_files {
	char directory[PATH_MAX];
	const char *const *names; /* by enum clock_file; NULL where there is none */
};

/*
 * Those of the first GT of the DRM card @card ("/dev/dri/card0"), below @root. False: its driver
 * has none.
 */
bool clock_files_find(struct clock_files *files, const char *root, const char *card);

/* SYSFS_NONE: there is no such file. */
int64_t clock_file_read(const struct clock_files *files, enum clock_file file);

/* 0, or a negative errno; a file that this driver does not have is none. */
int clock_file_write(const struct clock_files *files, enum clock_file file, uint64_t mhz);

#endif /* GPUOA_LIB_DEVICE_CLOCK_FILES_H */
