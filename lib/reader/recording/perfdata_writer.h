/* SPDX-License-Identifier: MIT */
/* perfdata_writer.h - write a perf.data file */
#ifndef GPUOA_LIB_READER_RECORDING_PERFDATA_WRITER_H
#define GPUOA_LIB_READER_RECORDING_PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/uio.h>

/* An event with samples in the file. */
struct perfdata_writer_event {
	struct perf_event_attr attr;
	uint64_t id; /* unique id of the event */
	const char *name; /* owned by the caller; must outlive the writer */
};

struct perfdata_writer {
	int fd;
	struct perfdata_writer_event *events;
	uint32_t event_count;
	uint64_t start; /* offset of the first record */
	uint64_t size; /* bytes of records covered by the header */
	uint64_t added; /* bytes of records after .size, not yet covered by the header */
};

/*
 * Create a file without samples, accessible only by its owner, since it may describe all activity
 * of the machine. @events are copied. Errors are those of open(2) and write(2), and -ENOMEM.
 */
int perfdata_create(struct perfdata_writer *writer, const char *path,
		    const struct perfdata_writer_event *events, uint32_t count);

/* Append at most IOV_MAX @pieces. The header does not cover them until perfdata_commit(). */
int perfdata_add(struct perfdata_writer *writer, const struct iovec *pieces, int count);

/*
 * Update the header to cover the added records, which must be complete. On error, the file is
 * unchanged.
 */
int perfdata_commit(struct perfdata_writer *writer);

/* Discard records that were added but not committed. */
void perfdata_cancel(struct perfdata_writer *writer);

/* Write the data at the end of the file, names of events and the machine, and close the file. */
int perfdata_finish(struct perfdata_writer *writer);

/* Size of the file in bytes. */
uint64_t perfdata_written(const struct perfdata_writer *writer);

#endif /* GPUOA_LIB_READER_RECORDING_PERFDATA_WRITER_H */
