/* SPDX-License-Identifier: MIT */
/* perfdata_writer.h - write a perf.data file */
#ifndef GPUOA_LIB_READER_RECORDING_PERFDATA_WRITER_H
#define GPUOA_LIB_READER_RECORDING_PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/uio.h>

/* An event whose samples are in the file */
struct perfdata_writer_event {
	struct perf_event_attr attr;
	uint64_t id; /* unique id of the event */
	const char *name; /* name of the event, owned by the caller; must outlive the writer */
};

struct perfdata_writer {
	int fd;
	struct perfdata_writer_event *events;
	uint32_t event_count;
	uint64_t start; /* offset of the first record */
	uint64_t size; /* size in bytes of the records that the header covers */
	/* size in bytes of the records that follow, which the header does not cover yet */
	uint64_t added;
};

/*
 * Create a file without samples. Only its owner can access it, because it may describe all activity
 * of the machine. @events are copied. Errors are those of open(2) and write(2), and -ENOMEM.
 */
int perfdata_create(struct perfdata_writer *writer, const char *path,
		    const struct perfdata_writer_event *events, uint32_t count);

/*
 * Append the data of at most IOV_MAX memory ranges. The header does not cover it until
 * perfdata_commit().
 */
int perfdata_add(struct perfdata_writer *writer, const struct iovec *pieces, int count);

/*
 * Update the header to cover the added records, which must be complete. On error, the file is
 * unchanged.
 */
int perfdata_commit(struct perfdata_writer *writer);

/* Discard records that were added but not committed. */
void perfdata_cancel(struct perfdata_writer *writer);

/*
 * Write the features at the end of the file (names of events and of the machine), and close the
 * file.
 */
int perfdata_finish(struct perfdata_writer *writer);

/* Size of the file in bytes. */
uint64_t perfdata_written(const struct perfdata_writer *writer);

#endif /* GPUOA_LIB_READER_RECORDING_PERFDATA_WRITER_H */
