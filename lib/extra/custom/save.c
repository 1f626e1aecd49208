// SPDX-License-Identifier: MIT
/* save.c - write the definition of a platform to a file */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complaint.h"
#include "gpuoa-custom.h"

#define PID_DIGITS 20

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		const ssize_t written = write(fd, text, size);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	}
	return fsync(fd) ? -errno : 0;
}

/* Write the text to @temporary, then rename it to @path. */
static int replace_file(const char *path, const char *temporary, const char *text, size_t size)
{
	const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text, size);
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
	return err;
}

int gpuoa_platform_save(const struct gpuoa_platform *platform, const char *path, char *error,
			size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const size_t size = gpuoa_platform_text(platform, NULL, 0);
	const size_t temporary_size = strlen(path) + PID_DIGITS + 2;
	char *text = malloc(size + 1), *temporary = malloc(temporary_size);
	int err = -ENOMEM;

	if (text && temporary) {
		gpuoa_platform_text(platform, text, size + 1);
		snprintf(temporary, temporary_size, "%s.%ld", path, (long)getpid());
		err = replace_file(path, temporary, text, size);
	}
	free(text);
	free(temporary);
	return err ? COMPLAIN(&complaint, err, "%s: %s", path, strerror(-err)) : 0;
}
