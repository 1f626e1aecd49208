/* SPDX-License-Identifier: MIT */
/* file.h - open and read whole files */
#ifndef GPUOA_TOOLS_PROFILE_FILE_H
#define GPUOA_TOOLS_PROFILE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Open a regular file for reading, without waiting. *@size: its size. Returns NULL and sets errno
 * on failure: EINVAL: it is no regular file.
 */
FILE *file_open_regular(const char *path, size_t *size);

/*
 * Read a regular file of at most @max bytes. *@data: its bytes and a null byte, which the caller
 * frees. Returns 0, -EINVAL (no regular file), -EFBIG, -ENOMEM, -EIO or an error of open(2).
 */
int file_read(const char *path, size_t max, void **data, size_t *size);

/* Return whether a regular file begins with a magic number of 4 bytes. */
bool file_has_magic(const char *path, const char *magic);

#endif /* GPUOA_TOOLS_PROFILE_FILE_H */
