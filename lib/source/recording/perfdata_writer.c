// SPDX-License-Identifier: MIT
/*
 * perfdata_writer.c - writes a perf.data file with one event
 *
 * The header is updated last, when the records that it tells of are in the file: so the file is
 * complete at any moment, even after a crash. Readers take a file without records for one whose
 * writer died, so that there is one record from the beginning: FINISHED_ROUND, which tells nothing.
 * The features (names, for people) stand behind the records in this format; the header tells of
 * them only at the end, when they are there.
 */
#define _GNU_SOURCE /* pwritev */
#include "source/recording/perfdata_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/recording/perfdata_format.h"

/*
 * Header, the event's id, the table of events with its one entry, the first record; more records
 * follow.
 */
struct prologue {
	struct perfdata_header header;
	uint64_t id;
	struct perf_event_attr attr;
	struct perfdata_section ids;
	struct perf_event_header round;
};

#define RECORDS_OFFSET offsetof(struct prologue, round)

/* On disk, nothing in features is aligned: hence packed. Strings are NUL-terminated and padded. */
#define STRING_SIZE 128

struct feature_string {
	uint32_t size;
	char text[STRING_SIZE];
} __attribute__((packed));

/* PERFDATA_EVENT_DESC, for one event. */
struct event_desc {
	uint32_t event_count;
	uint32_t attr_size;
	struct perf_event_attr attr;
	uint32_t id_count;
	struct feature_string name;
	uint64_t id;
} __attribute__((packed));

struct features {
	struct perfdata_section table[3]; /* in the order of the features' numbers */
	struct feature_string osrelease;
	struct feature_string arch;
	struct event_desc event_desc;
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

static struct perfdata_header make_header(const struct perfdata_writer *writer)
{
	return (struct perfdata_header){
		.magic = PERFDATA_MAGIC,
		.size = sizeof(struct perfdata_header),
		.attr_size = sizeof(writer->attr) + sizeof(struct perfdata_section),
		.attrs = { offsetof(struct prologue, attr),
			   sizeof(writer->attr) + sizeof(struct perfdata_section) },
		.data = { RECORDS_OFFSET, writer->size },
	};
}

int perfdata_create(struct perfdata_writer *writer, const char *path,
		    const struct perf_event_attr *attr, uint64_t id, const char *event_name)
{
	struct prologue prologue;
	int err;

	*writer = (struct perfdata_writer){
		.attr = *attr,
		.id = id,
		.event_name = event_name,
		.size = sizeof(prologue.round),
	};
	writer->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (writer->fd < 0)
		return -errno;
	prologue = (struct prologue){
		.header = make_header(writer),
		.id = id,
		.attr = *attr,
		.ids = { offsetof(struct prologue, id), sizeof(id) },
		.round = { .type = PERFDATA_FINISHED_ROUND, .size = sizeof(prologue.round) },
	};
	err = write_at(writer->fd, &prologue, sizeof(prologue), 0);
	if (err)
		close(writer->fd);
	return err;
}

uint64_t perfdata_written(const struct perfdata_writer *writer)
{
	return RECORDS_OFFSET + writer->size;
}

/* The first @n bytes of @pieces were written: go on behind them. */
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
	const uint64_t base = perfdata_written(writer);
	struct utsname system = { 0 };

	uname(&system);
	*features = (struct features){
		.table = {
			{ base + offsetof(struct features, osrelease), sizeof(features->osrelease) },
			{ base + offsetof(struct features, arch), sizeof(features->arch) },
			{ base + offsetof(struct features, event_desc), sizeof(features->event_desc) },
		},
		.event_desc = {
			.event_count = 1,
			.attr_size = sizeof(writer->attr),
			.attr = writer->attr,
			.id_count = 1,
			.id = writer->id,
		},
	};
	set_string(&features->osrelease, system.release);
	set_string(&features->arch, system.machine);
	set_string(&features->event_desc.name, writer->event_name);
}

int perfdata_finish(struct perfdata_writer *writer)
{
	struct perfdata_header header = make_header(writer);
	struct features features;
	int err;

	fill_features(&features, writer);
	header.features[0] = 1ULL << PERFDATA_OSRELEASE | 1ULL << PERFDATA_ARCH |
			     1ULL << PERFDATA_EVENT_DESC;
	err = write_at(writer->fd, &features, sizeof(features), perfdata_written(writer));
	if (!err)
		err = write_at(writer->fd, &header, sizeof(header), 0);
	if (close(writer->fd) && !err)
		err = -errno;
	return err;
}
