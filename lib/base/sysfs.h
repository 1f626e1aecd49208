/* SPDX-License-Identifier: MIT */
/*
 * sysfs.h - small files of /sys and /proc, below a root that a test can choose
 */
#ifndef GPUOA_LIB_BASE_SYSFS_H
#define GPUOA_LIB_BASE_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What sysfs_number() gives for what is not there. */
#define SYSFS_NONE INT64_MIN

/* @root and the rest of a path. False: too long. */
__attribute__((format(printf, 3, 4))) bool sysfs_path(char path[PATH_MAX], const char *root,
						      const char *format, ...);

/* The first line of a file, without its end, cut off if it is longer. False: it cannot be read. */
bool sysfs_line(const char *path, char *line, size_t size);

/* A number, decimal or 0x..., at the beginning of a file. SYSFS_NONE: there is none. */
int64_t sysfs_number(const char *path);

/* Last part of what a symbolic link leads to; "" if there is no link. */
void sysfs_link(const char *path, char *name, size_t size);

#endif /* GPUOA_LIB_BASE_SYSFS_H */
