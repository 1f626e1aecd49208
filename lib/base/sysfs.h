/* SPDX-License-Identifier: MIT */
/* sysfs.h - read small files of /sys and /proc below a configurable root */
#ifndef GPUOA_LIB_BASE_SYSFS_H
#define GPUOA_LIB_BASE_SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Result of sysfs_number() if there is no such file, or no number in it. */
#define SYSFS_NONE INT64_MIN

/* Join @root and a formatted path. Returns false if the path is too long. */
__attribute__((format(printf, 3, 4))) bool sysfs_path(char path[PATH_MAX], const char *root,
						      const char *format, ...);

/* Read the first line, without the newline and truncated to @size. Returns false on error. */
bool sysfs_line(const char *path, char *line, size_t size);

/* Read the number, decimal or 0x..., at the beginning of a file. Returns SYSFS_NONE on error. */
int64_t sysfs_number(const char *path);

/* Return the last component of the target of a symbolic link; "" if there is no link. */
void sysfs_link(const char *path, char *name, size_t size);

#endif /* GPUOA_LIB_BASE_SYSFS_H */
