/* SPDX-License-Identifier: MIT */
/* recording.h - perf.data files built in memory, valid or damaged */
#ifndef GPUOA_LIB_TESTS_RECORDING_H
#define GPUOA_LIB_TESTS_RECORDING_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpuoa.h"
#include "payload.h"
#include "reader/recording/perfdata_format.h"

#define MAX_TEST_EVENTS 4

/* Parts of a file */
struct recording {
	struct {
		struct perf_event_attr attr;
		uint64_t id;
	} events[MAX_TEST_EVENTS];
	size_t event_count;
	size_t attr_size; /* 0: sizeof(struct perf_event_attr) */
	struct bytes records;
};

static inline void add_event(struct recording *recording, uint64_t sample_type, uint64_t id)
{
	recording->events[recording->event_count].attr = test_attr(sample_type);
	recording->events[recording->event_count++].id = id;
}

/* Assemble a seekable file. */
static inline struct bytes lay_out(const struct recording *recording)
{
	const size_t attr_size = recording->attr_size ? recording->attr_size :
							sizeof(struct perf_event_attr);
	const size_t entry_size = attr_size + sizeof(struct perfdata_section);
	struct perfdata_header header = {
		.magic = PERFDATA_MAGIC,
		.size = sizeof(header),
		.attr_size = entry_size,
	};
	struct bytes file = { 0 };
	uint8_t entry[1024] = { 0 };

	put(&file, &header, sizeof(header));
	for (size_t i = 0; i < recording->event_count; i++)
		put64(&file, recording->events[i].id);
	header.attrs = (struct perfdata_section){ file.size, recording->event_count * entry_size };
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct perfdata_section ids = { sizeof(header) + i * sizeof(uint64_t),
						      sizeof(uint64_t) };
		struct perf_event_attr attr = recording->events[i].attr;

		attr.size = attr_size;
		memcpy(entry, &attr, attr_size < sizeof(attr) ? attr_size : sizeof(attr));
		put(&file, entry, attr_size);
		put(&file, &ids, sizeof(ids));
	}
	header.data = (struct perfdata_section){ file.size, recording->records.size };
	put(&file, recording->records.data, recording->records.size);
	memcpy(file.data, &header, sizeof(header));
	return file;
}

/* Begin a file in perf's pipe layout, in which events are stored as records. */
static inline struct bytes begin_pipe(void)
{
	struct bytes file = { 0 };

	put64(&file, PERFDATA_MAGIC);
	put64(&file, PERFDATA_PIPE_HEADER);
	return file;
}

/* Assemble a file in perf's pipe layout. */
static inline struct bytes lay_out_pipe(const struct recording *recording)
{
	struct bytes file = begin_pipe();

	for (size_t i = 0; i < recording->event_count; i++) {
		const size_t at = begin_record(&file, PERFDATA_ATTR);

		put(&file, &recording->events[i].attr, sizeof(recording->events[i].attr));
		put64(&file, recording->events[i].id);
		end_record(&file, at);
	}
	put(&file, recording->records.data, recording->records.size);
	return file;
}

/*
 * Store bytes in a memfd. Returns its file descriptor. @path: receives a path by which it can be
 * opened
 */
static inline int file_of(const struct bytes *file, char path[32])
{
	const int fd = memfd_create("recording", MFD_CLOEXEC);

	if (fd < 0 || write(fd, file->data, file->size) != (ssize_t)file->size)
		abort();
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

/* Open bytes as a recording. */
static inline int open_bytes(const struct bytes *file, struct gpuoa_reader **reader, char *error,
			     size_t error_size)
{
	char path[32];
	const int fd = file_of(file, path);
	const int ret = gpuoa_file_open(path, reader, error, error_size);

	close(fd);
	return ret;
}

/* Assemble the file, open it, and free @recording. Returns NULL if it cannot be opened. */
static inline struct gpuoa_reader *open_laid_out(struct recording *recording)
{
	struct bytes file = lay_out(recording);
	struct gpuoa_reader *reader = NULL;

	open_bytes(&file, &reader, NULL, 0);
	clear(&file);
	clear(&recording->records);
	return reader;
}

/* Open one of several streams. */
static inline int open_stream_of(const struct bytes *file, uint32_t index,
				 struct gpuoa_reader **reader, char *error, size_t error_size)
{
	char path[32];
	const int fd = file_of(file, path);
	const int ret = gpuoa_file_open_stream(path, index, reader, error, error_size);

	close(fd);
	return ret;
}

/* Result of reading a recording to its end */
struct findings {
	int result; /* return value of the last read, or of opening the file */
	uint64_t reports;
	uint64_t gaps;
	uint64_t lost_ring;
	bool lost_unknown;
	bool in_order; /* reports are numbered consecutively within each read */
	char error[128];
};

static inline void read_all(struct gpuoa_reader *reader, struct findings *findings)
{
	static uint8_t reports[16 * TEST_REPORT_SIZE];
	struct gpuoa_read_status status;
	int n;

	do {
		n = gpuoa_reader_read(reader, reports, 16, &status);
		for (int i = 1; i < n; i++)
			if (report_number(reports, i) != report_number(reports, 0) + i)
				findings->in_order = false;
		findings->reports += n > 0 ? n : 0;
		findings->gaps += n > 0 && status.gap;
		findings->lost_ring += n < 0 ? 0 : status.lost_ring;
		findings->lost_unknown |= n >= 0 && status.lost_unknown;
	} while (n > 0);
	findings->result = n;
}

static inline struct findings find_in(const struct bytes *file)
{
	struct findings findings = { .in_order = true };
	struct gpuoa_reader *reader;

	findings.result = open_bytes(file, &reader, findings.error, sizeof(findings.error));
	if (findings.result)
		return findings;
	read_all(reader, &findings);
	gpuoa_reader_close(reader);
	return findings;
}

/* Assemble the file, read it, and free @recording. */
static inline struct findings find(struct recording *recording)
{
	struct bytes file = lay_out(recording);
	const struct findings findings = find_in(&file);

	clear(&file);
	clear(&recording->records);
	return findings;
}

#endif /* GPUOA_LIB_TESTS_RECORDING_H */
