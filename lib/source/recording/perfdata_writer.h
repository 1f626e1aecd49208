/* SPDX-License-Identifier: MIT */
/*
 * perfdata_writer.h - writes a perf.data file
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_PERFDATA_WRITER_H
#define GPUOA_LIB_SOURCE_RECORDING_PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/uio.h>

/* An event whose samples the file will have. */
struct perfdata_writer_event {
	struct perf_event_attr attr;
	uint64_t id; /* another one for each */
	const char *name; /* the caller's; stays as long as the writer */
};

struct perfdata_writer {
	int fd;
	struct perfdata_writer_event *events;
	uint32_t event_count;
	uint64_t start; /* offset of the first record */
	uint64_t size; /* bytes of records written, of which the header tells */
	uint64_t added; /* bytes behind these, of which it does not tell yet */
};

/*
 * Create a file without samples, for its owner only: it may tell of all that the machine does.
 * @events are copied. Errors are those of open(2) and write(2), and -ENOMEM.
 */
int perfdata_create(struct perfdata_writer *writer, const char *path,
		    const struct perfdata_writer_event *events, uint32_t count);

/*
 * Write behind what was added before. At most IOV_MAX @pieces. The header does not tell of it until
 * perfdata_commit().
 */
int perfdata_add(struct perfdata_writer *writer, const struct iovec *pieces, int count);

/*
 * Let the header tell of the records that were added, which must be whole. If that fails, the file
 * is as it was before.
 */
int perfdata_commit(struct perfdata_writer *writer);

/* Forget what was added. */
void perfdata_cancel(struct perfdata_writer *writer);

/*
 * Write what can only stand at the end: names of events, and where they were recorded. Then close.
 */
int perfdata_finish(struct perfdata_writer *writer);

/* Bytes of the file. */
uint64_t perfdata_written(const struct perfdata_writer *writer);

#endif /* GPUOA_LIB_SOURCE_RECORDING_PERFDATA_WRITER_H */
