// SPDX-License-Identifier: MIT
/* i915_records.c - read the records of a recording of i915-perf-recorder */
#include "reader/recording/i915_records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/recording/i915_format.h"

#define WINDOW_SIZE (256 * 1024) /* several of the largest records */

/* Common beginning of all versions of the format. */
struct beginning {
	struct i915_head head;
	struct i915_version version;
};

static bool read_beginning(int fd, struct beginning *beginning)
{
	return pread(fd, beginning, sizeof(*beginning), 0) == sizeof(*beginning) &&
	       beginning->head.type == I915_VERSION && beginning->head.size == sizeof(*beginning);
}

static int open_plainly(const char *path)
{
	/* Do not wait for a writer if the file is a FIFO. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool i915_records_recognise(const char *path)
{
	const int fd = open_plainly(path);
	struct beginning beginning;
	bool is_one;

	if (fd < 0)
		return false;
	is_one = read_beginning(fd, &beginning);
	close(fd);
	return is_one;
}

static int check(const struct i915_records *records, const struct complaint *complaint)
{
	struct beginning beginning;

	if (!read_beginning(records->fd, &beginning))
		return COMPLAIN(complaint, -EBADMSG, "not a recording of i915-perf-recorder");
	if (beginning.version.version != I915_FORMAT_VERSION)
		return COMPLAIN(
			complaint, -EOPNOTSUPP,
			"version %u of i915-perf-recorder's format; only version %u is supported",
			beginning.version.version, I915_FORMAT_VERSION);
	return 0;
}

int i915_records_open(struct i915_records *records, const char *path,
		      const struct complaint *complaint)
{
	struct stat st;
	int err;

	*records = (struct i915_records){ .fd = open_plainly(path) };
	if (records->fd < 0)
		return -errno;
	err = fstat(records->fd, &st) ? -errno : 0;
	if (!err && !S_ISREG(st.st_mode))
		err = COMPLAIN(complaint, -ESPIPE, "not a regular file");
	if (!err)
		err = check(records, complaint);
	if (!err) {
		records->file_size = st.st_size;
		records->window = malloc(WINDOW_SIZE);
		err = records->window ? 0 : -ENOMEM;
	}
	if (err)
		i915_records_close(records);
	return err;
}

void i915_records_close(struct i915_records *records)
{
	free(records->window);
	close(records->fd);
}

void i915_records_rewind(struct i915_records *records)
{
	records->fill = 0;
	records->at = 0;
	records->read = 0;
}

int i915_records_leave(struct i915_records *records, struct i915_records *place)
{
	uint8_t *window = malloc(WINDOW_SIZE);

	if (!window)
		return -ENOMEM;
	*place = *records;
	records->window = window;
	i915_records_rewind(records);
	return 0;
}

void i915_records_return(struct i915_records *records, const struct i915_records *place)
{
	free(records->window);
	*records = *place;
}

/* Fill the window up to @size bytes. Returns 1, 0 if the file is shorter, or a negative errno. */
static int need(struct i915_records *records, size_t size)
{
	if (records->fill - records->at >= size)
		return 1;
	memmove(records->window, records->window + records->at, records->fill - records->at);
	records->fill -= records->at;
	records->at = 0;
	while (records->fill < size && records->read < records->file_size) {
		const ssize_t n = pread(records->fd, records->window + records->fill,
					WINDOW_SIZE - records->fill, records->read);

		if (n < 0)
			return -errno;
		if (!n)
			break;
		records->fill += n;
		records->read += n;
	}
	return records->fill >= size;
}

int i915_records_next(struct i915_records *records, struct i915_record *record)
{
	struct i915_head head;
	int ret = need(records, sizeof(head));

	if (ret <= 0)
		return ret;
	memcpy(&head, records->window + records->at, sizeof(head));
	if (head.size < sizeof(head))
		return -EBADMSG;
	ret = need(records, head.size);
	if (ret <= 0)
		return ret;
	*record = (struct i915_record){
		.type = head.type,
		.size = head.size - sizeof(head),
		.body = records->window + records->at + sizeof(head),
	};
	records->at += head.size;
	return 1;
}
