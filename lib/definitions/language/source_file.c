// SPDX-License-Identifier: MIT
/* source_file.c - reads a definition file into memory */
#include "definitions/language/source_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read exactly @size bytes. */
static int read_all(int fd, char *text, size_t size)
{
	while (size) {
		ssize_t got = read(fd, text, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		text += got;
		size -= got;
	}
	return 0;
}

static int read_open(int fd, char **text, size_t *size, struct source_file *identity)
{
	struct stat stat;
	int err;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode))
		return -ESPIPE;
	if (stat.st_size > SOURCE_SIZE_MAX)
		return -EFBIG;
	*size = stat.st_size;
	*text = malloc(*size + 1);
	if (!*text)
		return -ENOMEM;
	err = read_all(fd, *text, *size);
	if (err)
		free(*text);
	identity->device = stat.st_dev;
	identity->inode = stat.st_ino;
	return err;
}

int source_file_read(const char *path, char **text, size_t *size, struct source_file *identity)
{
	/* Do not wait for a writer if the file is a named pipe. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;

	if (fd < 0)
		return -errno;
	err = read_open(fd, text, size, identity);
	close(fd);
	return err;
}

const char *source_file_error(int err)
{
	return err == -ESPIPE ? "not a regular file" : strerror(-err);
}
