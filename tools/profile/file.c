// SPDX-License-Identifier: MIT
/* file.c - open and read whole files */
#include "profile/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *file_open_regular(const char *path, size_t *size)
{
	/* Opening a FIFO would wait for its other end. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	FILE *file = NULL;
	int err;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status))
		err = errno;
	else if (!S_ISREG(status.st_mode))
		err = EINVAL;
	else if (!(file = fdopen(fd, "r")))
		err = errno;
	else
		err = 0;
	if (err) {
		close(fd);
		errno = err;
		return NULL;
	}
	*size = (size_t)status.st_size;
	return file;
}

int file_read(const char *path, size_t max, void **data, size_t *size)
{
	FILE *file = file_open_regular(path, size);
	char *bytes = NULL;
	int err = 0;

	*data = NULL;
	if (!file)
		return -errno;
	if (*size > max)
		err = -EFBIG;
	else if (!(bytes = malloc(*size + 1)))
		err = -ENOMEM;
	if (!err) {
		*size = fread(bytes, 1, *size, file);
		bytes[*size] = '\0';
		err = ferror(file) ? -EIO : 0;
	}
	fclose(file);
	if (err)
		free(bytes);
	else
		*data = bytes;
	return err;
}

bool file_has_magic(const char *name, const char *magic)
{
	char begin[4] = { 0 };
	size_t size;
	/* Nothing may be read from a pipe, because it cannot be read again. */
	FILE *file = file_open_regular(name, &size);
	bool has;

	has = file && fread(begin, 1, sizeof(begin), file) == sizeof(begin) &&
	      !memcmp(begin, magic, sizeof(begin));
	if (file)
		fclose(file);
	return has;
}
