// SPDX-License-Identifier: MIT
/*
 * perfdata_writer.c - write a perf.data file
 *
 * The header is updated only after the records it covers have been written, so the file is complete
 * at any time, even after a crash. Readers assume that the writer of a file without records has
 * crashed, so an empty record, FINISHED_ROUND, is written first. In this format, the features
 * (readable names) follow the records; the header refers to them only after they have been written.
 */
#define _GNU_SOURCE /* for pwritev() */
#include "reader/recording/perfdata_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "reader/recording/perfdata_format.h"

/*
 * An entry in the table of events. The file begins with the header, the ids of the events, the
 * table of events (attributes and position of the id of each event), and the first record. Further
 * records follow.
 */
struct table_entry {
	struct perf_event_attr attr;
	struct perfdata_section ids;
};

/*
 * The sections of features are packed, because they are unaligned in the file. Strings are padded,
 * and end with a NUL.
 */
#define STRING_SIZE 128

struct feature_string {
	uint32_t size;
	char text[STRING_SIZE];
} __attribute__((packed));

/*
 * The feature PERFDATA_EVENT_DESC consists of this header and a struct event_desc for each event.
 */
struct event_desc_head {
	uint32_t event_count;
	uint32_t attr_size;
} __attribute__((packed));

struct event_desc {
	struct perf_event_attr attr;
	uint32_t id_count;
	struct feature_string name;
	uint64_t id;
} __attribute__((packed));

struct features {
	/* positions of the features' sections, in the order of feature numbers */
	struct perfdata_section table[3];
	struct feature_string osrelease;
	struct feature_string arch;
	struct event_desc_head head;
	struct event_desc events[];
} __attribute__((packed));

static int write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
	while (size) {
		const ssize_t n = pwrite(fd, bytes, size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes = (const char *)bytes + n;
		size -= n;
		offset += n;
	}
	return 0;
}

static uint64_t table_offset(const struct perfdata_writer *writer)
{
	return sizeof(struct perfdata_header) + writer->event_count * sizeof(uint64_t);
}

static uint64_t table_size(const struct perfdata_writer *writer)
{
	return writer->event_count * sizeof(struct table_entry);
}

static struct perfdata_header make_header(const struct perfdata_writer *writer)
{
	return (struct perfdata_header){
		.magic = PERFDATA_MAGIC,
		.size = sizeof(struct perfdata_header),
		.attr_size = sizeof(struct table_entry),
		.attrs = { table_offset(writer), table_size(writer) },
		.data = { writer->start, writer->size },
	};
}

/* Write the file up to the first record. The header is written last. */
static int write_beginning(const struct perfdata_writer *writer)
{
	const struct perf_event_header round = { .type = PERFDATA_FINISHED_ROUND,
						 .size = sizeof(round) };
	const struct perfdata_header header = make_header(writer);
	int err = write_at(writer->fd, &round, sizeof(round), writer->start);

	for (uint32_t i = 0; i < writer->event_count && !err; i++) {
		const uint64_t id_at = sizeof(header) + i * sizeof(uint64_t);
		const struct table_entry entry = { writer->events[i].attr,
						   { id_at, sizeof(uint64_t) } };

		err = write_at(writer->fd, &writer->events[i].id, sizeof(uint64_t), id_at);
		if (!err)
			err = write_at(writer->fd, &entry, sizeof(entry),
				       table_offset(writer) + i * sizeof(entry));
	}
	return err ? err : write_at(writer->fd, &header, sizeof(header), 0);
}

int perfdata_create(struct perfdata_writer *writer, const char *path,
		    const struct perfdata_writer_event *events, uint32_t count)
{
	int err;

	*writer = (struct perfdata_writer){
		.events = malloc(count * sizeof(*events)),
		.event_count = count,
		.size = sizeof(struct perf_event_header),
	};
	if (!writer->events)
		return -ENOMEM;
	memcpy(writer->events, events, count * sizeof(*events));
	writer->start = table_offset(writer) + table_size(writer);
	writer->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (writer->fd < 0) {
		err = -errno;
		free(writer->events);
		return err;
	}
	err = write_beginning(writer);
	if (err) {
		close(writer->fd);
		free(writer->events);
	}
	return err;
}

uint64_t perfdata_written(const struct perfdata_writer *writer)
{
	return writer->start + writer->size;
}

/* Skip the first @n bytes of the memory ranges @pieces, which have been written. */
static void advance(struct iovec **pieces, int *count, size_t n)
{
	while (*count && n >= (*pieces)->iov_len) {
		n -= (*pieces)->iov_len;
		(*pieces)++;
		(*count)--;
	}
	if (n) {
		(*pieces)->iov_base = (char *)(*pieces)->iov_base + n;
		(*pieces)->iov_len -= n;
	}
}

int perfdata_add(struct perfdata_writer *writer, const struct iovec *pieces, int count)
{
	struct iovec copy[IOV_MAX], *left = copy;

	memcpy(copy, pieces, count * sizeof(*pieces));
	advance(&left, &count, 0);
	while (count) {
		const ssize_t n =
			pwritev(writer->fd, left, count, perfdata_written(writer) + writer->added);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		writer->added += n;
		advance(&left, &count, n);
	}
	return 0;
}

int perfdata_commit(struct perfdata_writer *writer)
{
	struct perfdata_header header;
	int err;

	writer->size += writer->added;
	header = make_header(writer);
	err = write_at(writer->fd, &header, sizeof(header), 0);
	if (err)
		writer->size -= writer->added;
	writer->added = 0;
	return err;
}

void perfdata_cancel(struct perfdata_writer *writer)
{
	writer->added = 0;
}

static void set_string(struct feature_string *string, const char *text)
{
	string->size = sizeof(string->text);
	strncpy(string->text, text, sizeof(string->text) - 1);
}

static void fill_features(struct features *features, const struct perfdata_writer *writer)
{
	const size_t desc_size =
		sizeof(features->head) + writer->event_count * sizeof(*features->events);
	const uint64_t base = perfdata_written(writer);
	struct utsname system = { 0 };

	uname(&system);
	features->table[0] = (struct perfdata_section){ base + offsetof(struct features, osrelease),
							sizeof(features->osrelease) };
	features->table[1] = (struct perfdata_section){ base + offsetof(struct features, arch),
							sizeof(features->arch) };
	features->table[2] =
		(struct perfdata_section){ base + offsetof(struct features, head), desc_size };
	set_string(&features->osrelease, system.release);
	set_string(&features->arch, system.machine);
	features->head =
		(struct event_desc_head){ writer->event_count, sizeof(struct perf_event_attr) };
	for (uint32_t i = 0; i < writer->event_count; i++) {
		features->events[i].attr = writer->events[i].attr;
		features->events[i].id_count = 1;
		features->events[i].id = writer->events[i].id;
		set_string(&features->events[i].name, writer->events[i].name);
	}
}

static int write_features(const struct perfdata_writer *writer)
{
	const size_t size =
		sizeof(struct features) + writer->event_count * sizeof(struct event_desc);
	struct perfdata_header header = make_header(writer);
	struct features *features = calloc(1, size);
	int err;

	if (!features)
		return -ENOMEM;
	fill_features(features, writer);
	header.features[0] = 1ULL << PERFDATA_OSRELEASE | 1ULL << PERFDATA_ARCH |
			     1ULL << PERFDATA_EVENT_DESC;
	err = write_at(writer->fd, features, size, perfdata_written(writer));
	free(features);
	return err ? err : write_at(writer->fd, &header, sizeof(header), 0);
}

int perfdata_finish(struct perfdata_writer *writer)
{
	int err = write_features(writer);

	free(writer->events);
	if (close(writer->fd) && !err)
		err = -errno;
	return err;
}
