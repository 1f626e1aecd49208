// SPDX-License-Identifier: MIT
/* perfdata_events.c - the events of a perf.data file, and the mapping of records to events */
#include "reader/recording/perfdata_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Add ids of the event that was added last. */
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

/* Read a whole section, to be freed by the caller. Returns NULL and sets *err on error. */
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

	/* Sections may overlap: without this check, a file could have more ids than bytes. */
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
 * Read an entry of the table: a perf_event_attr of the writer's size, and the section of the ids.
 */
static int read_attr(struct perfdata *data, const char *entry, size_t size)
{
	struct perfdata_section ids;
	struct perf_event_attr attr = { 0 };
	const size_t attr_size = size - sizeof(ids);
	int err;

	memcpy(&attr, entry, attr_size < sizeof(attr) ? attr_size : sizeof(attr));
	memcpy(&ids, entry + attr_size, sizeof(ids));
	err = add_event(data, &attr);
	return err ? err : read_ids(data, &ids);
}

int perfdata_read_attrs(struct perfdata *data, const struct perfdata_header *header)
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

/* Pipe layout: header, perf_event_attr, which contains its size, and ids. */
int perfdata_note_event(struct perfdata *data, uint64_t offset,
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
	memcpy(&attr, body, attr.size < sizeof(attr) ? attr.size : sizeof(attr));
	data->attrs_read = offset + record->size;
	err = add_event(data, &attr);
	return err ? err :
		     add_ids(data, body + attr.size, (body_size - attr.size) / sizeof(uint64_t));
}

void perfdata_free_events(struct perfdata *data)
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
