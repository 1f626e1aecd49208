/* SPDX-License-Identifier: MIT */
/*
 * perfdata.h - reads perf.data: its events, and its records one by one
 *
 * Both layouts are read: the one whose header tells where everything is, and the one that perf
 * writes to a pipe (`perf record -o - >file`), in which records describe the events. Every number
 * of a file is checked before it is used.
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_PERFDATA_H
#define GPUOA_LIB_SOURCE_RECORDING_PERFDATA_H

#include "base/complaint.h"
#include "source/sample.h"

/* More than any perf opens on some machine, and little enough to be read at once. */
#define PERFDATA_EVENTS_MAX 1024

struct perfdata_id {
	uint64_t id;
	size_t event;
};

struct perfdata {
	int fd;
	struct complaint complaint;
	uint64_t file_size;

	bool pipe; /* laid out for a pipe */
	uint64_t start; /* the records: offset of the first, and of the end */
	uint64_t end;
	bool unfinished; /* the writer did not live to say where the end is */

	uint8_t *window; /* a piece of the file: */
	size_t fill; /*   bytes in it */
	size_t at; /*   the next record */
	uint64_t read; /*   offset in the file of what comes behind it */

	struct sample_layout *layouts; /* of the events */
	size_t event_count;
	uint64_t attrs_read; /* offset up to which records have been asked for events */

	struct perfdata_id *ids;
	size_t id_count;
	bool ids_sorted;
};

/* Open. Errors and @complaint are those of gpuoa_file_open(). */
int perfdata_open(struct perfdata *data, const char *path, const struct complaint *complaint);

void perfdata_close(struct perfdata *data);

/*
 * Next record; it stays until the next call. Returns 1, 0 at the end, -EBADMSG for a damaged file,
 * -EOPNOTSUPP for compressed records, or an errno of read(2).
 */
int perfdata_next(struct perfdata *data, const struct perf_event_header **record);

/* Begin with the first record again. */
void perfdata_rewind(struct perfdata *data);

/* How far a file was read. */
struct perfdata_place {
	uint8_t *window;
	size_t fill;
	size_t at;
	uint64_t read;
};

/*
 * Leave the place where the file is read, and begin with the first record again. Records of before
 * stay where they are until the first call after perfdata_return(). 0 or -ENOMEM.
 */
int perfdata_leave(struct perfdata *data, struct perfdata_place *place);

void perfdata_return(struct perfdata *data, const struct perfdata_place *place);

/* Event of a record: an index into @layouts. -ENODATA: it belongs to none. */
int perfdata_event(struct perfdata *data, const struct perf_event_header *record, size_t *event);

#endif /* GPUOA_LIB_SOURCE_RECORDING_PERFDATA_H */
