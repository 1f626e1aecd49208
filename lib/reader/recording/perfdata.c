// SPDX-License-Identifier: MIT
/* perfdata.c - read the records of a perf.data file through a buffer */
#include "reader/recording/perfdata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/recording/perfdata_events.h"
#include "reader/recording/perfdata_format.h"

#define WINDOW_SIZE (256 * 1024) /* several of the largest records */

static int read_layout_header(struct perfdata *data, const struct perfdata_header *header)
{
	const struct perfdata_section *records = &header->data;

	if (records->offset > data->file_size || records->size > UINT64_MAX - records->offset)
		return COMPLAIN(&data->complaint, -EBADMSG,
				"damaged header (records outside of the file)");
	data->start = records->offset;
	data->unfinished = !records->size;
	data->end = data->unfinished ? data->file_size : records->offset + records->size;
	return perfdata_read_attrs(data, header);
}

static int read_header(struct perfdata *data)
{
	struct perfdata_header header = { 0 };
	ssize_t n = pread(data->fd, &header, sizeof(header), 0);

	if (n < 0)
		return -errno;
	if (n >= (ssize_t)sizeof(header.magic) && header.magic == __builtin_bswap64(PERFDATA_MAGIC))
		return COMPLAIN(&data->complaint, -EOPNOTSUPP,
				"recorded by a machine of the other byte order");
	if (n < PERFDATA_PIPE_HEADER || header.magic != PERFDATA_MAGIC)
		return COMPLAIN(&data->complaint, -EBADMSG,
				"not a perf.data file, and not a recording of i915-perf-recorder");
	if (header.size == PERFDATA_PIPE_HEADER) {
		data->pipe = true;
		data->start = PERFDATA_PIPE_HEADER;
		data->end = data->file_size;
		return 0;
	}
	if (header.size < PERFDATA_MIN_HEADER || n < PERFDATA_MIN_HEADER)
		return COMPLAIN(&data->complaint, -EBADMSG, "damaged header (too short)");
	return read_layout_header(data, &header);
}

int perfdata_open(struct perfdata *data, const char *path, const struct complaint *complaint)
{
	struct stat st;
	int err;

	*data = (struct perfdata){ .complaint = *complaint };
	/* Do not wait for a writer if the file is a FIFO. */
	data->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (data->fd < 0)
		return -errno;
	if (fstat(data->fd, &st)) {
		err = -errno;
		goto err_close;
	}
	if (!S_ISREG(st.st_mode)) {
		err = COMPLAIN(complaint, -ESPIPE, "not a regular file");
		goto err_close;
	}
	data->file_size = st.st_size;
	data->window = malloc(WINDOW_SIZE);
	if (!data->window) {
		err = -ENOMEM;
		goto err_close;
	}
	err = read_header(data);
	if (err)
		goto err_close;
	perfdata_rewind(data);
	return 0;

err_close:
	perfdata_close(data);
	return err;
}

void perfdata_close(struct perfdata *data)
{
	perfdata_free_events(data);
	free(data->window);
	close(data->fd);
}

void perfdata_rewind(struct perfdata *data)
{
	data->fill = 0;
	data->at = 0;
	data->read = data->start;
}

int perfdata_leave(struct perfdata *data, struct perfdata_place *place)
{
	uint8_t *window = malloc(WINDOW_SIZE);

	if (!window)
		return -ENOMEM;
	*place = (struct perfdata_place){ data->window, data->fill, data->at, data->read };
	data->window = window;
	perfdata_rewind(data);
	return 0;
}

void perfdata_return(struct perfdata *data, const struct perfdata_place *place)
{
	free(data->window);
	data->window = place->window;
	data->fill = place->fill;
	data->at = place->at;
	data->read = place->read;
}

/* Offset of the next record in the file. */
static uint64_t position(const struct perfdata *data)
{
	return data->read - (data->fill - data->at);
}

/*
 * Fill the window with @size bytes from the next record on, aligned. Returns 1, 0 if the file is
 * shorter, or a negative errno.
 */
static int need(struct perfdata *data, size_t size)
{
	if (data->fill - data->at >= size && data->at % sizeof(uint64_t) == 0)
		return 1;
	memmove(data->window, data->window + data->at, data->fill - data->at);
	data->fill -= data->at;
	data->at = 0;
	while (data->fill < size && data->read < data->end) {
		const uint64_t left = data->end - data->read;
		const size_t room = WINDOW_SIZE - data->fill;
		const ssize_t n = pread(data->fd, data->window + data->fill,
					left < room ? left : room, data->read);

		if (n < 0)
			return -errno;
		if (!n)
			break;
		data->fill += n;
		data->read += n;
	}
	return data->fill >= size;
}

static void skip(struct perfdata *data, uint64_t bytes)
{
	const uint64_t to = position(data) + bytes;

	if (bytes <= data->fill - data->at) {
		data->at += bytes;
		return;
	}
	data->fill = 0;
	data->at = 0;
	data->read = to;
}

/* Get the number of bytes that follow a record without being counted in its size. */
static int payload_behind(const struct perf_event_header *record, uint64_t *bytes)
{
	uint64_t size64;
	uint32_t size32;

	*bytes = 0;
	switch (record->type) {
	case PERFDATA_AUXTRACE:
		if (record->size < sizeof(*record) + sizeof(size64))
			return -EBADMSG;
		memcpy(&size64, record + 1, sizeof(size64));
		*bytes = size64;
		return 0;
	case PERFDATA_TRACING_DATA:
		if (record->size < sizeof(*record) + sizeof(size32))
			return -EBADMSG;
		memcpy(&size32, record + 1, sizeof(size32));
		*bytes = size32;
		return 0;
	case PERFDATA_COMPRESSED:
	case PERFDATA_COMPRESSED2:
		return -EOPNOTSUPP;
	default:
		return 0;
	}
}

/* The file ends within a record. */
static int cut_off(struct perfdata *data)
{
	if (data->unfinished)
		return 0;
	return COMPLAIN(&data->complaint, -EBADMSG, "damaged (ends within a record)");
}

int perfdata_next(struct perfdata *data, const struct perf_event_header **record)
{
	const uint64_t offset = position(data);
	const struct perf_event_header *head;
	uint64_t behind;
	int ret;

	if (offset >= data->end)
		return 0;
	ret = need(data, sizeof(*head));
	if (ret <= 0)
		return ret ? ret : cut_off(data);
	head = (const void *)(data->window + data->at);
	if (head->size < sizeof(*head))
		return COMPLAIN(&data->complaint, -EBADMSG, "damaged (record at %#llx has size 0)",
				(unsigned long long)offset);
	ret = need(data, head->size);
	if (ret <= 0)
		return ret ? ret : cut_off(data);
	head = (const void *)(data->window + data->at);
	ret = payload_behind(head, &behind);
	if (ret == -EOPNOTSUPP)
		return COMPLAIN(&data->complaint, ret, "compressed; record without -z");
	if (ret || behind > data->end - offset - head->size)
		return COMPLAIN(&data->complaint, -EBADMSG, "damaged (record at %#llx is too long)",
				(unsigned long long)offset);
	if (data->pipe)
		ret = perfdata_note_event(data, offset, head);
	if (ret)
		return ret;
	*record = head;
	skip(data, head->size + behind);
	return 1;
}
