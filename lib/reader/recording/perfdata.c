// SPDX-License-Identifier: MIT
/* perfdata.c - read the records of a perf.data file through a buffer */
#include "reader/recording/perfdata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader/recording/perfdata_format.h"

static int damaged(const struct perfdata *data)
{
	return COMPLAIN(&data->complaint, -EBADMSG, "damaged table of events");
}

static int too_many(const struct perfdata *data)
{
	return COMPLAIN(&data->complaint, -E2BIG, "more than %d events", PERFDATA_EVENTS_MAX);
}

static int add_event(struct perfdata *data, const struct perf_event_attr *attr)
{
	const struct sample_layout layout = sample_layout(attr);
	struct sample_layout *layouts;

	if (data->event_count == PERFDATA_EVENTS_MAX)
		return too_many(data);
	if (data->event_count && !sample_same_id_place(&layout, &data->layouts[0]))
		return COMPLAIN(&data->complaint, -EOPNOTSUPP,
				"ids are at different offsets in the samples of its events");
	layouts = reallocarray(data->layouts, data->event_count + 1, sizeof(*layouts));
	if (!layouts)
		return -ENOMEM;
	layouts[data->event_count++] = layout;
	data->layouts = layouts;
	return 0;
}

/* Add the ids of the event that was added last. */
static int add_ids(struct perfdata *data, const void *ids, size_t count)
{
	struct perfdata_id *all = reallocarray(data->ids, data->id_count + count + 1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	data->ids = all;
	for (size_t i = 0; i < count; i++) {
		struct perfdata_id *id = &all[data->id_count++];

		memcpy(&id->id, (const char *)ids + i * sizeof(id->id), sizeof(id->id));
		id->event = data->event_count - 1;
	}
	data->ids_sorted = false;
	return 0;
}

/* Read a whole section. The caller frees the result. Returns NULL and sets *err on error. */
static void *read_section(const struct perfdata *data, const struct perfdata_section *section,
			  int *err)
{
	void *bytes;
	ssize_t n;

	if (section->offset > data->file_size ||
	    section->size > data->file_size - section->offset) {
		*err = damaged(data);
		return NULL;
	}
	bytes = malloc(section->size + 1);
	if (!bytes) {
		*err = -ENOMEM;
		return NULL;
	}
	n = pread(data->fd, bytes, section->size, section->offset);
	if (n == (ssize_t)section->size)
		return bytes;
	*err = n < 0 ? -errno : damaged(data);
	free(bytes);
	return NULL;
}

static int read_ids(struct perfdata *data, const struct perfdata_section *section)
{
	const size_t count = section->size / sizeof(uint64_t);
	void *ids;
	int err;

	/*
	 * Limit the number of ids: sections may overlap, so that a damaged file could have more ids
	 * than bytes.
	 */
	if (count > data->file_size / sizeof(uint64_t) - data->id_count)
		return damaged(data);
	ids = read_section(data, section, &err);
	if (!ids)
		return err;
	err = add_ids(data, ids, count);
	free(ids);
	return err;
}

/*
 * Read an entry of the table of events: a perf_event_attr, whose size depends on the writer, and
 * the section with the event's ids.
 */
static int read_attr(struct perfdata *data, const char *entry, size_t size)
{
	struct perfdata_section ids;
	struct perf_event_attr attr = { 0 };
	const size_t attr_size = size - sizeof(ids);
	int err;

	memcpy(&attr, entry, PERF_ATTR_SIZE_VER0); /* has all members that are needed */
	memcpy(&ids, entry + attr_size, sizeof(ids));
	err = add_event(data, &attr);
	return err ? err : read_ids(data, &ids);
}

/* Read the table of events to which the header refers. */
static int perfdata_read_attrs(struct perfdata *data, const struct perfdata_header *header)
{
	const size_t size = header->attr_size;
	void *table;
	int err = 0;

	if (size < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) ||
	    header->attrs.size < size)
		return damaged(data);
	if (header->attrs.size / size > PERFDATA_EVENTS_MAX)
		return too_many(data);
	table = read_section(data, &header->attrs, &err);
	if (!table)
		return err;
	for (size_t at = 0; !err && header->attrs.size - at >= size; at += size)
		err = read_attr(data, (const char *)table + at, size);
	free(table);
	return err;
}

/*
 * In the pipe layout: if the record at @offset describes an event, add that event, unless it has
 * been added before. The record consists of a header, a perf_event_attr, which contains its size,
 * and the ids.
 */
static int perfdata_note_event(struct perfdata *data, uint64_t offset,
			       const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	const size_t body_size = record->size - sizeof(*record);
	struct perf_event_attr attr = { 0 };
	int err;

	if (record->type != PERFDATA_ATTR || offset < data->attrs_read)
		return 0;
	if (body_size < PERF_ATTR_SIZE_VER0)
		return damaged(data);
	memcpy(&attr, body, PERF_ATTR_SIZE_VER0);
	if (attr.size < PERF_ATTR_SIZE_VER0 || attr.size > body_size)
		return damaged(data);
	data->attrs_read = offset + record->size;
	err = add_event(data, &attr);
	return err ? err :
		     add_ids(data, body + attr.size, (body_size - attr.size) / sizeof(uint64_t));
}

static void perfdata_free_events(struct perfdata *data)
{
	free(data->layouts);
	free(data->ids);
}

static int compare_ids(const void *a, const void *b)
{
	const struct perfdata_id *left = a, *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

int perfdata_event(struct perfdata *data, const struct perf_event_header *record, size_t *event)
{
	struct perfdata_id key = { 0 };
	const struct perfdata_id *found;

	if (!data->event_count)
		return -ENODATA;
	if (data->event_count == 1) {
		*event = 0;
		return 0;
	}
	if (sample_id(&data->layouts[0], record, &key.id) || !data->id_count)
		return -ENODATA;
	if (!data->ids_sorted)
		qsort(data->ids, data->id_count, sizeof(*data->ids), compare_ids);
	data->ids_sorted = true;
	found = bsearch(&key, data->ids, data->id_count, sizeof(*data->ids), compare_ids);
	if (!found)
		return -ENODATA;
	*event = found->event;
	return 0;
}

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
	/* Do not wait for a writer if the file is a named pipe. */
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

/* Return the file offset of the next record. */
static uint64_t position(const struct perfdata *data)
{
	return data->read - (data->fill - data->at);
}

/*
 * Read until the window has at least @size bytes from the next record on, which is aligned. Returns
 * 1, 0 if the file is shorter, or a negative errno.
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

/* Get the number of bytes that follow a record but are not included in the size in its header. */
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

/* The file ends within a record. This is an error unless the writer was killed. */
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
